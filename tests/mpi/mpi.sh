# Sourced by the tests that start ranks. Exits 77 if there is no mpirun, and 1 in CI. Ranks may outnumber the cores:
# those that wait give way to the others. usage: "${ranks[@]}" N PROGRAM OPTION...
# shellcheck shell=bash disable=SC2034
if ! command -v mpirun >/dev/null; then
  echo "skipped: mpirun is missing (Debian: openmpi-bin)"
  if [ -n "${CI-}" ]; then exit 1; fi
  exit 77
fi
ranks=(mpirun --oversubscribe --mca mpi_yield_when_idle 1)
if [ "$(id -u)" -eq 0 ]; then ranks+=(--allow-run-as-root); fi
ranks+=(-np)
