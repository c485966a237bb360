#!/bin/bash
# Runs a test program on two ranks in valgrind, which must find no error in it. valgrind hides AVX-512.
# usage: run_valgrind_test.sh PROGRAM [ARGUMENT...]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/mpi/mpi.sh
. "$here/mpi.sh"
if ! command -v valgrind >/dev/null; then
  echo "skipped: valgrind is missing (Debian: valgrind)"
  exit 77
fi
# What Open MPI itself does to memory is listed in a file of its own.
known=()
for file in /usr/share/openmpi/openmpi-valgrind.supp "$here/openmpi.supp"; do
  if [ -f "$file" ]; then known+=("--suppressions=$file"); fi
done
exec "${ranks[@]}" 2 valgrind --quiet --error-exitcode=1 "${known[@]}" "$@"
