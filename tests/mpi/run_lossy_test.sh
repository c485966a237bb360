#!/bin/bash
# Checks that the hash does not care for a bad network: two ranks in network namespaces of their own, whose only line
# delays each packet by 20 ms and loses 1 %. Exits 77 where the machine does not allow that.
# usage: run_lossy_test.sh THRONG_MPI_RUN FOLDER
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/mpi/mpi.sh
. "$here/mpi.sh"
skip() {
  echo "skipped: $1"
  exit 77
}
run=$(readlink -f "$1")
rm -rf "$2"
mkdir -p "$2"
cd "$2" || exit 1

[ "$(id -u)" -eq 0 ] || skip "network namespaces need root"
command -v ip >/dev/null || skip "ip is missing (Debian: iproute2)"
command -v python3 >/dev/null || skip "python3 is missing"
# mpirun and rank 0 are in the first one. The agent starts rank 1 in the second one, as ssh would on another machine.
first=throng$$a second=throng$$b line=
end() {
  if [ -n "$line" ]; then kill "$line" 2>/dev/null; fi
  ip netns del $first 2>/dev/null
  ip netns del $second 2>/dev/null
}
trap end EXIT
{ ip netns add $first && ip netns add $second && unshare --uts true; } 2>stderr ||
  skip "no network namespaces: $(head -n 1 stderr)"
"$here/lossy_link.py" $first $second >line 2>stderr &
line=$!
for ((k = 0; k < 100; k++)); do
  if [ -s line ] || ! kill -0 $line 2>/dev/null; then break; fi
  sleep 0.1
done
[ -s line ] || skip "no network device of a program (tun): $(tail -n 1 stderr)"
cat >agent <<AGENT
#!/bin/bash
exec ip netns exec $second unshare --uts bash -c "hostname throng-second; \${*:2}"
AGENT
chmod +x agent

scene=(--scene crowd2 --agents 1500 --frames 12 --warmup 0 --balance-every 4)
expected=$("${ranks[@]}" 1 "$run" "${scene[@]}" | sed -n 's/.*hash //p')
ip netns exec $first unshare --uts bash -c 'hostname throng-first; exec "$@"' mpirun timeout 100 "${ranks[@]}" 2 \
  --host 10.117.0.1:1,10.117.0.2:1 --mca plm_rsh_agent "$PWD/agent" --mca btl self,tcp "$run" "${scene[@]}" \
  --mixed-isa >stdout 2>stderr
status=$?
got=$(sed -n 's/.*hash //p' stdout)
kill $line
wait $line
line=
cat stdout line
if [ $status -ne 0 ] || [ ${#expected} -ne 16 ] || [ "$got" != "$expected" ]; then
  echo "exit status $status, hash '$got', of one rank '$expected'" >&2
  cat stderr >&2
  exit 1
fi
# Without losses this shows nothing.
grep -qE '^carried [1-9][0-9]*, lost [1-9]' line
