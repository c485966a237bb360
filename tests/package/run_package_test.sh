#!/bin/bash
# Installs throng, or builds the consumer projects with it and runs them.
# usage: run_package_test.sh HOW static|shared SOURCE_DIR WORK_DIR CC CXX [BUILD_DIR]
#   HOW         install, find_package, pkg_config, examples, add_subdirectory or fetch_content
#   BUILD_DIR   installs from this build instead of making one
set -euo pipefail

how=$1 kind=$2 source=$3 work=$4 built=${7-}
export CC=$5 CXX=$6
build=$work/$how-$kind
prefix=$work/prefix-$kind
consumer=$source/tests/package/consumer
rm -rf "$build"

shared=OFF
if [[ $kind == shared ]]; then shared=ON; fi

# The test checks only that everything compiles, links and runs, so it builds what compiles fastest: one instruction set
# at -O1.
configure() {
  cmake -B "$build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=-O1 -DTHRONG_ISA_TABLES=baseline \
    -DBUILD_SHARED_LIBS=$shared --no-warn-unused-cli "$@"
}

consume() { # usage: consume ARGUMENT…
  local language
  for language in C CXX; do
    rm -rf "$build/CMakeCache.txt" "$build/CMakeFiles"
    configure -S "$consumer" -DLANGUAGE=$language "$@"
    cmake --build "$build"
    "$build/consumer"
  done
}

case $how in
  install)
    if [[ -z $built ]]; then
      options=()
      # With this prefix the libraries go where Debian has them. run_debian_test.sh makes packages of this build.
      if [[ $kind == shared ]]; then
        options+=(-DCMAKE_INSTALL_PREFIX=/usr "-DTHRONG_BUILD_MPI=${THRONG_BUILD_MPI-OFF}")
      fi
      configure -S "$source" "${options[@]}"
      cmake --build "$build"
      built=$build
    fi
    # The install is moved afterwards: its files must not depend on the old path.
    rm -rf "$prefix" "$prefix.moved"
    cmake --install "$built" --prefix "$prefix.moved"
    mv "$prefix.moved" "$prefix"
    cmp "$source/include/throng-api.json" "$prefix/share/throng/throng-api.json"
    if grep -ri simde --include='*.h' --include='*.cmake' --include='*.pc' "$prefix"; then
      echo "SIMDe is a build dependency; nothing installed may mention it" >&2
      exit 1
    fi
    ;;
  find_package)
    consume -DCMAKE_PREFIX_PATH="$prefix"
    ;;
  examples)
    configure -S "$source/examples" -DCMAKE_PREFIX_PATH="$prefix"
    cmake --build "$build"
    ctest --test-dir "$build" --output-on-failure --no-tests=error
    ;;
  add_subdirectory)
    # Only C: a project that builds throng from source need not have C++.
    configure -S "$consumer" -DLANGUAGE=C -DTHRONG_SOURCE_DIR="$source"
    cmake --build "$build"
    "$build/consumer"
    ;;
  fetch_content)
    # An archive of the sources as in a release, without builds of this checkout, fetched by its address.
    mkdir -p "$build"
    tar -C "$source" --exclude=./build --exclude=./out --exclude=./.git --exclude=./shared -czf "$build/throng.tar.gz" .
    configure -S "$consumer" -DLANGUAGE=C -DTHRONG_URL="file://$build/throng.tar.gz"
    cmake --build "$build"
    "$build/consumer"
    # The library refuses an instruction set that the build lacks, and names those that it has.
    if THRONG_ISA=avx512 "$build/consumer" 2>"$build/refused"; then exit 1; fi
    cat "$build/refused"
    grep -Eq 'THRONG_ISA=avx512: this build has (baseline|neon)$' "$build/refused"
    ;;
  pkg_config)
    mkdir -p "$build"
    PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name throng.pc)")
    export PKG_CONFIG_PATH
    link=(pkg-config --libs throng)
    if [[ $kind == static ]]; then link+=(--static); fi
    read -ra cflags < <(pkg-config --cflags throng)
    read -ra libs < <("${link[@]}")
    rpath=-Wl,-rpath,$(pkg-config --variable=libdir throng)
    "$CC" -std=c11 "${cflags[@]}" "$consumer/main.c" "${libs[@]}" "$rpath" -o "$build/consumer_c"
    "$CXX" -std=c++17 "${cflags[@]}" "$consumer/main.cpp" "${libs[@]}" "$rpath" -o "$build/consumer_cxx"
    "$build/consumer_c"
    "$build/consumer_cxx"
    "$CC" "${cflags[@]}" "$source/examples/hello.c" "${libs[@]}" "$rpath" -o "$build/hello"
    "$build/hello"
    ;;
esac
