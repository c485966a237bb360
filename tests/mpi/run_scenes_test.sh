#!/bin/bash
# Every shipped scene on 3 ranks, and a periodic one on 4 x 4, each with cuts that move and other instruction sets on
# each rank: throng-mpi-run --check compares the hash of all columns with that of one world.
# usage: run_scenes_test.sh THRONG_MPI_RUN
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/mpi/mpi.sh
. "$here/mpi.sh"
failed=0
# usage: check RANKS OPTION...
check() {
  if ! out=$("${ranks[@]}" "$1" "$program" "${@:2}" --mixed-isa --check 2>&1); then
    printf '%s ranks, %s:\n%s\n' "$1" "${*:2}" "$out"
    failed=1
  fi
}
program=$1
while read -r scene _; do
  check 3 --scene "$scene" --agents 3000 --frames 30 --balance-every 7
done <"$here/../cli/scene_hashes.txt"
check 16 --scene wrapped --agents 30000 --frames 12 --slabs 4 --balance-every 5
check 4 --scene wrapped --agents 30000 --frames 12 --cut slabs --balance-every 5
# Cuts by Zoltan, on a number of ranks that has no grid: also a crowd within one perception radius.
out=$("${ranks[@]}" 1 "$program" --cut rcb --agents 100 --frames 1 2>&1 || true)
if [ "$(grep -c 'built without Zoltan$' <<<"$out")" -eq 1 ]; then
  echo "no --cut rcb: built without Zoltan"
else
  for scene in clump2 packed wrapped starlings parade; do
    check 5 --scene $scene --agents 3000 --frames 30 --balance-every 7 --cut rcb
  done
fi
exit $failed
