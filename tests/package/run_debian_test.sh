#!/bin/bash
# Makes Debian packages of a shared build, installs them into a folder, and builds programs that use them, by
# find_package and by pkg-config. Exits 77 if this is not Debian, unless in CI.
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
development=$work/libthrong-dev_$version-1_$architecture.deb
runtime=("$work"/libthrong[0-9]*_"$version-1_$architecture".deb)
[[ -f $development && -f ${runtime[0]} && $(ls "$work"/*.deb | wc -l) == 2 ]] ||
  fail "there should be libthrong-dev and libthrong<number>, $version: $(ls "$work")"

# Their control fields, files and maintainer scripts.
field() { dpkg-deb --field "$1" "$2"; }
requires() { # usage: requires PACKAGE FIELD PATTERN
  [[ $(field "$1" "$2") =~ $3 ]] || fail "${1##*/}: $2 is '$(field "$1" "$2")', wanted $3"
}
name=$(field "${runtime[0]}" Package)
requires "${runtime[0]}" Depends 'libc6 \('
if grep -q 'THRONG_OPENMP:BOOL=ON' "$build/CMakeCache.txt"; then requires "${runtime[0]}" Depends 'libgomp1|libomp'; fi
requires "$development" Depends "$name \(= $version-1\)"
requires "$development" Section '^libdevel$'
soname=$(dpkg-deb --fsys-tarfile "${runtime[0]}" | tar -t | grep -c '/libthrong\.so\.[0-9.]*$')
[[ $soname == 2 ]] || fail "${runtime[0]##*/} should hold the library and the link of its soname"
shlibs=$(dpkg-deb --info "${runtime[0]}" shlibs)
[[ $shlibs == "libthrong ${name#libthrong} $name (>= $version)" ]] || fail "wrong shlibs"
dpkg-deb --info "${runtime[0]}" triggers | grep -qx 'activate-noawait ldconfig'
for package in "$development" "${runtime[0]}"; do
  contents=$(dpkg-deb --contents "$package" | awk '{ print $6 }')
  grep -q "doc/$(field "$package" Package)/copyright$" <<<"$contents"
  if grep -Ev '^\./(usr/((include|lib|share)/.*)?)?$' <<<"$contents"; then fail "${package##*/} holds alien paths"; fi
done

# The machine's own packages satisfy every dependency.
apt-get install --simulate --no-install-recommends "${runtime[0]}" "$development" >"$work/simulated" 2>&1 ||
  fail "apt-get would refuse: $(tail -n 5 "$work/simulated")"
grep -q '^Inst libthrong-dev' "$work/simulated"

# Installs them into a folder. As root, dpkg does this, with a database in that folder. The packages that they depend on
# are not in that database.
root=$work/root
if [[ $(id -u) == 0 ]]; then
  mkdir -p "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/info"
  touch "$root/var/lib/dpkg/status" "$root/var/lib/dpkg/available"
  dpkg --root="$root" --force-depends --force-script-chrootless --log="$work/dpkg.log" \
    --install "$development" "${runtime[0]}" 2>&1
  dpkg --root="$root" --status libthrong-dev "$name" | grep -c '^Status: install ok installed' | grep -qx 2
else
  for package in "$development" "${runtime[0]}"; do dpkg-deb --extract "$package" "$root"; done
fi

libraries=$(dirname "$(find "$root" -name libthrong.so)")
export LD_LIBRARY_PATH=$libraries
consumer=$source/tests/package/consumer
for language in C CXX; do
  cmake -S "$consumer" -B "$work/consumer-$language" -DLANGUAGE=$language -DCMAKE_PREFIX_PATH="$root/usr" \
    -DCMAKE_SKIP_BUILD_RPATH=ON
  cmake --build "$work/consumer-$language"
  "$work/consumer-$language/consumer"
  ldd "$work/consumer-$language/consumer" | grep -F "$root" >/dev/null || fail "the consumer runs on another libthrong"
done

export PKG_CONFIG_LIBDIR=$libraries/pkgconfig
[[ $(pkg-config --modversion throng) == "$version" ]] || fail "pkg-config says $(pkg-config --modversion throng)"
read -ra flags < <(pkg-config --cflags --libs throng)
"$CC" -std=c11 "$consumer/main.c" "${flags[@]}" -o "$work/consumer-pkg-config"
"$work/consumer-pkg-config"

if [[ $(id -u) == 0 ]]; then
  dpkg --root="$root" --force-script-chrootless --log="$work/dpkg.log" --purge libthrong-dev "$name"
  left=$(find "$root/usr" -name '*throng*' 2>/dev/null || true)
  [[ -z $left ]] || fail "left behind: $left"
fi
if command -v lintian >/dev/null; then
  # The packages have no real address, and they close no bug of Debian.
  suppressed=bogus-mail-host,bogus-mail-host-in-debian-changelog,initial-upload-closes-no-bugs
  lintian --fail-on error --suppress-tags $suppressed "$development" "${runtime[0]}"
fi
