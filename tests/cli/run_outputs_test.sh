#!/usr/bin/env bash
# run_outputs_test.sh THRONG_RUN FOLDER THREADS: tests throng-run's files of single frames, how many frames there are,
# the parts of a frame, recordings and replays, what happens if standard output cannot be written, signals, and the
# progress line. FOLDER is deleted and created again. THREADS is the number of threads of a run with --threads 3.
# run_movie_test.sh tests movies.
set -uo pipefail

threads=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/checks.sh"
prepare "$1" "$2"

# fails STATUS NAME PATTERN OPTION...: throng-run exits with STATUS and prints one line that matches PATTERN.
fails() {
  local wanted=$1 name=$2 pattern=$3
  shift 3
  "$run" "$@" >"$work/stdout" 2>"$work/stderr"
  local status=$?
  if [ $status -ne "$wanted" ] || [ "$(wc -l <"$work/stderr")" -ne 1 ] ||
    ! grep -qE "^throng-run: .*$pattern" "$work/stderr"; then
    fail "$name" "exit status $status instead of $wanted, and no single line with '$pattern' but:" \
      "$(cat "$work/stderr")"
  else
    pass
  fi
}

python=$(command -v python3)
if [ -z "$python" ]; then
  echo "python3 is missing: the contents of VTK files are not checked"
  if [ -n "${CI-}" ]; then fail "python3 is there"; fi
fi
# vtk NAME FRAMES DT OPTION...: a run with these options writes a VTK series that agrees with its CSV files.
vtk() {
  local name=$1 frames=$2 dt=$3
  shift 3
  good "$name" --dt "$dt" --out "$work/$name" --vtk "$work/$name/deep/vtk" "$@"
  vtk_agrees "$name" "$work/$name/deep/vtk" "$work/$name" "$frames" "$dt"
}
# vtk_agrees NAME VTK_FOLDER CSV_FOLDER FRAMES DT: the series agrees. $goals is --goals if the agents have goals.
goals=
vtk_agrees() {
  [ -n "$python" ] || return
  if "$python" "$here/check_vtk.py" "${@:2}" $goals >"$work/complaint" 2>&1; then
    pass
  else
    fail "$1: the VTK series" "$(cat "$work/complaint")"
  fi
}
# polygons NAME COUNT: the last series has COUNT polygons of scenery.
polygons() { has "$1" "$2 polygons" "$work/complaint"; }

# ---- Options ----

bad "a VTK series into a file" "'--vtk': value" --vtk "$run"
bad "a step of a VTK series without one" "'--vtk-every': allowed only with --vtk" --vtk-every 2
bad "no VTK frames" "'--vtk-every': value '0'" --vtk "$work/cwd/vtk" --vtk-every 0
bad "no CSV frames" "'--csv-every': value '0', allowed a whole number from 1" --csv-every 0
bad "two outputs of one name" "'--save' and '--record' would both write" --save "$work/cwd/same" \
  --record "$work/cwd/same"
bad "a table in the place of the picture" "'--out' and '--csv' would both write" --out "$work/cwd" \
  --csv "$work/cwd/picture.png"
bad "a recording into a folder" "'--record'.*is not a file" --record "$work/in"
fails 2 "a replay of a scene" "'--scene': not allowed with --replay, only --threads, --isa and --quiet" --replay x \
  --scene flock2
fails 2 "a replay with a picture" "'--out': not allowed with --replay" --out x --threads 1 --replay x
good "help beside options that exclude each other" --replay x --scene flock2 -h
documented "$work/stdout" bench/run
fails 2 "a replay of nothing" "not-there" --replay "$work/in/not-there"

# ---- Frames as CSV and VTK: of 20 frames and the start ----

