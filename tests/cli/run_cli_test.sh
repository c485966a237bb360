#!/usr/bin/env bash
# run_cli_test.sh THRONG_RUN FOLDER CHECK_TRACE THREADS: tests throng-run's options and files, and what it refuses.
# FOLDER is deleted and created again. CHECK_TRACE is the program of check_trace.c. THREADS is the number of threads
# that the build uses for --threads 2: 1 without OpenMP.
set -uo pipefail

check_trace=$(readlink -f "$3")
two=$4
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/checks.sh"
prepare "$1" "$2"

# scene NAME: writes standard input to NAME.json and sets $scene to it.
scene() {
  scene=$work/in/$1.json
  cat >"$scene"
}

# bad_scene NAME PATTERN: throng-run refuses the scene on standard input with a line that matches PATTERN.
bad_scene() {
  scene "$1"
  bad "scene: $1" "$2" --scene "$scene"
}

# csv NAME LINE...: writes a table of agents to NAME.csv and sets $csv to it.
csv() {
  csv=$work/in/$1.csv
  printf '%s\n' "id,x,y,z,vx,vy,vz,group" "${@:2}" >"$csv"
}

# bad_csv NAME PATTERN LINE...: throng-run refuses a table of these lines.
bad_csv() {
  csv "$1" "${@:3}"
  bad "csv: $1" "$2" --scene "$work/in/small.json" --in "$csv"
}

# bad_map NAME PATTERN: throng-run refuses the map on standard input.
bad_map() {
  cat >"$work/in/$1.map"
  bad "map: $1" "$2" --map "$work/in/$1.map" --agents 10
}

# ---- Options ----

good "help" --help
has "help names options, ranges and defaults" '^  --rounds N  .* 1 to 100; .*\(1\)$' "$work/stdout"
good "version" --version
has "the version" '^throng-run [0-9]+\.[0-9]+\.[0-9]+$' "$work/stdout"
bad "unknown option" "unknown option '--agent'" --agent 5
bad "stray argument" "unknown option 'flock2'" flock2
bad "option without value" "'--agents': no value" --agents
bad "option with an empty value" "'--scene': value ''" --scene=
bad "unknown scene" "'--scene': value 'flock9'" --scene flock9
bad "missing scene file" "absent.json: cannot read" --scene "$work/in/absent.json"
bad "scene is a folder" "cannot read: it is a directory" --scene "$work/in/"
bad "agents not a number" "'--agents': value 'many'" --agents many
bad "agents negative" "'--agents': value '-1'" --agents -1
bad "agents too many" "'--agents': value '2147483647', allowed a whole number from 0 to 2147483646" --agents 2147483647
bad "agents hexadecimal" "'--agents'" --agents 0x10
bad "agents beyond memory" "2147483646 agents .*MiB" --agents 2147483646
bad "frames too many" "'--frames'" --frames 1000000001
bad "frames fraction" "'--frames'" --frames 1.5
bad "dt NaN" "'--dt': value 'nan'" --dt nan
bad "dt infinite" "'--dt'" --dt 1e99
bad "dt negative" "'--dt'" --dt -0.1
bad "dt above 1" "'--dt': value '1.5', allowed a number from 0 to 1" --dt 1.5
bad "dt with a comma" "'--dt': value '0,5'" --dt 0,5
bad "threads too many" "'--threads': value '1025'" --threads 1,1025
bad "threads empty piece" "'--threads': value ''" --threads 1,,2
bad "threads too many choices" "'--threads'.* at most 64" --threads "$(printf '1,%.0s' {1..80})1"
bad "isa unknown" "'--isa': value 'mmx', allowed auto" --isa baseline,mmx
bad "no round" "'--rounds': value '0', allowed a whole number from 1 to 100" --rounds 0
bad "rounds too many" "'--rounds': value '101'" --rounds 101
bad "unknown threads" "'--threading': value 'fast', allowed openmp, team, serial, auto" --threading team,fast
bad "too many busy threads" "'--busy-threads': value '257', allowed a whole number from 0 to 256" --busy-threads 257
bad "busy for too long" "'--busy': value '1000.5', allowed a number from 0 to 1000" --busy 1000.5
bad "asleep for less than no time" "'--sleep': value '-1'" --sleep -1
bad "trace frames without a trace" "'--trace-frames': allowed only with --trace" --trace-frames 3
bad "nobody to explain" "'--explain': value '0'" --explain 0
bad "somebody who is not there" "'--explain': value '8', allowed the id of one of the 7 agents" --agents 7 --explain 8
bad "no trace frame" "'--trace-frames': value '0'" --trace-frames 0 --trace "$work/cwd/trace.json"
bad "csv is a folder" "'--csv'.*is not a file" --csv "$work/in"
bad "trace is a folder" "'--trace'.*is not a file" --trace "$work/in"
bad "seed" "'--seed'" --seed 9007199254740993
bad "cell without a map" "'--cell'" --cell 2
bad "cell zero" "'--cell': value '0'" --cell 0 --map x.map
case $(uname -m) in
aarch64) bad "isa of another CPU" "'--isa': value 'avx2'" --isa avx2 ;;
*) bad "isa of another CPU" "'--isa': value 'neon'" --isa neon ;;
esac
touch "$work/in/file"
bad "out is a file" "'--out'.*is not a folder" --out "$work/in/file"
bad "out below a file" "'--out'" --out "$work/in/file/deeper"
ln -s "$work/absent/x" "$work/in/dangling"
bad "out is a link to nowhere" "'--out': value '[^']*dangling': nothing can be written there" --out "$work/in/dangling"
bad "csv has too long a name for a temporary one" "'--csv': value '.*nothing can be written there" \
  --csv "$work/cwd/$(printf 'a%.0s' {1..250})"
bad "csv in a missing folder ends in a slash" "'--csv': value '.*nothing can be written there" --csv "$work/cwd/absent/"
if [ -d /proc/self ]; then bad "out where no file can be" "'--out': value '/proc/throng'" --out /proc/throng; fi
bad "json is a folder" "'--json'.*is not a file" --json "$work/in"

