#!/usr/bin/env bash
# Tests small runs of bench/scaling --ranks: a row for each combination, the pictures, and what it refuses.
# usage: run_ranks_scaling_test.sh SCALING THRONG_RUN THRONG_MPI_RUN FOLDER     FOLDER is deleted and created again
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/mpi/mpi.sh
. "$here/mpi.sh"
scaling=$(readlink -f "$1")
THRONG_RUN=$(readlink -f "$2")
THRONG_MPI_RUN=$(readlink -f "$3")
export THRONG_RUN THRONG_MPI_RUN
work=$4
rm -rf "$work"
mkdir -p "$work"
work=$(cd "$work" && pwd)
failed=0

# check WHAT COMMAND...: fails with the text WHAT unless the command succeeds.
check() {
  local what=$1
  shift
  if ! "$@"; then
    echo "FAILED: $what" >&2
    failed=1
  fi
}
sweep() { "$scaling" --frames 4 --out "$work/out" "$@" >"$work/stdout" 2>"$work/stderr"; }

sweep --ranks=1,2 --agents 600,1200 --rounds 2
check "exit status: $(cat "$work/stderr")" [ $? -eq 0 ]
check "nothing on stderr: $(cat "$work/stderr")" [ ! -s "$work/stderr" ]
# Rates from least to most. 1200 agents have one hash, on 1 rank and on 2 with 600 each. One rank has no ghosts.
# shellcheck disable=SC2016 # fields of awk
check "rows" awk -F, 'NR == 1 { next }
  NF != 19 || $1 != "flock2" || $6 != 1 || $7 != 2 || !($9 > 0 && $9 <= $8 && $8 <= $10) { bad = 1 }
  $4 != ($2 == "weak" ? $3 * $5 : $3) || !($11 > 0 && $18 >= 1) || ($5 == 1) != ($17 == 0) { bad = 1 }
  ($4 in hash) && hash[$4] != $19 { bad = 1 }
  { hash[$4] = $19; seen[$2, $3, $5]++ }
  END { for (row in seen) rows += seen[row] == 1; exit bad || NR != 9 || rows != 8 }' "$work/out/ranks.csv"
check "the printed rates" [ "$(grep -c 'efficiency 1.00, without waiting 1.00$' "$work/stdout")" -eq 4 ]
check "files" [ "$(cd "$work/out" && echo *)" = "machine.txt ranks.csv ranks.png ranks.svg" ]
for text in '1 200 agents' '600 per rank' 'without waiting' ideal; do
  check "'$text' is drawn" grep -q ">$text<" "$work/out/ranks.svg"
done
rm "$work/out"/ranks.{png,svg}
"$scaling" --draw "$work/out" >"$work/stdout" 2>"$work/stderr"
check "pictures drawn later: $(cat "$work/stderr")" \
  [ "$(cd "$work/out" && echo *) $(wc -c <"$work/stderr")" = "machine.txt ranks.csv ranks.png ranks.svg 0" ]

# refuses STATUS PATTERN OPTION...: exits with one line that matches PATTERN. The last files do not change.
refuses() {
  local status=$1 pattern=$2 before
  shift 2
  before=$(cat "$work/out/"* | cksum)
  sweep --agents 600 --rounds 1 "$@"
  check "exit status $status for $*" [ $? -eq "$status" ]
  check "one line with '$pattern' for $*: $(cat "$work/stderr")" \
    [ "$(wc -l <"$work/stderr") $(grep -cE -- "$pattern" "$work/stderr")" = "1 1" ]
  check "nothing written for $*" [ "$(cat "$work/out/"* | cksum)" = "$before" ]
}
refuses 2 "'--ranks': value '0'" --ranks=0
refuses 2 "'--ranks': value ''" --ranks=
refuses 2 "'--ranks': value '1,x'" --ranks=1,x
refuses 2 "'--ranks': not allowed with --alone" --ranks --alone
refuses 2 "'--ranks': not allowed with .* --isa" --ranks --isa baseline
refuses 2 "'--threads': value '1,2'" --ranks=1 --threads 1,2
refuses 1 "2 ranks with 3 agents: .*cannot be cut" --ranks=2 --agents 3
exit $failed
