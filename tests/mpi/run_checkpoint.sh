#!/bin/bash
# Runs a test program on ranks, in an empty folder. Then makes a snapshot of the checkpoint FILE that it has saved,
# which must load again.
# usage: run_checkpoint.sh RANKS PROGRAM FOLDER [THRONG_MPI_JOIN FILE]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/mpi/mpi.sh
. "$here/mpi.sh"
program=$(readlink -f "$2") join=$(readlink -f "${4-$2}")
rm -rf "$3"
mkdir -p "$3"
cd "$3"
"${ranks[@]}" "$1" "$program"
if [ $# -gt 4 ]; then
  "$join" "$5" snapshot
  "$join" --split snapshot again
  "$join" again same
  cmp snapshot same
fi
