# Counted checks for tests of throng-run. $run is its path, $work an empty folder, $work/cwd the current folder.
# shellcheck shell=bash disable=SC2154

passed=0
failed=0
environment=() # NAME=VALUE for the runs of good()

# prepare THRONG_RUN FOLDER: sets $run and $work, deletes the folder and creates it with the empty folders cwd and in,
# and goes to cwd. $here is the folder of this file.
prepare() {
  run=$(readlink -f "$1")
  rm -rf "$2"
  mkdir -p "$2/cwd" "$2/in"
  work=$(cd "$2" && pwd)
  cd "$work/cwd" || exit 1
}

pass() { passed=$((passed + 1)); }
fail() {
  failed=$((failed + 1))
  echo "FAILED: $1" >&2
  shift
  for line in "$@"; do echo "    $line" >&2; done
}

# good NAME OPTION...: throng-run exits with 0 and prints nothing on stderr.
good() {
  local name=$1
  shift
  env "${environment[@]}" "$run" "$@" >"$work/stdout" 2>"$work/stderr"
  local status=$?
  if [ $status -ne 0 ] || [ -s "$work/stderr" ]; then
    fail "$name" "exit status $status: throng-run $*" "$(cat "$work/stderr")"
    return 1
  fi
  pass
}

# bad NAME PATTERN OPTION...: throng-run exits with 2, prints one line that matches PATTERN, and writes no file.
bad() {
  local name=$1 pattern=$2
  shift 2
  "$run" --out "$work/none/deeper" --json "$work/cwd/none.json" --frames 1 "$@" >"$work/stdout" 2>"$work/stderr"
  local status=$?
  if [ $status -ne 2 ]; then
    fail "$name" "exit status $status instead of 2: throng-run $*" "$(cat "$work/stderr")"
  elif [ "$(wc -l <"$work/stderr")" -ne 1 ] || ! grep -qE "^throng-run: .*$pattern" "$work/stderr"; then
    fail "$name" "no single line with '$pattern' but:" "$(cat "$work/stderr")"
  elif [ -s "$work/stdout" ] || [ -e "$work/none" ] || [ -n "$(ls -A "$work/cwd")" ]; then
    fail "$name" "something was written: $(ls -A "$work/cwd") $(cat "$work/stdout")"
  else
    pass
  fi
}

# has NAME PATTERN FILE: a line of FILE matches PATTERN.
has() {
  if grep -qE -- "$2" "$3"; then pass; else fail "$1" "no '$2' in $3"; fi
}

same_files() {
  if cmp -s "$2" "$3"; then pass; else fail "$1" "$2 and $3 differ"; fi
}

same() {
  if [ "$2" = "$3" ]; then pass; else fail "$1" "'$2'" "'$3'"; fi
}

hash_of() { sed -n 's/.*"hash":[[:space:]]*"\([0-9a-f]*\)".*/\1/p' "$1"; }

# documented HELP COMMAND: the file HELP describes every option with which the pages call COMMAND, such as bench/run.
documented() {
  local option options pages=("$here"/../../{README.md,docs,bench/scenes/README.md}) unknown=()
  mapfile -t options < <(grep -rhoE --include='*.md' "(^|[^a-z/])$2 [^\`#|]*" "${pages[@]}" |
    grep -oE -- '--[a-z0-9-]+')
  for option in "${options[@]}"; do grep -qE -- "^  $option( |$)" "$1" || unknown+=("$option"); done
  same "the pages call $2 with options that it has" "${unknown[*]}" ""
  has "the pages call $2" . <(echo "${options[*]}")
}

# Prints the number of checks that passed, and exits.
finish() {
  if [ "$failed" -gt 0 ]; then
    echo "$failed of $((passed + failed)) checks failed" >&2
    exit 1
  fi
  echo "$passed checks passed"
  exit 0
}
