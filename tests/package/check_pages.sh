#!/bin/bash
# Checks the code in the Markdown pages: the program of the README is examples/hello.c, every piece of C compiles, and
# every throng_ name exists.
# usage: check_pages.sh SOURCE_DIR WORK_DIR CC
set -euo pipefail

source=$1 work=$2 cc=$3
rm -rf "$work"
mkdir -p "$work"
cd "$source"

# usage: block FILE NUMBER
block() { awk -v wanted="$2" '/^```c$/ { k++; inside = 1; next } /^```/ { inside = 0 } inside && k == wanted' "$1"; }

# The declarations that the pieces of C use without showing them: each piece is a part of a host's function.
host='#include <throng/throng.h>
struct entity { throng_vec3 position; int health; };
void report(throng_agent_id agent, const char *text);
void draw(float x, float z, float yaw);
void piece(throng_world *world, throng_agent_id *id, uint32_t count, struct entity *entity, const throng_vec3 *goal,
           float *yaw, const uint8_t *blocked, float *vectors, float *buffer, float elapsed);
void piece(throng_world *world, throng_agent_id *id, uint32_t count, struct entity *entity, const throng_vec3 *goal,
           float *yaw, const uint8_t *blocked, float *vectors, float *buffer, float elapsed) {
  throng_error error;
  (void)world, (void)id, (void)count, (void)entity, (void)goal, (void)yaw, (void)blocked, (void)vectors, (void)buffer,
  (void)elapsed, (void)error;'

if ! diff <(block README.md 1) examples/hello.c; then
  echo "README.md shows another program than examples/hello.c" >&2
  exit 1
fi

compiled=0
for page in README.md docs/*.md docs/arithmetic/*.md; do
  blocks=$(grep -c '^```c$' "$page" || true)
  for ((k = 1; k <= blocks; k++)); do
    file=$work/$(basename "$page" .md)-$k.c
    block "$page" "$k" >"$file"
    if ! grep -q '^#include' "$file"; then
      { printf '%s\n#line 1 "%s, piece %d"\n' "$host" "$page" "$k" && cat "$file" && echo '}'; } >"$file.whole"
      mv "$file.whole" "$file"
    fi
    "$cc" -std=c11 -Wall -Wextra -Werror -Iinclude -fsyntax-only "$file"
    compiled=$((compiled + 1))
  done
done

# docs/names-0.2.sed makes only names that exist, and all of them from names that do not.
while IFS=/ read -r _ old new _; do
  grep -rqw "$new" include || { echo "docs/names-0.2.sed: $new does not exist" >&2 && exit 1; }
  if grep -rqw "${old//\\b/}" include; then echo "docs/names-0.2.sed: ${old//\\b/} still exists" >&2 && exit 1; fi
done < <(grep '^s/' docs/names-0.2.sed)

missing=0
for page in README.md docs/*.md docs/arithmetic/*.md; do
  for name in $(grep -ohE '\b(throng|THRONG)_[A-Za-z0-9_]*[A-Za-z0-9]\b' "$page" | sort -u); do
    grep -rqw "$name" include kernel CMakeLists.txt examples bench tests ||
      { echo "$page names $name, which does not exist" >&2 && missing=1; }
  done
done
[[ $missing == 0 ]]
echo "$compiled pieces of C compile"