# ---- Scene files ----

scene small <<'JSON'
{
  "agents": 300,
  "world": { "boundary": "box", "box_min": [0, 0, 0], "box_max": [20, 0, 10] },
  "groups": [{"name": "a"}, {"name":"b", "layer": 1, "cohesion": {"mask": [1], "form":"seek"}, "max_speed":"infinity"}],
  "spawns": [
    { "group": 0, "region": { "shape": "box", "min": [0, 0, 0], "max": [20, 0, 10] } },
    { "group": 1, "region": { "shape": "disc", "centre": [10, 0, 5], "radius": 4 }, "velocity": { "toward_goal": 1 },
      "goal": { "kind": "opposite", "point": [10, 0, 5] } }
  ],
  "obstacles": { "cell": 0.5, "shapes": [ { "shape": "circle", "centre": [10, 0, 5], "radius": 2 } ] }
}
JSON
good "a small scene" --scene "$scene" --frames 20 --out "$work/small"

bad_scene "not-json" "not-json.json:2: malformed JSON" <<<$'{\n  nonsense\n}'
bad_scene "trailing-text" ":2: malformed" <<<$'{}\n{}'
bad_scene "truncated" "malformed" <<<'{ "agents": 5, "world": {'
bad_scene "a-list" "an object" <<<'[]'
bad_scene "no-groups" "'groups': missing" <<<'{ "spawns": [ { "region": { "shape": "box" } } ] }'
bad_scene "no-spawns" "'spawns': missing" <<<'{ "groups": [ {} ] }'

# bad_bytes NAME PATTERN BYTES: throng-run refuses a scene, a table of agents and a map of BYTES, which printf expands.
# FILE in PATTERN stands for the file's name.
bad_bytes() {
  for kind in json csv map; do printf '%b' "$3" >"$work/in/$1.$kind"; done
  bad "json: $1" "${2//FILE/$1.json}" --scene "$work/in/$1.json"
  bad "csv: $1" "${2//FILE/$1.csv}" --in "$work/in/$1.csv"
  bad "map: $1" "${2//FILE/$1.map}" --map "$work/in/$1.map"
}
bad_bytes "empty" "FILE:1: the file is empty$" ''
bad_bytes "blank" "FILE:1: the file holds only blanks$" ' \n\t\r\n'
bad_bytes "zero-byte" "FILE:2: a zero byte, allowed is text$" 'a\nb\0c'
bad_bytes "byte-order-mark" "FILE:1: the file begins with a byte order mark, allowed is a file without one$" \
  '\xEF\xBB\xBF{}\n'
bad_bytes "utf-16" "FILE:1: the file is UTF-16, allowed is UTF-8 or ASCII$" '\xFF\xFE{\0}\0'
bad_bytes "utf-16-big" "FILE:1: the file is UTF-16, allowed is UTF-8 or ASCII$" '\xFE\xFF\0{\0}'

bad_scene "cut-in-object" \
  "json:2: malformed JSON: the file ends inside the object that begins in line 2: is it cut off\?" \
  <<<$'{ "agents": 5,\n"world": {'
bad_scene "cut-in-list" "json:2: malformed JSON: the file ends inside the list that begins in line 1" \
  <<<$'{ "groups": [ {},\n{}'
bad_scene "cut-in-key" "json:1: malformed JSON: the line ends inside a text" <<<'{ "agen'
in_text="malformed JSON: the file ends inside a text: is it cut off\?"
bad_scene "cut-in-text" "json:1: $in_text" < <(printf '{ "name": "fl')
bad_scene "cut-in-escape" "json:2: $in_text" < <(printf '{\n "name": "fl\\')
bad_scene "cut-in-number" "json:1: malformed JSON: the file ends inside the object that begins in line 1" \
  < <(printf '{ "groups": [ {} ], "agents": 30')
bad_scene "crossed" "json:1: malformed JSON near" <<<'{ "agents": [ 5 } ]'
bad_scene "closed-twice" "json:1: malformed JSON near" <<<'{ "agents": 5 } }'
bad_scene "control-character" "json:1: malformed JSON: a control character" <<<$'{\v}'

# variant NAME PATTERN FROM TO: throng-run refuses the small scene after FROM in it is replaced by TO.
variant() {
  local text
  text=$(cat "$work/in/small.json")
  bad_scene "$1" "$2" <<<"${text/"$3"/"$4"}"
}
variant "unknown-key" "unknown-key.json:2: unknown field 'agenst'" '"agents"' '"agenst"'
variant "unknown-deep-key" "json:4: unknown field 'groups\[1\].cohesion.maks'" '"mask"' '"maks"'
variant "key-twice" "json:2: field 'agents': given twice" '"agents": 300' '"agents": 300, "agents": 300'
variant "wrong-type" "json:2: field 'agents': value \"300\", allowed a whole number" '300' '"300"'
for number in 01 -01 00 1. -1. .5 -.5 +1 1.e5 1e 1e+ 1.5e - -- 0x10 1_000 1e5.3 -Infinity 1-2; do
  variant "number" \
    "json:2: malformed JSON: '${number/+/\\+}' is no number, allowed are numbers such as -1, 0.5 and 2e3" \
    '300' "$number"
done
for number in 0 3e2 3E+02 300.0 30000e-2; do
  sed "s/300/$number/" "$work/in/small.json" >"$work/in/number.json"
  good "the number $number" --scene "$work/in/number.json" --frames 0 --out "$work/number"
