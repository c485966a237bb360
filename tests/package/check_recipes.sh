#!/bin/bash
# Checks the Conan recipe and the vcpkg port without Conan and vcpkg. check_recipes.py reads both. run_portfile.cmake
# runs the portfile with stubs of vcpkg's functions, which check their arguments. Exits 77 without Python, unless in CI.
# usage: check_recipes.sh SOURCE_DIR INSTALLED_PREFIX WORK_DIR
set -euo pipefail

source=$1 prefix=$2 work=$3
here=$source/tests/package
if ! command -v python3 >/dev/null; then
  echo "python3 is missing"
  if [[ -n ${CI-} ]]; then exit 1; fi
  exit 77
fi
python3 -B "$here/check_recipes.py" "$source"

rm -rf "$work"
for features in core "core;openmp;hardened"; do
  cmake -DSOURCE_DIR="$source" -DPREFIX="$prefix" -DWORK_DIR="$work/${features//;/-}" "-DFEATURES=$features" \
    -P "$here/run_portfile.cmake"
done
