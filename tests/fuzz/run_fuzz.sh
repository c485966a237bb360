#!/bin/bash
# Writes the seeds of a fuzz target and lets it run. What it finds stays in FOLDER: corpus/, and crash-…, which the target replays:
# fuzz_snapshot FOLDER/crash-…
# usage: run_fuzz.sh FUZZ_TARGET SEEDS_PROGRAM FOLDER SECONDS
set -euo pipefail

fuzz=$1 seeds=$2 folder=$3 seconds=$4
mkdir -p "$folder/corpus"
"$seeds" "$folder/corpus"
"$fuzz" -max_total_time="$seconds" -timeout=10 -print_final_stats=1 -artifact_prefix="$folder/" "$folder/corpus"