vtk planar 11 0.01 --scene shoal --agents 300 --frames 20 --vtk-every 2 --csv-every 2
polygons "a plain box has edges only" 0
same "CSV files by frame" "$(cd "$work/planar" && echo agents-*)" \
  "agents-00000000.csv agents-00000002.csv agents-00000004.csv agents-00000006.csv agents-00000008.csv \
agents-00000010.csv agents-00000012.csv agents-00000014.csv agents-00000016.csv agents-00000018.csv \
agents-00000020.csv"
vtk fifth 5 0.01 --scene shoal --agents 300 --frames 20 --vtk-every 5 --csv-every 5
same_files "the last frame is the last" "$work/fifth/agents-00000020.csv" "$work/fifth/agents.csv"
same_files "files do not depend on the others" "$work/fifth/agents-00000010.csv" "$work/planar/agents-00000010.csv"
goals=--goals
vtk spatial 8 0.02 --scene starlings --agents 200 --frames 7 --csv-every 1 --threads 2,1 --rounds 2
has "the timed runs end where the shown one did" 'All 4 runs end with the same hash' "$work/stdout"
goals=
vtk start 1 0.02 --scene flock2 --agents 0 --frames 0 --csv-every 3
goals=--goals
vtk reef 2 0.02 --scene reef --agents 100 --frames 7 --vtk-every 5 --csv-every 5
polygons "blocks and a sea-bed" '[1-9][0-9]*'
vtk plaza 2 0.02 --scene plaza --agents 100 --frames 7 --vtk-every 5 --csv-every 5
polygons "columns" '[1-9][0-9]*'
goals=
vtk courtyard 2 0.02 --scene courtyard --agents 100 --frames 7 --vtk-every 5 --csv-every 5
polygons "blocked cells" '[1-9][0-9]*'

# ---- Pictures ----

bad "colours of nothing" "'--colour': value 'mass', allowed group, heading, speed, density" --colour mass
for colour in group heading speed density; do
  good "by $colour" --scene swap --frames 60 --colour $colour --quiet --out "$work/by-$colour"
done
good "without a choice" --scene swap --frames 60 --quiet --out "$work/by-default"
same_files "one group is coloured by heading" "$work/by-default/picture.png" "$work/by-heading/picture.png"
same "four different pictures" 4 \
  "$(md5sum "$work"/by-{group,heading,speed,density}/picture.png | cut -c1-32 | sort -u | wc -l)"

# Trails change the picture and nothing else; without length there are none.
for seconds in 0 1; do
  good "trails" --scene shoal --agents 300 --frames 30 --out "$work/trails-$seconds" --trails $seconds
done
good "no trails" --scene shoal --agents 300 --frames 30 --out "$work/no-trails"
same_files "trails of no length" "$work/no-trails/picture.png" "$work/trails-0/picture.png"
same_files "trails do not change the run" "$work/no-trails/agents.csv" "$work/trails-1/agents.csv"
if cmp -s "$work/no-trails/picture.png" "$work/trails-1/picture.png"; then fail "trails show"; else pass; fi
for value in -1 nan x 3601; do
  bad "trails of $value" "'--trails': value '$value', allowed a number from 0 to 3600" --trails $value
done

# size PNG: prints width and height of a picture: bytes 17 to 24.
size() { od -An -tu1 -j 16 -N 8 "$1" | awk '{ print 256 * $3 + $4, 256 * $7 + $8 }'; }
good "a wide scene" --scene headon --frames 1 --quiet --out "$work/wide"
same "fills its page" "$(size "$work/wide/picture.png")" "1600 740"
same "a less wide one has a narrower page" "$(size "$work/by-default/picture.png")" "1574 1200"

# ---- The number of frames ----

# Even a very short run has --frames frames and a time. These frames include the ones that are not timed.
bad "no frame to explain" "'--explain': no frame, allowed with 1 or more" --explain 1 --frames 0
for frames in 0 1 2 3 9 10 11; do
  explain=(--explain 3)
  [ $frames -gt 0 ] || explain=()
  good "$frames frames" --scene swap --agents 60 --frames $frames --csv-every 1 --record "$work/counted/rec" \
    "${explain[@]}" --out "$work/counted"
  last=$work/counted/agents-$(printf '%08d' $frames).csv
  same "$frames frames and the start have files" "$(ls "$work/counted" | grep -c '^agents-')" $((frames + 1))
  same_files "$frames frames end with frame $frames" "$last" "$work/counted/agents.csv"
  untimed=$((frames < 10 ? frames / 2 : 5))
  has "$frames frames in the results" "\"frames\":[[:space:]]*$frames," "$work/counted/results.json"
  has "timed ones in the results" "\"timed_frames\":[[:space:]]*$((frames - untimed))," "$work/counted/results.json"
  same "the head says which are not" "$(sed -n 's/.*, the first \([0-9]*\) not timed$/\1/p' "$work/stdout")" \
    "$([ $untimed -eq 0 ] || echo $untimed)"
  [ $frames -eq 0 ] || has "frame $frames is explained" "^agent 3, group [0-9]+, frame $frames: at " "$work/stdout"
  [ $frames -eq 0 ] || has "$frames frames are recorded" "rec \($frames frames\)$" "$work/stdout"
  rm -r "$work/counted"
done

