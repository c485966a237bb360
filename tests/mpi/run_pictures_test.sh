#!/bin/bash
# Checks that the tables and pictures of 1 to 3 ranks have the bytes of throng-run's.
# usage: run_pictures_test.sh THRONG_MPI_RUN THRONG_RUN FOLDER
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/mpi/mpi.sh
. "$here/mpi.sh"
# shellcheck source=tests/mpi/checks.sh
. "$here/checks.sh"
run=$(readlink -f "$1") plain=$(readlink -f "$2")
rm -rf "$3"
mkdir -p "$3"
cd "$3" || exit 1
# refuses TEXT OPTION...: ends with status 2, one line with the text, and no files.
refuses() {
  "$run" --agents 500 --frames 2 "${@:2}" >stdout 2>stderr
  check "status of ${*:2}" [ $? -eq 2 ]
  check "'$1' for ${*:2}" [ "$(grep -c '^throng-mpi-run: ' stderr) $(grep -cF -- "$1" stderr)" = "1 1" ]
  check "no files of ${*:2}" [ ! -e none ]
}
# scene_is_same RANKS SCENE AGENTS OPTION...: runs the scene as one world and on ranks, and compares the files.
scene_is_same() {
  local scene=$2 options=(--scene "$2" --agents "$3" --frames 9 --csv-every 4 "${@:4}") count file
  "$plain" "${options[@]}" --threads 1 --quiet --out "$scene" 2>stderr
  check "$scene: throng-run" [ $? -eq 0 ]
  for count in $1; do
    "${ranks[@]}" "$count" "$run" "${options[@]}" --mixed-isa --balance-every 3 --out "$scene$count" >stdout 2>stderr
    check "$scene, $count ranks" [ $? -eq 0 ]
    check "$scene, $count ranks: the files" \
      [ "$(cd "$scene$count" && echo *)" = "$(cd "$scene" && rm -f results.json && echo *)" ]
    for file in "$scene"/*.csv; do
      check "$scene, $count ranks: $(basename "$file")" cmp "$file" "$scene$count/$(basename "$file")"
    done
    check "$scene, $count ranks: the picture" cmp "$scene/picture.png" "$scene$count/picture.png"
  done
}
scene_is_same "1 2 3" flock2 2000 --colour speed
scene_is_same 3 starlings 1500
scene_is_same 2 parade 1500
options=(--scene plaza --agents 800 --frames 12)
"${ranks[@]}" 1 "$run" "${options[@]}" --frames 5 --checkpoint half --checkpoint-every 5 >stdout 2>stderr
"${ranks[@]}" 3 "$run" "${options[@]}" --restart half --out rest --csv-every 7 >stdout 2>stderr
check "a restart" [ $? -eq 0 ]
check "its tables, counted from there" [ "$(cd rest && echo agents-*)" = "agents-00000005.csv agents-00000012.csv" ]
check "files in the report" grep -qx 'rest/agents-\*.csv' stdout
"$plain" "${options[@]}" --threads 1 --quiet --out whole 2>stderr
check "its last table" cmp rest/agents.csv whole/agents.csv
check "the same as a frame" cmp rest/agents.csv rest/agents-00000012.csv
refuses "option '--csv-every': allowed only with --out" --csv-every 5
refuses "option '--colour': allowed only with --out" --colour speed
refuses "option '--colour': value 'red'" --out none --colour red
mkdir odd
mkfifo odd/agents-00000001.csv
"${ranks[@]}" 2 "$run" --agents 500 --frames 2 --csv-every 1 --out odd >stdout 2>stderr
check "status of a table onto a pipe" [ $? -eq 1 ]
check "a table onto a pipe" grep -q '^throng-mpi-run: odd/agents-00000001.csv: cannot write: it is not a file$' stderr
check "the pipe is as before" [ -p odd/agents-00000001.csv ]
touch file
refuses "option '--out': value 'file/none'" --out file/none

echo "$passed checks passed, $failed failed"
[ $failed -eq 0 ]
