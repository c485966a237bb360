#!/bin/bash
# Checks that a run that goes on from a checkpoint ends with the hash of a run that never stopped: on other numbers of
# ranks and instruction sets, after a rank was killed, after damage of the newer checkpoint, and by way of a snapshot.
# usage: run_restart_test.sh THRONG_MPI_RUN THRONG_MPI_JOIN THRONG_RUN FOLDER
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/mpi/mpi.sh
. "$here/mpi.sh"
# shellcheck source=tests/mpi/checks.sh
. "$here/checks.sh"
run=$(readlink -f "$1") join=$(readlink -f "$2") plain=$(readlink -f "$3")
rm -rf "$4"
mkdir -p "$4"
cd "$4" || exit 1

# hash_of RANKS OPTION...: the hash that a run prints; its stderr is in the file stderr.
hash_of() {
  timeout 120 "${ranks[@]}" "$1" "$run" "${@:2}" 2>stderr | sed -n 's/.*hash \([0-9a-f]\{16\}\)$/\1/p'
}
# refuses NAME STATUS TEXT COMMAND...: the command ends with the status and prints one line on stderr, which has the
# text. mpirun adds lines of its own, which do not count.
refuses() {
  timeout 120 "${@:4}" >stdout 2>stderr
  local status=$?
  check "$1: exit status $status" [ $status -eq "$2" ]
  check "$1: one line" [ "$(grep -c '^throng-mpi-' stderr)" -eq 1 ]
  check "$1: '$3'" grep -qF -- "$3" stderr
}
# flip FILE BYTE: changes one bit.
flip() {
  local byte
  byte=$(od -An -tu1 -j"$2" -N1 "$1")
  # shellcheck disable=SC2059 # the format is the byte
  printf "\\$(printf %03o $((byte ^ 4)))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

for scene in flock2 crowd2 starlings plaza; do
  options=(--scene "$scene" --agents 1500 --frames 30)
  expected=$(hash_of 3 "${options[@]}" --checkpoint $scene --checkpoint-every 12)
  check "$scene: a hash" [ ${#expected} -eq 16 ]
  check "$scene: two checkpoints, no part" [ "$(echo $scene.*)" = "$scene.0 $scene.1" ]
  for count in 1 2 4; do
    check "$scene on $count ranks" [ "$(hash_of $count "${options[@]}" --restart $scene --mixed-isa)" = "$expected" ]
  done
done
# Blocks of more than 1 MiB, which are written in parts.
options=(--agents 120000 --frames 6)
expected=$(hash_of 2 "${options[@]}" --checkpoint large --checkpoint-every 4)
check "large blocks" [ "$(hash_of 3 "${options[@]}" --restart large --mixed-isa)" = "$expected" ]
check "flock2 from the older one" [ "$(hash_of 2 --agents 1500 --frames 30 --restart flock2.0)" = \
  "$(hash_of 1 --agents 1500 --frames 30)" ]

# A snapshot, and back.
options=(--scene plaza --agents 1500 --frames 30)
expected=$(hash_of 2 "${options[@]}")
check "join" "$join" plaza.1 snapshot
check "split" "$join" --split snapshot split
check "one block" [ "$(hash_of 3 "${options[@]}" --restart split --mixed-isa)" = "$expected" ]
check "join again" "$join" split again
check "the same snapshot" cmp -s snapshot again
plain_hash() { "$plain" "${options[@]}" "$@" 2>stderr | grep -oE '\b[0-9a-f]{16}\b' | tail -n 1; }
check "a snapshot for one world" [ "$(plain_hash --load snapshot --frames 6)" = "$(plain_hash)" ]
refuses "join of no checkpoint" 2 "it is no checkpoint" "$join" snapshot none
refuses "split of no snapshot" 2 "not a snapshot" "$join" --split plaza.1 none
refuses "join without files" 2 "allowed: CHECKPOINT SNAPSHOT" "$join"
refuses "split into a missing folder" 1 "cannot make it" "$join" --split snapshot none/file

# What is no file is neither read nor replaced, and nothing waits for it.
mkdir folder folder.0
mkfifo pipe pipe.1
ln -s /dev/null device
two=("${ranks[@]}" 2 "$run")
refuses "join of a pipe" 2 "'pipe' is a device or a pipe, allowed is a file" "$join" pipe none
refuses "join of a folder" 2 "'folder' is a folder, allowed is a file" "$join" folder none
refuses "join onto a device" 1 "device: cannot write: it is not a file" "$join" plaza.1 device
refuses "join onto a pipe" 1 "pipe: cannot write: it is not a file" "$join" plaza.1 pipe
refuses "split onto a pipe" 1 "'pipe' is a device or a pipe, allowed is a file" "$join" --split snapshot pipe
refuses "split onto a folder" 1 "'folder' is a folder, allowed is a file" "$join" --split snapshot folder
refuses "restart from a pipe" 2 "'pipe' is a device or a pipe" "${two[@]}" --agents 600 --frames 3 --restart pipe
for name in folder.0 pipe.1; do
  refuses "checkpoint onto $name" 2 "option '--checkpoint': '$name' is not a file, allowed is a file to write" \
    "${two[@]}" --agents 600 --frames 3 --checkpoint "${name%.*}"
done
refuses "checkpoint onto pipe.1, restarted" 2 "'pipe.1' is not a file" \
  "${two[@]}" --agents 600 --frames 3 --restart pipe --checkpoint pipe
check "the device is as before" [ -L device ]
check "the pipes are as before" [ -p pipe -a -p pipe.1 ]

# Damaged files.
damaged=(--scene flock2 --agents 1500 --frames 30 --restart)
expected=$(hash_of 1 --scene flock2 --agents 1500 --frames 30)
head -c 10000 flock2.1 >"cut"
two=("${ranks[@]}" 2 "$run")
refuses "a file cut short" 2 "bytes, but" "${two[@]}" "${damaged[@]}" cut
cp flock2.1 bad.1
cp flock2.0 bad.0
flip bad.1 20000
refuses "a damaged block" 2 "is damaged: the checksum differs" "${two[@]}" "${damaged[@]}" bad.1
check "the older one instead" [ "$(hash_of 2 "${damaged[@]}" bad)" = "$expected" ]
check "it says so" grep -q '^throng-mpi-run: bad.1 is not loaded: .* is damaged' stderr
flip bad.0 30
refuses "both damaged" 2 "bad.1: THRONG_ERROR_BAD_VALUE" "${two[@]}" "${damaged[@]}" bad
refuses "no file" 2 "no file 'none', 'none.0' or 'none.1'" "${two[@]}" "${damaged[@]}" none
refuses "other agents" 2 "a checkpoint of 1500 agents, the run has 1400" "${two[@]}" --agents 1400 --restart flock2
refuses "another scene" 2 "of the world that was saved" "${two[@]}" --scene shoal --agents 1500 --restart flock2
refuses "at its end" 2 "the run ends with frame 20" "${two[@]}" --agents 1500 --frames 20 --restart flock2
refuses "files of another run" 2 "'flock2.0' exists" "${two[@]}" --agents 1500 --checkpoint flock2

# A rank is killed after the second checkpoint.
killed=(--scene crowd2 --agents 4000 --frames 4000 --checkpoint killed --checkpoint-every 20)
"${ranks[@]}" 3 "$run" "${killed[@]}" >stdout 2>stderr &
job=$!
for ((k = 0; k < 600; k++)); do
  if [ -e killed.1 ] || ! kill -0 $job 2>/dev/null; then break; fi
  sleep 0.1
done
victim=$(ps -o pid=,args= --ppid $job | awk -v run="$run" '$2 == run { print $1; exit }')
check "a rank to kill" [ -n "$victim" ]
kill -KILL "${victim:-$job}"
wait $job
check "mpirun ends with an error" [ $? -ne 0 ]
frame=$(od -An -tu8 -j24 -N8 killed.0 | tr -d ' ')
later=$(od -An -tu8 -j24 -N8 killed.1 | tr -d ' ')
if [ "$later" -gt "$frame" ]; then frame=$later; fi
options=(--scene crowd2 --agents 4000 --frames $((frame + 10)))
expected=$(hash_of 1 "${options[@]}")
check "killed, on 2 ranks" [ "$(hash_of 2 "${options[@]}" --restart killed --mixed-isa)" = "$expected" ]
check "killed, on 4 ranks" [ "$(hash_of 4 "${options[@]}" --restart killed --checkpoint killed)" = "$expected" ]

echo "$passed checks passed, $failed failed"
[ $failed -eq 0 ]
