#!/bin/bash
# Fails if the code of the static library is larger than 4.1 MB: programs carry all of it, and one variant too many of
# the neighbour walk is soon added. The limit is for what users build: GCC, Release, the three instruction sets of
# x86-64. Exits 77 for other builds.
# usage: check_size.sh SIZE STATIC_LIBRARY BUILD
#   BUILD      compiler, build type, flags and instruction sets, such as "GNU Release baseline avx2 avx512"
set -euo pipefail

limit=4100000
measured="GNU Release baseline avx2 avx512"
if [[ $3 != "$measured" ]]; then
  echo "skipped: this build is '$3', and the limit is for '$measured'"
  exit 77
fi
size=$1 library=$2
if ! command -v "$size" >/dev/null; then
  echo "size is missing (Debian: binutils)"
  if [[ -n ${CI-} ]]; then exit 1; fi
  exit 77
fi

# The first column, text, is code, constants and unwind tables.
objects=$("$size" "$library")
awk '/neighbours(_spatial)?\.c/ { print $1 " bytes of a neighbour walk" }' <<<"$objects"
text=$(awk 'NR > 1 { sum += $1 } END { print sum + 0 }' <<<"$objects")
echo "$text bytes in all, at most $limit"
[[ $text -gt 0 ]] || exit 1
if ((text > limit)); then
  echo "the library is too large; its largest objects:" >&2
  sort -rn <<<"$objects" | head -n 10 >&2
  exit 1
fi
