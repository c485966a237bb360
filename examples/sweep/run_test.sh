#!/bin/bash
# Runs a part of the sweep twice, in two orders, and checks that check finds a changed result.
# usage: run_test.sh PROGRAM FOLDER
set -euo pipefail
program=$1 folder=$2
source=$(dirname "$0")

fail() {
  echo "sweep: $*" >&2
  exit 1
}
refused() {
  if "$program" "$@" >/dev/null 2>"$folder/errors"; then fail "took $*"; fi
  grep -q usage "$folder/errors" || fail "refused $* without its usage"
}

rm -rf "$folder"
mkdir -p "$folder"
unset SLURM_ARRAY_TASK_ID
"$program" 3 runs=4 >"$folder/together.jsonl"
for run in 15 14 13 12; do SLURM_ARRAY_TASK_ID=$run "$program"; done | sort >"$folder/alone.jsonl"
cmp "$folder/together.jsonl" "$folder/alone.jsonl" || fail "runs of one task differ from single runs"
[[ $(wc -l <"$folder/alone.jsonl") == 4 ]] || fail "not one line a run"
[[ $(grep -o '"hash.*' "$folder/alone.jsonl" | sort -u | wc -l) == 4 ]] || fail "different seeds gave the same hash"
grep -q '"left": 20,' "$folder/alone.jsonl" || fail "nobody left the room"
SLURM_ARRAY_TASK_ID=2 "$source/slurm.sh" "$program" "$folder/slurm"
[[ $(wc -l <"$folder/slurm/2.jsonl") == 10 ]] || fail "a Slurm task did not write its runs"
"$source/check" "$program" "$folder/together.jsonl" 2 |
  grep -q '^2 of 4 runs repeated, 0 differ$' || fail "check failed"
sed 's/"hash": "./"hash": "x/' "$folder/together.jsonl" >"$folder/wrong.jsonl"
if "$source/check" "$program" "$folder/wrong.jsonl" >/dev/null 2>&1; then fail "check took a wrong hash"; fi
[[ $("$program" 0 door=2 agents=7 seed=9 seconds=1) == *'"door": 2, "agents": 7, "seed": 9'* ]] || fail "no overrides"
refused
refused -1
refused 1000
refused 0 runs=0
refused 0 speed=3
refused 0 door=x
refused 0 agents=101
echo "sweep: all as expected"