done
variant "zero-in-key" "json:2: malformed JSON: .u0000 in a text" '"agents"' '"agents\u0000x"'
variant "zero-in-value" "json:3: malformed JSON: .u0000 in a text" '"box",' '"box\u0000",'
variant "tab-in-text" "json:4: malformed JSON: a control character in a text" '"name": "a"' $'"name": "a\t"'
variant "fraction" "json:2: field 'agents': value 2.5" '300' '2.5'
variant "negative" "json:2: field 'agents': value -3" '300' '-3'
variant "null" "json:3: field 'world.box_max': value null" '[20, 0, 10]' 'null'
variant "short-vector" "json:3: field 'world.box_max': value \[20,0\]" '[20, 0, 10]' '[20, 0]'
variant "number-overflow" "field 'world.box_max'" '[20, 0, 10]' '[1e999, 0, 10]'
variant "nan" "json:2: malformed JSON" '300' 'NaN'
variant "float-overflow" "field 'world.box_max'" '[20, 0, 10]' '[1e39, 0, 10]'
variant "flat-box" "json:3: field 'world.box_max'.*above box_min" '[20, 0, 10]' '[20, 0, 0]'
variant "far-box" "2\^20 perception radii" '[20, 0, 10]' '[2e6, 0, 10]'
variant "choice" "json:3: field 'world.boundary': value \"cage\", allowed unbounded, box, periodic" '"box",' '"cage",'
variant "layer" "json:4: field 'groups\[1\].layer': value 32" '"layer": 1' '"layer": 32'
variant "mask" "json:4: field 'groups\[1\].cohesion.mask'" '[1]' '[1, 40]'
variant "group-speed" "json:4: field 'groups\[1\].max_speed': value -1" '"infinity"' '-1'
variant "no-speed" \
  "json:4: field 'groups\[1\].max_speed': value 0, allowed a number above 0 up to 1000000000, or \"infinity\"" \
  '"infinity"' '0'
variant "wide-view" "'groups\[1\].field_of_view'" '"layer": 1' '"field_of_view": 7'
variant "far-sight" "'groups\[1\].perception_radius': value 2, allowed at most" '"layer": 1' '"perception_radius": 2'
variant "far-separation" "'groups\[1\].separation.radius'" '"layer": 1' '"separation": { "radius": 2 }'
variant "far-attraction" "'groups\[1\].attraction.radius': value 2, allowed at most" \
  '"layer": 1' '"attraction": { "radius": 2 }'
variant "unknown-rule-field" "unknown field 'groups\[1\].queue.wide', allowed width, gap" \
  '"layer": 1' '"queue": { "wide": 2 }'
variant "bool-of-a-rule" "'groups\[1\].separation.nearest_only': value 1, allowed true or false" \
  '"layer": 1' '"separation": { "nearest_only": 1 }'
variant "form" "'groups\[1\].avoidance.form': value \"cone\", allowed predict, cone_mean, cone_nearest, reciprocal" \
  '"layer": 1' '"avoidance": { "form": "cone" }'
variant "unknown-group" "json:7: field 'spawns\[1\].group': value 2, allowed a group of this scene" \
  '"group": 1' '"group": 2'
variant "unknown-shape" "field 'spawns\[1\].region.shape'" '"disc"' '"blob"'
variant "key-of-another-shape" "unknown field 'spawns\[1\].region.min'" '"radius": 4' '"min": [0, 0, 0]'
variant "unknown-goal" "field 'spawns\[1\].goal.kind'" '"opposite"' '"away"'
variant "inside-out-ring" "inner_radius" '"radius": 4' '"radius": 4, "inner_radius": 5'
variant "spawn-outside" "no free point" '[10, 0, 5], "radius": 4' '[90, 0, 5], "radius": 4'
variant "spawn-in-obstacle" "no free point" '"radius": 2 }' '"radius": 40 }'
variant "fine-cells" "'obstacles.cell'.*allowed 16384" '"cell": 0.5' '"cell": 0.001'
variant "obstacles-need-a-box" "'obstacles'.*planar box" '"box", "box_min"' '"periodic", "box_min"'
variant "scenery-words" "'scenery.walls\[0\]'.*at least two points" \
  '"obstacles":' '"scenery": { "walls": [[1, 2, 3]] }, "obstacles":'
variant "scenery-radius" "'scenery.circles\[0\]'.*radius above 0" \
  '"obstacles":' '"scenery": { "circles": [[1, 2, 0]] }, "obstacles":'
variant "scenery-key" "unknown field 'scenery.spheres'" '"obstacles":' '"scenery": { "spheres": [] }, "obstacles":'
variant "scenery-balls" "'scenery.balls'.*only in spatial worlds" \
  '"obstacles":' '"scenery": { "balls": [] }, "obstacles":'
variant "scenery-box" "'scenery.boxes\[0\]'.*the minimum and the maximum corner" \
  '"obstacles":' '"scenery": { "boxes": [[1, 2, 3]] }, "obstacles":'
variant "scenery-of-another-space" "THRONG_ERROR_UNSUPPORTED" \
  '"obstacles":' '"scenery": { "planes": [[1, 2, 3, 0, -1, 0]] }, "obstacles":'
variant "fast-spawn" "THRONG_ERROR_NOT_FINITE: velocity" \
  '"toward_goal": 1' '"toward_goal": 3e38, "min": [3e38, 0, 3e38], "max": [3.4e38, 0, 3.4e38]'
behaviour() { variant "$1" "$2" '"name": "a"' "\"behaviours\": [{ $3 }]"; }
behaviour "bool" "json:4: field 'groups\[0\].behaviours\[0\].coast': value 1, allowed true or false" \
  '"kind": "arrive", "coast": 1'
behaviour "word" "'groups\[0\].behaviours\[0\].rays': value \"hook\", allowed single, parallel, whiskers, fan" \
  '"kind": "avoid_walls", "rays": "hook"'
behaviour "number-of-a-word" "behaviours\[0\].rays': value 3, allowed single" '"kind": "avoid_walls", "rays": 3'
behaviour "index" "behaviours\[0\].index': value 64, allowed a whole number from 0 to 63" \
  '"kind": "follow_path", "index": 64'
behaviour "part-of-an-index" "behaviours\[0\].index': value 0.5, allowed a whole number" \
  '"kind": "formation", "index": 0.5'
behaviour "key-of-0.1" \
  "unknown field 'groups\[0\].behaviours\[0\].path', allowed kind, weight, priority, target, other, index" \
  '"kind": "follow_path", "path": 0'
