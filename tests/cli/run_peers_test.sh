#!/usr/bin/env bash
# run_peers_test.sh THRONG_PEERS WRONG_PEERS FOLDER PART...: tests that throng-peers reports that its peers agree with
# throng, that WRONG_PEERS reports that its peers do not, and that the tables of both are complete. The peers are built
# from the PARTs: source files and engines. Their speed is not tested. FOLDER is deleted and created again.
set -uo pipefail

peers=$(readlink -f "$1")
wrong=$(readlink -f "$2")
bench=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../bench" && pwd)
work=$3
shift 3
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1

failed=0
fail() {
  failed=1
  echo "FAILED: $1" >&2
  [ $# -lt 2 ] || cat "${@:2}" >&2
}

# refused NAME STATUS PATTERN PROGRAM OPTION...: PROGRAM exits with STATUS, prints one line that matches PATTERN, and
# writes nothing else.
refused() {
  local name=$1 expected=$2 pattern=$3 program=$4 status
  shift 4
  "$program" --json none.json "$@" >out 2>error
  status=$?
  [ $status -eq "$expected" ] || fail "$name: exit status $status instead of $expected" error
  if [ "$(wc -l <error)" -ne 1 ] || ! grep -qE "^throng-peers: .*$pattern" error; then
    fail "$name: no single line '$pattern' but" error
  fi
  if [ -s out ] || [ -e none.json ]; then fail "$name: something was written" out; fi
}
refused "unknown option" 2 "unknown option '--agent'" "$peers" --agent 5
refused "option without value" 2 "'--agents': no value" "$peers" --agents
refused "empty value" 2 "'--scene': value ''" "$peers" --scene=
scenes="flock2, flock3, concourse, evacuation, counterflow, city"
refused "another scene" 2 "'--scene': value 'crowd2', allowed $scenes" "$peers" --scene crowd2
refused "too many scenes" 2 "'--scene': .*at most 64" "$peers" --scene "$(printf 'flock2,%.0s' {1..64})flock2"
refused "no agents" 2 "'--agents': value '0', allowed a whole number from 1 to 2147483646" "$peers" --agents 0
refused "agents beyond memory" 2 "2147483646 agents .*MiB" "$peers" --agents 2147483646
refused "no frames" 2 "'--frames': value '0', allowed a whole number from 1 to 1000" "$peers" --frames 0
refused "rounds" 2 "'--rounds': value '101'" "$peers" --rounds 101
refused "seconds" 2 "'--seconds': value '-1', allowed a number from 0 to 60" "$peers" --seconds -1
refused "threads" 2 "'--threads': value 'two'" "$peers" --threads 1,two
refused "json is a folder" 2 "'--json': value '\.'" "$peers" --json .
"$peers" --help | grep -q -- '--rounds N' || fail "help"

# wrong_folder OPTION FILE: the script refuses a folder without the FILE that the engine's source has.
wrong_folder() {
  "$bench/peers" "$1" . >out 2>error
  [ $? -eq 2 ] || fail "$1: exit status" error
  grep -qx "peers: '$1': value '\.' has no $2" error || fail "$1 with a wrong folder" error
}
wrong_folder --rvo2 src/RVO.h
wrong_folder --jupedsim libsimulator/src/OperationalModels/OperationalModel.hpp

small=(--agents 2000 --frames 5 --rounds 2 --seconds 0)
refused "a wrong number of neighbours" 1 "flock2, miscounting, .* neighbours" "$wrong" "${small[@]}" --scene flock2
refused "a wrong place" 1 "flock3, straying, .* m from" "$wrong" "${small[@]}" --scene flock3

"$peers" "${small[@]}" --threads 1,2 --json results.json >table 2>error || fail "the text table" error
"$peers" "${small[@]}" --threads 1,2 --markdown >markdown 2>error || fail "the Markdown table" error

# Writes a line for each timing: SCENE THREADS NEIGHBOURS NAME.
awk -F'"' '
  /"scene":/ { scene = $4 }
  /"name":/ { name = $4 }
  /"threads":/ { threads = $3; gsub(/[^0-9]/, "", threads) }
  /"mean_neighbours":/ { mean = $3; gsub(/[^0-9.]/, "", mean); print scene, threads, mean, name }
' results.json >timings

# took_part NAME SCENE THREADS MIN MAX: both tables have NAME, and its mean neighbours are between MIN and MAX.
took_part() {
  awk -v name="$1" -v scene="$2" -v threads="$3" -v least="$4" -v most="$5" '
    $1 == scene && $2 == threads && substr($0, length($1 $2 $3) + 4) == name { found = $3 >= least && $3 <= most }
    END { exit !found }
  ' timings || fail "$1 is not in $2 with $3 threads and $4 to $5 neighbours:" timings
  grep -q "^| $1 |" markdown || fail "$1 is not in the Markdown table" markdown
  grep -q "^$1 " table || fail "$1 is not in the text table" table
}

best=$(head -1 timings | cut -d' ' -f4-)
for threads in 1 2; do
  took_part "$best" flock2 $threads 18.6 19.1
  took_part "$best" flock3 $threads 16.9 17.3
  for source in "$@"; do
    case $source in
    textbook.c) name="textbook grid" ;;
    nanoflann.cpp) name=nanoflann ;;
    detour.cpp) [ $threads -eq 2 ] || took_part DetourCrowd flock2 1 5.9 6 ;&
    *) continue ;;
    esac
    took_part "$name" flock2 $threads 18.6 19.1
    took_part "$name" flock3 $threads 16.9 17.3
  done
