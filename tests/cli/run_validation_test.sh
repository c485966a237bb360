#!/usr/bin/env bash
# run_validation_test.sh THRONG_VALIDATE STUB_VALIDATE FOLDER [--update]: tests throng-validate on one seed: the figures
# that its models must keep within their right values, the hashes of all positions, and the files. STUB_VALIDATE has an
# engine that walks straight, and no other. FOLDER is deleted and created again.
#   --update   prints a new table of the hashes instead
set -uo pipefail

run=$(readlink -f "$1")
stub=$(readlink -f "$2")
work=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
table=$here/validation_hashes.txt
tests=rimea-1,rimea-6,rimea-10,rimea-13,bottleneck,corridor,lane,ring,blocks
# With one model only: they take longest.
crowded=rimea-4,counterflow,corridor-one-way,corridor-both-ways,doors-laboratory
models=$(cut -d' ' -f1 "$table" | sort -u | paste -sd,)

. "$here/checks.sh"
prepare "$run" "$work"

# Prints lines "MODEL TEST HASH".
hashes() {
  awk -F'"' '/"model":/ { model = $4 } /"test":/ { test = $4 } /"hashes":/ { print model, test, $4 }' "$1"
}

if [ "${4-}" = --update ]; then
  "$run" --quick --quiet --model "$models" --test $tests --out "$work/out" >/dev/null
  "$run" --quick --quiet --model walkers --test $crowded --out "$work/crowded" >/dev/null
  hashes "$work/out/results.json"
  hashes "$work/crowded/results.json"
  exit
fi

refused() {
  local name=$1 pattern=$2
  shift 2
  "$run" --out "$work/none" "$@" >"$work/stdout" 2>"$work/stderr"
  same "$name: exit status" $? 2
  has "$name: text" "^throng-validate: .*$pattern" "$work/stderr"
  same "$name: nothing written" "$(ls -d "$work/none" 2>/dev/null)$(cat "$work/stdout")" ""
}
refused "unknown option" "unknown option '--models'" --models predicting
refused "unknown model" "'--model': value 'best', allowed predicting, " --model predicting,best
refused "unknown test" "'--test': value 'rimea-2', allowed rimea-1, " --test rimea-2
refused "unknown frame rate" "'--frame-rate': value '50', allowed 20, 40, 60, 120, 240" --frame-rate 50
refused "no seeds" "'--seeds': value '0', allowed a whole number from 1 to 100" --seeds 0
"$run" --help >"$work/help" && has "help" '--trajectories' "$work/help"
sed -n 's/^#   \(--[a-z0-9]* \)/  \1/p' "$here/../../bench/validate" >>"$work/help" # the script's own options
documented "$work/help" bench/validate

good "a short run" --quick --quiet --model "$models" --test $tests --threads 2 --out "$work/out"
good "crowds" --quick --quiet --model walkers --test $crowded --threads 2 --out "$work/crowded"
{ hashes "$work/out/results.json" && hashes "$work/crowded/results.json"; } >"$work/hashes"
same "hashes" "$(cat "$work/hashes")" "$(cat "$table")"

