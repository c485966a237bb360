#!/bin/bash
# Tests the shipped scenes: each is in the gallery, and its state hash after 65 frames is that of scene_hashes.txt. With
# AGENTS, also checks the density that the benchmark scenes promise, and that the agents of gather and commuters arrive.
# usage: run_scene_test.sh THRONG_RUN WORK_DIR [AGENTS | --update]
#   AGENTS     the number of agents (the benchmark scenes' own is 50 000)
#   --update   prints a new table of the hashes instead
set -euo pipefail

run=$1 work=$2
table=$(dirname "$0")/scene_hashes.txt
rm -rf "$work"
mkdir -p "$work"

value() { sed -n "s/.*\"$1\":[[:space:]]*\"\{0,1\}\([^\",}]*\).*/\1/p" "$2" | head -n 1; }

hash_of() {
  "$run" --scene "$1" --agents 2000 --frames 65 --threads 2 --quiet --out "$work/$1" >/dev/null
  value hash "$work/$1/results.json"
}

if [[ ${3-} == --update ]]; then
  while read -r scene _; do echo "$scene $(hash_of "$scene")"; done <"$table"
  exit
fi

failed=0
gallery=$(dirname "$0")/../../docs/pictures
while read -r scene wanted; do
  if ! grep -q "(scenes/$scene.webp)" "$gallery/README.md" || [[ ! -s $gallery/scenes/$scene.webp ]]; then
    echo "$scene: not in docs/pictures/README.md; run docs/pictures/gallery $scene"
    failed=1
  fi
  hash=$(hash_of "$scene")
  if [[ $hash != "$wanted" ]]; then
    echo "$scene: hash $hash, the table has $wanted"
    failed=1
  fi
done <"$table"

if [[ -z ${3-} ]]; then exit $failed; fi

# The comments of these scenes promise 18 to 22 mean neighbours.
for scene in flock2 flock3 crowd2; do
  "$run" --scene "$scene" --agents "$3" --frames 300 --threads 2 --quiet --out "$work/$scene" >/dev/null
  mean=$(value mean_neighbours "$work/$scene/results.json")
  echo "$scene: $mean mean neighbours over 300 frames"
  if ! awk -v mean="$mean" 'BEGIN { exit !(mean >= 18 && mean <= 22) }'; then failed=1; fi
done

# A crowd with one goal comes to rest: 10 s after the last arrival the mean speed is below 5 % of max_speed. This holds
# for any number of agents.
crowd=$(($3 / 5))
"$run" --scene gather --agents "$crowd" --frames 2400 --threads 2 --quiet --out "$work/gather" >/dev/null
settled=$(awk -F, 'NR > 1 { sum += sqrt($5 * $5 + $7 * $7) } END { print sum / (NR - 1) / 1.5 }' \
  "$work/gather/agents.csv")
echo "gather: $crowd agents move at $settled of max_speed"
if ! awk -v speed="$settled" 'BEGIN { exit !(speed < 0.05) }'; then failed=1; fi

# Commuters: nearly all agents have arrived, few are stuck, and all have a way to their goal.
"$run" --scene commuters --agents 2000 --frames 6000 --threads 2 --quiet --out "$work/commuters" >/dev/null
count() { value "$1" "$work/commuters/results.json"; }
echo "commuters: $(count arrived) arrived (speed $(count speed_of_arrived) of the limit), $(count walking) walking," \
  "$(count stuck) stuck, $(count without_way) without a way"
if (($(count arrived) < 1980 || $(count stuck) > 20 || $(count without_way) > 0)); then failed=1; fi
if ! awk -v speed="$(count speed_of_arrived)" 'BEGIN { exit !(speed < 0.05) }'; then failed=1; fi
exit $failed
