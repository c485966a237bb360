#!/bin/bash
# Checks docs/manual/parameters: it prints every kind of behaviour, group field and column with a meaning. It fails, and
# names the member, if a comment of a header is missing, or has another range or default than the kernel. Exits 77
# without Python, unless in CI.
# usage: run_parameters_test.sh SOURCE_DIR WORK_DIR CC
set -euo pipefail

source=$1 work=$2
export CC=$3
if ! command -v python3 >/dev/null; then
  echo "python3 is missing"
  if [[ -n ${CI-} ]]; then exit 1; fi
  exit 77
fi
rm -rf "$work"
mkdir -p "$work/docs"
cp -r "$source/docs/manual" "$work/docs"
cp -r "$source/include" "$source/kernel" "$work"
print=$work/docs/manual/parameters include=$work/include/throng

fail() {
  echo "run_parameters_test.sh: $*" >&2
  exit 1
}

"$print" >"$work/page.md"
# usage: names ENUMERATION HEADER: the enumerators' names, without the count at the end
names() { sed -n "/^typedef enum throng_$1 {/,/^}/s/^ *THRONG_[A-Z]*_\([A-Z_]*\).*/\1/p" "$include/$2" | sed '$d'; }
names behaviour_kind behaviour.h | tr '[:upper:]' '[:lower:]' | sed 's/^/## /' >"$work/lines"
kinds=$(wc -l <"$work/lines")
names column agents.h | sed 's/.*/| `THRONG_COLUMN_&` |/' >>"$work/lines"
[[ $(wc -l <"$work/lines") -gt 40 ]] || fail "the headers have only $(wc -l <"$work/lines") kinds and columns"
for field in max_speed separation.weight alignment.turns rigid_body.bow pace.density combine_chance; do
  echo "| \`$field\` |" >>"$work/lines"
done
while read -r line; do
  grep -qF "$line" "$work/page.md" || fail "the page lacks '$line'"
done <"$work/lines"
if grep '^| `' "$work/page.md" | grep -E '\|  \|$'; then fail "these rows have no meaning"; fi
[[ $("$print" arrive) == *'`slow_radius` | metres | >= 0 | `2` |'* ]] || fail "arrive has no slow_radius"
if "$print" no_such_name 2>"$work/error"; then fail "no_such_name is printed"; fi
grep -q "no_such_name.*" "$work/error" || fail "the error does not name no_such_name"

# usage: spoil HEADER EXPRESSION MEMBER: changes a header by sed, so that the comment of MEMBER is wrong
spoil() {
  sed -i "$2" "$include/$1"
  if cmp -s "$source/include/throng/$1" "$include/$1"; then fail "'$2' changes nothing in $1"; fi
  echo "$3" >>"$work/spoiled"
}
spoil behaviour.h 's|\(float slow_distance;\).*|\1|' throng_chase.slow_distance
spoil behaviour.h 's|: how fast a fan opens and closes||' throng_avoid_walls.spread_rate
spoil behaviour.h 's|>= 0 (default 2): within it|>= 0 (default 3): within it|' throng_arrive.slow_radius
spoil behaviour.h 's|0 to pi / 2 (default 1.2)|0 to pi (default 1.2)|' throng_avoid_walls.widest
spoil group.h 's|> 0 or INFINITY (default 1.5)|> 0 (default 1.5)|' throng_group_def.max_speed
spoil group.h 's|THRONG_COHESION_ARRIVE: how|THRONG_COHESION_SEEK: how|' throng_cohesion.form
spoil group.h 's|(default 0.3, 0.5, 0.7|(default 0.3, 0.5, 0.8|' throng_pace.density
spoil agents.h 's|/\* \[1\] uint8_t, a defined group \*/||' THRONG_COLUMN_GROUP
if "$print" >/dev/null 2>"$work/error"; then fail "wrong comments are not seen"; fi
while read -r member; do
  grep -q " $member: " "$work/error" || fail "the wrong comment of $member is not seen"
done <"$work/spoiled"
echo "$(grep -c '^| `' "$work/page.md") rows, $kinds kinds"
