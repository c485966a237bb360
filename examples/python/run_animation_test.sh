#!/bin/bash
# Runs animate.py without a display: a picture, a GIF of some frames, and what it refuses.
# usage: run_animation_test.sh PYTHON FOLDER
set -euo pipefail
python=$1 folder=$2
animate=$(dirname "$0")/animate.py

fail() {
  echo "animate.py: $*" >&2
  exit 1
}
refused() { # TEXT ARGUMENT…
  if "$python" "$animate" "${@:2}" 2>"$folder/errors"; then fail "took ${*:2}"; fi
  grep -q -- "$1" "$folder/errors" || { cat "$folder/errors" >&2; fail "${*:2} was refused without: $1"; }
}

rm -rf "$folder"
mkdir -p "$folder"
"$python" "$animate" "$folder/flock.png" --agents 300 --frames 3
"$python" "$animate" "$folder/flock.gif" --agents 300 --frames 4
"$python" - "$folder" <<'EOF'
import sys
from PIL import Image, ImageChops
picture = Image.open(sys.argv[1] + "/flock.png").convert("RGB")
assert len(picture.getcolors(1 << 20)) > 100, "the picture is empty"
film = Image.open(sys.argv[1] + "/flock.gif")
assert film.n_frames == 4, film.n_frames
first = film.convert("RGB")
film.seek(3)
assert ImageChops.difference(first, film.convert("RGB")).getbbox(), "nothing moves"
EOF
refused "allowed: 1 to 100000" "$folder/flock.png" --agents 0
refused "allowed: 1 or more" "$folder/flock.png" --frames 0
refused "allowed: a .gif, .mp4 or .png" "$folder/flock.txt"
refused "there is no display"
