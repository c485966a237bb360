/* tests/support/crowd_paths.c: random paths, and random path parameters of agents.
 * SPDX-License-Identifier: MIT */
#include "reference/reference_a.h"
#include "support/check.h"
#include "support/crowds.h"
#include "support/groups.h"

#include <math.h>

/* Returns one coordinate of the next point. Style 0: anywhere in [low, high]. Style 1: within 2 R of the last point.
 * Style 2: the last coordinate plus a multiple of R/2, so that distances tie and segments overlap. */
static float path_coordinate(test_rng *rng, const crowd *c, uint32_t style, float last, float low, float high) {
  const float radius = c->def.perception_radius;
  float value = rng_float(rng, low, high);
  if (style == 1) value = last + rng_float(rng, -2.0f, 2.0f) * radius;
  if (style == 2) value = last + ((float)rng_below(rng, 5) - 2.0f) * radius * 0.5f;
  value = value < low ? low : value;
  return value > high ? high : value;
}

/* Returns the length of the segment from p to q in metres. Returns 0 if the path parameters of its ends are equal as
 * floats, because it is too short compared with the `so_far` metres before it. */
static double step_of(const crowd *c, throng_vec3 p, throng_vec3 q, double so_far) {
  const float from[3] = {p.x, p.y, p.z}, to[3] = {q.x, q.y, q.z};
  double square = 0.0;
  for (int k = 0; k < 3; k++) {
    const ref_axis axis = ref_a_axis(&c->def, k);
    const double d = axis.exists ? (double)ref_a_difference(&axis, from[k], to[k]) : 0.0;
    square += d * d;
  }
  return sqrt(square) > 1e-5 * so_far ? sqrt(square) : 0.0;
}

static void random_path(test_rng *rng, crowd *c, crowd_path *path, const float low[3], const float high[3]) {
  const uint32_t wanted = rng_chance(rng, 0.3f) ? 2 : 2 + rng_below(rng, CROWD_PATH_POINTS - 2);
  const uint32_t style = rng_below(rng, 3);
  double length = 0.0;
  throng_vec3 last = {path_coordinate(rng, c, 0, 0.0f, low[0], high[0]),
                      path_coordinate(rng, c, 0, 0.0f, low[1], high[1]),
                      path_coordinate(rng, c, 0, 0.0f, low[2], high[2])};
  path->point[0] = last;
  path->count = 1;
  for (uint32_t k = 1; k < wanted; k++) {
    const throng_vec3 next = {path_coordinate(rng, c, style, last.x, low[0], high[0]),
                              path_coordinate(rng, c, style, last.y, low[1], high[1]),
                              path_coordinate(rng, c, style, last.z, low[2], high[2])};
    const double step = step_of(c, last, next, length);
    if (step == 0.0) continue;
    length += step;
    path->point[path->count++] = last = next;
  }
  path->closed = rng_chance(rng, 0.5f) && step_of(c, last, path->point[0], length) > 0.0;
  if (path->count < 2) path->count = 0;
}

bool crowd_follows(const crowd *c) {
  for (uint32_t g = 0; g < c->group_count; g++)
    if (group_wants(&c->groups[g], THRONG_BEHAVIOUR_FOLLOW_PATH)) return true;
  return false;
}

void crowd_random_paths(crowd *c, test_rng *rng, const float low[3], const float high[3]) {
  for (uint32_t k = 0; k < CROWD_MAX_PATHS; k++) {
    c->paths[k] = (crowd_path){0};
    if (rng_chance(rng, 0.8f)) random_path(rng, c, &c->paths[k], low, high);
  }
  const float most = (high[0] - low[0]) * 3.0f;
  for (uint32_t i = 0; i < c->count; i++) {
    const bool known = rng_chance(rng, 0.5f);
    c->agents[i].path_parameter = known && crowd_follows(c) ? rng_float(rng, 0.0f, most) : NAN;
  }
}

void crowd_random_follower(test_rng *rng, throng_group_def *g, float radius, bool limited) {
  static const float offsets[] = {0.0f, 0.3f, 2.0f, -1.0f, 100.0f}, times[] = {0.0f, 0.0f, 0.5f, -0.5f};
  static const float windows[] = {0.0f, 0.1f, 1.0f, 5.0f, 40.0f}, radii[] = {0.0f, 0.1f, 2.0f, 10.0f};
  throng_behaviour *behaviour = throng_group_def_add(g, THRONG_BEHAVIOUR_FOLLOW_PATH);
  throng_follow_path *follow = &behaviour->follow_path;
  behaviour->weight = rng_float(rng, 0.1f, 2.0f);
  follow->index = rng_below(rng, CROWD_MAX_PATHS);
  follow->time_to_target =
      limited && rng_chance(rng, 0.7f) ? rng_pick(rng, (const float[]){0.02f, 0.1f, 1.0f}, 3) : 0.0f;
  follow->offset = radius * rng_pick(rng, offsets, 5);
  follow->offset_time = rng_pick(rng, times, 4);
  follow->predict_time = rng_chance(rng, 0.5f) ? 0.0f : rng_float(rng, 0.01f, 1.0f);
  follow->window = radius * rng_pick(rng, windows, 5);
  follow->slow_radius = radius * rng_pick(rng, radii, 4);
  follow->target_radius = radius * rng_pick(rng, radii, 4) * 0.2f;
}

void crowd_set_paths(const crowd *c, throng_world *world) {
  throng_error error;
  for (uint32_t k = 0; k < CROWD_MAX_PATHS; k++) {
    throng_path_def def = throng_default_path_def();
    def.points.data = c->paths[k].point;
    def.count = c->paths[k].count;
    def.closed = c->paths[k].closed;
    require_ok(throng_world_set_path(world, k, def.count > 0 ? &def : NULL, &error), &error);
  }
}
