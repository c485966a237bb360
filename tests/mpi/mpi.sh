# Sourced by the tests that start ranks. usage: "${ranks[@]}" N PROGRAM OPTION...
# shellcheck shell=bash disable=SC2034
if ! command -v mpirun >/dev/null; then
  echo "skipped: mpirun is missing (Debian: openmpi-bin)"
  exit 77
fi
ranks=(mpirun --oversubscribe --mca mpi_yield_when_idle 1)
if [ "$(id -u)" -eq 0 ]; then ranks+=(--allow-run-as-root); fi
ranks+=(-np)
