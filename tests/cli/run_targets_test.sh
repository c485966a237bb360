#!/usr/bin/env bash
# run_targets_test.sh THRONG_RUN FOLDER: tests the scene fields of own targets, own maximum speeds and presets, and
# recordings of such scenes. FOLDER is deleted and created again.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/checks.sh"
prepare "$1" "$2"

# Ten hunters, each with one of five standing preys.
scene=$work/in/hunters.json
cat >"$scene" <<'JSON'
{
  "agents": 15,
  "world": { "boundary": "box", "box_min": [0, 0, 0], "box_max": [40, 0, 40] },
  "groups": [
    { "target_group": 1, "max_speed": 8, "max_acceleration": 8,
      "separation": { "weight": 0 }, "cohesion": { "weight": 0 }, "alignment": { "weight": 0 },
      "behaviours": [ { "kind": "arrive", "target": { "kind": "own" } } ] },
    { "separation": { "weight": 0 }, "behaviours": [ { "kind": "wander" } ] }
  ],
  "spawns": [
    { "group": 0, "share": 2, "region": { "shape": "box", "min": [0, 0, 0], "max": [5, 0, 40] } },
    { "group": 1, "max_speed": 0, "region": { "shape": "box", "min": [10, 0, 0], "max": [40, 0, 40] } }
  ]
}
JSON

# Prints how many hunters are within a metre of their own prey, and how many agents move.
caught() {
  awk -F, 'NR > 1 { x[$1] = $2; z[$1] = $4; moving += $5 * $5 + $7 * $7 > 0.01 }
           END { for (k = 1; k <= 10; k++) { prey = 11 + (k - 1) % 5
                   near += (x[k] - x[prey]) ^ 2 + (z[k] - z[prey]) ^ 2 < 1 }
                 print near + 0, moving + 0 }' "$1"
}
good "hunters at the start" --scene "$scene" --frames 0 --out "$work/start"
same "no hunter is at its prey" "0 0" "$(caught "$work/start/agents.csv")"
good "hunters" --scene "$scene" --frames 900 --out "$work/end" --record "$work/rec"
same "each hunter is at its own prey, which stands" "10 0" "$(caught "$work/end/agents.csv")"
good "a replay" --replay "$work/rec" --threads 1,3 --isa auto,baseline
same "each combination has the same bits" "$(grep -c 'same bits' "$work/stdout")" 4
good "hunters from a file" --scene "$scene" --frames 900 --in "$work/start/agents.csv" --out "$work/in-file"
same "they have the same preys" "10 0" "$(caught "$work/in-file/agents.csv")"
good "one agent, without a prey" --scene "$scene" --agents 1 --frames 2 --out "$work/one"

# Within a group the next agent is the target, and the first is the target of the last.
text=$(cat "$scene")
echo "${text/'"target_group": 1'/'"target_group": 0'}" >"$work/in/ring.json"
# Prints how many are behind the next: near it, and moving.
follow() {
  awk -F, 'NR > 1 { x[$1] = $2; z[$1] = $4; moves[$1] = $5 * $5 + $7 * $7 > 9 }
           END { for (k = 1; k <= 10; k++) { next_one = k % 10 + 1
                   near += moves[k] && (x[k] - x[next_one]) ^ 2 + (z[k] - z[next_one]) ^ 2 < 144 }
                 print near + 0 }' "$1"
}
good "a ring of hunters" --scene "$work/in/ring.json" --frames 1800 --out "$work/ring"
same "each is behind the next" 10 "$(follow "$work/ring/agents.csv")"
good "a ring of one" --scene "$work/in/ring.json" --agents 1 --frames 2 --out "$work/one"

# preset_hash NAME GROUP: prints the hash after 20 frames of a scene with the group.
preset_hash() {
  echo "{ \"agents\": 50, \"world\": { \"perception_radius\": 8, \"boundary\": \"periodic\", \"box_max\": [40, 0, 40] },
    \"groups\": [ $2 ], \"spawns\": [ { \"region\": { \"shape\": \"box\", \"max\": [40, 0, 40] },
    \"goal\": { \"kind\": \"point\", \"point\": [3, 0, 3] } } ] }" >"$work/in/$1.json"
  "$run" --scene "$work/in/$1.json" --frames 20 --out "$work/$1" >/dev/null || echo "$1 failed"
  hash_of "$work/$1/results.json"
}
{
  preset_hash defaults '{}'
  for preset in flock school walkers vehicles; do preset_hash "$preset" "{ \"preset\": \"$preset\" }"; done
} >"$work/hashes"
same "four presets and the defaults move in five ways" "$(sort -u "$work/hashes" | wc -l)" 5
same "behaviours replace those of the preset" \
  "$(preset_hash replaced '{ "preset": "flock", "behaviours": [ { "kind": "wander", "weight": 0.2 } ] }')" \
  "$(sed -n 2p "$work/hashes")"

# Maximum speeds: 1 000 agents walk as fast as they can. Prints the mean and the deviation of their speeds.
cat >"$work/in/speeds.json" <<'JSON'
{
  "agents": 1000,
  "groups": [ { "separation": { "weight": 0 }, "cohesion": { "weight": 0 }, "alignment": { "weight": 0 },
                "behaviours": [ { "kind": "seek" } ] } ],
  "spawns": [ { "max_speed": 1.34, "max_speed_deviation": 0.26, "region": { "shape": "box", "max": [10, 0, 10] },
                "goal": { "kind": "offset", "point": [1000, 0, 0] } } ]
}
JSON
good "own maximum speeds" --scene "$work/in/speeds.json" --frames 600 --out "$work/speeds"
same "their mean is 1.34 m/s and their deviation 0.26 m/s" "1.34 0.26" \
  "$(awk -F, 'NR > 1 { v = sqrt($5 * $5 + $7 * $7); n++; sum += v; squares += v * v }
              END { printf "%.2f %.2f", sum / n, sqrt(squares / n - (sum / n) ^ 2) }' "$work/speeds/agents.csv")"

# refused NAME PATTERN FROM TO: throng-run refuses the scene if FROM is replaced by TO.
refused() {
  echo "${text/"$3"/"$4"}" >"$work/in/$1.json"
  bad "$1" "$2" --scene "$work/in/$1.json"
}
refused "no-such-group" "json:5: field 'groups\[0\].target_group': value 2, allowed a group of this scene, 0 to 1" \
  '"target_group": 1' '"target_group": 2'
refused "text-for-group" "'groups\[0\].target_group': value \"1\"" '"target_group": 1' '"target_group": "1"'
refused "negative-speed" "'spawns\[1\].max_speed': value -1" '"max_speed": 0' '"max_speed": -1'
refused "unknown-target" "'groups\[0\].behaviours\[0\].target.kind'.*goal, point, agent, own" '"own"' '"mine"'
refused "unknown-preset" "json:5: field .groups\[0\].preset.: value \"herd\", allowed flock, school" \
  '"target_group": 1' '"preset": "herd"'
refused "wide-deviation" "'spawns\[1\].max_speed_deviation': value 0.3, allowed at most 0.288 of a given max_speed" \
  '"max_speed": 0' '"max_speed": 1, "max_speed_deviation": 0.3'
refused "deviation-alone" "'spawns\[0\].max_speed_deviation': value 0.3" '"share": 2' '"max_speed_deviation": 0.3'

finish
