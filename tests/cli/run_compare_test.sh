#!/usr/bin/env bash
# run_compare_test.sh BENCH_DIR FOLDER [THRONG_RUN]: tests bench/compare with stand-ins for throng-run and bench/build,
# and with a true throng-run if there is one. FOLDER is deleted and created again.
set -uo pipefail

bench=$(cd "$1" && pwd)
work=$2
run=${3:+$(realpath "$3")}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rm -rf "$work"
mkdir -p "$work/cwd" "$work/builds/bench" "$work/tree/bench/runner"
work=$(cd "$work" && pwd)
cd "$work/cwd" || exit 1
unset OMP_PROC_BIND

. "$here/checks.sh"

# program FILE MICROSECONDS [HASH [STEP]]: makes a throng-run whose median frame takes as long. MICROSECONDS may be a
# formula with the number n of this run. The program has no AVX-512, and writes its options to $work/calls.
program() {
  echo 0 >"$1.count"
  cat >"$1" <<FAKE
#!/bin/bash
echo "OMP_PROC_BIND=\$OMP_PROC_BIND \$*" >>"$work/calls"
read -r n <"$1.count"
echo \$((++n)) >"$1.count"
while [ \$# -gt 0 ]; do
  case \$1 in
    --quiet) shift; continue ;;
    --json) json=\$2 ;;
    --scene) scene=\$2 ;;
    --isa) isa=\$2 ;;
    --threads) threads=\$2 ;;
  esac
  shift 2
done
case \$isa in
  auto) isa=avx2 ;;
  avx512) echo "throng-run: option '--isa': value 'avx512', allowed others" >&2; exit 2 ;;
esac
printf '{"runs": [{"scene": "%s", "agents": 10, "frames": 100, "threads": %s, "isa": "%s", "hash": "%s",
  "agents_per_ms": 9, "frame_us_median": %s, "frame_time_step": %s}]}' "\$scene" "\$threads" "\$isa" ${3-00ff} \
  \$(($2)) ${4-0.0009765625} >"\$json"
FAKE
  chmod +x "$1"
}
# compare STATUS NAME ARGUMENT...: runs bench/compare with a few pairs. It must exit with STATUS. If that is 0 or 3, it
# prints nothing on stderr; if not, it prints one line there and nothing else.
compare() {
  local wanted=$1 name=$2 status=0
  shift 2
  : >"$work/calls"
  "${compare[@]}" "$@" >"$work/stdout" 2>"$work/stderr" </dev/null || status=$?
  same "$name: exit status" "$status" "$wanted"
  case $wanted in
    0 | 3) same "$name: nothing on stderr" "$(cat "$work/stderr")" "" ;;
    *) same "$name: lines on stderr and stdout: $(cat "$work/stderr")" \
      "$(wc -l <"$work/stderr") $(wc -l <"$work/stdout")" "1 0" ;;
  esac
}
# says NAME PATTERN and complains NAME PATTERN: a line of stdout or stderr matches PATTERN.
says() { has "$1" "$2" "$work/stdout"; }
complains() { has "$1" "$2" "$work/stderr"; }
compare=("$bench/compare")
few=(--pairs 6 --scenes flock2 --seed 7) # a fixed seed, because one comparison in 32 errs with 6 pairs

program "$work/old" 1000
program "$work/same" "1000 + n % 2"
program "$work/slow" 1020
program "$work/other" 1000 00aa
program "$work/coarse" 1000 00ff 0.0078125
program "$work/noisy" "1000 + 100 * (n % 3)"

# ---- What it prints and writes ----

