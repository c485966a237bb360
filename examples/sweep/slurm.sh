#!/bin/bash
#SBATCH --job-name=throng-sweep
#SBATCH --array=0-99
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --time=00:10:00
#SBATCH --output=/dev/null
# Runs the 1000 worlds of sweep.c as an array of 100 tasks with 10 runs each. Slurm gives each task one core.
# usage: sbatch slurm.sh PROGRAM FOLDER      each task writes FOLDER/TASK.jsonl
# A task that failed left no file. Start it again: sbatch --array=TASK slurm.sh PROGRAM FOLDER
set -euo pipefail
program=$1 folder=$2 task=${SLURM_ARRAY_TASK_ID:?this script runs as a task of a Slurm array}
mkdir -p "$folder"
"$program" "$task" runs=10 >"$folder/$task.part" # complete, or not there
mv "$folder/$task.part" "$folder/$task.jsonl"
