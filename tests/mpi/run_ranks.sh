#!/bin/bash
# Runs a program on ranks of Open MPI. Exits 77 if there is no mpirun, unless in CI.
# usage: run_ranks.sh RANKS PROGRAM [ARGUMENT...]
# MPIRUN_OPTIONS has more options for mpirun, for example: --mca btl self,tcp
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/mpi/mpi.sh
. "$here/mpi.sh"
read -ra more <<<"${MPIRUN_OPTIONS-}"
exec "${ranks[@]}" "$1" "${more[@]}" "${@:2}"
