#!/bin/bash
# Tests which compiler flags the kernel gets from the build type, in throng's own build and in a project that contains
# throng; and which instruction sets THRONG_ISA_TABLES selects. Only configures, and reads the compile commands.
# usage: run_configure_test.sh SOURCE_DIR WORK_DIR CC
set -euo pipefail

source=$1 work=$2
export CC=$3 CMAKE_EXPORT_COMPILE_COMMANDS=ON CMAKE_GENERATOR=Ninja
unset CFLAGS CMAKE_BUILD_TYPE
if ! command -v ninja >/dev/null; then
  echo "ninja is missing"
  if [[ -n ${CI-} ]]; then exit 1; fi
  exit 77
fi

fail() {
  printf '%s: %s\n' "$name" "$*" >&2
  exit 1
}

# usage: configure NAME FOLDER ARGUMENT...
configure() {
  name=$1
  rm -rf "${work:?}/$1"
  mkdir -p "$work/$1"
  if ! cmake -S "$2" -B "$work/$1" "${@:3}" >"$work/$1/log" 2>&1; then
    cat "$work/$1/log" >&2
    fail "does not configure"
  fi
  sed -n 's/.*"command": //p' "$work/$1/compile_commands.json" >"$work/$1/commands"
}

# Removes the last level of the files whose code is kept small: kernel/CMakeLists.txt.
without_small='s/ -O2( -o [^ ]*\/(blend|walls)\.c\.o)/\1/; s/ -Os( -o [^ ]*\/kinematic\.c\.o)/\1/'

# usage: kernel PATTERN FLAG...; checks the commands that compile the kernel and match PATTERN: each has these flags,
# and no other flag of optimisation, assertions or warnings as errors
kernel() {
  local pattern=$1 commands flag
  shift
  commands=$(sed -E "$without_small" "$work/$name/commands" | grep -E "/kernel/.*$pattern") ||
    fail "compiles nothing that matches $pattern"
  for flag in "$@"; do
    if grep -vF -- " $flag " <<<"$commands" | head -n 1 | grep .; then fail "the kernel lacks $flag"; fi
  done
  for flag in -O0 -O1 -O2 -O3 -Os -DNDEBUG -Werror; do
    if [[ " $* " != *" $flag "* ]] && grep -F -- " $flag " <<<"$commands" | head -n 1; then
      fail "the kernel has $flag"
    fi
  done
}

# usage: says COUNT TEXT; checks that COUNT lines of the configure log have TEXT
says() {
  [[ $(grep -cF "$2" "$work/$name/log") == "$1" ]] || fail "does not say $1 times: $2"
}

configure plain "$source"
kernel . -O3 -DNDEBUG
if grep -vE '/kernel/[^ ]*\.c' "$work/plain/commands"; then fail "builds more than the library"; fi

consumer=$source/tests/package/consumer
mine=(-DLANGUAGE=C "-DTHRONG_SOURCE_DIR=$source")
slow="the kernel is not optimised"
# usage: untouched TYPE FLAGS
untouched() {
  says 1 "consumer: build type '$1', flags '$2', tests ''"
  grep -qE "^CMAKE_BUILD_TYPE:[A-Z]*=$1\$" "$work/$name/CMakeCache.txt" || fail "CMAKE_BUILD_TYPE is no longer '$1'"
}

configure folder "$consumer" "${mine[@]}"
kernel . -O2 -DNDEBUG
if grep -F main.c "$work/folder/commands" | grep -E -- '-O|NDEBUG'; then fail "throng's flags reach its consumer"; fi
untouched "" ""
says 0 "$slow"

mkdir -p "$work"
tar -C "$source" --exclude=./build --exclude=./out --exclude=./.git --exclude=./shared -czf "$work/throng.tar.gz" .
configure fetched "$consumer" -DLANGUAGE=C "-DTHRONG_URL=file://$work/throng.tar.gz"
kernel . -O2 -DNDEBUG
if grep -F main.c "$work/fetched/commands" | grep -E -- '-O|NDEBUG'; then fail "throng's flags reach its consumer"; fi
untouched "" ""

configure debug "$consumer" "${mine[@]}" -DCMAKE_BUILD_TYPE=Debug
kernel .
untouched Debug ""
says 1 "$slow"

configure debug_optimised "$consumer" "${mine[@]}" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS=-O1
kernel . -O1
untouched Debug -O1
says 0 "$slow"

configure release "$consumer" "${mine[@]}" -DCMAKE_BUILD_TYPE=Release
kernel . -O3 -DNDEBUG
untouched Release ""

configure own_level "$consumer" "${mine[@]}" -DCMAKE_C_FLAGS=-O1
kernel . -O1
untouched "" -O1

configure several "$consumer" "${mine[@]}" -G "Ninja Multi-Config"
kernel /Debug/
kernel /Release/ -O3 -DNDEBUG
kernel /RelWithDebInfo/base/ -O2 -DNDEBUG

# usage: takes TABLES SET...; checks that a build with THRONG_ISA_TABLES=TABLES compiles the passes for these sets, in
# this order
takes() {
  configure tables "$source" "-DTHRONG_ISA_TABLES=$1"
  local wanted
  wanted=$(printf 'THRONG_PASS_ISA=%s\n' "${@:2}")
  [[ $(grep -o 'THRONG_PASS_ISA=[a-z0-9]*' "$work/tables/commands" | sort -u) == "$wanted" ]] || fail "$1 is not ${*:2}"
}
case $(uname -m) in
  x86_64)
    takes "baseline;avx2;avx512" avx2 avx512 baseline
    takes "avx2" avx2 baseline
    takes "baseline;avx512" avx512 baseline
    takes "baseline" baseline
    takes "" baseline
    ;;
  aarch64) takes "baseline;avx2;avx512" neon ;;
esac
name=unknown
if cmake -S "$source" -B "$work/unknown" "-DTHRONG_ISA_TABLES=baseline;sse9" >"$work/unknown-log" 2>&1; then
  fail "takes sse9 for an instruction set"
fi
tr -s ' \n' ' ' <"$work/unknown-log" | grep -F "THRONG_ISA_TABLES has sse9, which is none of baseline, avx2, avx512" ||
  fail "does not say what the instruction sets are: $(cat "$work/unknown-log")"
