#!/usr/bin/env bash
# run_bench_test.sh THRONG_BENCH FOLDER: tests that every kind of case runs without an error and reports its numbers.
# How large the numbers are is not tested. FOLDER is deleted and created again.
set -uo pipefail

bench=$(readlink -f "$1")
work=$2
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1

failed=0
fail() {
  failed=1
  echo "FAILED: $1" >&2
}

# refused NAME OPTION...: throng-bench exits with 2.
refused() {
  local name=$1
  shift
  "$bench" "$@" >/dev/null 2>&1
  local status=$?
  [ $status -eq 2 ] || fail "$name: exit status $status instead of 2"
}
refused "an unknown option" --benchmark_nonsense=1
refused "a filter that chooses nothing" --benchmark_filter=nonsense

filter='^ceiling_triad/threads:1|(^ceiling_pairs/flock2|/flock2/10000|^behaviour/.*)/(baseline|neon)/threads:1'
"$bench" --benchmark_format=json --benchmark_min_time=0.001 --benchmark_repetitions=2 "--benchmark_filter=$filter" \
  >result.json 2>warnings || fail "exit status $?: $(cat warnings)"
grep -q '"error_occurred": true' result.json && fail "a case fails: $(grep error_message result.json)"

# Writes a line for each number of each aggregate of a case: KIND AGGREGATE KEY VALUE.
awk -F'"' '
  $2 == "name" { split($4, part, "/"); kind = part[1]; aggregate = "" }
  $2 == "aggregate_name" { aggregate = $4 }
  aggregate != "" && $3 ~ /^: [-+0-9]/ { sub(/^: /, "", $3); sub(/,$/, "", $3); print kind, aggregate, $2, $3 }
' result.json >numbers

# positive KIND KEY...: the case reports real_time and each KEY, and all are above 0.
positive() {
  local kind=$1 key
  shift
  for key in real_time "$@"; do
    awk -v kind="$kind" -v key="$key" '
      $1 == kind && $2 == "median" && $3 == key { found = $4 > 0 } END { exit !found }
    ' numbers || fail "$kind: no positive $key"
  done
}
positive ceiling_triad bytes_per_second ceiling
positive ceiling_pairs candidates ceiling ceiling_profiled
for kind in frame pass_neighbours steer; do
  positive $kind items_per_second mean_neighbours candidates useful_pairs of_ceiling
  awk -v kind=$kind '
    $1 == kind && $2 == "median" { value[$3] = $4 } END { exit !(value["candidates"] > value["useful_pairs"]) }
  ' numbers || fail "$kind: fewer candidates than neighbours"
done
for kind in pass_behaviours pass_motion pass_commit integrate index index_guest; do
  positive $kind items_per_second bytes_per_second of_triad of_triad_same_size
done
positive query_radius items_per_second
positive query_nearest items_per_second
positive instances items_per_second
positive instances_between items_per_second
positive behaviour items_per_second

# The repetitions of different cases run interleaved, but the report has the cases in their own order.
order=$(awk '!seen[$1]++ { printf "%s ", $1 }' numbers)
expected="ceiling_triad ceiling_pairs frame pass_neighbours pass_behaviours pass_motion pass_commit steer integrate \
index index_guest instances instances_between query_radius query_nearest behaviour "
[ "$order" = "$expected" ] || fail "the order is '$order'"

# The minimum and the spread of two repetitions follow from their mean and standard deviation. The statistics of a case
# are consecutive lines.
awk '
  $3 != "real_time" { next }
  $2 == "mean" { mean = $4 }
  $2 == "stddev" { apart = sqrt(2) * $4 }
  $2 == "min" { told_min++; off = $4 - (mean - apart / 2) }
  $2 == "spread" { told_spread++; off = $4 - apart / mean }
  ($2 == "min" || $2 == "spread") && off * off > 1e-16 * (1 + mean * mean) {
    print $1, $2, "is", $4, "which is off by", off
  }
  END { if (!told_min || told_min != told_spread) print "not every case tells its minimum and its spread" }
' numbers >wrong
[ -s wrong ] && fail "$(cat wrong)"

# There is a warning for each case whose spread is more than 10 %, and no other warning.
wide=$(awk '$2 == "spread" && $3 == "real_time" && $4 > 0.1 { print $1 }' numbers)
warned=$(sed -n 's,^throng-bench: warning: the repetitions of \([a-z_]*\)/.* spread over [0-9]* %.*,\1,p' warnings)
[ "$warned" = "$wide" ] || fail "warnings of '$warned', but '$wide' spread"

exit $failed
