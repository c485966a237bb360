#!/bin/bash
# Makes the one-file distribution in FOLDER and compiles it with COMPILER and the FLAGs.
# usage: run_test.sh FOLDER COMPILER (--isa NAME | --refused | --read | --hello PROGRAM) FLAG...
#   --isa NAME        runs it with this instruction set: the hashes must be the golden ones
#   --refused         the compiler must refuse the FLAGs, with throng.c's own message
#   --read            only checks the syntax, with all warnings as errors
#   --hello PROGRAM   builds the README's program with it, which must print the same text as PROGRAM
# Exits 77 if the machine lacks the compiler or the instruction set.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tests=$here/../../tests
folder=$1 compiler=$2 wanted=$3
shift 3

fail() {
  echo "one file: $*" >&2
  exit 1
}

if ! command -v "$compiler" >/dev/null; then
  [ -z "${CI-}" ] || fail "no $compiler here"
  echo "no $compiler here"
  exit 77
fi

rm -rf "$folder"
"$here/make" "$folder/throng"

if [ "$wanted" = --refused ]; then
  if "$compiler" "$@" -c "$folder/throng/throng.c" -o "$folder/throng.o" 2>"$folder/errors"; then
    fail "$compiler $* compiled it"
  fi
  cat "$folder/errors"
  grep -q "do not compile throng.c with -ffast-math" "$folder/errors" ||
    fail "$compiler $* was refused without the reason"
  exit 0
fi
if [ "$wanted" = --read ]; then
  "$compiler" "$@" -Wall -Wextra -Werror -fsyntax-only "$folder/throng/throng.c"
  exit 0
fi
if [ "$wanted" = --hello ]; then
  hello=$1
  shift
  "$compiler" "$@" -I"$folder" "$here/../hello.c" "$folder/throng/throng.c" -lm -o "$folder/hello"
  diff <("$hello") <("$folder/hello") || fail "hello.c and throng.c, $*: says something else than on the library"
  exit 0
fi
isa=$1
shift

# The golden program computes its scenes itself. They must not depend on FLAGs, so it is compiled without contraction.
for source in golden_main golden golden_groups golden_attractors golden_jobs; do
  "$compiler" -O1 -ffp-contract=off -I "$folder" -I "$tests" -c "$tests/promises/$source.c" -o "$folder/$source.o"
done
"$compiler" "$@" "$folder"/golden*.o "$folder/throng/throng.c" -lm -o "$folder/golden" 2>&1 | tee "$folder/warnings"
[ ! -s "$folder/warnings" ] || fail "$compiler $* warns"
"$folder/golden" --isa "$isa" --frames 12 --threads 1-2
