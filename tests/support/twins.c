/* tests/support/twins.c
 * SPDX-License-Identifier: MIT */
#include "support/stage.h"
#include "support/twins.h"

#include <inttypes.h>
#include <math.h>

static float at(throng_vec3 p, int axis) { return (&p.x)[axis]; }

bool twins_axis_is_periodic(const throng_world_def *def, int axis) {
  return def->boundary[axis] == THRONG_BOUNDARY_PERIODIC && (axis != 1 || def->space == THRONG_SPACE_SPATIAL);
}

static float wrapped(const throng_world_def *def, int axis, float p) {
  if (!twins_axis_is_periodic(def, axis) || (p >= 0 && p < TWINS_SIDE)) return p;
  float t = p - TWINS_SIDE * floorf(p / TWINS_SIDE);
  if (t < 0) t += TWINS_SIDE;
  return t >= TWINS_SIDE ? 0 : t;
}

void twins_make(twins *t, throng_world_def def, const throng_group_def *group) {
  def.box_min = (throng_vec3){0, 0, 0};
  def.box_max = (throng_vec3){TWINS_SIDE, TWINS_SIDE, TWINS_SIDE};
  throng_world_def open_def = def;
  for (int c = 0; c < 3; c++)
    if (def.boundary[c] == THRONG_BOUNDARY_PERIODIC) open_def.boundary[c] = THRONG_BOUNDARY_UNBOUNDED;
  t->def = def;
  t->world = stage_world(&def, group);
  t->open = stage_world(&open_def, group);
  t->count = 0;
}

void twins_offer(twins *t, test_rng *rng, throng_vec3 p, throng_vec3 velocity) {
  const float radius = rng_chance(rng, 0.5f) ? 0 : rng_float(rng, 0, 9);
  assert_true(throng_world_is_free(t->world, p, radius) == throng_world_is_free(t->open, p, radius));
  if (t->count == TWINS_MOST || !throng_world_is_free(t->world, p, 0)) return;
  t->start[t->count] = p;
  t->velocity[t->count++] = velocity;
}

static void compare_agent(twins *t, uint32_t k, uint64_t seed) {
  const throng_vec3 p = stage_read(t->world, THRONG_COLUMN_POSITION, t->ids[k]),
                    q = stage_read(t->open, THRONG_COLUMN_POSITION, t->open_ids[k]),
                    v = stage_read(t->world, THRONG_COLUMN_VELOCITY, t->ids[k]),
                    u = stage_read(t->open, THRONG_COLUMN_VELOCITY, t->open_ids[k]);
  for (int c = 0; c < 3; c++) {
    const float expected = wrapped(&t->def, c, at(q, c));
    if (at(p, c) != expected || at(v, c) != at(u, c))
      fail_msg("seed %" PRIu64 ", agent %u, axis %d: position %.9g instead of %.9g, velocity %.9g instead of %.9g",
               seed, k, c, (double)at(p, c), (double)expected, (double)at(v, c), (double)at(u, c));
    t->wraps += at(p, c) != at(q, c);
    t->stops += at(u, c) == 0.0f && at(t->velocity[k], c) != 0.0f;
  }
}

void twins_compare(twins *t, float dt, uint64_t seed) {
  stage_add(t->world, t->count, t->start, t->velocity, NULL, t->ids);
  stage_add(t->open, t->count, t->start, t->velocity, NULL, t->open_ids);
  stage_step(t->world, dt);
  stage_step(t->open, dt);
  for (uint32_t k = 0; k < t->count; k++) compare_agent(t, k, seed);
  throng_world_destroy(t->world);
  throng_world_destroy(t->open);
}
