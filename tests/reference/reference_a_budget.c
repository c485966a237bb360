/* tests/reference/reference_a_budget.c: reference A's neighbour budget, which determines the number of neighbours that
 * each agent counts as. See "Neighbour budget" in docs/ARITHMETIC.md.
 * SPDX-License-Identifier: MIT */
#include "reference/reference_a_internal.h"

typedef struct cell {
  int32_t key[3];
} cell;

static cell cell_of(const frame *f, const crowd_agent *a) {
  const float p[3] = {a->position.x, a->position.y, a->position.z};
  cell c = {{0, 0, 0}};
  for (int k = 0; k < 3; k++)
    if (f->axis[k].exists) c.key[k] = ref_a_key(&f->axis[k], p[k]);
  return c;
}

/* Returns the distance between two keys in cells. In a periodic world this is the shorter of the two ways around. */
static int32_t apart(const ref_axis *axis, int32_t a, int32_t b) {
  const int32_t d = a < b ? b - a : a - b;
  return axis->periodic && axis->count - d < d ? axis->count - d : d;
}

static bool around(const frame *f, cell a, cell b, int32_t bins) {
  return apart(&f->axis[0], a.key[0], b.key[0]) <= bins && apart(&f->axis[1], a.key[1], b.key[1]) <= 1 &&
         apart(&f->axis[2], a.key[2], b.key[2]) <= 1;
}

void ref_a_weights(const frame *f, uint32_t spared, float *weight) {
  const crowd *c = f->crowd;
  const uint64_t limit = 4 * (uint64_t)c->def.neighbour_budget;
  const uint32_t phase = (uint32_t)c->frame * 0x9E3779B9u;
  for (uint32_t j = 0; j < c->count; j++) {
    weight[j] = 1.0f;
    if (limit == 0) continue;
    const cell mine = cell_of(f, &c->agents[j]);
    uint64_t members = 0, before = 0, all = 0, near = 0;
    for (uint32_t k = 0; k < c->count; k++) {
      const cell other = cell_of(f, &c->agents[k]);
      const bool same = memcmp(&mine, &other, sizeof mine) == 0;
      members += same;
      before += same && k < j;
      all += around(f, mine, other, 4);
      near += around(f, mine, other, 1);
    }
    const uint64_t most = 2 * near > all ? 2 * near : all;
    if (members <= limit / (f->spatial ? 81 : 27) || most <= limit) continue;
    const uint64_t chosen = (members * limit + most - 1) / most;
    if (members <= spared * chosen) continue;
    const uint64_t first = phase * members >> 32, turn = (first + (members - chosen) * before) % members;
    weight[j] = turn < chosen ? (float)members / (float)chosen : 0.0f;
  }
}