compare 0 "equal" "$work/old" "$work/same" "${few[@]}"
says "equal: verdict" '^flock2 +10 +avx2 ×1 +1000.0 +100[01]\.[05] .* 6  no difference seen \(±0\.[12] %\); same bits$'
says "equal: seed" '^on .+, [0-9]+ cores, load [0-9.]+; seed [0-9]+$'
same "files" "$(ls out/compare)" "$(printf 'pairs.csv\nresults.csv\nresults.json')"
has "results.csv" '^flock2,10,100,avx2,1,6,1000(\.0)?,100[01](\.[05])?,' out/compare/results.csv
same "pairs.csv" "$(grep -cE '^flock2,avx2,1,[1-6],(old|new),(old|new),100[01],9,00ff$' out/compare/pairs.csv)" 12
has "results.json: verdict" '"verdict": "no difference seen' out/compare/results.json
has "results.json: context" '"old": ".*/old"' out/compare/results.json
has "results.json: machine" '"cpu": "[^"]+"' out/compare/results.json
same "run as bench/run does" "$(grep -vc 'OMP_PROC_BIND=true --scene flock2 --isa auto --threads 1 --frames 100 ' \
  "$work/calls")" 0
same "one frame, then pairs" "$(grep -c -- '--frames 1 ' "$work/calls") $(wc -l <"$work/calls")" "2 14"

compare 0 "slower" "$work/old" "$work/slow" "${few[@]}"
says "slower: verdict" 'slower: 1\.020 \(1\.019 to 1\.021\); same bits$'
compare 0 "faster" "$work/slow" "$work/old" "${few[@]}"
says "faster: verdict" 'faster: 0\.980 \(0\.979 to 0\.981\)'
compare 0 "bits" "$work/old" "$work/other" "${few[@]}"
says "bits: verdict" 'BITS DIFFER$'
compare 0 "coarse times" "$work/old" "$work/coarse" "${few[@]}"
says "coarse times: verdict" 'no difference seen \(±0.8 %\); same bits'
compare 0 "coarse times on both sides" "$work/coarse" "$work/coarse" "${few[@]}"
says "coarse times on both sides: verdict" 'rounded by up to 0.8 %: they cannot show 1 %'
compare 0 "noisy" "$work/noisy" "$work/noisy" "${few[@]}" --out "$work/noisy results"
says "noisy: verdict" 'too few pairs to see 1 %: more than 120 are needed'

# ---- Options ----

for k in 7 8; do compare 0 "seed" "$work/old" "$work/same" "${few[@]}" --pairs 12 --seed $k --out "seed $k"; done
says "seed: said" '; seed 8$'
compare 0 "seed again" "$work/old" "$work/same" "${few[@]}" --pairs 12 --seed 7 --out "again"
same "seed: the same order" "$(cut -d, -f4,5 "seed 7/pairs.csv")" "$(cut -d, -f4,5 again/pairs.csv)"
for k in 7 8; do
  same "seed $k: both orders" "$(tail -n +2 "seed $k/pairs.csv" | cut -d, -f5 | sort -u | wc -l)" 2
done
same "seeds: other orders" \
  "$(diff <(cut -d, -f4,5 "seed 7/pairs.csv") <(cut -d, -f4,5 "seed 8/pairs.csv") >/dev/null; echo $?)" 1
compare 3 "gate" "$work/old" "$work/slow" "${few[@]}" --fail-above 1.01
compare 0 "gate, slower by less" "$work/old" "$work/slow" "${few[@]}" --fail-above=1.03
compare 0 "gate, faster" "$work/slow" "$work/old" "${few[@]}" --fail-above 1
compare 0 "table" "$work/old" "$work/same" --pairs 6 --scenes flock3,crowd2 --isa all --threads 1,2
same "table: rows" "$(grep -cE '^(flock3|crowd2) .* (baseline|avx2|neon) ×[12] ' "$work/stdout")" 12
compare 0 "options" "$work/old,--isa=baseline,--agents=5" "$work/old" "${few[@]}" -- --seed 3 --frames 40
says "options: both instruction sets" 'baseline/avx2 ×1'
says "options: of old" '^old: .*/old --isa baseline --agents 5$'
same "options: of old" "$(grep -c -- '--frames 40 --isa baseline --agents 5 ' "$work/calls")" 7
same "options: of both" "$(grep -c -- '--frames 100 --seed 3 --frames 40 ' "$work/calls")" 14
OMP_PROC_BIND=close compare 0 "OMP_PROC_BIND" "$work/old" "$work/old" "${few[@]}"
same "OMP_PROC_BIND: kept" "$(grep -vc OMP_PROC_BIND=close "$work/calls")" 0
compare 0 "precision" "$work/old" "$work/noisy" "${few[@]}" --precision 0.5% --max-pairs 14
says "precision: at most" ' 14  '
compare 0 "precision reached" "$work/old" "$work/same" "${few[@]}" --precision 1%
says "precision reached: pairs" ' 12  no difference'
compare 0 "help" --help
says "help: options" '^  --precision P%'

