#!/bin/bash
# Tests that the project configures without cmocka and without the libraries of throng-view: CMake reports the parts
# that it leaves out, and throng-run is still a target. In continuous integration a missing part is an error.
# usage: run_left_out_test.sh SOURCE BUILD CC CXX
set -euo pipefail
source=$1 build=$2
export CC=$3 CXX=$4
unset CI

fail() {
  printf '%s\n' "$1" >&2
  cat "$build/log" >&2
  exit 1
}
rm -rf "$build"
mkdir -p "$build"
lacks=(-DTHRONG_BUILD_TESTS=ON -DTHRONG_BUILD_BENCH=ON -DTHRONG_BUILD_EXAMPLES=ON
  -DCMOCKA_LIBRARY=OFF -DCGLM_INCLUDE_DIR=OFF)
cmake -S "$source" -B "$build" "${lacks[@]}" >"$build/log" 2>&1 || fail "does not configure without cmocka and cglm"
for part in "all tests but the golden hashes: missing (Debian: libcmocka-dev)" \
  "throng-view: missing (Debian: .*libcglm-dev"; do
  grep -q "throng: left out: $part" "$build/log" || fail "does not say: left out: $part"
done
cmake --build "$build" --target help >"$build/log"
grep -q throng-run "$build/log" || fail "throng-run is left out too"
if CI=true cmake -S "$source" -B "$build" "${lacks[@]}" >"$build/log" 2>&1; then
  fail "continuous integration goes on without cmocka"
fi
grep -q "golden hashes: missing" "$build/log" || fail "stops for something else than cmocka"
