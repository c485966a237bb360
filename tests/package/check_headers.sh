#!/bin/bash
# Every public header compiles alone, twice in one file, as C11 and as C++17. throng/mpi.h needs the folders of MPI's
# own headers; without them it is left out.
# usage: check_headers.sh INCLUDE_DIR CC CXX [MPI_INCLUDE_DIR...]
set -euo pipefail

include=$1 cc=$2 cxx=$3
mpi=("${@:4}")
flags=(-I"$include" "${mpi[@]/#/-isystem}" -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
for header in "$include"/throng/*.h; do
  name=throng/${header##*/}
  if [[ $name == throng/mpi.h && ${#mpi[@]} == 0 ]]; then continue; fi
  text=$(printf '#include <%s>\n#include <%s>\nint main(void) { return 0; }\n' "$name" "$name")
  "$cc" -std=c11 "${flags[@]}" -x c - <<<"$text"
  "$cxx" -std=c++17 "${flags[@]}" -x c++ - <<<"$text"
  echo "$name"
done