# ---- The parts of a frame ----

# The parts of a frame add up to it: in the table (to its last digit), in the JSON and in the CSV.
for scene in crowd2 courtyard packed; do
  good "parts of $scene" --scene $scene --agents 700 --frames 12 --threads 1,2 --rounds 2 --out "$work/parts" \
    --csv "$work/parts/r.csv"
  same "the table of $scene adds up" "$(awk -F'|' 'NF == 3 && $2 ~ /[0-9]/ { n = split($2, part, " ")
    for (k = 2; k <= n; k++) part[1] -= part[k]
    print n, (-0.04 < part[1] && part[1] < 0.04) }' "$work/stdout")" $'7 1\n7 1'
  same "the JSON of $scene adds up" $'1\n1' "$(awk -F'[:,]' '/"ns_per_agent"/ { frame = $2; sum = 0 }
    /"(index|neighbours|behaviours|integrate|constrain|waiting|other)"/ { sum += $2 }
    /"other"/ { print (frame > 0 && sum > 0.999999 * frame && sum < 1.000001 * frame) }' "$work/parts/results.json")"
  has "frame times rounded to a tenth of a per cent" '"frame_time_step":[[:space:]]*0\.0009765625,' \
    "$work/parts/results.json"
  same "the CSV of $scene adds up" "$(awk -F, 'NR > 1 { frame = 1e6 / $7; sum = $10 + $11 + $12 + $13 + $14 + $21 + $22
    rounded = frame * 0.06 / $7 + 0.005 # the rate has one decimal place
    print (sum > frame - rounded && sum < frame + rounded) }' "$work/parts/r.csv")" $'1\n1'
done

# ---- Recordings ----

recording=$work/deep/recording
good "a recording" --scene swap --agents 60 --frames 20 --threads 2 --out "$work/recorded" --record "$recording"
has "it says so" "^$recording \(20 frames\)$" "$work/stdout"
good "a replay" --replay "$recording"
has "it has the same bits" "^$recording: 20 frames of 60 agents, same bits" "$work/stdout"
good "a replay everywhere" --replay "$recording" --threads 1,3 --isa auto,baseline
same "each combination" "$(grep -c 'same bits' "$work/stdout")" 4
has "on another thread count and instruction set" 'same bits \((baseline|neon), '"$threads thread" "$work/stdout"
good "a quiet replay" --quiet --replay "$recording"
same "a quiet replay says nothing" "$(cat "$work/stdout")" ""
good "a recording of no frames" --scene swap --frames 0 --out "$work/recorded" --record "$work/none.rec"
good "its replay" --replay "$work/none.rec"
has "no frames" ': 0 frames of' "$work/stdout"
good "a recording that goes on from a snapshot" --scene swap --agents 60 --frames 5 --out "$work/recorded" \
  --save "$work/half"
good "recorded" --scene swap --agents 60 --frames 10 --out "$work/recorded" --load "$work/half" \
  --record "$work/later.rec"
good "its replay" --replay "$work/later.rec"
has "10 frames" ': 10 frames of' "$work/stdout"

# A recording is a base and then frames. Here all frames have the same size, because the 60 agents always have the same
# columns. So frames of one recording can follow frames of another. They are well-formed, but the replay differs.
good "a longer one" --scene swap --agents 60 --frames 21 --out "$work/recorded" --record "$work/longer.rec"
size=$(stat -c %s "$recording")
frame=$(($(stat -c %s "$work/longer.rec") - size))
base=$((size - 20 * frame))
awk -F, -v OFS=, 'NR == 8 { $2 += 0.5 } 1' "$work/recorded/agents.csv" >"$work/in/moved.csv"
for agents in "$work/recorded/agents.csv" "$work/in/moved.csv"; do
  good "from these agents" --scene swap --in "$agents" --frames 20 --out "$work/again" --record "$agents.rec"
done
same "as long" "$(stat -c %s "$work/in/moved.csv.rec")" "$size"
head -c $((base + 12 * frame)) "$work/recorded/agents.csv.rec" >"$work/in/mixed.rec"
tail -c $((8 * frame)) "$work/in/moved.csv.rec" >>"$work/in/mixed.rec"
fails 1 "a frame that differs" "FRAME 13 DIFFERS: agent [0-9]+, column position \(hashes of the column: \
[0-9a-f]{16} recorded, [0-9a-f]{16} replayed" --replay "$work/in/mixed.rec"
head -c "$base" "$work/recorded/agents.csv.rec" >"$work/in/other.rec"
tail -c $((20 * frame)) "$work/in/moved.csv.rec" >>"$work/in/other.rec"
fails 1 "another start" "FRAME 1 DIFFERS: agent 7, column position" --replay "$work/in/other.rec" --threads 2 \
  --isa baseline