cat "$work/out/results.csv" "$work/crowded/results.csv" >"$work/results.csv"
# within MODEL TEST FIGURE: the figure is within its right values.
within() {
  has "$1, $2: $3" "^$1,$2,\"$3\",.*,within," "$work/results.csv"
}
for model in ${models//,/ }; do
  within "$model" rimea-1 "time"
  within "$model" rimea-6 "arrived"
  within "$model" rimea-6 "seen outside"
  within "$model" rimea-10 "left by their exit"
  within "$model" rimea-13 "10 m at 1.34, 10 m at 0.65 m/s"
  within "$model" rimea-13 "flow onto the stairs / into the corridor"
  within "$model" bottleneck "left behind, all doors"
  within "$model" bottleneck "longest gap at 1.0 m"
  within "$model" corridor "arrived"
  within "$model" corridor "lane order"
  within "$model" lane "arrived"
  within "$model" ring "arrived"
  within "$model" blocks "arrived"
done
for width in 0.8 1.0 1.2 1.6; do within walkers bottleneck "flow at $width m"; done
for density in 1 2 3; do within walkers rimea-4 "speed at $density/m2"; done
for model in predicting walkers; do within $model ring "deepest overlap"; done
for model in walkers reciprocal reciprocal-pace; do within $model ring "jerk"; done
for model in walkers reciprocal; do within $model corridor "last arrival"; done
within walkers counterflow "speed at 1/m2"
for test in corridor-one-way corridor-both-ways doors-laboratory; do within walkers $test "left behind"; done
for test in corridor-one-way corridor-both-ways; do within walkers $test "classes of density seen"; done
for test in corridor-one-way corridor-both-ways; do within walkers $test "mean error of speed"; done
within walkers doors-laboratory "mean error of flow, seven doors"
for width in 0.7 0.95 1.2 1.3 1.6; do within walkers doors-laboratory "density ahead of $width m"; done
for test in corridor-one-way corridor-both-ways doors-laboratory; do within walkers $test "deepest overlap"; done
within walkers doors-laboratory "gaps at 0.7 m, longest"

# Threads and trajectories change no result. A file of trajectories has a line for each walker and sample.
good "one thread" --quick --quiet --model predicting --test rimea-6,rimea-1 --threads 1 --trajectories --out "$work/one"
same "one thread: hash" "$(hashes "$work/one/results.json" | sort)" \
  "$(grep -E '^predicting rimea-(1|6) ' "$table" | sort)"
file=$work/one/trajectories/predicting-rimea-6-seed1.txt
has "trajectories: rate" '^#framerate: 20$' "$file"
has "trajectories: line" '^20 0 [0-9.]+ [0-9.]+$' "$file"
same "trajectories: walkers" "$(awk '!/^#/ && !seen[$1]++' "$file" | wc -l)" 20

# At another frame rate there are still 20 samples a second. Walker 1 of rimea-1 walks for 30 s.
good "60 frames per second" --quick --quiet --model predicting --test rimea-1 --frame-rate 60 --trajectories \
  --out "$work/sixty"
file=$work/sixty/trajectories/predicting-rimea-1-seed1.txt
has "60 frames per second: rate" '^#framerate: 20$' "$file"
has "60 frames per second: a sample after 25 s" '^1 500 3[0-9]\.' "$file"
same "60 frames per second: no sample after 35 s" "$(grep '^1 700 ' "$file")" ""

# Engines. A folder that is no source is refused; an engine that was not built is no model.
for engine in rvo2 jupedsim; do
  "$here/../../bench/validate" --$engine "$work" >"$work/stdout" 2>"$work/stderr"
  same "$engine, wrong folder: exit status" $? 2
  has "$engine, wrong folder: text" "^validate: '--$engine': value '$work' has no " "$work/stderr"
done
grep -q rvo2 "$work/help" || refused "no RVO2" "'--model': value 'rvo2', allowed predicting, " --model rvo2
# The stub's walkers reach their goals as fast as they wish, come in and go out, and are seen across seams.
run=$stub
good "a stub" --quick --quiet --model rvo2 --test rimea-1,rimea-4,corridor-one-way --out "$work/stub"
cp "$work/stub/results.csv" "$work/results.csv"
within rvo2 rimea-1 "time"
has "stub: speed one way" '^rvo2,rimea-4,"speed at 3/m2",.*,1\.3[0-9]*,outside,' "$work/results.csv"
within rvo2 corridor-one-way "left behind"
good "peers" --quick --quiet --peers --test rimea-1 --out "$work/peers"
same "peers: all models" "$(tail -n +2 "$work/peers/results.csv" | cut -d, -f1 | sort -u | paste -sd,)" \
  "${models/%walkers/rvo2,walkers}"

finish
