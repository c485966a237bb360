#!/bin/bash
# Makes the one-file distribution, compiles it with one command and holds it against the golden hashes; or has it refused, or only
# read; or builds the README's program on it, which must print what PROGRAM prints.
# usage: run_test.sh FOLDER COMPILER (--isa NAME | --refused | --read | --hello PROGRAM) FLAG...
# 77: the machine lacks the compiler or the instruction set
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
  grep -q "do not compile throng.c with -ffast-math" "$folder/errors" || fail "$compiler $* was refused without the reason"
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

# The scenes are arithmetic too, of a caller who minds his bits: they are compiled beforehand, without contraction.
for source in golden_main golden golden_jobs; do
  "$compiler" -O1 -ffp-contract=off -I "$folder" -I "$tests" -c "$tests/promises/$source.c" -o "$folder/$source.o"
done
"$compiler" "$@" "$folder"/golden*.o "$folder/throng/throng.c" -lm -o "$folder/golden" 2>&1 | tee "$folder/warnings"
[ ! -s "$folder/warnings" ] || fail "$compiler $* warns"
"$folder/golden" --isa "$isa" --frames 12 --threads 1-2
