#!/bin/bash
# Checks include/throng-api.json and docs/manual/api, which makes it. Exits 77 without Python, and json also without
# Clang, unless in CI.
# usage: run_api_test.sh HOW SOURCE_DIR WORK_DIR CC
#   HOW   layouts   the file has the names, types, values and layouts that the compiler CC sees in the headers
#         json      Clang makes the same file again
set -euo pipefail

how=$1 source=$2 work=$3 cc=$4
clang=${CLANG-clang}
needs=(python3)
if [[ $how == json ]]; then needs+=("$clang"); fi
for tool in "${needs[@]}"; do
  if ! command -v "$tool" >/dev/null; then
    echo "$tool is missing (Debian: ${tool##*/})"
    if [[ -n ${CI-} ]]; then exit 1; fi
    exit 77
  fi
done
rm -rf "$work"
mkdir -p "$work/docs" "$work/examples"
cp -r "$source/docs/manual" "$work/docs"
cp -r "$source/examples/python" "$work/examples"
cp -r "$source/include" "$work"
api=$work/docs/manual/api file=$work/include/throng-api.json headers=$work/include/throng

fail() {
  echo "run_api_test.sh: $*" >&2
  exit 1
}

# usage: spoil FILE EXPRESSION: changes a file by sed
spoil() {
  cp "$1" "$work/before"
  sed -i "$2" "$1"
  if cmp -s "$work/before" "$1"; then fail "'$2' changes nothing in $1"; fi
}

# usage: refused OPTION TEXT...: the program fails with this option, and its error has each text
refused() {
  local text
  if "$api" "$1" >"$work/printed" 2>"$work/error"; then fail "'$2' is not seen"; fi
  for text in "${@:2}"; do
    grep -qF -- "$text" "$work/error" || fail "the error lacks '$text': $(cat "$work/error")"
  done
}

compile() {
  "$api" --c >"$work/layouts.c"
  "$cc" -std=c11 -Wall -Wextra -Werror -I"$work/include" -fsyntax-only "$work/layouts.c"
}

if [[ $how == layouts ]]; then
  "$api" --names
  compile
  # Each change is of another kind: a size, an offset, a type, an array, an enumerator, a constant, a function.
  names=(throng_error throng_span.stride throng_target.point throng_explanation.contribution THRONG_ISA_NEON
         THRONG_TILE_LIMIT throng_world_frame)
  spoil "$file" '/"name": "throng_error",/,/"size"/s/"size": /&1/'
  spoil "$file" '/"name": "stride", "type": "size_t", "offset"/s/"offset": /&1/'
  spoil "$file" '/"name": "point", "type": "throng_vec3", "offset": 4/s/throng_vec3/throng_tile_walker/'
  spoil "$file" '/"name": "contribution"/s/"count": /&1/'
  spoil "$file" '/"name": "THRONG_ISA_NEON"/s/"value": /&1/'
  spoil "$file" '/"name": "THRONG_TILE_LIMIT"/s/"type": "int"/"type": "float"/'
  spoil "$file" '/"name": "throng_world_frame"/,/"returns"/s/uint64_t/uint32_t/'
  if compile >"$work/error" 2>&1; then fail "a wrong file compiles"; fi
  for name in "${names[@]}"; do grep -q "\b$name\b" "$work/error" || fail "a wrong $name is not seen"; done
  spoil "$headers/world.h" 's/^THRONG_API bool throng_world_check(/THRONG_API void throng_world_new_call(void);\n&/'
  spoil "$headers/group.h" 's/^  THRONG_FACING_STEERED/  THRONG_FACING_NEW,\n&/'
  spoil "$work/examples/python/throng/enums.py" 's/ERROR_BUSY = 16/ERROR_BUSY = 17/'
  refused --names throng_world_new_call THRONG_FACING_NEW 'ERROR_BUSY = 16'
else
  "$api" --check
  spoil "$headers/group.h" 's|/\* The definition of a group. \*/|/* The new comment of a group. */|'
  spoil "$headers/path.h" 's|^  bool closed;|  bool fresh;\n&|'
  refused --check throng-api.json 'The new comment of a group.' '"name": "fresh"'
  "$api"
  "$api" --check
  compile
fi