variant "colour" "'groups\[0\].colour'" '"name": "a"' '"colour": "red"'
variant "name" "'groups\[0\].name'" '"name": "a"' '"name": ""'
paths() { variant "$1" "$2" '"agents": 300' "\"agents\": 300, \"paths\": $3"; }
paths "no-paths" "json:2: field 'paths': value \[\], allowed a list of 1 to 64 objects" '[]'
paths "path-of-one" "field 'paths\[0\].points'.*allowed a list of 2 to 65536 points" '[{"points": [[1, 0, 1]]}]'
paths "path-without-points" "field 'paths\[1\].points'" '[{"points": [[1, 0, 1], [2, 0, 2]]}, {"closed": true}]'
paths "flat-point" "field 'paths\[0\].points\[1\]'.*three finite numbers" '[{"points": [[1, 0, 1], [2, 2]]}]'
paths "far-point" "field 'paths\[0\].points\[0\]'.*three finite numbers" '[{"points": [[1e39, 0, 1], [2, 0, 2]]}]'
paths "path-key" "unknown field 'paths\[0\].open'" '[{"open": true, "points": [[1, 0, 1], [2, 0, 2]]}]'
patterns() { variant "$1" "$2" '"agents": 300' "\"agents\": 300, \"patterns\": $3"; }
patterns "no-patterns" "json:2: field 'patterns': value \[\], allowed a list of 1 to 64 objects" '[]'
patterns "empty-pattern" "field 'patterns\[1\].instructions'.*allowed a list of 1 to 65536 objects" \
  '[{"instructions": [{}]}, {"instructions": []}]'
patterns "no-instructions" "field 'patterns\[0\].instructions'" '[{"loop": false}]'
patterns "strong-instruction" "field 'patterns\[0\].instructions\[1\].right': value 2" \
  '[{"instructions": [{"thrust": 1}, {"right": 2}]}]'
patterns "pattern-key" "unknown field 'patterns\[0\].once'" '[{"once": true, "instructions": [{"thrust": 1}]}]'
paths "point-twice" "THRONG_ERROR_BAD_VALUE: path.points\[1\]" '[{"points": [[1, 0, 1], [1, 3, 1]]}]'
formations() { variant "$1" "$2" '"agents": 300' "\"agents\": 300, \"formations\": $3"; }
formations "no-formations" "json:2: field 'formations': value \[\], allowed a list of 1 to 64 objects" '[]'
formations "formation-of-none" "field 'formations\[0\].places'.*allowed a list of 1 to 4096 places" '[{"places": []}]'
formations "flat-place" "field 'formations\[0\].places\[1\]'.*three finite numbers" '[{"places": [[1, 0, 1], [2, 2]]}]'
formations "formation-key" "unknown field 'formations\[0\].open'" '[{"open": true, "places": [[1, 0, 1]]}]'
formations "far-place" "THRONG_ERROR_BAD_VALUE: formation.places\[0\].right" '[{"places": [[2e9, 0, 1]]}]'

variant "no-attractors" "field 'attractors': value \[\], allowed a list" '"agents"' '"attractors": [], "agents"'
variant "flat-attractor" "field 'attractors\[0\].radius': value 0" '"agents"' '"attractors": [{"radius": 0}], "agents"'
variant "attractor-law" "field 'attractors\[1\].law'" '"agents"' '"attractors": [{}, {"law": "cubic"}], "agents"'

variant "no-zones" "field 'speed_zones': value \[\], allowed a list" '"agents"' '"speed_zones": [], "agents"'
variant "flat-zone" "field 'speed_zones\[0\].width': value 0" '"agents"' '"speed_zones": [{"width": 0}], "agents"'
variant "fast-zone" "field 'speed_zones\[0\].factor': value 5" '"agents"' '"speed_zones": [{"factor": 5}], "agents"'
variant "ragged-raster" "'speed_raster.rows\[1\]'.*as many" '"agents"' '"speed_raster": {"rows": [[1], 2]}, "agents"'
variant "fast-raster" "field 'speed_raster.rows\[0\]': value 5" '"agents"' '"speed_raster": {"rows": [[5]]}, "agents"'
variant "zone-shape" "field 'speed_zones\[1\].shape'" '"agents"' '"speed_zones": [{}, {"shape": "star"}], "agents"'

scene periodic <<'JSON'
{
  "agents": 400, "keep_density": true,
  "world": { "space": "spatial", "boundary": "periodic", "box_min": [0, 0, 0], "box_max": [10, 10, 10] },
  "groups": [ { "behaviours": [{ "kind": "wander", "weight": 1 }] } ],
  "spawns": [ { "region": { "shape": "disc", "centre": [5, 5, 5], "radius": 4 } } ]
}
JSON
good "a spatial scene" --scene "$scene" --frames 10 --out "$work/spatial"
bad "a periodic world gets too small" "periodic side of .* at least 4 perception radii" --scene "$scene" --agents 20

scene balls <<'JSON'
{
  "agents": 300, "seed": 3,
  "world": { "space": "spatial", "boundary": "box", "box_min": [0, 0, 0], "box_max": [10, 10, 10] },
  "groups": [ { "body_radius": 0.25, "behaviours": [{ "kind": "avoid_walls" }] } ],
  "spawns": [ { "region": { "shape": "box", "min": [0, 0, 0], "max": [10, 10, 10] } } ],
  "scenery": { "balls": [[5, 2, 5, 4], [8, 9, 2, 0.5]] }
}
JSON
good "balls" --scene "$scene" --frames 0 --out "$work/balls"
# nearest CSV: prints 1 if all agents are outside of the first ball, then 1 if some are above or below it.
nearest() {
  awk -F, 'NR > 1 { d = ($2 - 5)^2 + ($3 - 2)^2 + ($4 - 5)^2; if (NR == 2 || d < least) least = d
                    if (($2 - 5)^2 + ($4 - 5)^2 < 16) above++ }
           END { print (least > 15.99), (above > 0) }' "$1"
}
same "agents start outside of balls, above them too" "1 1" "$(nearest "$work/balls/agents.csv")"
good "agents among balls" --scene "$scene" --frames 200 --out "$work/balls"
same "agents stay outside of balls" "1 1" "$(nearest "$work/balls/agents.csv")"
# of_balls NAME PATTERN TO: throng-run refuses the scene after its balls are replaced by TO.
of_balls() {
  local text
  text=$(cat "$work/in/balls.json")
  bad_scene "$1" "$2" <<<"${text/"$balls"/"$3"}"
}
balls='"balls": [[5, 2, 5, 4], [8, 9, 2, 0.5]]'
of_balls "flat-ball" "json:6: field 'scenery.balls\[0\]': value \[5,5,4\], allowed \[x, y, z, radius\]" \
  '"balls": [[5, 5, 4]]'