done

# In scenes of people only throng, RVO2 and JuPedSim take part. In the city no agent has more neighbours than RVO2
# considers.
"$peers" "${small[@]}" --threads 1 --scene concourse,evacuation,counterflow,city --json people.json >people 2>error ||
  fail "scenes of people" error
[ "$(grep -c "^textbook grid .* left out: no people" people)" -eq 4 ] || fail "flocks among people" people
grep -q "^RVO2 .*left out: no flocks" table || grep -q "^RVO2 .*left out: needs its source" table ||
  fail "RVO2 among flocks" table
case " $* " in
*" rvo2 "*)
  [ "$(grep -c "^RVO2 .* at most 10" people)" -eq 4 ] || fail "RVO2 is left out" people
  awk '/^city/ { city = 1 } city && /^throng/ { found = $NF } city && /^RVO2 / { other = $8 + 0 }
       END { exit !(found > 0.1 && other > found * 0.97 && other < found * 1.03) }' people ||
    fail "RVO2 has other neighbours in the city" people
  ;;
*)
  [ "$(grep -c "^RVO2 .*left out: needs its source" people)" -eq 4 ] ||
    fail "RVO2 without its source" people
  ;;
esac

# V1 to V3 look 3 m far, farther than the city's walkers.
grep -q "^JuPedSim.* left out: no flocks" table || grep -q "^JuPedSim .*left out: needs its source" table ||
  fail "JuPedSim among flocks" table
case " $* " in
*" jupedsim "*)
  [ "$(grep -c "^JuPedSim .* left out" people)" -eq 0 ] || fail "JuPedSim is left out" people
  for model in V1 V2 V3 anticipation centrifugal "social force"; do
    [ "$(grep -c "^JuPedSim $model " people)" -eq 4 ] || fail "JuPedSim $model does not take part" people
  done
  awk '/^city/ { city = 1 } city && /^throng/ { found = $NF } city && /^JuPedSim V/ { farther += $NF > 2 * found }
       END { exit farther != 3 }' people || fail "JuPedSim looks too near in the city" people
  ;;
*)
  [ "$(grep -c "^JuPedSim .*left out: needs its source" people)" -eq 4 ] ||
    fail "JuPedSim without its source" people
  ;;
esac

# Each line of a Markdown table has as many cells as the table's head.
awk -F'|' '/^\| flock/ { cells = NF } /^\|/ && NF != cells { exit 1 }' markdown || fail "ragged table" markdown

exit $failed
