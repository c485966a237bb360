#!/usr/bin/env bash
# run_tracks_test.sh THRONG_RUN FOLDER: tests throng-run --replay-tracks: right values, and what it refuses. FOLDER is
# deleted and created again.
#   tracks.txt has steps 0 to 14 of 0.4 s, which are frames 780 to 864. Everybody walks 1 m/s, or 0.4 m in a step:
#   1 and 2 straight, in all steps; 3 and 4 straight, 0.3 m apart, in steps 2 to 14; 9 by a corner, in steps 0 to 10:
#   2 m along x from (0, 6), then 2 m along z. 20 is recorded once.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/checks.sh"
prepare "$1" "$2"
tracks=$here/tracks.txt

# replay NAME FILE OPTION...: replays FILE, with the results in $json.
json=$work/results.json
replay() { good "$1" --replay-tracks "$2" --json "$json" "${@:3}"; }

# values KEY: all values of KEY in the results: for each model those of the tracks, then of the windows.
values() { sed -n "s/.*\"$1\":[[:space:]]*\([^,]*\).*/\1/p" "$json" | tr -d '\t'; }

# near NAME KEY TOLERANCE WANTED...: the values of KEY are WANTED, up to TOLERANCE.
near() {
  if paste <(values "$2") <(printf '%s\n' "${@:4}") | awk -v tolerance="$3" 'NF != 2 { exit 1 }
      $2 == "null" || $1 == "null" { if ($1 != $2) exit 1; next }
      $1 - $2 > tolerance || $2 - $1 > tolerance { exit 1 }'; then
    pass
  else
    fail "$1" "$2: $(values "$2" | tr '\n' ' ')" "instead of ${*:4}"
  fi
}

# refused NAME PATTERN OPTION...: throng-run exits with 2, prints one line that matches PATTERN, and writes no file.
refused() {
  "$run" --out "$work/none" "${@:3}" >"$work/stdout" 2>"$work/stderr"
  local status=$?
  if [ $status -ne 2 ] || [ "$(wc -l <"$work/stderr")" -ne 1 ] || ! grep -qE "^throng-run: .*$2" "$work/stderr"; then
    fail "$1" "exit status $status, no single line with '$2' but:" "$(cat "$work/stderr")"
  elif [ -s "$work/stdout" ] || [ -e "$work/none" ] || [ -n "$(ls -A "$work/cwd")" ]; then
    fail "$1" "something was written: $(ls -A "$work/cwd") $(cat "$work/stdout")"
  else
    pass
  fi
}

# bad_file NAME PATTERN BYTES: a recording of these bytes, which printf expands, is refused.
bad_file() {
  printf '%b' "$3" >"$work/in/$1.txt"
  refused "$1" "$1.txt:$2" --replay-tracks "$work/in/$1.txt"
}

# ---- Right values ----

# The straight model is where 1, 2, 3 and 4 were. It cuts the corner of 9: in steps 1 to 5 it is farther from 9 by
# 0.4 sqrt(2 - sqrt 2) m in each, then 1.33196, 1.18007, 0.8, 0.4 and 0 m away. The others make 62 rows with 9's 10.
# At its goal it shakes by less than the 0.025 m of a frame.
corner=$(awk 'BEGIN { printf "%.6f", (15 * 0.4 * sqrt(2 - sqrt(2)) + 1.33196 + 1.18007 + 0.8 + 0.4) / 62 }')
replay "straight walkers" "$tracks" --replay-model straight
near "the corner alone makes errors; nobody at a corner is in a whole window" mean_error 0.001 "$corner" 0
near "everybody ends where it was recorded" last_error 0.005 0 0
near "errors of windows are zero" mean_error 0.00001 "$(values mean_error | head -1)" 0
near "of 5 persons, and 2 + 2 + 4 in the windows" persons 0 5 5 8
near "three windows" window_count 0 3
# After step 0 there are 14 + 14 + 13 + 13 + 10 rows, and 26 are of 3 and 4; in the windows 70 of
# 56 + 57 + 56.
near "3 and 4 walk together" recorded_near_share 0.000001 0.40625 0.414201183
near "also in the model" near_share 0.000001 0.40625 0.414201183
near "one is left out" left_out 0 1
near "frames of the file in a step" step_frames 0 6
has "the table" '^straight +\|' "$work/stdout"
has "says who is left out" '^1 person recorded only once, left out$' "$work/stdout"
same "nothing else is written" "$(ls -A "$work/cwd")" ""
cp "$json" "$work/first.json"

