#!/bin/bash
# Every public header compiles alone, twice in one file, as C11 and as C++17.
# usage: check_headers.sh INCLUDE_DIR CC CXX
set -euo pipefail

include=$1 cc=$2 cxx=$3
flags=(-I"$include" -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
for header in "$include"/throng/*.h; do
  name=throng/${header##*/}
  text=$(printf '#include <%s>\n#include <%s>\nint main(void) { return 0; }\n' "$name" "$name")
  "$cc" -std=c11 "${flags[@]}" -x c - <<<"$text"
  "$cxx" -std=c++17 "${flags[@]}" -x c++ - <<<"$text"
  echo "$name"
done
