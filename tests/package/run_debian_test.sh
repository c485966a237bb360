#!/bin/bash
# Makes Debian packages of a shared build, installs them into a folder, and builds programs that use them, by
# find_package and by pkg-config. A build with libthrong-mpi makes two more packages. Exits 77 if this is not Debian,
# unless in CI.
# usage: run_debian_test.sh SOURCE_DIR BUILD_DIR WORK_DIR CC CXX
set -euo pipefail

source=$1 build=$2 work=$3
export CC=$4 CXX=$5
for tool in dpkg dpkg-deb dpkg-shlibdeps apt-get; do
  if ! command -v $tool >/dev/null; then
    echo "$tool is missing (Debian: dpkg-dev)"
    if [[ -n ${CI-} ]]; then exit 1; fi
    exit 77
  fi
done
fail() {
  echo "$*" >&2
  exit 1
}

rm -rf "$work"
mkdir -p "$work/root"
cpack --config "$build/CPackConfig.cmake" -B "$work"
rm -rf "$work/_CPack_Packages"
version=$(awk '/#define THRONG_VERSION_/ { printf "%s%s", dot, $3; dot = "." }' "$source/include/throng/base.h")
architecture=$(dpkg --print-architecture)
libraries=(libthrong)
if grep -q 'THRONG_BUILD_MPI:BOOL=ON' "$build/CMakeCache.txt"; then libraries+=(libthrong-mpi); fi
runtimes=() developments=()
for library in "${libraries[@]}"; do
  runtimes+=("$work/$library"[0-9]*_"$version-1_$architecture".deb)
  developments+=("$work/$library-dev_$version-1_$architecture.deb")
done
packages=("${runtimes[@]}" "${developments[@]}")
for package in "${packages[@]}"; do [[ -f $package ]] || fail "$package is missing: $(ls "$work")"; done
[[ $(find "$work" -name '*.deb' | wc -l) == "${#packages[@]}" ]] || fail "more than ${packages[*]}: $(ls "$work")"

# Their control fields, files and maintainer scripts.
field() { dpkg-deb --field "$1" "$2"; }
requires() { # usage: requires PACKAGE FIELD PATTERN
  [[ $(field "$1" "$2") =~ $3 ]] || fail "${1##*/}: $2 is '$(field "$1" "$2")', wanted $3"
}
names=()
for k in "${!libraries[@]}"; do
  library=${libraries[k]} runtime=${runtimes[k]} development=${developments[k]}
  name=$(field "$runtime" Package)
  names+=("$name" "$library-dev")
  requires "$runtime" Depends 'libc6 \('
  requires "$development" Depends "$name \(= $version-1\)"
  requires "$development" Section '^libdevel$'
  soname=$(dpkg-deb --fsys-tarfile "$runtime" | tar -t | grep -c "/$library\.so\.[0-9.]*$")
  [[ $soname == 2 ]] || fail "${runtime##*/} should hold the library and the link of its soname"
  shlibs=$(dpkg-deb --info "$runtime" shlibs)
  [[ $shlibs == "$library ${name#"$library"} $name (>= $version)" ]] || fail "$library: wrong shlibs"
  dpkg-deb --info "$runtime" triggers | grep -qx 'activate-noawait ldconfig'
done
if grep -q 'THRONG_OPENMP:BOOL=ON' "$build/CMakeCache.txt"; then requires "${runtimes[0]}" Depends 'libgomp1|libomp'; fi
if [[ ${#libraries[@]} == 2 ]]; then
  requires "${runtimes[1]}" Depends "${names[0]} \(= $version-1\)"
  requires "${runtimes[1]}" Depends 'libopenmpi[0-9]'
  requires "${developments[1]}" Depends "libthrong-dev \(= $version-1\)"
  requires "${developments[1]}" Depends 'libopenmpi-dev'
fi
for package in "${packages[@]}"; do
  contents=$(dpkg-deb --contents "$package" | awk '{ print $6 }')
  grep -q "doc/$(field "$package" Package)/copyright$" <<<"$contents"
  if grep -Ev '^\./(usr/((include|lib|share)/.*)?)?$' <<<"$contents"; then fail "${package##*/} holds alien paths"; fi
done

# The machine's own packages satisfy every dependency.
apt-get install --simulate --no-install-recommends "${packages[@]}" >"$work/simulated" 2>&1 ||
  fail "apt-get would refuse: $(tail -n 5 "$work/simulated")"
for name in "${names[@]}"; do grep -q "^Inst $name " "$work/simulated"; done

# Installs them into a folder. As root, dpkg does this, with a database in that folder. The packages that they depend on
# are not in that database.
root=$work/root
if [[ $(id -u) == 0 ]]; then
  mkdir -p "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/info"
  touch "$root/var/lib/dpkg/status" "$root/var/lib/dpkg/available"
  dpkg --root="$root" --force-depends --force-script-chrootless --log="$work/dpkg.log" \
    --install "${packages[@]}" 2>&1
  dpkg --root="$root" --status "${names[@]}" | grep -c '^Status: install ok installed' | grep -qx ${#packages[@]}
else
  for package in "${packages[@]}"; do dpkg-deb --extract "$package" "$root"; done
fi

folder=$(dirname "$(find "$root" -name libthrong.so)")
export LD_LIBRARY_PATH=$folder
consumer=$source/tests/package/consumer
for language in C CXX; do
  cmake -S "$consumer" -B "$work/consumer-$language" -DLANGUAGE=$language -DCMAKE_PREFIX_PATH="$root/usr" \
    -DCMAKE_SKIP_BUILD_RPATH=ON
  cmake --build "$work/consumer-$language"
  "$work/consumer-$language/consumer"
  ldd "$work/consumer-$language/consumer" | grep -F "$root" >/dev/null || fail "the consumer runs on another libthrong"
done

export PKG_CONFIG_LIBDIR=$folder/pkgconfig
[[ $(pkg-config --modversion throng) == "$version" ]] || fail "pkg-config says $(pkg-config --modversion throng)"
read -ra flags < <(pkg-config --cflags --libs throng)
"$CC" -std=c11 "$consumer/main.c" "${flags[@]}" -o "$work/consumer-pkg-config"
"$work/consumer-pkg-config"
if [[ ${#libraries[@]} == 2 ]]; then
  "$source/tests/package/run_mpi_package_test.sh" "$source" "$root/usr" "$work/consumer-mpi"
fi

if [[ $(id -u) == 0 ]]; then
  dpkg --root="$root" --force-script-chrootless --log="$work/dpkg.log" --purge "${names[@]}"
  left=$(find "$root/usr" -name '*throng*' 2>/dev/null || true)
  [[ -z $left ]] || fail "left behind: $left"
fi
if command -v lintian >/dev/null; then
  # The packages have no real address, and they close no bug of Debian.
  suppressed=bogus-mail-host,bogus-mail-host-in-debian-changelog,initial-upload-closes-no-bugs
  lintian --fail-on error --suppress-tags $suppressed "${packages[@]}"
fi
