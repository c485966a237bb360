#!/bin/bash
# Adds to a copy of the kernel a name that two sources define. In one file they clash, so examples/one-file/make must
# stop and name both places.
# usage: run_clash_test.sh FOLDER
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$1

fail() {
  echo "one file: $*" >&2
  exit 1
}

# usage: clashes NAME FILE TEXT FILE TEXT; adds the texts to the files and wants NAME with the lines that they end at
clashes() {
  local name=$1 places=() copy=$folder/tree
  rm -rf "$copy"
  mkdir -p "$copy/examples"
  cp -r "$root/kernel" "$root/include" "$root/LICENSE" "$copy"
  cp -r "$root/examples/one-file" "$copy/examples"
  shift
  while [ $# -gt 0 ]; do
    [ -f "$copy/kernel/$1" ] || fail "there is no kernel/$1 any more"
    printf '%s\n' "$2" >>"$copy/kernel/$1"
    places+=("kernel/$1:$(wc -l <"$copy/kernel/$1")")
    shift 2
  done
  if "$copy/examples/one-file/make" "$folder/out" 2>"$folder/errors"; then fail "does not see the clash of $name"; fi
  for place in "${places[@]}"; do
    grep "^  $name: " "$folder/errors" | grep -qE "$place([ ,]|$)" ||
      fail "$name clashes at $place, not at: $(cat "$folder/errors")"
  done
  cat "$folder/errors"
}

mkdir -p "$folder"
function='static int clash(void) { return 0; }'
clashes clash passes/own.h "$function" grid/grid.h "$function"
clashes clash passes/own.h "$function" grid/grid.h 'static const int clash[2] = {0};'
clashes clash passes/own.h "$function" grid/grid.h 'typedef int clash;'
clashes CLASH passes/own.h 'enum { OTHER, CLASH };' grid/grid.h '#define CLASH 1'
clashes clash passes/own.h 'struct clash {int a;};' grid/grid.h 'union clash {int a;};'
clashes clash passes/own.h '#define clash 1' grid/grid.c 'void throng_clash(int clash);'
# make renames a name of a source; the new name is one that a header has.
clashes grid_own_value passes/own.h $'static int own_value;\nstatic int grid_own_value;' \
  grid/grid.c 'static int own_value;'
