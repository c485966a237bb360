#!/usr/bin/env bash
# run_trajectories_test.sh THRONG_RUN FOLDER: tests the files of throng-run --trajectories, as text and as databases.
# FOLDER is deleted and created again. Exits 77 if python3 is missing, unless in CI.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if ! command -v python3 >/dev/null; then
  echo "python3 is missing"
  if [ -n "${CI-}" ]; then exit 1; fi
  exit 77
fi
. "$here/checks.sh"
prepare "$1" "$2"

# Without SQLite, databases are refused. Then only texts are tested.
forms="txt sqlite"
"$run" --scene headon --frames 0 --quiet --out "$work/probe" --trajectories "$work/probe/x.sqlite" >"$work/stdout" 2>&1
if grep -q 'cannot write .sqlite' "$work/stdout"; then
  forms=txt
  bad "a build without SQLite" "'--trajectories': this build cannot write .sqlite.*libsqlite3-dev" \
    --trajectories "$work/cwd/x.sqlite"
  if [ -n "${CI-}" ]; then fail "SQLite is there"; fi
fi

# agrees NAME FILE VTK EVERY DT PARTS AREA OPTION...: the file agrees with the VTK series.
agrees() {
  if python3 -B "$here/check_trajectories.py" "${@:2}" >"$work/complaint" 2>&1; then
    pass
  else
    fail "$1: ${2##*.}" "$(tail -n 1 "$work/complaint")"
  fi
}
# paths NAME EVERY DT CHECKS OPTION...: runs with these options write trajectories that agree with their VTK series.
# CHECKS is a list "PARTS AREA OPTION..." for check_trajectories.py.
paths() {
  local name=$1 every=$2 dt=$3 checks form
  read -ra checks <<<"$4"
  shift 4
  for form in $forms; do
    good "$name" --dt "$dt" --out "$work/$name" --vtk "$work/$name/vtk" --trajectories-every "$every" \
      --trajectories "$work/$name/deep/paths.$form" "$@"
    agrees "$name" "$work/$name/deep/paths.$form" "$work/$name/vtk" "$every" "$dt" "${checks[@]}"
    has "$name: it says so" "^$work/$name/deep/paths.$form \\([0-9]+ frames\\)$" "$work/stdout"
  done
}

{
  printf 'type octile\nheight 80\nwidth 120\nmap\n'
  for ((row = 0; row < 80; row++)); do printf '.%.0s' {1..120} && echo; done
} >"$work/in/free.map"

# ---- Scenes that ship. Walls are 1 mm wide ----

paths plain 3 0.05 "1 11000 --period 110 100" --scene shoal --agents 90 --frames 200
# Each half of the wall with the door: from 14.9995 to 15.4005, and 0.5 mm longer than 7.4 m.
paths door 7 0.016666667 "1 634.064799" --scene bottleneck --agents 60 --frames 30
paths spatial 1 0.01 "1 5600" --scene reef --agents 30 --frames 5
same "a text ends with its last agent" "$(tail -n 1 "$work/spatial/deep/paths.txt" | cut -d' ' -f1,2)" "30 5"
paths still 5 0.02 "1 9600" --scene courtyard --map "$work/in/free.map" --agents 3 --frames 0

# ---- A scene with all of them: rooms, a wall that ends in a room, a circle, blocked cells that touch at a corner ----

# rooms NAME SPAWN...: writes a scene of 20 m x 10 m. A wall at x = 12 goes through. The room from 16 to 18 is closed.
rooms() {
  cat >"$work/in/$1.json" <<END
{ "name": "$1", "agents": 40, "frames": 12, "dt": 0.05, "seed": 3,
  "world": { "space": "planar", "boundary": "box", "box_min": [-4, 0, 2], "box_max": [16, 0, 12],
             "perception_radius": 1 },
  "groups": [ { "max_speed": 1, "body_radius": 0.1 }, { "max_speed": 2, "body_radius": 0.2 } ],
  "spawns": [ $2 ],
  "obstacles": { "cell": 0.5, "shapes": [ { "shape": "box", "min": [0, 0, 4], "max": [1, 0, 5] },
                                          { "shape": "box", "min": [1, 0, 5], "max": [2, 0, 6] } ] },
  "scenery": { "walls": [ [8, 2, 8, 12], [12, 4, 14, 4, 14, 8, 12, 8, 12, 4], [-2, 10, 1, 10] ],
               "circles": [ [5, 8, 1.5] ] } }
END
}
left='{ "group": 0, "region": { "shape": "box", "min": [-4, 0, 2], "max": [7, 0, 12] },
        "velocity": { "min": [-1, 0, -1], "max": [1, 0, 1] } }'
