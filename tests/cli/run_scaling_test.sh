#!/usr/bin/env bash
# run_scaling_test.sh SCALING THRONG_RUN FOLDER: tests small sweeps of bench/scaling: a row for each combination, the
# pictures, a second run into the same folder, and what it refuses. FOLDER is deleted and created again.
set -uo pipefail

scaling=$1
THRONG_RUN=$(readlink -f "$2")
export THRONG_RUN
work=$3
rm -rf "$work"
mkdir -p "$work"
work=$(cd "$work" && pwd)
failed=0

# check WHAT CONDITION...: fails with the text WHAT unless the command CONDITION succeeds.
check() {
  local what=$1
  shift
  if ! "$@"; then
    echo "FAILED: $what" >&2
    failed=1
  fi
}

sweep() {
  "$scaling" --frames 2 --threads 1,2 --isa baseline --out "$work/out folder" "$@" >"$work/stdout" 2>"$work/stderr"
}

is_png() { [ "$(head -c 4 "$1" | tail -c 3)" = PNG ] && [ "$(wc -c <"$1")" -gt 5000 ]; }
is_svg() { grep -q '<svg' "$1" && tail -n 3 "$1" | grep -q '</svg>' && grep -q "$2" "$1"; }

# rows_are_sound ROWS: results.csv has ROWS rows. Each has 24 fields, minimum <= median <= maximum for rates and frame
# times, and times of passes above 0. Rows with the same number of agents have the same hash.
rows_are_sound() {
  awk -F, -v rows="$1" 'NR == 1 { next }
    NF != 24 || !($17 > 0 && $17 <= $18 && $18 <= $19 && $19 <= $20) { bad = 1 }
    $6 != 2 || !($8 > 0 && $8 <= $7 && $7 <= $9) || !($10 > 0 && $11 > 0) { bad = 1 }
    ($2 in hash) && hash[$2] != $16 { bad = 1 }
    { hash[$2] = $16 }
    END { exit bad || NR != rows + 1 }' "$work/out folder/results.csv"
}

# alone_is_sound SIZES: alone.csv has two rows for each of SIZES numbers of agents and each thread count for which there
# are enough cores, whatever OpenMP's variables say.
alone_is_sound() {
  local counts=$(($(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc) < 2 ? 1 : 2))
  awk -F, -v rows=$((2 * $1 * counts)) 'NR == 1 { next }
    NF != 5 || $3 > 2 || $4 != "baseline" || !($5 > 0) { bad = 1 }
    END { exit bad || NR != rows + 1 }' "$work/out folder/alone.csv"
}

# check_output SWEEP STATUS: the status is 0, stderr is empty, and every file exists.
check_output() {
  check "exit status of sweep $1: $(cat "$work/stderr")" [ "$2" -eq 0 ]
  check "nothing on stderr in sweep $1: $(cat "$work/stderr")" [ ! -s "$work/stderr" ]
  for picture in threads agents passes; do
    check "$picture.png of sweep $1" is_png "$work/out folder/$picture.png"
    check "$picture.svg of sweep $1" is_svg "$work/out folder/$picture.svg" "baseline"
  done
  for key in command date source compiler cpu cores memory system governor; do
    check "machine.txt says $key" grep -qE "^$key +[^ ]" "$work/out folder/machine.txt"
  done
  check "nothing else in the folder" [ "$(find "$work/out folder" -type f | wc -l)" -eq 9 ]
}

sweep --agents 300,700 --rounds 2
check_output 1 $?
check "rows of sweep 1" rows_are_sound 4
check "processes of one thread in sweep 1" alone_is_sound 2
check "both numbers of agents are drawn" grep -q '>700 agents<' "$work/out folder/passes.svg"

sweep --agents=500 --rounds=2
check_output 2 $?
check "rows of sweep 2, which replace those of sweep 1" rows_are_sound 2