replay "all models" "$tracks" --quiet
same "have rows" "$(values model | tr -d '"' | tr '\n' ' ')" "straight predicting reciprocal walkers "
same "quiet says nothing" "$(cat "$work/stdout")" ""

# Another number of steps per second: everybody walks twice as fast, and no window is short enough.
replay "five steps per second" "$tracks" --replay-fps 5 --replay-model straight --dt 0.0125
near "the same places" mean_error 0.001 "$corner" null
near "no windows" window_count 0 0

# The rules of a scene: straight on as well.
cat >"$work/in/rules.json" <<'JSON'
{
  "world": { "perception_radius": 2 },
  "groups": [ {
    "max_speed": 1, "max_acceleration": "infinity",
    "separation": { "weight": 0 }, "cohesion": { "weight": 0 }, "alignment": { "weight": 0 },
    "behaviours": [ { "kind": "seek", "time_to_target": 0.025 } ]
  } ],
  "spawns": [ { "group": 0, "region": { "shape": "box" } } ]
}
JSON
replay "the rules of a scene" "$tracks" --replay-model "$work/in/rules.json"
near "do the same" mean_error 0.001 "$corner" 0
replay "a scene that ships" "$tracks" --replay-model headon

# Two who pass: recorded with 1 m between them, straight they meet in step 5. 2 of the 20 rows after step 0.
awk 'BEGIN { for (k = 0; k <= 10; k++) { z = k < 4 || k > 6 ? 0 : 0.5
  print 10 * k, 1, 0.8 * k, 0, z, 2, 0, 0; print 10 * k, 2, 8 - 0.8 * k, 0, -z, -2, 0, 0 } }' >"$work/in/pass.txt"
replay "two who pass" "$work/in/pass.txt" --replay-model straight
near "go through each other" near_share 0.000001 0.1 null
near "but were not recorded so" recorded_near_share 0 0 null
replay "two who pass" "$work/in/pass.txt" --replay-model predicting
near "and avoid each other" near_share 0 0 null

# ---- Forms of the text ----

# same_results NAME FILE: a replay of FILE has the results of tracks.txt.
same_results() {
  replay "$1" "$2" --replay-model straight
  same "$1: the same results" "$(grep -v '"recording"' "$json")" "$(grep -v '"recording"' "$work/first.json")"
}
sed 's/$/\r/' "$tracks" >"$work/in/crlf.txt"
same_results "CR LF" "$work/in/crlf.txt"
sed 's/^ *//; s/  */\t/g' "$tracks" >"$work/in/tabs.txt"
same_results "tabs" "$work/in/tabs.txt"
printf '%s' "$(cat "$tracks")" >"$work/in/cut.txt"
same_results "no newline at the end" "$work/in/cut.txt"
(cat "$tracks"; echo; echo) >"$work/in/blank.txt"
same_results "blank lines" "$work/in/blank.txt"
sort -s -g -k 2,2 "$tracks" >"$work/in/persons.txt"
same_results "sorted by person" "$work/in/persons.txt"

# After a pause the frames may be other ones: 395 / 6 is 66 steps.
printf '%s\n' "0 1 0 0 0 1 0 0" "6 1 1 0 0 1 0 0" "12 1 2 0 0 1 0 0" "407 2 0 0 0 1 0 0" "413 2 1 0 0 1 0 0" \
  >"$work/in/pause.txt"
replay "a pause" "$work/in/pause.txt"
near "is rounded to steps" steps 0 69

# ---- What is refused ----

line='0 1 0 0 0 1 0 0'
bad_file empty '1: the file is empty$' ''
bad_file blanks '1: the file holds only blanks$' ' \n\n'
bad_file seven-columns '2: 7 columns, allowed are the 8 columns frame id x z y vx vz vy$' "$line\n6 1 1 0 0 1 0\n"
bad_file nine-columns '1: 9 columns' "$line 7\n"
bad_file nan "3: column 'y': value 'nan', allowed is a number from -100000 to 100000$" \
  "$line\n6 1 1 0 0 1 0 0\n12 1 1 0 nan 1 0 0"
