#!/bin/bash
# Runs a program on ranks of Open MPI. Exits 77 if there is no mpirun, unless in CI.
# usage: run_ranks.sh RANKS PROGRAM [ARGUMENT...]
# MPIRUN_OPTIONS has more options for mpirun, for example: --mca btl self,tcp
set -euo pipefail

ranks=$1
if ! command -v mpirun >/dev/null; then
  echo "mpirun is missing (Debian: openmpi-bin)"
  if [[ -n ${CI-} ]]; then exit 1; fi
  exit 77
fi
# Ranks may outnumber the cores: those that wait give way to the others.
options=(--oversubscribe --mca mpi_yield_when_idle 1 -np "$ranks")
if [[ $(id -u) == 0 ]]; then options+=(--allow-run-as-root); fi
read -ra more <<<"${MPIRUN_OPTIONS-}"
exec mpirun "${options[@]}" "${more[@]}" "${@:2}"