# flip FILE AT: inverts all bits of the byte AT.
flip() {
  local byte
  byte=$(od -An -tu1 -j "$2" -N 1 "$1")
  printf '%b' "\\x$(printf %02x $((255 - byte)))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}
cp "$recording" "$work/in/flipped"
flip "$work/in/flipped" $((base + 3 * frame + 60))
fails 2 "a flipped byte in a frame" \
  "flipped: THRONG_ERROR_BAD_VALUE: recording: the frame at byte $((base + 3 * frame)) " --replay "$work/in/flipped"
cp "$recording" "$work/in/flipped"
flip "$work/in/flipped" $((base / 2))
fails 2 "a flipped byte in the beginning" "flipped: THRONG_ERROR_BAD_VALUE: snapshot" --replay "$work/in/flipped"
head -c $((size - 5)) "$recording" >"$work/in/short"
fails 2 "a truncated recording" "short: THRONG_ERROR_BAD_VALUE: recording: the frame at byte .* cut off" \
  --replay "$work/in/short"
fails 2 "no recording" "THRONG_ERROR_BAD_VALUE: recording: .* bytes are not a recording" \
  --replay "$work/recorded/agents.csv"

# ---- A stop ----

# With job control, a background process does not ignore SIGINT. In a script it otherwise does.
set -m
# stopped NAME SIGNAL STATUS FILE OPTION...: starts a long run, sends SIGNAL once FILE is not empty, and expects STATUS.
stopped() {
  local name=$1 signal=$2 wanted=$3 there=$4
  shift 4
  rm -f "$there"
  "$run" --frames 100000000 "$@" >"$work/stdout" 2>"$work/stderr" &
  local job=$! status tries=600
  while [ ! -s "$there" ] && kill -0 $job 2>/dev/null && [ $((tries -= 1)) -gt 0 ]; do sleep 0.1; done
  kill -s "$signal" $job
  wait $job
  status=$?
  if [ $status -eq "$wanted" ]; then
    pass
  else
    fail "$name" "exit status $status instead of $wanted" "$(cat "$work/stderr")"
  fi
}
# stop_line NAME PATTERN: the only line on stderr matches PATTERN.
stop_line() {
  same "$1: one line" "$(wc -l <"$work/stderr")" 1
  has "$1" "^throng-run: stopped by $2" "$work/stderr"
}

half=$work/stopped
stopped "Ctrl-C" INT 130 "$half/agents-00000020.csv" --scene shoal --agents 300 --out "$half" --csv-every 5 \
  --vtk "$half/vtk" --vtk-every 5 --trajectories "$half/paths.txt" --record "$half/rec" --save "$half/saved" \
  --csv "$half/table.csv" --trace "$half/trace.json" --explain 3
count='\([0-9]+ frames\)'
stop_line "Ctrl-C says" "Ctrl-C after frame [0-9]+ of 100000000 \(writing frames\): wrote $half/picture.png, \
$half/agents.csv, $half/results.json, $half/table.csv, $half/saved, $half/vtk/series.pvd $count, \
$half/agents-\*.csv $count, $half/paths.txt $count, $half/rec $count$"
frame=$(sed -n 's/.*after frame \([0-9]*\) of.*/\1/p' "$work/stderr")
vtk_agrees "Ctrl-C" "$half/vtk" "$half" $((frame / 5 + 1)) 0.016666668
same "trajectories end with the last frame or before it" "$(tail -n 1 "$half/paths.txt" | cut -d' ' -f1,2)" \
  "300 $frame"
has "the results say where" '"stopped"' "$half/results.json"
has "which frame" "\"frame\":[[:space:]]*$frame\b" "$half/results.json"
same "no timing of what was not timed" "$(wc -l <"$half/table.csv")" 1
same "the picture is a PNG" "$(head -c 4 "$half/picture.png" | tail -c 3)" PNG
same "all agents" "$(wc -l <"$half/agents.csv")" 301
good "the recording is whole" --replay "$half/rec"
has "up to the stop" ": $frame frames of 300 agents, same bits" "$work/stdout"
same "no trace" "$(ls "$half" | grep -c trace)" 0
same "nothing temporary stays" "$(find "$work" -name '*.part' | wc -l)" 0
good "what was stopped can go on" --scene shoal --agents 300 --frames 1 --load "$half/saved" --out "$half/on"
good "the same frames at once" --scene shoal --agents 300 --frames "$frame" --out "$half/whole"
same_files "stopped where a shorter run ends" "$half/agents.csv" "$half/whole/agents.csv"

# throng-run prints the head of its table after it has set its signal handlers. So signals may be sent as soon as stdout
# is not empty.
stopped "SIGTERM" TERM 143 "$work/stdout" --scene commuters --agents 200 --threads 1,2 --rounds 2 --out "$half/timed"
stop_line "SIGTERM while timing" "SIGTERM after frame [0-9]+ of 100000000 \(timing\): wrote .*results.json$"
frame=$(sed -n 's/.*after frame \([0-9]*\) of.*/\1/p' "$work/stderr")
if [ "$frame" -gt 5 ]; then
  has "the table says what is missing" "stopped before the parts were measured" "$work/stdout"
fi
same "one result" "$(hash_of "$half/timed/results.json" | wc -l)" 1
has "of the frames that were stepped" "\"frames\":[[:space:]]*$frame\b" "$half/timed/results.json"
has "of those that were timed" "\"timed_frames\":[[:space:]]*$((frame > 5 ? frame - 5 : 0))\b" \
  "$half/timed/results.json"

# A terminal that closes sends SIGHUP more than once.
hangs_up() {
  "$run" --frames 100000000 --scene shoal --agents 200 --out "$half/hung" >"$work/stdout" 2>"$work/stderr" &
  local job=$! tries=600
  while [ ! -s "$work/stdout" ] && kill -0 $job 2>/dev/null && [ $((tries -= 1)) -gt 0 ]; do sleep 0.1; done
  kill -s HUP $job
  kill -s HUP $job 2>/dev/null
  wait $job
  same "SIGHUP: exit status" $? 129
}
: >"$work/stdout"
hangs_up
stop_line "SIGHUP" "SIGHUP after frame [0-9]+ of 100000000 \(timing\): wrote $half/hung/picture.png, \
$half/hung/agents.csv, $half/hung/results.json$"
same "SIGHUP: all agents" "$(wc -l <"$half/hung/agents.csv")" 201

# ---- Standard output that cannot be written: the files are written, and the exit status is 1 ----

# unheard NAME STATUS: checks that STATUS is 1, and that the run wrote its files and one line to stderr.
unheard() {
  same "$1: exit status" "$2" 1
  same "$1: one line" "$(wc -l <"$work/stderr")" 1
  has "$1 is said" "^throng-run: standard output: cannot write: " "$work/stderr"
  same "$1: the files" "$(cd "$work/unheard" && echo *)" "agents.csv picture.png results.json"
  same "$1: the table is in none of them" "$(grep -l 'nanoseconds per agent' "$work/unheard"/*)" ""
  rm -rf "$work/unheard"
}
unheard=(--agents 200 --frames 9 --out "$work/unheard")
"$run" "${unheard[@]}" >&- 2>"$work/stderr"
unheard "a closed stdout" $?
# The reader reads only the first line.
{ "$run" "${unheard[@]}" --frames 3000 2>"$work/stderr"; echo $? >"$work/status"; } | head -n 1 >"$work/stdout"
unheard "a pipe that nobody reads" "$(cat "$work/status")"
if [ -c /dev/full ]; then
  "$run" "${unheard[@]}" >/dev/full 2>"$work/stderr"
  unheard "a full disk" $?
  "$run" --help >/dev/full 2>"$work/stderr"
  same "help that cannot be written" $? 1
fi
"$run" "${unheard[@]}" --quiet >&- 2>&-
same "quiet needs no stdout" $? 0

# ---- Progress on a terminal. The checks above show that nothing is printed elsewhere ----

if command -v script >/dev/null; then
  long="$run --scene shoal --agents 500 --frames 3000 --out $half/terminal"
  script -qec "$long --csv-every 1000" /dev/null >"$work/terminal" 2>&1 </dev/null
  has "progress and time left on a terminal" \
    '\[#* *\] +[0-9]+ %, [0-9]+:[0-9]{2} left, frame [0-9]+ of 3000, [0-9]+ agents/ms' "$work/terminal"
  script -qec "$long --quiet" /dev/null >"$work/terminal" 2>&1 </dev/null
  same "quiet on a terminal" "$(cat "$work/terminal")" ""
elif [ -n "${CI-}" ]; then
  fail "progress on a terminal" "the program script is missing"
fi

finish