of_balls "empty-ball" "'scenery.balls\[0\]'.*the radius above 0" '"balls": [[5, 2, 5, 0]]'
of_balls "ball-list" "'scenery.balls'.*a list of up to 65536 lists" '"balls": 5'
of_balls "circles-in-space" "'scenery.circles'.*only in planar worlds" '"circles": [[5, 5, 4]]'

variant "no-mass" "json:7: field 'spawns\[1\].mass': value 0, allowed a finite number above 0" \
  '"group": 1' '"group": 1, "mass": 0'
variant "much-mass" "THRONG_ERROR_BAD_VALUE: mass" '"group": 1' '"group": 1, "mass": 2e9'
scene masses <<'JSON'
{
  "agents": 20,
  "world": { "boundary": "box", "box_min": [0, 0, 0], "box_max": [20, 0, 10] },
  "groups": [ { "max_acceleration": 3 }, { "max_acceleration": 3 } ],
  "spawns": [
    { "group": 0, "region": { "shape": "box", "min": [0, 0, 0], "max": [20, 0, 10] } },
    { "group": 1, "mass": 160, "region": { "shape": "box", "min": [0, 0, 0], "max": [20, 0, 10] } }
  ]
}
JSON
# An agent of twice the mass has half the maximum acceleration.
good "an agent of its group's mass" --scene "$scene" --frames 5 --explain 10 --out "$work/masses"
has "it has its group's limit" "at most 3 m/s" "$work/stdout"
good "an agent with a mass of its own" --scene "$scene" --frames 5 --explain 11 --out "$work/masses"
has "it has a lower limit" "at most 1.5 m/s" "$work/stdout"
good "masses of agents from a file" --scene "$scene" --frames 5 --explain 11 --in "$work/masses/agents.csv" \
  --out "$work/masses"
has "they are those of their group's spawn" "at most 1.5 m/s" "$work/stdout"

good "formations with a place for everybody" --scene parade --frames 1 --out "$work/parade"
has "nobody is left over" "^formations: 0 agents without a place$" "$work/stdout"
good "formations without a place for everybody" --scene parade --agents 463 --frames 1 --out "$work/parade"
has "some are left over" "^formations: 100 agents without a place$" "$work/stdout"

# ---- Agents from a file ----

bad "csv: missing" "absent.csv: cannot read" --in "$work/in/absent.csv"
printf 'id,x,y,z\n1,2,3,4\n' >"$work/in/header.csv"
bad "csv: header" "header.csv:1: the header" --in "$work/in/header.csv"
printf 'id,x,y,z,vx' >"$work/in/cut.csv"
bad "csv: cut in the header" "cut.csv:1: the header is not .*: the file ends here$" --in "$work/in/cut.csv"
printf 'id,x,y,z,vx,vy,vz,group\n1,1,0,1,0,0,0,0\n2,1,0,1' >"$work/in/cut.csv"
bad "csv: cut in a line" "cut.csv:3: 4 fields where the file ends, allowed are the 8" --in "$work/in/cut.csv"
bad_csv "few-fields" "few-fields.csv:3: 7 fields" "1,1,0,1,0,0,0,0" "2,1,0,1,0,0,0"
bad_csv "many-fields" "csv:2: 9 fields" "1,1,0,1,0,0,0,0,0"
bad_csv "blank-line" "csv:3: 1 fields" "1,1,0,1,0,0,0,0" "" "2,1,0,1,0,0,0,0"
bad_csv "id-0" "csv:2: field 'id': value '0'" "0,1,0,1,0,0,0,0"
bad_csv "id-large" "field 'id': value '2147483647', allowed a whole number from 1 to 2147483646" \
  "2147483647,1,0,1,0,0,0,0"
bad_csv "id-signed" "field 'id'" "+1,1,0,1,0,0,0,0"
bad_csv "id-twice" "csv:4: field 'id': value '7' is in line 2 already" "7,1,0,1,0,0,0,0" "3,1,0,1,0,0,0,0" \
  "7,2,0,1,0,0,0,0"
bad_csv "nan" "csv:2: field 'x': value 'nan', allowed a finite number" "1,nan,0,1,0,0,0,0"
bad_csv "infinite" "field 'vz': value 'inf'" "1,1,0,1,0,0,inf,0"
bad_csv "overflow" "field 'vx': value '1e39'" "1,1,0,1,1e39,0,0,0"
bad_csv "word" "field 'z': value 'here'" "1,1,0,here,0,0,0,0"
bad_csv "empty-field" "field 'y': value ''" "1,1,,1,0,0,0,0"
bad_csv "blank-in-field" "field 'y'" "1,1, 0,1,0,0,0,0"
bad_csv "hexadecimal" "field 'x'" "1,0x1,0,1,0,0,0,0"
bad_csv "vertical-motion" "field 'vy': value '1', allowed 0 in a planar world" "1,1,0,1,0,1,0,0"
bad_csv "unknown-group" "field 'group': value '2', allowed a group of the scene, 0 to 1" "1,1,0,1,0,0,0,2"
bad_csv "outside" "csv:3: field 'x': value '20.5', allowed 0 to 20" "1,1,0,1,0,0,0,0" "2,20.5,0,1,0,0,0,0"
bad_csv "in-an-obstacle" "csv:2: .*blocked" "1,10,0,5,0,0,0,0"
bad "csv: another number of agents" "'--agents': value '5', allowed with --in are the 1" --agents 5 \
  --scene "$work/in/small.json" --in "$csv"