# ---- What the sides can be ----

cp "$work/old" "$work/builds/bench/throng-run"
compare 0 "build folder" "$work/builds" "$work/builds/bench" "${few[@]}"
says "build folder: said" '^old: .*/builds/bench/throng-run$'

# A source tree whose bench/build makes a program from the file speed. The tree's own bench/compare is tested.
cp -r "$bench/compare" "$bench/measure" "$work/tree/bench/"
cp "$bench/runner/frame_times.h" "$work/tree/bench/runner/"
sed -i 's/BINS 1024u/BINS 128u/' "$work/tree/bench/runner/frame_times.h"
cat >"$work/tree/bench/build" <<FAKE
#!/bin/bash
cd "\$(dirname "\$0")/.." || exit 1
echo "\$1 of \$(cat speed), \$(grep -o 'BINS [0-9]*' bench/runner/frame_times.h)" >>"$work/built"
[ "\$(cat speed)" != broken ] || { echo "a.c:1: error" >&2; exit 1; }
mkdir -p build/release/bench
cp "$work/\$(cat speed)" build/release/bench/throng-run
FAKE
chmod +x "$work/tree/bench/build"
printf '/build/\n__pycache__/\n' >"$work/tree/.gitignore"
commit() {
  echo "$1" >"$work/tree/speed"
  git -C "$work/tree" add . && git -C "$work/tree" -c user.name=a -c user.email=b commit -qm "Be $1"
}
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
git -c init.defaultBranch=main init -q "$work/tree"
commit broken
commit old
cp "$bench/runner/frame_times.h" "$work/tree/bench/runner/"
commit slow
echo same >"$work/tree/speed"
compare=("$work/tree/bench/compare")
compare 0 "commits" HEAD~1 HEAD "${few[@]}"
says "commits: old" '^old: commit [0-9a-f]{7,} Be old$'
says "commits: verdict" 'slower: 1\.020'
same "commits: built with one histogram" "$(cat "$work/built")" \
  "$(printf 'throng-run of old, BINS 1024\nthrong-run of slow, BINS 1024')"
compare 0 "commits again" HEAD~1 "main,--seed=3" "${few[@]}"
same "commits again: kept" "$(wc -l <"$work/built")" 2
same "commits: only the programs" "$(find "$work/tree/build" -type f | sed 's,.*/,,')" \
  "$(printf 'throng-run\nthrong-run')"
compare 0 "working tree" HEAD~1 "$work/tree" "${few[@]}"
says "working tree: said" '^new: working tree .*/tree, commit [0-9a-f]{7,}-dirty$'
says "working tree: verdict" 'no difference seen'
cd "$work/tree" || exit 1
compare 0 "working tree as a dot" . . "${few[@]}" --out "$work/cwd/dot"
cd "$work/cwd" || exit 1
"${compare[@]}" HEAD~2 HEAD "${few[@]}" >"$work/stdout" 2>"$work/stderr"
same "a commit that cannot be built" $? 1
complains "a commit that cannot be built: why" '^a.c:1: error$'
complains "a commit that cannot be built: which" '^compare: OLD: .*/build/compare/[0-9a-f]{40}/tree could not be built$'
compare=("$bench/compare")

