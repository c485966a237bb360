#!/bin/bash
# Fails unless all external symbols begin with throng_, and the shared library exports exactly the THRONG_API functions.
# The functions of throng/mpi.h are in a library of their own, which must define all of them.
# usage: check_symbols.sh NM STATIC_LIBRARY SHARED_LIBRARY INCLUDE_DIR [MPI_LIBRARY]
set -euo pipefail

nm=$1 static=$2 shared=$3 include=$4 mpi=${5-}
names() { "$nm" --defined-only --extern-only --format=posix "$@" | awk 'NF > 1 { print $1 }' | sort -u; }

alien=$({ names "$static"; names --dynamic "$shared"; } | grep -v '^throng_' || true)
if [[ -n $alien ]]; then
  printf 'symbols without the prefix throng_:\n%s\n' "$alien" >&2
  exit 1
fi

# A declaration may break its line after the type, so read the name before the parenthesis.
declared_in() {
  grep -hv '^#' "$@" | tr '\n' ' ' | grep -o 'THRONG_API [^(;#]*(' | sed 's/ *($//; s/.*[ *]//' | sort -u
}
shopt -s extglob
declared=$(declared_in "$include"/throng/!(mpi).h)
difference=$(diff <(echo "$declared") <(names --dynamic "$shared") || true)
if [[ -n $difference ]]; then
  printf 'declared (<) and exported (>) differ:\n%s\n' "$difference" >&2
  exit 1
fi
if [[ -n $mpi ]]; then
  alien=$(names "$mpi" | grep -v '^throng_mpi_\|^throng_default_mpi_def$' || true)
  missing=$(comm -23 <(declared_in "$include/throng/mpi.h") <(names "$mpi"))
  if [[ -n $alien$missing ]]; then
    printf 'libthrong-mpi: alien symbols: %s; missing: %s\n' "$alien" "$missing" >&2
    exit 1
  fi
fi
echo "$(wc -l <<<"$declared") functions declared and exported"
