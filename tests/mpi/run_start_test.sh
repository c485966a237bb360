#!/bin/bash
# Checks that bench/mpi-run starts ranks, and that it says in one line why it cannot: a bad hostfile, a host that cannot
# be reached, no mpirun, no program, no library.
# usage: run_start_test.sh MPI_RUN THRONG_MPI_RUN CC FOLDER
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/mpi/mpi.sh
. "$here/mpi.sh"
# shellcheck source=tests/cli/checks.sh
. "$here/../cli/checks.sh"
mpi_run=$(readlink -f "$1") program=$(readlink -f "$2") cc=$3
rm -rf "$4"
mkdir -p "$4/bin"
cd "$4" || exit 1

# starts NAME OPTION...: mpi-run ends with 0. Its output is in stdout and stderr.
starts() {
  THRONG_MPI_RUN=$program timeout 120 "$mpi_run" "${@:2}" >stdout 2>stderr </dev/null
  local status=$?
  if [ $status -eq 0 ]; then pass; else fail "$1" "exit status $status" "$(cat stderr)"; fi
}
# refuses NAME TEXT PROGRAM OPTION...: mpi-run ends with 2 and prints one line on stderr, which has the text.
refuses() {
  THRONG_MPI_RUN=$3 timeout 120 "$mpi_run" "${@:4}" >stdout 2>stderr </dev/null
  same "$1: exit status" $? 2
  same "$1: one line: $(cat stderr)" "$(wc -l <stderr)" 1
  if grep -qF -- "mpi-run: $2" stderr; then pass; else fail "$1" "no '$2'" "$(cat stderr)"; fi
  same "$1: nothing on stdout" "$(cat stdout)" ""
}

run=(--agents 600 --frames 3 --warmup 1 --check)
starts "help" -np 1 --help
documented stdout throng-mpi-run
starts "two ranks" "${run[@]}"
has "two ranks: said" '600 agents, 3 frames, 2 ranks' stdout
printf '# this machine\n\nlocalhost slots=3\n' >hosts
MPIRUN_OPTIONS="--mca btl self,tcp" starts "a hostfile" -np 3 --hostfile hosts "${run[@]}"
has "a hostfile: the same" '^one world: hash [0-9a-f]{16}: the same$' stdout

starts "options with =" -np=3 --hostfile=hosts "${run[@]}"
has "options with =: said" '600 agents, 3 frames, 3 ranks' stdout
MPIRUN_OPTIONS="--bind-to core --report-bindings" starts "a binding" -np 1 "${run[@]}" --threads 2
has "a binding: the given one" 'rank 0 bound to' stderr
MPIRUN_OPTIONS=--report-bindings starts "threads" -np 1 "${run[@]}" --threads 2
has "threads: no binding" 'rank 0 is not bound' stderr

printf '# nothing\n\n' >empty
printf 'localhost slots=2\nlocalhost slots=two\n' >slots
printf 'localhost slots=0' >no-slots
printf 'localhost\n\n!here slots=2\n' >name
printf 'a@b@c slots=2\n' >users
printf 'localhost slots=2 colour=red\n' >word
printf 'localhost slots=1\n' >few
printf 'no-such-host.invalid slots=2\n' >unknown
refuses "no hostfile" "hostfile 'none': no such file" "$program" --hostfile none
refuses "a folder" "hostfile 'bin': it cannot be read, or is not a file" "$program" --hostfile bin
refuses "no host" "hostfile 'empty': it names no host" "$program" --hostfile empty
refuses "slots" "hostfile 'slots', line 2: slots is 'two', allowed 1 or more" "$program" --hostfile slots
refuses "no slots" "hostfile 'no-slots', line 1: slots is '0'" "$program" --hostfile no-slots
refuses "a name" "hostfile 'name', line 3: '!here' is no host's name" "$program" --hostfile name
refuses "two users" "hostfile 'users', line 1: 'a@b@c' is no host's name" "$program" --hostfile users
cannot="mpirun cannot start throng-mpi-run: "
refuses "a word" "${cannot}Open RTE detected a parse error in the hostfile: word" "$program" --hostfile word
refuses "too few slots" "${cannot}There are not enough slots" "$program" --hostfile few
refuses "a host that is not there" "$cannot" "$program" --hostfile unknown
refuses "no file after the option" "option '--hostfile': no value" "$program" --hostfile
refuses "no number" "option '-np': value 'two', allowed 1 or more" "$program" -np two
refuses "no number after =" "option '-np': value '', allowed 1 or more" "$program" -np=
refuses "no file after =" "hostfile '': no such file" "$program" --hostfile=
refuses "no program" "$cannot" ./none

# A program whose library is gone.
echo 'int gone(void) { return 0; }' >gone.c
echo 'int gone(void); int main(void) { return gone(); }' >needs.c
"$cc" -shared -fPIC gone.c -o libgone.so
"$cc" needs.c -L. -lgone -o needs
rm libgone.so
refuses "no library" "$cannot./needs: error while loading shared libraries: libgone.so: cannot open" ./needs

for tool in bash dirname env readlink; do ln -s "$(command -v $tool)" bin/; done
PATH=$PWD/bin "$mpi_run" >stdout 2>stderr
same "mpi-run alone: packages" "$(grep -c libopenmpi-dev stderr)" 1
THRONG_MPI_RUN=$program PATH=$PWD/bin "$mpi_run" >stdout 2>stderr
same "no mpirun: exit status" $? 2
same "no mpirun: one line" "$(cat stderr)" "mpi-run: mpirun is missing (Debian: openmpi-bin)"
finish