# Without gnuplot there are only results. --draw then makes the pictures.
mkdir "$work/tools"
for tool in bash env lscpu git id; do
  ln -s "$(command -v $tool)" "$work/tools"
done
ln -s "$(python3 -c 'import sys; print(sys.executable)')" "$work/tools/python3" # python3 may be a script
PATH=$work/tools sweep --agents 300 --rounds 2
status=$?
check "exit status without gnuplot: $(cat "$work/stderr")" [ $status -eq 0 ]
check "no gnuplot is said: $(cat "$work/stderr")" grep -q -- '--draw DIR' "$work/stderr"
check "rows without gnuplot" rows_are_sound 2
check "no picture of other results stays" [ "$(find "$work/out folder" -type f | wc -l)" -eq 3 ]
"$scaling" --draw "$work/out folder" >"$work/stdout" 2>"$work/stderr"
check_output drawn $?

# Older results have no alone.csv. With more threads than cores, alone.csv has no rows. Neither is an error.
rm "$work/out folder/alone.csv"
"$scaling" --draw "$work/out folder" >"$work/stdout" 2>"$work/stderr"
status=$?
check "status and silence of results without processes: $(cat "$work/stderr")" \
  [ "$status $(wc -c <"$work/stderr")" = "0 0" ]
sweep --agents 300 --threads 1000
status=$?
check "status and silence of threads beyond the cores: $(cat "$work/stderr")" \
  [ "$status $(wc -c <"$work/stderr")" = "0 0" ]

# A scene from a file. The tables have the scene's own name.
sweep --agents 300 --rounds 2 --scene "$(dirname "$scaling")/scenes/circle.json"
check_output file $?
check "processes of a scene from a file" alone_is_sound 1

# If a process of alone.csv fails, the reason is printed, and only its row is missing.
printf '#!/bin/sh\ncase $* in *alone0*) echo the true reason >&2; exit 1; esac\nexec "%s" "$@"\n' "$THRONG_RUN" \
  >"$work/failing"
chmod +x "$work/failing"
THRONG_RUN=$work/failing sweep --agents 300 --rounds 2
status=$?
check "exit status beside processes that fail: $(cat "$work/stderr")" [ $status -eq 0 ]
check "why they failed: $(cat "$work/stderr")" grep -q 'the true reason' "$work/stderr"
check "rows beside processes that fail" rows_are_sound 2
check "no row of processes that fail" [ "$(wc -l <"$work/out folder/alone.csv")" -eq 1 ]

# --alone: a row for each round, and no pictures.
"$scaling" --alone --frames 20 --threads 1 --agents 300,700 --rounds 3 --isa baseline --out "$work/ratios" \
  >"$work/stdout" 2>"$work/stderr"
status=$?
check "exit status and silence of --alone: $(cat "$work/stderr")" [ "$status $(wc -c <"$work/stderr")" = "0 0" ]
check "rows of --alone" awk -F, 'NR == 1 { next }
  NF != 8 || $3 != 1 || $4 != "baseline" || $5 != (NR - 2) % 3 + 1 || !($6 > 0 && $7 > 0) { bad = 1 }
  $8 - $6 / $7 > 0.001 || $6 / $7 - $8 > 0.001 { bad = 1 }
  END { exit bad || NR != 7 }' "$work/ratios/ratios.csv"
# The ratio in the line of a number of agents is the median of its rounds. awk rounds it, as Python does: bash rounds
# 0.985 up, awk rounds the nearest double down.
for agents in 300 700; do
  median=$(awk -F, -v agents=$agents '$2 == agents { print $8 }' "$work/ratios/ratios.csv" | sort -n |
    awk 'NR == 2 { printf "%.2f", $1 }')
  check "median ratio of $agents agents: $(cat "$work/stdout")" \
    grep -q "^flock2, $agents agents, baseline, 1 threads: $median of " "$work/stdout"