# ---- Programs that fail ----

printf '#!/bin/sh\necho the true reason >&2\nexit 1\n' >"$work/fails"
printf '#!/bin/sh\nexit 0\n' >"$work/silent"
printf 'text\n' >"$work/text"
cp "$work/text" "$work/no program"
chmod +x "$work/fails" "$work/silent" "$work/text"
program "$work/zero" "n > 1 ? 0 : 1"
compare 1 "fails" "$work/old" "$work/fails" "${few[@]}"
complains "fails: why" '^compare: NEW \(.*/fails\): the true reason$'
compare 1 "silent" "$work/silent" "$work/old" "${few[@]}"
complains "silent: why" '^compare: OLD \(.*/silent\): results that cannot be read'
compare 2 "refuses" "$work/old" "$work/old" "${few[@]}" --isa avx512
complains "refuses: why" "^compare: OLD \(.*/old\): throng-run: option '--isa': value 'avx512'"
compare 2 "no program" "$work/old" "$work/text" "${few[@]}"
complains "no program: why" '^compare: NEW \(.*/text\): cannot be run: Exec format error$'
"$bench/compare" "$work/old" "$work/zero" "${few[@]}" >/dev/null 2>"$work/stderr"
same "no time" $? 2
complains "no time: why" '^compare: NEW \(.*/zero\): a median frame of 0'

# ---- What it refuses. It runs nothing and changes no file ----

# refuses PATTERN ARGUMENT...: exits with 2 and one line that matches PATTERN.
refuses() {
  local pattern=$1 before
  shift
  before=$(cat out/compare/* | cksum)
  compare 2 "$*" "$@"
  complains "$*" "^compare: .*$pattern"
  same "$*: nothing is measured" "$(grep -vc -- '--frames 1 ' "$work/calls")" 0
  same "$*: nothing is written" "$(cat out/compare/* | cksum)" "$before"
}
refuses "the following arguments are required: NEW; usage: bench/compare OLD NEW" "$work/old"
refuses "option '--pairs': value '5', allowed a whole number from 6" "$work/old" "$work/old" --pairs 5
refuses "option '--out': value '$work/old', allowed a folder to write to" "$work/old" "$work/old" --out "$work/old"
refuses "argument OLD: value 'no-such-thing', allowed a throng-run program, a build folder" no-such-thing "$work/old"
refuses "argument NEW: value '$work/no program', allowed a program that may be executed" "$work/old" "$work/no program"
refuses "argument OLD: value '$work/cwd', allowed a folder with bench/throng-run" "$work/cwd" "$work/old"
refuses "argument OLD: value 'avx2', allowed after a comma: an option" "$work/old,--isa=baseline,avx2" "$work/old"
refuses "argument OLD: value '--json=a', allowed an option that bench/compare does not set" "$work/old,--json=a" .
refuses "option '--isa': value 'avx2,baseline', allowed one value if OLD or NEW sets --isa" \
  "$work/old,--isa=avx2" "$work/old" --isa avx2,baseline

# ---- A comparison that is ended, and a true throng-run ----

mkdir "$work/tmp"
program "$work/endless" "n > 2 ? \$(sleep 20 & echo \$! >$work/sleeping; wait) : 1"
TMPDIR=$work/tmp "$bench/compare" "$work/endless" "$work/endless" "${few[@]}" >"$work/stdout" 2>&1 &
until [ -s "$work/sleeping" ]; do sleep 0.05; done
kill -TERM $!
wait $!
same "ended by SIGTERM" $? 143
same "ended by SIGTERM: no files are left" "$(ls "$work/tmp")" ""
kill "$(cat "$work/sleeping")"

if [ -n "$run" ]; then
  compare 0 "true" "$run" "$run" "${few[@]}" -- --agents 20 --frames 3
  says "true: verdict" '^flock2 +20 .* 6  .*; same bits$'
  has "true: fine steps" '"step": 0\.00097' out/compare/results.json
fi

finish
