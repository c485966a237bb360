#!/bin/bash
# Writes the seeds of a fuzz target and runs it. FOLDER keeps its corpus/ and the inputs that crash it, crash-….
# usage: run_fuzz.sh FUZZ_TARGET SEEDS_PROGRAM FOLDER SECONDS
# To replay a crash: FUZZ_TARGET FOLDER/crash-…
set -euo pipefail

fuzz=$1 seeds=$2 folder=$3 seconds=$4
mkdir -p "$folder/corpus"
"$seeds" "$folder/corpus"
"$fuzz" -max_total_time="$seconds" -timeout=10 -print_final_stats=1 -artifact_prefix="$folder/" "$folder/corpus"
