#!/usr/bin/env bash
# run_view_test.sh THRONG_VIEW THRONG_RUN CHECK_PICTURE FOLDER: tests that throng-view draws pictures with agents
# without a screen, that its hashes equal those of throng-run, and that it reports bad input. FOLDER is deleted and
# created again. Exits 77 if xvfb-run is missing, unless in CI. Without xdotool keys are not tested; in CI that is a
# failure.
set -uo pipefail

view=$(readlink -f "$1")
run=$(readlink -f "$2")
check=$(readlink -f "$3")
work=$4
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1

for tool in xvfb-run xauth; do
  command -v $tool >/dev/null && continue
  echo "$tool is missing (Debian: xvfb, xauth; and libgl1-mesa-dri)"
  if [[ -n ${CI-} ]]; then exit 1; fi
  exit 77
done

failed=0
fail() {
  failed=1
  echo "FAILED: $1" >&2
  [ $# -lt 2 ] || cat "${@:2}" >&2
}

# refused NAME STATUS PATTERN OPTION...: without a screen, exits with STATUS and one line that matches PATTERN. Writes
# nothing else.
refused() {
  local name=$1 expected=$2 pattern=$3 status
  shift 3
  env -u DISPLAY -u WAYLAND_DISPLAY "$view" "$@" >out 2>error
  status=$?
  [ $status -eq "$expected" ] || fail "$name: exit status $status instead of $expected" error
  if [ "$(wc -l <error)" -ne 1 ] || ! grep -qE "^throng-view: .*$pattern" error; then
    fail "$name: no single line '$pattern' but" error
  fi
  if [ -s out ] || [ -e none.png ]; then fail "$name: something was written" out; fi
}
refused "unknown option" 2 "unknown option '--scenes', allowed are the options of throng-view --help" --scenes x
refused "option without value" 2 "'--scene': no value" --scene
refused "unknown scene" 2 "nowhere" --scene nowhere
refused "agents" 2 "'--agents': value '-1', allowed a whole number from 0" --agents -1
refused "agents beyond memory" 2 "2147483646 agents .*MiB" --agents 2147483646
refused "threads" 2 "'--threads': value '1025'" --threads 1025
refused "isa" 2 "'--isa': value 'mmx', allowed auto, baseline" --isa mmx
refused "size" 2 "'--size': value '10x10', allowed WIDTHxHEIGHT" --size 10x10
refused "size of one number" 2 "'--size': value '800'" --size 800
refused "speed" 2 "'--speed': value '0', allowed a number from 0.01 to 100" --speed 0
refused "samples" 2 "'--samples': value '0', allowed a whole number from 1 to 16" --samples 0
refused "colour" 2 "'--colour': value 'red', allowed group, heading, speed, period, density" --colour red
refused "trails" 2 "'--trails': value 'nan', allowed a number from 0 to 3600" --trails nan
refused "no frames" 2 "'--frames': value '0', allowed a whole number from 1" --frames 0
refused "screenshot without frames" 2 "'--screenshot': allowed only with --frames" --screenshot none.png
refused "screenshot is a folder" 2 "'--screenshot': value '\.'" --frames 1 --screenshot .
refused "paused and counted" 2 "'--paused': not allowed with --frames" --frames 1 --paused
refused "nobody to follow" 2 "'--follow': allowed only with --select" --follow
refused "selects nobody" 2 "'--select': value '301', allowed the id of one of the 300 agents" --agents 300 --select 301
refused "no screen" 1 "no window with OpenGL 3.3: .*xvfb-run" --agents 300 --frames 1 --screenshot none.png
"$view" --help | grep -q -- '--screenshot FILE.png' || fail "help"
"$view" --version | grep -qE '^throng-view [0-9]+\.[0-9]+\.[0-9]+$' || fail "version"

# shown NAME OPTION...: draws NAME.png. Standard output goes to NAME.txt.
shown() {
  local name=$1
  shift
  xvfb-run -a -s "-screen 0 1280x1024x24" "$view" --size 960x640 --screenshot "$name.png" "$@" >"$name.txt" 2>error ||
    fail "$name: exit status $?" error
}

# same_bits NAME FRAMES OPTION...: throng-run ends with the hash that NAME printed.
same_bits() {
  local name=$1 frames=$2 hash
  shift 2
  "$run" "$@" --frames "$frames" --threads 1 --quiet --out "$name" || fail "$name: throng-run"
  hash=$(sed -n 's/.*"hash":[^"]*"\([0-9a-f]*\)".*/\1/p' "$name/results.json")
  if [ -z "$hash" ] || ! grep -q "$frames frames, hash $hash\$" "$name.txt"; then
    fail "$name: not throng-run's hash '$hash' after $frames frames but" "$name.txt"
  fi
}

# A planar scene with cells; one with walls and circles; a spatial one with boxes and a plane; flow fields; formations.
for scene in courtyard plaza reef commuters parade; do
  count=()
  [ $scene = parade ] || count=(--agents 2000)
  shown $scene --scene $scene "${count[@]}" --frames 60 --speed 20
  same_bits $scene 60 --scene $scene "${count[@]}"
  if [ $scene != parade ]; then "$check" $scene.png || fail "$scene.png does not show a crowd"; fi
done

# The number of pictures; colours by speed; a tilted view; a selected agent.
shown selected --scene courtyard --agents 2000 --frames 60 --speed 20 --select 700
"$check" selected.png courtyard.png || fail "a selected agent does not show"
grep -q '^3 pictures of 960 x 640' selected.txt || fail "not three pictures but" selected.txt
shown near --scene courtyard --agents 2000 --frames 60 --speed 20 --select 700 --follow --zoom 8 --tilt 40
"$check" near.png selected.png || fail "following an agent does not show"
shown trails --scene courtyard --agents 2000 --frames 60 --speed 20 --trails 1
"$check" trails.png courtyard.png || fail "trails do not show"
same_bits trails 60 --scene courtyard --agents 2000
shown speed --scene shoal --agents 3000 --frames 60 --speed 30 --colour speed --isa baseline --threads 1 --samples 1
"$check" speed.png || fail "speeds do not show"
shown density --scene courtyard --agents 3000 --frames 60 --speed 30 --colour density
"$check" density.png || fail "densities do not show"
same_bits density 60 --scene courtyard --agents 3000
same_bits speed 60 --scene shoal --agents 3000

# The keys: single frames, restart, single frames, quit.
if command -v xdotool >/dev/null; then
  timeout 300 xvfb-run -a -s "-screen 0 1280x1024x24" bash -c '
    "$1" --scene swap --paused --samples 1 --size 960x640 >keys.txt &
    window=$(timeout 200 xdotool search --sync --onlyvisible --name "^throng: swap$" | head -1)
    xdotool windowfocus --sync "$window" key n n n r n n n n n n n h c t Escape
    wait $!' keys "$view" 2>error || fail "keys: exit status $?" error
  same_bits keys 7 --scene swap
elif [[ -n ${CI-} ]]; then
  fail "xdotool is missing (Debian: xdotool)"
fi

# A scene without agents fails the check, so the check can fail.
shown empty --scene courtyard --agents 0 --frames 6
if "$check" empty.png; then fail "an empty courtyard passes for a crowd"; fi

exit $failed