# A table that is written and read back has the same bits. Ids may have gaps and any order; lines may end with LF or CR
# LF.
csv mixed "90,1.10000002,0.25,1.17549435e-38,0.100000001,0,-0,1" "5,19.9999981,-3.5,9.99999905,-1.40129846e-45,0,1.5,0"
sed 's/$/\r/' "$csv" >"$work/in/crlf.csv"
good "agents read back" --scene "$work/in/small.json" --in "$work/in/crlf.csv" --frames 0 --out "$work/back"
same "agents come out by id" "$(sed -n '2p;3p' "$work/back/agents.csv")" "$(sed -n '3p' "$csv"; sed -n '2p' "$csv")"
good "agents read back again" --scene "$work/in/small.json" --in "$work/small/agents.csv" --frames 0 --out "$work/again"
same_files "agents go through a file unchanged" "$work/small/agents.csv" "$work/again/agents.csv"
good "no agents" --scene "$work/in/small.json" --agents 0 --frames 3 --out "$work/nobody"
good "no agents from a file" --scene "$work/in/small.json" --in "$work/nobody/agents.csv" --frames 3 \
  --out "$work/nobody"

# The size of a scene that grows is chosen for the number of agents in the file, or for that of --agents.
good "a scene that grows" --scene flock2 --agents 900 --frames 3 --out "$work/grown"
good "goes on with all" --scene flock2 --in "$work/grown/agents.csv" --frames 3 --out "$work/grown/all"
has "it says how large it is" "^the scene is as large as for 900 agents; --agents sets another number$" "$work/stdout"
head -n 101 "$work/grown/agents.csv" >"$work/in/hundred.csv"
bad "csv: too few for its places" "hundred.csv:[0-9]+: field '[xz]': value '[^']*', allowed .*; \
the scene grows with its agents: --agents sets for how many" --scene flock2 --in "$work/in/hundred.csv"
good "a hundred of 900" --scene flock2 --in "$work/in/hundred.csv" --agents 900 --frames 3 --out "$work/grown/hundred"
has "in the place of 900" "^the scene is as large as for 900 agents" "$work/stdout"
same "a hundred of 900 stay a hundred" "$(wc -l <"$work/grown/hundred/agents.csv")" 101
good "the agents of a file in a scene that does not grow" --scene "$work/in/small.json" \
  --in "$work/small/agents.csv" --frames 0 --out "$work/again"
same "as many as usual: nothing to say" "$(grep -c 'grow' "$work/stdout")" 0
good "a scene that does not grow" --scene "$work/in/small.json" --agents 30 --frames 0 --out "$work/again"
has "says so" "^the scene does not grow with its agents: it is as large as for its own 300$" "$work/stdout"
good "a scene that grows says nothing" --scene flock2 --agents 30 --frames 0 --out "$work/again"
same "nothing about its size" "$(grep -c 'large' "$work/stdout")" 0

# ---- Maps ----

bad "map: missing" "absent.map: cannot read" --map "$work/in/absent.map"
bad_map "type" "type.map:1: field 'type': value 'type hex', allowed type octile" \
  <<<$'type hex\nheight 1\nwidth 1\nmap\n.'
bad_map "no-height" "map:2: field 'height'" <<<$'type octile\nwidth 1\nheight 1\nmap\n.'
bad_map "absurd-height" "map:2: field 'height': value 'height 99999999999'" \
  <<<$'type octile\nheight 99999999999\nwidth 1\nmap\n.'
bad_map "negative-width" "map:3: field 'width': value 'width -4'" <<<$'type octile\nheight 1\nwidth -4\nmap\n.'
bad_map "no-map" "map:4: field 'map'" <<<$'type octile\nheight 1\nwidth 1\n.\n.'
bad_map "truncated" "field 'map': the file ends" <<<$'type octile\nheight 4\nwidth 4\nmap\n....\n....'
bad_map "much-promised" "field 'map': the file ends" <<<$'type octile\nheight 16384\nwidth 16384\nmap\n....'
bad_map "short-row" "map:6: field 'map': a row of 3 cells" <<<$'type octile\nheight 3\nwidth 4\nmap\n....\n...\n.....\n'
bad_map "extra-row" "map:6: field 'map': more rows" <<<$'type octile\nheight 1\nwidth 2\nmap\n..\n..'
bad_map "unknown-cell" "map:5: field 'map': value '#' in column 2" <<<$'type octile\nheight 1\nwidth 2\nmap\n.#'
bad_map "no-free-cell" "no free cell" <<<$'type octile\nheight 1\nwidth 2\nmap\n@T'

map=$work/in/yard.map
printf '%s\n' "type octile" "height 4" "width 6" "map" "@@@@@@" "@.GS.@" "@.TW.@" "@OO@@@" >"$map"
bad "map: a spatial scene" "'--map': value '[^']*yard.map', allowed only with a planar scene: 'starlings' is spatial" \
  --scene starlings --map "$map"
bad "map: too large" "'--cell': value '1e\+06'" --map "$map" --cell 1000000
good "a map" --map "$map" --cell 3 --agents 40 --frames 30 --out "$work/yard"
# Free cells: columns 1 to 4 of row 1, columns 1 and 4 of row 2; x in [3, 15], z in [3, 9].
inside=$(awk -F, 'NR > 1 && $2 >= 3 && $2 <= 15 && $4 >= 3 && $4 <= 9 && !($4 > 6.001 && $2 > 6.001 && $2 < 11.999)' \
  "$work/yard/agents.csv" | wc -l)
same "agents stay on free cells" "$inside" 40
good "agents continue on a map" --map "$map" --cell 3 --in "$work/yard/agents.csv" --frames 5 --out "$work/yard"

streets=$here/../../../shared/data/maps/Berlin_1_256.map
if [ -f "$streets" ]; then
  good "a street map" --scene flock2 --map "$streets" --agents 2000 --frames 5 --out "$work/streets"
