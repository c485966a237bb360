#!/bin/bash
# Builds the web page, compares its hashes under Node with the native ones, and tests it in a headless Chromium. Exits
# 77 if a tool is missing, unless in CI.
# usage: run_web_test.sh FOLDER THRONG_RUN     builds the page in FOLDER; THRONG_RUN is '' if there is none
set -euo pipefail

folder=$1 run=$2
here=$(cd "$(dirname "$0")" && pwd)
source=$(realpath "$here/../../..")

skip() {
  echo "$1"
  if [[ -n ${CI-} ]]; then exit 1; fi
  exit 77
}

for tool in clang wasm-ld ninja node; do
  command -v "$tool" >/dev/null || skip "$tool is missing (Debian: clang, lld, ninja-build, nodejs)"
done
[[ -e /usr/lib/wasm32-wasi/libc.a ]] || skip "wasi-libc is missing (Debian: wasi-libc, libclang-rt-dev-wasm32)"
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
  skip "chromium is missing (Debian: chromium)"

"$here/../build" "$folder"
node "$here/json.mjs" "$folder"
node "$here/hashes.mjs" "$folder" "$source/tests/cli/scene_hashes.txt"
node "$here/run.mjs" "$folder" "$source/bench/scenes" "$chromium" "$run" "$folder-pictures"