bad_file infinite "1: column 'vx': value 'inf', allowed is a number from -1000 to 1000$" '0 1 0 0 0 inf 0 0\n'
bad_file word "1: column 'x': value 'left'" '0 1 left 0 0 1 0 0\n'
bad_file comma "1: column 'x': value '0,5'" '0 1 0,5 0 0 1 0 0\n'
bad_file far "1: column 'x': value '1e6'" '0 1 1e6 0 0 1 0 0\n'
bad_file fraction "1: column 'frame': value '0.5', allowed is a whole number from 0 to 1000000000$" \
  '0.5 1 0 0 0 1 0 0\n'
bad_file negative "1: column 'id': value '-1'" '0 -1 0 0 0 1 0 0\n'
bad_file twice '3: frame 0 of person 1 is in line 1 already, allowed once$' "$line\n0 2 0 0 0 1 0 0\n$line\n"
bad_file unsorted '3: frame 6 of person 1 after frame 12, allowed are lines sorted by frame, or by person' \
  "$line\n12 1 2 0 0 1 0 0\n6 1 1 0 0 1 0 0\n"
bad_file mixed '4: frame 0 of person 2 after frame 6' \
  "$line\n6 1 0 0 0 1 0 0\n6 2 0 0 0 1 0 0\n0 2 0 0 0 1 0 0\n"
bad_file half-step '4: frame 15 of person 1, allowed is a whole number of steps of 6 frames after frame 12$' \
  "$line\n6 1 1 0 0 1 0 0\n12 1 2 0 0 1 0 0\n15 1 2 0 0 1 0 0\n"
bad_file too-long '4: frame 900000000 is 900000000 steps of 1 frames after the first, allowed are 999999' \
  "$line\n1 1 1 0 0 1 0 0\n2 1 1 0 0 1 0 0\n900000000 1 1 0 0 1 0 0\n"
bad_file lonely ' no person is recorded twice, allowed are one or more$' "$line\n6 2 0 0 0 1 0 0\n"
bad_file zero-byte '1: a zero byte' '0 1 0 0 0\0 1 0 0\n'
refused "a missing file" "cannot read" --replay-tracks "$work/in/absent.txt"
refused "a folder" "it is a directory" --replay-tracks "$work/in"
refused "an unknown model" \
  "'--replay-model': value 'fast', allowed straight, predicting, reciprocal, walkers, a scene or its file$" \
  --replay-tracks "$tracks" --replay-model fast
refused "a spatial model" "'--replay-model': value 'flock3', allowed is a planar scene" --replay-tracks "$tracks" \
  --replay-model flock3
refused "a missing model" "absent.json: cannot read" --replay-tracks "$tracks" --replay-model "$work/in/absent.json"
sed 's/"seek", "time_to_target": 0.025/"seek", "target": { "kind": "agent", "agent": 7 }/' "$work/in/rules.json" \
  >"$work/in/agent.json"
refused "a model that the kernel refuses" "model '[^']*agent.json': THRONG_ERROR_STALE_ID" --replay-tracks "$tracks" \
  --replay-model "$work/in/agent.json"
refused "no steps" "'--replay-fps': value '0', allowed a number from 0.1 to 1000" --replay-tracks "$tracks" \
  --replay-fps 0
refused "no time in a frame" "'--dt': value '0', allowed with --replay-tracks is at least 4e-07" \
  --replay-tracks "$tracks" --dt 0
refused "a scene" "'--scene': not allowed with --replay-tracks, only --replay-model, " --replay-tracks "$tracks" \
  --scene flock2
refused "a recording of throng" "not allowed with --replay, only --threads" --replay "$tracks" \
  --replay-tracks "$tracks"
refused "a model without a recording" "'--replay-model': allowed only with --replay-tracks" --replay-model straight
refused "steps without a recording" "'--replay-fps': allowed only with --replay-tracks" --replay-fps 5
"$run" --replay-tracks "$tracks" --json "$work/in" >"$work/stdout" 2>"$work/stderr"
same "results into a folder" "$? $(wc -l <"$work/stderr")" "2 1"

# In the foreground, timeout sends one signal. Else it sends a second one to the group, and that ends a run at once.
timeout --foreground --preserve-status -s TERM 1 "$run" --replay-tracks "$tracks" --dt 1e-6 \
  --json "$work/stopped.json" >"$work/stdout" 2>"$work/stderr"
same "a stop" $? 143
has "says so" '^throng-run: stopped by SIGTERM, nothing was written$' "$work/stderr"
same "and nothing is written" "$(find "$work" -name 'stopped*')" ""

finish
