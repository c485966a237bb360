#!/usr/bin/env bash
# run_movie_test.sh THRONG_RUN FOLDER: tests the movies of throng-run --movie, and what happens if ffmpeg fails. FOLDER
# is deleted and created again. Exits 77 if ffmpeg is missing, unless in CI.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if ! command -v ffmpeg >/dev/null || ! command -v ffprobe >/dev/null; then
  echo "ffmpeg is missing (Debian: ffmpeg)"
  if [ -n "${CI-}" ]; then exit 1; fi
  exit 77
fi
. "$here/checks.sh"
prepare "$1" "$2"
mkdir "$work/nobody"

# probe FILE: decodes the whole movie and prints its format and number of frames in one line.
probe() {
  local entries=codec_name,width,height,pix_fmt,avg_frame_rate,nb_read_frames
  ffprobe -v error -count_frames -select_streams v:0 -show_entries stream=$entries -of csv=p=0 "$1" 2>&1
}
# pictures FILE: prints the number of different frames.
pictures() { ffmpeg -v error -i "$1" -f framemd5 - | grep -v '^#' | awk '{ print $NF }' | sort -u | wc -l; }

# ---- The movies: of 20 frames and the start ----

good "a movie" --scene shoal --agents 300 --frames 20 --out "$work/out" --movie "$work/deep/shoal.mp4" --movie-every 5
same "five frames that play everywhere" "$(probe "$work/deep/shoal.mp4")" "h264,1598,1200,yuv420p,30/1,5"
same "each frame is another" "$(pictures "$work/deep/shoal.mp4")" 5
has "it says so" "^$work/deep/shoal.mp4 \(5 frames, one of 5\)$" "$work/stdout"
good "a movie at the scene's speed" --scene shoal --agents 50 --frames 20 --dt 0.025 --out "$work/out" \
  --movie ./-odd:name.mp4 --movie-fps 10
same "every fourth frame" "$(probe "file:-odd:name.mp4")" "h264,1598,1200,yuv420p,10/1,6"
rm -- -odd:name.mp4
good "a murmuration" --scene starlings --agents 300 --frames 25 --threads 1,2 --rounds 2 --movie-every 12 \
  --out "$work/out" --movie "$work/starlings.mp4"
same "looks ahead" "$(probe "$work/starlings.mp4" | sed 's/,[0-9]*[02468],[0-9]*[02468],/,/')" "h264,yuv420p,30/1,3"
good "a movie of nothing" --agents 0 --frames 0 --out "$work/out" --movie "$work/nothing.mp4"
same "one frame" "$(probe "$work/nothing.mp4")" "h264,1490,1200,yuv420p,30/1,1"
same "the first frame's picture is that of its own run" \
  "$("$run" --scene shoal --agents 300 --frames 0 --quiet --out "$work/first" &&
    ffmpeg -v error -i "$work/deep/shoal.mp4" -frames:v 1 "$work/first.png" &&
    ffmpeg -v info -i "$work/first.png" -i "$work/first/picture.png" \
      -lavfi '[0]format=rgb24[a];[1]format=rgb24[b];[a][b]ssim' -f null - 2>&1 |
    sed -n 's/.*All:\([0-9.]*\).*/\1/p' | awk '{ print ($1 > 0.95) }')" 1

good "a wide movie" --scene corridor --frames 2 --colour speed --out "$work/out" --movie "$work/wide.mp4"
same "is as high as its legend" "$(probe "$work/wide.mp4")" "h264,1600,454,yuv420p,30/1,2"

# ---- Options that are refused before the run ----

bad "a movie of another kind" "'--movie': value '[^']*x.avi', allowed a name that ends in .mp4" \
  --movie "$work/cwd/x.avi"
bad "a movie without a name" "'--movie': value '.mp4', allowed" --movie .mp4
bad "a movie into a folder" "'--movie'.*is not a file" --movie "$work/in.mp4/" \
  --movie "$(mkdir -p "$work/in.mp4" && echo "$work/in.mp4")"
bad "a rate without a movie" "'--movie-fps': allowed only with --movie" --movie-fps 25
bad "a step without a movie" "'--movie-every': allowed only with --movie" --movie-every 2
bad "too many frames a second" "'--movie-fps': value '241', allowed a whole number from 1 to 240" --movie-fps 241