right='{ "group": 1, "region": { "shape": "box", "min": [9, 0, 2], "max": [11, 0, 12] } }'
rooms left "$left"
rooms both "$left, $right"
# The parts of the left room. Blocked cells: 0.1 mm smaller on each side, but their common corner stays.
read -r left_area both_area <<<"$(python3 - <<'END'
import math
u = 1e-4
def area(points):
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(points, points[1:] + points[:1])) / 2
def corner(k):
    return tuple(round(1.5 * f(math.pi * k / 16), 4) for f in (math.cos, math.sin))
cells = 2 * area([(u, u), (1 - u, u), (1, 1), (u, 1 - u)])
left = 11.9995 * 10 - cells - area([corner(k) for k in range(32)]) - 3.001 * 0.001
print(left, left + 7.9995 * 10 - 2.001 * 4.001)
END
)"
paths left 2 0.05 "1 $left_area" --scene "$work/in/left.json"
paths both 1 0.04 "2 $both_area" --scene "$work/in/both.json"

# ---- Worlds without a box: the rectangle of all positions, and one metre around it ----

# rectangle NAME: prints the area of the rectangle from the VTK series.
rectangle() {
  python3 -B - "$here" "$work/$1/vtk" <<'END'
import os, sys
sys.path.insert(0, sys.argv[1])
import check_vtk
points = []
for name in os.listdir(sys.argv[2]):
    if name.startswith("agents-"):
        points += check_vtk.arrays(check_vtk.piece_of(os.path.join(sys.argv[2], name))[0], "Points")["position"]
low, high = ([edge(p[axis] for p in points) for axis in (0, 2)] for edge in (min, max))
# The corners are whole tenths of a millimetre.
x, y = (round(high[k] + 1, 4) - round(low[k] - 1, 4) for k in (0, 1))
print(x * y)
END
}
good "no box" --dt 0.02 --scene starlings --agents 50 --frames 40 --out "$work/open" --vtk "$work/open/vtk" \
  --vtk-every 4
paths open 4 0.02 "1 $(rectangle open)" --scene starlings --agents 50 --frames 40

# ---- Ids, and runs that go on ----

awk -F, -v OFS=, 'NR > 1 { $1 = 7 * $1 } 1' "$work/door/agents.csv" >"$work/in/ids.csv"
paths ids 2 0.016666667 "1 634.064799" --scene bottleneck --in "$work/in/ids.csv" --frames 6
same "ids need not be consecutive" "7 14" \
  "$(awk '!/^#/ { print $1 }' "$work/ids/deep/paths.txt" | sort -nu | head -n 2 | xargs)"
good "half a run" --scene bottleneck --agents 60 --frames 20 --out "$work/half" --save "$work/half/saved"
paths later 5 0.016666667 "1 634.064799" --scene bottleneck --agents 60 --frames 10 --load "$work/half/saved"
same "frames of a run that goes on begin with 0" "$(awk '!/^#/ { print $2; exit }' "$work/later/deep/paths.txt")" 0

# ---- Options that are refused before the run, and files that cannot be written ----

bad "into a folder" "'--trajectories'.*is not a file" --trajectories "$work/in"
bad "a step without a file" "'--trajectories-every': allowed only with --trajectories" --trajectories-every 2
bad "every 0th frame" "'--trajectories-every': value '0'" --trajectories "$work/cwd/x.txt" --trajectories-every 0
bad "frames of no time" "'--trajectories': frames of 0 seconds" --trajectories "$work/cwd/x.txt" --dt 0
bad "two outputs of one name" "'--record' and '--trajectories' would both write" --record "$work/cwd/x" \
  --trajectories "$work/cwd/x"

# A file may have 50 KB: what was there before stays, and nothing half-written does.
for form in $forms; do
  echo before >"$work/half/full.$form"
  (trap '' XFSZ && ulimit -f 50 && exec "$run" --scene bottleneck --agents 60 --frames 2000 --quiet --out "$work/half" \
    --trajectories "$work/half/full.$form") >"$work/stdout" 2>"$work/stderr"
  same "$form: a full disk: exit status" $? 1
  same "$form: a full disk: one line" "$(wc -l <"$work/stderr")" 1
  has "$form: a full disk is said" "^throng-run: $work/half/full.$form: cannot write: .*(full|disk)" "$work/stderr"
  same "$form: the file before" "$(cat "$work/half/full.$form")" before
done
same "nothing temporary stays" "$(find "$work" -name '*.part*' | wc -l)" 0

finish
