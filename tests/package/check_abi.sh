#!/bin/bash
# Compares the shared library's binary interface with the recorded one. Exits 77 if libabigail is missing, unless in CI.
# usage: check_abi.sh RECORD SHARED_LIBRARY INCLUDE_DIR [--update]
#   --update   records the library's interface instead
set -euo pipefail

record=$1 library=$2 include=$3
if ! command -v abidiff >/dev/null; then
  echo "abidiff is missing (Debian: abigail-tools)"
  if [[ -n ${CI-} ]]; then exit 1; fi
  exit 77
fi

if [[ ${4-} == --update ]]; then
  abidw --headers-dir "$include" --drop-private-types --no-show-locs --no-corpus-path --no-comp-dir-path \
    --no-elf-needed --drop-undefined-syms --out-file "$record" "$library"
  exit
fi
if ! abidiff "$record" "$library"; then
  echo "The binary interface has changed. If that is meant, raise the version as semantic versioning asks, and run:" >&2
  echo "  $0 $1 $2 $3 --update" >&2
  exit 1
fi