done
check "files of --alone" [ "$(cd "$work/ratios" && echo *)" = "machine.txt ratios.csv" ]
THRONG_RUN=$work/failing "$scaling" --alone --frames 2 --threads 1 --agents 300 --isa baseline --out "$work/ratios" \
  >"$work/stdout" 2>"$work/stderr"
check "exit status of --alone if a process fails" [ $? -eq 1 ]
check "why it failed: $(cat "$work/stderr")" grep -q 'the true reason' "$work/stderr"
check "the old rows stay" [ "$(wc -l <"$work/ratios/ratios.csv")" -eq 7 ]

# refuses PATTERN OPTION...: exits with 2 and one line that matches PATTERN. The last sweep's files do not change.
refuses() {
  local pattern=$1 before
  shift
  before=$(cat "$work/out folder/"* | cksum)
  "$scaling" --out "$work/out folder" --frames 1 --agents 10 "$@" >"$work/stdout" 2>"$work/stderr"
  check "exit status 2 for $*" [ $? -eq 2 ]
  check "one line with '$pattern' for $*: $(cat "$work/stderr")" \
    [ "$(wc -l <"$work/stderr") $(grep -cE -- "$pattern" "$work/stderr")" = "1 1" ]
  check "nothing written for $*" [ "$(cat "$work/out folder/"* | cksum)" = "$before" ]
}
refuses "unknown option '--agent'" --agent 5
refuses "'--rounds': no value" --rounds
refuses "'--scene': value ''" --scene=
refuses "'--agents': value 'many'" --agents 10,many
refuses "'--agents': value ''" --agents ,
refuses "'--agents': value '2147483647'" --agents 10,2147483647
refuses "'--frames': value '0'" --frames 0
refuses "'--threads': value '0'" --threads 1,0
refuses "'--threads': value '0'" --threads 00
refuses "'--threads': value 'x'" --threads x
refuses "'--isa': value 'mmx'" --isa mmx
refuses "'--rounds': value '101'" --rounds 101
refuses "unknown scene|'--scene'" --scene flock9
refuses "'--alone': value '3'" --alone=3
refuses "'--threads': value '1000'" --alone --threads 1000
refuses "'--draw': value '.*nowhere'" --draw "$work/nowhere"

# ends_early SIGNAL STATUS: a run that SIGNAL ends has the exit status STATUS. The old files stay; temporary files and
# processes do not. env gives the run the signal's default action: bash lets background jobs ignore SIGINT.
printf '#!/bin/sh\ncase $* in *100000*) echo $$ >"%s" ;; esac\nexec "%s" "$@"\n' "$work/process" "$THRONG_RUN" \
  >"$work/noted"
chmod +x "$work/noted"
ends_early() {
  local before run
  before=$(cat "$work/out folder/"* | cksum)
  mkdir -p "$work/temporary"
  rm -f "$work/process"
  THRONG_RUN=$work/noted TMPDIR=$work/temporary env --default-signal="$1" "$scaling" --agents 1000 --frames 100000 \
    --threads 1 --isa baseline --out "$work/out folder" >"$work/stdout" 2>"$work/stderr" &
  run=$!
  for _ in {1..300}; do
    [ ! -s "$work/process" ] || break
    sleep 0.1
  done
  check "a run to end by SIG$1: $(cat "$work/stderr")" [ -s "$work/process" ]
  kill -"$1" $run
  wait $run
  check "exit status $2 after SIG$1" [ $? -eq "$2" ]
  check "no words after SIG$1: $(cat "$work/stderr")" [ ! -s "$work/stderr" ]
  check "the old files stay after SIG$1" [ "$(cat "$work/out folder/"* | cksum)" = "$before" ]
  check "no temporary file stays after SIG$1" [ -z "$(ls "$work/temporary")" ]
  check "no process stays after SIG$1" [ ! -e "/proc/$(cat "$work/process")" ]
}
ends_early INT 130
ends_early TERM 143
touch "$work/file"
refuses "'--out': value '.*file'" --out "$work/file"
check "help" grep -q -- '--rounds N' <("$scaling" --help)
exit $failed
