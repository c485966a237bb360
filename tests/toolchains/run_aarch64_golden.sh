#!/bin/bash
# The golden hashes on AArch64: a cross build of the kernel, run under QEMU. Exits 77 where the tools are missing.
# usage: run_aarch64_golden.sh SOURCE_DIR BUILD_DIR
set -euo pipefail

for tool in aarch64-linux-gnu-gcc qemu-aarch64; do
  if ! command -v "$tool" >/dev/null; then
    echo "skipped: $tool is missing (Debian: gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user)"
    exit 77
  fi
done

cmake -S "$1" -B "$2" -DCMAKE_TOOLCHAIN_FILE="$1/tests/toolchains/aarch64-linux-gnu.cmake" \
  -DTHRONG_WERROR=ON -DTHRONG_BUILD_TESTS=OFF -DTHRONG_BUILD_BENCH=OFF -DTHRONG_BUILD_GOLDEN_ONLY=ON
cmake --build "$2"
ctest --test-dir "$2" --output-on-failure --no-tests=error
