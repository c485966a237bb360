#!/usr/bin/env bash
# run_scripts_test.sh BENCH_DIR FOLDER: tests bench/install-packages and bench/build with stand-ins for dpkg-query,
# apt-get and cmake. FOLDER is deleted and created again.
set -uo pipefail

bench=$(cd "$1" && pwd)
work=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rm -rf "$work"
mkdir -p "$work/bin" "$work/state" "$work/tree/bench"
work=$(cd "$work" && pwd)

. "$here/checks.sh"

# stand_in NAME: makes a program of that name from the script on standard input. $state is a folder that all calls
# share.
stand_in() {
  { printf '#!/bin/bash\nstate=%q\n' "$work/state"; cat; } >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}
# call STATUS NAME COMMAND...: runs COMMAND, which must exit with STATUS. Its output is in $work/stdout and
# $work/stderr.
call() {
  local wanted=$1 name=$2 status=0
  shift 2
  PATH=$work/bin:$PATH "$@" >"$work/stdout" 2>"$work/stderr" </dev/null || status=$?
  same "$name: exit status" "$status" "$wanted"
  same "$name: nothing on stdout" "$(cat "$work/stdout")" ""
}

# ---- install-packages. The package `there` is installed; `early` can be installed; `late` only after an update;
# `never` does not exist ----

stand_in dpkg-query <<'FAKE'
if [ "${*: -1}" = there ] || [ -e "$state/${*: -1}" ]; then printf installed; else exit 1; fi
FAKE
stand_in id <<'FAKE'
echo 0
FAKE
stand_in apt-get <<'FAKE'
if [ -s "$state/locked" ]; then
  sed -i 1d "$state/locked"
  echo "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 7 (apt-get)"
  exit 100
fi
echo "$*" >>"$state/calls"
if [ "$1" = update ]; then touch "$state/updated"; exit; fi
for package in "${@:4}"; do
  if [ "$package" = never ] || { [ "$package" = late ] && [ ! -e "$state/updated" ]; }; then
    echo "E: Unable to locate package $package"
    exit 100
  fi
done
for package in "${@:4}"; do touch "$state/$package"; done
FAKE

install=$bench/install-packages
call 0 "all are there" "$install" there
same "all are there: quiet" "$(cat "$work/stderr")" ""
call 0 "one is missing" "$install" there early
has "one is missing: said" '^Installing: early$' "$work/stderr"
same "one is missing: no update" "$(grep -c update "$work/state/calls")" 0
rm "$work/state/early"
printf '1\n2\n' >"$work/state/locked"
call 0 "apt is locked" "$install" early
same "apt is locked: said once" "$(grep -c 'Another process uses apt' "$work/stderr")" 1
call 0 "the lists are old" "$install" late
has "the lists are old: update" '^update' "$work/state/calls"
call 1 "cannot be had" "$install" never
has "cannot be had: apt's words" 'Unable to locate package never' "$work/stderr"
rm "$work/state/early"
call 0 "optional" "$install" --optional never early
has "optional: said" 'Could not install: never: E: Unable to locate' "$work/stderr"
same "optional: the other is installed" "$(ls "$work/state/early")" "$work/state/early"

# Another system: only Bash and what it needs.
mkdir "$work/other"
ln -s "$(command -v bash)" "$(command -v env)" "$work/other"
other() { PATH=$work/other "$install" "$@" >"$work/stdout" 2>"$work/stderr"; }
other there early
same "another system: exit status" $? 1
has "another system: what to install" '^  there early$' "$work/stderr"
has "another system: what to do" 'docs/BUILD.md .*Then run CMake yourself' "$work/stderr"
other --optional there early
same "another system, optional: exit status" $? 0
has "another system, optional: what to install" '^  there early$' "$work/stderr"
same "another system, optional: goes on" "$(grep -c 'run CMake' "$work/stderr")" 0

# ---- build: configures, builds, and prints nothing if nothing has to be built ----

cp "$bench/build" "$work/tree/bench/"
stand_in cmake <<'FAKE'
if [ "$1" = --preset ]; then
  mkdir -p build/release
  touch build/release/CMakeCache.txt
elif [ -e "$state/broken" ]; then
  printf '[1/2] Building C object\nFAILED: a.o\na.c:1: error\n'
  exit 1
elif [ -e "$state/built" ]; then
  printf '[0/1] Re-checking globbed directories...\nninja: no work to do.\n'
else
  printf '[1/4] Building C object\n[2/4] Building C object\n[4/4] Linking\n'
  touch "$state/built"
fi
FAKE
build=$work/tree/bench/build
call 0 "first build" "$build" throng-run
has "first build: said" 'The first build takes' "$work/stderr"
has "first build: how far" '^Building throng-run:  25 %, [0-9]+ s$' "$work/stderr"
call 0 "nothing to build" "$build" throng-run
same "nothing to build: quiet" "$(cat "$work/stderr")" ""
touch "$work/state/broken"
call 1 "broken" "$build" throng-run
has "broken: the compiler's words" '^a.c:1: error' "$work/stderr"

finish