else
  echo "skipped: no $streets"
fi

# ---- Results ----

isas=baseline
for isa in avx2 avx512 neon; do
  if "$run" --isa $isa --agents 0 --frames 0 --quiet --out "$work/probe" 2>/dev/null; then isas=$isas,$isa; fi
done
combinations=$((3 * $(tr ',' '\n' <<<"$isas" | wc -l)))
good "every combination" --scene crowd2 --agents 2000 --frames 20 --threads 1,2,3 --isa "$isas" --out "$work/all"
same "a run for each" "$(hash_of "$work/all/results.json" | wc -l)" "$combinations"
same "one hash" "$(hash_of "$work/all/results.json" | sort -u | wc -l)" 1
has "the table says that the hashes agree" "same hash" "$work/stdout"
for key in runs scene space agents frames timed_frames threads isa agents_per_ms agents_per_ms_of_rounds ns_per_agent \
  passes index neighbours behaviours integrate constrain waiting other mean_neighbours candidates_per_neighbour \
  useful_pairs_per_s hash; do
  has "results.json has '$key'" "\"$key\":" "$work/all/results.json"
done

# rounds_of JSON: prints a line for each combination: the number of rounds, the median rate in the file, the median of
# the rounds, the spread of the rounds in percent.
rounds_of() {
  sed -n -e 's/.*"agents_per_ms":[[:space:]]*\([^,]*\).*/\1/p' \
    -e 's/.*"agents_per_ms_of_rounds":[[:space:]]*\[\(.*\)\].*/\1/p' "$1" |
    while read -r median && read -r rounds; do
      tr -d ' ' <<<"$rounds" | tr ',' '\n' | sort -g | awk -v median="$median" '{ rate[NR] = $1 }
        END { middle = (rate[int((NR + 1) / 2)] + rate[int(NR / 2) + 1]) / 2
              printf "%d %.9g %.9g %.9g\n", NR, median, middle, 100 * (rate[NR] - rate[1]) / middle }'
    done
}
for rounds in 3 4; do
  good "$rounds rounds" --agents 500 --frames 4 --threads 1,2 --rounds $rounds --out "$work/rounds"
  rounds_of "$work/rounds/results.json" >"$work/summary"
  same "$rounds rounds of two combinations" "$(awk '{ print $1 }' "$work/summary")" "$rounds"$'\n'"$rounds"
  same "the rate is the median of $rounds" "$(awk '{ print $2 }' "$work/summary")" \
    "$(awk '{ print $3 }' "$work/summary")"
  same "a warning for each wide spread of $rounds" "$(grep -c '^warning:.*spread' "$work/stdout")" \
    "$(awk '$4 > 10 { wide++ } END { print wide + 0 }' "$work/summary")"
  has "the table has a median of $rounds" "median" "$work/stdout"
  has "every run of $rounds rounds counts" "^All $((2 * rounds)) runs end with the same hash" "$work/stdout"
done
good "rounds of no frames" --agents 500 --frames 0 --rounds 2 --out "$work/rounds"

good "results as CSV" --agents 400 --frames 3 --threads 1,2 --rounds 2 --out "$work/table" \
  --csv "$work/table/deep/r.csv" --dt 0.01
same "the CSV has these columns" "$(head -n 1 "$work/table/deep/r.csv")" "scene,agents,frames,threads,isa,rounds,\
agents_per_ms,agents_per_ms_min,agents_per_ms_max,index_ns,neighbours_ns,behaviours_ns,integrate_ns,constrain_ns,\
mean_neighbours,hash,frame_us_median,frame_us_p90,frame_us_p99,frame_us_max,waiting_ns,other_ns,threading,\
busy_threads"
same "a row for each combination" "$(tail -n +2 "$work/table/deep/r.csv" | cut -d, -f1-4,6)" \
  "flock2,400,3,1,2"$'\n'"flock2,400,3,$two,2"
same "hashes as in the JSON" "$(tail -n +2 "$work/table/deep/r.csv" | cut -d, -f16)" \
  "$(hash_of "$work/table/results.json")"
same "rates as in the JSON" "$(tail -n +2 "$work/table/deep/r.csv" | cut -d, -f7)" \
  "$(rounds_of "$work/table/results.json" | awk '{ printf "%.1f\n", $2 }')"
same "frame times in order" "$(tail -n +2 "$work/table/deep/r.csv" |
  awk -F, '0 < $17 && $17 <= $18 && $18 <= $19 && $19 <= $20' | wc -l)" 2
same "frame times as in the JSON" "$(tail -n +2 "$work/table/deep/r.csv" | cut -d, -f17-20 | tr , '\n')" \
  "$(sed -n 's/.*"frame_us_.*":[[:space:]]*\([^,]*\).*/\1/p' "$work/table/results.json" |
    awk '{ printf "%.2f\n", $1 }')"
same "medians between least and most" \
  "$(tail -n +2 "$work/table/deep/r.csv" | awk -F, '$8 <= $7 && $7 <= $9' | wc -l)" 2
sed '/"agents"/i "name": "a,\\"b",' "$work/in/small.json" >"$work/in/named.json"
good "a single frame" --agents 400 --frames 1 --rounds 1 --threads 1 --out "$work/table"
same "its time is all times, and 1 / its rate" 1 \
  "$(sed -n 's/.*"\(agents_per_ms\|frame_us_.*\)":[[:space:]]*\([^,]*\).*/\2/p' "$work/table/results.json" |
    awk '{ n[NR] = $1 }
      END { print NR == 5 && n[2] == n[3] && n[3] == n[4] && n[4] == n[5] &&
              0.999999 < n[1] * n[5] / 4e5 && n[1] * n[5] / 4e5 < 1.000001 }')"
good "nine frames" --agents 400 --frames 9 --threads 1 --out "$work/table"
hash_alone=$(hash_of "$work/table/results.json")
begin=$(date +%s%N)
good "a host that works and sleeps" --agents 400 --frames 9 --threads 1 --busy 20 --sleep 30 --out "$work/table" \
  --csv "$work/table/host.csv"
