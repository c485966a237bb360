#!/bin/bash
# Builds a program with an installed libthrong-mpi, by find_package and by pkg-config, and runs it on two ranks. Both
# must print the same. Exits 77 if there is no mpicc or mpirun, unless in CI.
# usage: run_mpi_package_test.sh SOURCE_DIR PREFIX WORK_DIR
set -euo pipefail

source=$1 prefix=$2 work=$3
for tool in mpicc mpirun; do
  if ! command -v $tool >/dev/null; then
    echo "$tool is missing (Debian: libopenmpi-dev, openmpi-bin)"
    if [[ -n ${CI-} ]]; then exit 1; fi
    exit 77
  fi
done
consumer=$source/tests/package/consumer_mpi
rm -rf "$work"
cmake -S "$consumer" -B "$work/cmake" -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix"
cmake --build "$work/cmake"

PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name throng-mpi.pc)")
export PKG_CONFIG_PATH
read -ra flags < <(pkg-config --static --cflags --libs throng-mpi)
mpicc -std=c11 "$consumer/main.c" "${flags[@]}" -o "$work/pkg_config"

for program in "$work/cmake/consumer_mpi" "$work/pkg_config"; do
  "$source/tests/mpi/run_ranks.sh" 2 "$program" | tee "$work/printed"
  [[ $(sort -u "$work/printed" | wc -l) == 1 ]]
  grep -q '^4 agents, hash' "$work/printed"
done