# with_ffmpeg LINE...: from here on ffmpeg is a shell script of these lines. Without lines, there is no ffmpeg.
true_path=$PATH
with_ffmpeg() {
  rm -f "$work/nobody/ffmpeg"
  [ $# -eq 0 ] && return
  printf '%s\n' '#!/bin/sh' "PATH=$true_path" "$@" >"$work/nobody/ffmpeg"
  chmod +x "$work/nobody/ffmpeg"
}
# after_check LINE...: as with_ffmpeg, but the script works in the check before the run, which makes a movie of one
# colour.
after_check() { with_ffmpeg 'case "$*" in *color=*) exit 0 ;; esac' "$@"; }
# alone COMMAND...: runs COMMAND with that ffmpeg.
alone() { PATH=$work/nobody "$@"; }

# refuse NAME PATTERN: throng-run --movie exits with 2, prints a line that matches PATTERN, and writes nothing.
refuse() {
  local status
  alone "$run" --frames 1 --out "$work/none" --movie "$work/none/x.mp4" >"$work/stdout" 2>"$work/stderr"
  status=$?
  same "$1: status" $status 2
  has "$1" "$2" "$work/stderr"
  same "$1: nothing is written" "$(ls -d "$work/none" 2>/dev/null)" ""
}
with_ffmpeg
refuse "no ffmpeg" "^throng-run: option '--movie': ffmpeg: No such file or directory, \
allowed only where ffmpeg is installed with libx264 \(Debian: ffmpeg\)$"
with_ffmpeg 'echo "Unknown encoder" >&2' 'exit 1'
refuse "an ffmpeg without H.264" "^throng-run: option '--movie': ffmpeg fails: Unknown encoder, allowed only where"
with_ffmpeg 'kill -SEGV $$'
refuse "a broken ffmpeg" "^throng-run: option '--movie': ffmpeg fails: it printed no reason, allowed only where"

# ---- An ffmpeg that fails later ----

# broken NAME PATTERN: throng-run --movie exits with 1, prints one line that matches PATTERN, and leaves no movie file.
broken() {
  local status
  rm -rf "$work/broken"
  alone "$run" --agents 50 --frames 40 --quiet --out "$work/broken" --movie "$work/broken/x.mp4" --movie-every 1 \
    >"$work/stdout" 2>"$work/stderr"
  status=$?
  same "$1: status" $status 1
  same "$1: one line" "$(wc -l <"$work/stderr")" 1
  has "$1" "$2" "$work/stderr"
  same "$1: no movie" "$(find "$work/broken" -name 'x.mp4*')" ""
}
for target in 'for target; do :; done' 'for target; do :; done; echo half >"${target#file:}"'; do
  after_check "$target" 'head -c 20000000 >/dev/null' 'echo "no space left" >&2' 'exit 1'
  broken "it stops in the middle" "^throng-run: .*x.mp4: ffmpeg failed: no space left$"
  after_check "$target" 'cat >/dev/null' 'echo "frame dropped" >&2' 'echo "cannot finish" >&2' 'exit 3'
  broken "it fails at the end" "^throng-run: .*x.mp4: ffmpeg failed: cannot finish$"
  after_check "$target" 'kill -KILL $$'
  broken "it is killed" "^throng-run: .*x.mp4: ffmpeg failed: it printed no reason$"
done
after_check 'cat >/dev/null'
broken "it writes nothing" "^throng-run: .*x.mp4: cannot write: No such file or directory$"

# ---- A stop ----

set -m
# begin FILE OPTION...: starts a long run in the background and waits until FILE is not empty. $job is its process.
begin() {
  local there=$1 tries=600
  shift
  rm -rf "$work/stop" "$there"
  PATH=$work/nobody "$run" --agents 100 --frames 100000000 --out "$work/stop" --csv-every 20 \
    --movie "$work/stop/x.mp4" "$@" >"$work/stdout" 2>"$work/stderr" &
  job=$!
  while [ ! -s "$there" ] && kill -0 $job 2>/dev/null && [ $((tries -= 1)) -gt 0 ]; do sleep 0.1; done
}

ln -sf "$(PATH=$true_path command -v ffmpeg)" "$work/in/ffmpeg"
with_ffmpeg "exec $work/in/ffmpeg \"\$@\""
begin "$work/stop/agents-00000020.csv"
kill -INT -- -$job
wait $job
same "Ctrl-C: status" $? 130
stopped="^throng-run: stopped by Ctrl-C after frame [0-9]+ of 100000000"
has "Ctrl-C" "$stopped \(drawing\): wrote .*/x.mp4 \([0-9]+ frames, one of 2\), " "$work/stderr"
frames=$(sed -n 's/.*x.mp4 (\([0-9]*\) frames.*/\1/p' "$work/stderr")
same "the movie is complete" "$(probe "$work/stop/x.mp4")" "h264,1490,1200,yuv420p,30/1,$frames"
begin "$work/stdout" --scene starlings
kill -INT -- -$job
wait $job
same "Ctrl-C while looking ahead: status" $? 130
has "Ctrl-C while looking ahead" "$stopped \(looking ahead\): wrote .*results.json$" "$work/stderr"
same "no movie yet" "$(find "$work/stop" -name 'x.mp4*')" ""

# throng-run waits for an ffmpeg that never ends until a second signal comes, SIGINT or SIGTERM.
for second in INT:130 TERM:143; do
  after_check "echo \$\$ >$work/pid" 'cat >/dev/null' 'echo all >&2' 'exec sleep 600'
  begin "$work/stop/agents-00000020.csv"
  kill -INT $job
  sleep 1
  kill -0 $job
  same "it waits for ffmpeg" $? 0
  kill -"${second%:*}" $job
  wait $job
  same "a second signal, $second: status" $? "${second#*:}"
  same "a second signal, $second, ends at once" "$(cat "$work/stderr")$(find "$work/stop" -name results.json)" ""
  kill "$(cat "$work/pid")"
done

finish
