/* tests/groups/test_view_border.c: tests that an agent sees neighbours exactly at the border of its field of view, for
 * every facing.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/random.h"
#include "support/stage.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

static uint64_t base_seed;

/* Returns a group with only cohesion or only separation, and a field of view: the acceleration is 0 only if the agent
 * sees no neighbour. */
static throng_group_def viewer(float view, bool separates) {
  throng_group_def g = stage_idle_group();
  g.facing = THRONG_FACING_FIXED;
  g.max_acceleration = 1.0f;
  g.cohesion.form = THRONG_COHESION_SEEK;
  (separates ? &g.separation.weight : &g.cohesion.weight)[0] = 1.0f;
  g.field_of_view = separates ? 6.2831855f : view;
  g.separation.field_of_view = view;
  return g;
}

/* Whether agent 0 sees agent 1. facing: the yaw of agent 0; in spatial worlds a vector. */
static bool sees(throng_space space, const throng_group_def *g, throng_vec3 own, throng_vec3 other,
                 const void *facing) {
  throng_world_def def = throng_default_world_def();
  throng_agents_def agents = throng_default_agents_def();
  throng_agent_id id[2];
  throng_error error;
  def.space = space;
  def.perception_radius = 8.0f;
  const throng_vec3 p[2] = {own, other};
  throng_world *world = stage_world(&def, g);
  agents.position.data = p;
  agents.facing = (throng_span){facing, THRONG_STRIDE_ONE};
  require_ok(throng_agents_add(world, &agents, 2, id, &error), &error);
  require_ok(throng_world_steer(world, 0.01f, &error), &error);
  const throng_vec3 a = stage_read(world, THRONG_COLUMN_ACCELERATION, id[0]);
  throng_world_destroy(world);
  return a.x != 0.0f || a.y != 0.0f || a.z != 0.0f;
}

/* Neighbours, yaws and borders of views are at multiples of 45 degrees, so that neighbours lie exactly on the
 * borders. */
static void neighbours_at_multiples_of_45_degrees(void **state) {
  (void)state;
  static const int step[8][2] = {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}; /* x, z */
  static const float views[4] = {0.0f, THRONG_VIEW_NARROW, THRONG_VIEW_LIMITED, THRONG_VIEW_WIDE};
  static const float scales[3] = {1.0f, 0.37f, 5.3f};
  for (int view = 0; view < 4; view++)
    for (int yaw = -3; yaw <= 4; yaw++)
      for (int k = 0; k < 8; k++)
        for (int variant = 0; variant < 6; variant++) {
          const throng_group_def g = viewer(views[view], variant % 2);
          const float f = (float)(yaw * PI / 4.0), scale = scales[variant / 2];
          const throng_vec3 other = {scale * (float)step[k][0], 0, scale * (float)step[k][1]};
          const int apart = abs(((k - yaw) % 8 + 12) % 8 - 4); /* in eighths of a turn */
          const bool wanted = apart <= view, seen = sees(THRONG_SPACE_PLANAR, &g, (throng_vec3){0, 0, 0}, other, &f);
          if (seen != wanted)
            fail_msg("view %d * 90 degrees, yaw %d * 45, neighbour at %d * 45, scale %g: %sseen", view, yaw, k,
                     (double)scale, seen ? "" : "not ");
        }
}

/* For random angles: a neighbour up to 1e-6 radians beyond the border is seen; one a little farther beyond is not. */
static void the_border_is_sharp(void **state) {
  (void)state;
  static const float presets[4] = {THRONG_VIEW_WIDE, THRONG_VIEW_LIMITED, THRONG_VIEW_NARROW, THRONG_VIEW_NARROWEST};
  for (uint32_t round = 0; round < 4000; round++) {
    test_rng rng = rng_from(base_seed + round);
    const float view = rng_chance(&rng, 0.5f) ? presets[rng_below(&rng, 4)] : rng_float(&rng, 0.3f, 6.0f);
    const throng_group_def g = viewer(view, rng_chance(&rng, 0.5f));
    const float yaw = rng_float(&rng, -3.14159f, 3.14159f);
    const double side = rng_chance(&rng, 0.5f) ? 1.0 : -1.0, distance = (double)rng_float(&rng, 0.01f, 7.0f);
    const bool inside = rng_chance(&rng, 0.5f);
    const double border = 0.5 * (double)view, slack = 1e-6 + 1.4e-6 / sin(border);
    const double beyond =
        inside ? (double)rng_float(&rng, -3e-6f, 0.9e-6f) : slack + 1e-6 * (double)rng_float(&rng, 1, 4);
    const double way = (double)yaw + side * (border + beyond);
    /* The agent is at the origin, so that the neighbour's direction has an error of only a few 1e-8 radians. */
    const throng_vec3 other = {(float)(distance * sin(way)), 0, (float)(distance * cos(way))};
    const double off = remainder(atan2((double)other.x, (double)other.z) - way, 2 * PI);
    if (inside && beyond + fabs(off) > 1e-6) continue;
    const bool seen = sees(THRONG_SPACE_PLANAR, &g, (throng_vec3){0, 0, 0}, other, &yaw);
    if (seen != inside)
      fail_msg("seed %" PRIu64 ": view %.9g, yaw %.9g, %g rad beyond the border: %sseen", base_seed + round,
               (double)view, (double)yaw, beyond, seen ? "" : "not ");
  }
}

/* The same in spatial worlds, with random facings. */
static void nor_in_space_does_the_facing_matter(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 2000; round++) {
    test_rng rng = rng_from(base_seed + 20000 + round);
    const float view = rng_chance(&rng, 0.5f) ? THRONG_VIEW_WIDE : rng_float(&rng, 0.3f, 6.0f);
    const throng_group_def g = viewer(view, rng_chance(&rng, 0.5f));
    const double t = (double)rng_float(&rng, -3.14f, 3.14f), u = (double)rng_float(&rng, -1.5f, 1.5f);
    const throng_vec3 f = {(float)(cos(u) * sin(t)), (float)sin(u), (float)(cos(u) * cos(t))};
    const double n = sqrt((double)f.x * (double)f.x + (double)f.y * (double)f.y + (double)f.z * (double)f.z);
    const double a[3] = {(double)f.x / n, (double)f.y / n, (double)f.z / n}, b[3] = {cos(t), 0.0, -sin(t)};
    const bool inside = rng_chance(&rng, 0.5f);
    const double border = 0.5 * (double)view, slack = 1e-6 + 1.4e-6 / sin(border);
    const double way = border + (inside ? (double)rng_float(&rng, -3e-6f, 0.9e-6f) : slack + 2e-6);
    const double d = (double)rng_float(&rng, 0.01f, 7.0f);
    const throng_vec3 other = {(float)(d * (a[0] * cos(way) + b[0] * sin(way))), (float)(d * a[1] * cos(way)),
                               (float)(d * (a[2] * cos(way) + b[2] * sin(way)))};
    const bool seen = sees(THRONG_SPACE_SPATIAL, &g, (throng_vec3){0, 0, 0}, other, &f);
    if (seen != inside)
      fail_msg("seed %" PRIu64 ": view %.9g, %g rad beyond the border: %sseen", base_seed + 20000 + round, (double)view,
               way - border, seen ? "" : "not ");
  }
}

int main(void) {
  base_seed = test_seed("test_view_border", 135);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(neighbours_at_multiples_of_45_degrees),
      cmocka_unit_test(the_border_is_sharp),
      cmocka_unit_test(nor_in_space_does_the_facing_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