same "before each frame, warm-up and passes too" 1 "$((($(date +%s%N) - begin) / 1000000 >= 18 * 50))"
same "which is not timed" 1 "$(tail -n +2 "$work/table/host.csv" | awk -F, '$17 < 5e4' | wc -l)"
same "to the same hash" "$(hash_of "$work/table/results.json")" "$hash_alone"
good "serial and own threads beside a busy one" --agents 2000 --frames 9 --threads 3 --threading serial,team \
  --busy-threads 1 --out "$work/table" --csv "$work/table/busy.csv"
same "each kind of threads has a row" "$(tail -n +2 "$work/table/busy.csv" | cut -d, -f4,23,24)" $'1,serial,1\n3,team,1'
good "a scene whose name holds commas" --scene "$work/in/named.json" --frames 1 --out "$work/table" \
  --csv "$work/table/r.csv"
same "its fields stay apart" "$(tail -n +2 "$work/table/r.csv" | tr -cd ',' | wc -c)" 23

# trace NAME FRAMES FIRST AGENTS WORKERS OPTION...: check_trace accepts the trace of a run with these options. The trace
# has FRAMES frames; the first is frame FIRST.
trace() {
  local name=$1 frames=$2 first=$3 agents=$4 workers=$5
  shift 5
  good "$name" --agents "$agents" --threads "$workers,1" --out "$work/traced" \
    --trace "$work/traced/deep/$name.json" "$@"
  if "$check_trace" "$work/traced/deep/$name.json" "$frames" "$agents" "$workers" "$first" >"$work/complaint" 2>&1; then
    pass
  else
    fail "$name is sound" "$(cat "$work/complaint")"
  fi
}
trace "a-trace" 20 6 3000 2 --frames 30
good "an explanation" --scene crowd2 --agents 700 --frames 3 --explain 12 --quiet --out "$work/explained"
has "it names the agent" '^agent 12, group 0, frame 3: at ' "$work/stdout"
has "it names the rules" '^  avoidance  ' "$work/stdout"
has "it says what became of them" '^  together  ' "$work/stdout"

trace "a-trace-of-one-worker" 4 5 700 1 --frames 9 --trace-frames 4
trace "a-trace-of-a-short-run" 2 2 700 3 --frames 3
trace "a-trace-with-cells" 2 3 900 2 --scene city --frames 4
has "a trace names the passes" '"name":"constrain"' "$work/traced/deep/a-trace-with-cells.json"
trace "a-trace-of-nothing" 0 1 100 1 --frames 0

# A run of 20 frames has the same end as a run of 10 frames that is saved, loaded and continued for 10 frames.
for scene in rounds commuters starlings; do
  good "$scene at once" --scene $scene --agents 800 --frames 20 --out "$work/whole"
  good "$scene is saved" --scene $scene --agents 800 --frames 10 --out "$work/part" --save "$work/part/deep/$scene"
  good "$scene goes on" --scene $scene --agents 800 --frames 10 --threads 2,1 --out "$work/rest" \
    --load "$work/part/deep/$scene"
  same "$scene ends where it would have" "$(hash_of "$work/rest/results.json" | sort -u)" \
    "$(hash_of "$work/whole/results.json")"
  same_files "$scene leaves the same agents" "$work/rest/agents.csv" "$work/whole/agents.csv"
done
trace "a-trace-that-goes-on" 3 16 800 2 --scene rounds --load "$work/part/deep/rounds" --frames 10 --trace-frames 3
good "an explanation that goes on" --scene rounds --agents 800 --load "$work/part/deep/rounds" --frames 10 --explain 7 \
  --quiet --out "$work/rest"
has "it counts all frames" '^agent 7, group [0-9]+, frame 20: at ' "$work/stdout"
bad "a snapshot of another scene" 'rounds: THRONG_ERROR_BAD_VALUE: snapshot: world\.[a-z_]+ is' \
  --scene flock3 --agents 800 --load "$work/part/deep/rounds"
bad "a snapshot of fewer agents" 'rounds: .*800 agents' --scene rounds --agents 801 --load "$work/part/deep/rounds"
head -c 3000 "$work/part/deep/rounds" >"$work/in/truncated"
bad "half a snapshot" 'truncated: THRONG_ERROR_BAD_VALUE: snapshot: there are 3000 bytes, but [0-9]+ were saved' \
  --scene rounds --agents 800 --load "$work/in/truncated"
bad "no snapshot" 'not-there' --scene rounds --load "$work/in/not-there"
bad "a snapshot into a folder" "option '--save'" --scene rounds --agents 800 --save "$work/in"

first_hash=$(hash_of "$work/all/results.json" | head -1)
environment=(LC_ALL=de_DE.UTF-8)
good "another locale" --scene crowd2 --agents 2000 --frames 20 --dt 0.016666667 --out "$work/locale"
environment=()
same "the locale changes nothing" "$(hash_of "$work/locale/results.json")" "$first_hash"
same_files "the locale does not change agents.csv" "$work/locale/agents.csv" "$work/all/agents.csv"

good "quiet" --scene flock3 --agents 500 --frames 3 --quiet --out "$work/quiet" --json "$work/quiet.json"
same "quiet says nothing" "$(cat "$work/stdout")" ""
same "results go where --json says" "$(ls "$work/quiet")" "$(printf 'agents.csv\npicture.png')"
same "the picture is a PNG" "$(head -c 4 "$work/quiet/picture.png" | tail -c 3)" PNG
same "nothing temporary stays" "$(find "$work" -name '*.part' | wc -l)" 0
good "the default folder" --agents 100 --frames 2 --seed 9
same "the default folder is out" "$(ls "$work/cwd")" out
rm -rf "$work/cwd/out"
good "another seed" --agents 100 --frames 2 --seed=10 --out "$work/seed"

while read -r name _; do
  good "scene $name" --scene $name --agents 1000 --frames 2 --quiet --out "$work/scenes/$name"
done <"$here/scene_hashes.txt"

finish
