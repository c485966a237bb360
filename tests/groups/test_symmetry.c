/* tests/groups/test_symmetry.c: tests that two agents that meet head-on move to opposite sides, and that a smooth
 * facing turns by the same fraction of the angle in planar and in spatial worlds. SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/stage.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

static throng_group_def walker(throng_facing facing) {
  throng_group_def g = stage_idle_group();
  g.max_speed = 1.5f;
  g.max_acceleration = 3.0f;
  g.body_radius = 0.25f;
  g.avoidance.weight = 1.0f;
  g.avoidance.horizon = 4.0f;
  g.facing = facing;
  return g;
}

/* Returns a world with two agents 4 m apart that move towards each other along `way`, with the yaws `yaw`. */
static throng_world *meeting(throng_space space, throng_vec3 way, const throng_group_def *g, const float yaw[2],
                             throng_agent_id ids[2]) {
  throng_world_def def = throng_default_world_def();
  def.space = space;
  def.perception_radius = 10.0f;
  throng_world *world = stage_world(&def, g);
  const throng_vec3 p[2] = {{-2 * way.x, -2 * way.y, -2 * way.z}, {2 * way.x, 2 * way.y, 2 * way.z}};
  const throng_vec3 v[2] = {way, {-way.x, -way.y, -way.z}};
  stage_add(world, 2, p, v, NULL, ids);
  for (int k = 0; k < 2; k++) {
    const throng_vec3 facing = {sinf(yaw[k]), 0, cosf(yaw[k])};
    stage_write(world, THRONG_COLUMN_FACING, ids[k], space ? facing : (throng_vec3){yaw[k], 0, 0});
  }
  return world;
}

static void require_opposite(throng_space space, throng_vec3 way, throng_facing facing, const float yaw[2]) {
  const throng_group_def g = walker(facing);
  throng_agent_id ids[2];
  throng_error error;
  throng_world *world = meeting(space, way, &g, yaw, ids);
  require_ok(throng_world_steer(world, 0.01f, &error), &error);
  const throng_vec3 a = stage_read(world, THRONG_COLUMN_ACCELERATION, ids[0]),
                    b = stage_read(world, THRONG_COLUMN_ACCELERATION, ids[1]);
  assert_true(a.x == -b.x && a.y == -b.y && a.z == -b.z);
  assert_true(fabs(stage_length(a) - 3.0) < 1e-5);
  assert_true(fabsf(a.x * way.x + a.y * way.y + a.z * way.z) < 1e-5f);
  double nearest = INFINITY;
  for (int frame = 0; frame < 240; frame++) {
    stage_step(world, 1.0f / 60.0f);
    nearest = fmin(nearest, stage_distance(stage_read(world, THRONG_COLUMN_POSITION, ids[0]),
                                           stage_read(world, THRONG_COLUMN_POSITION, ids[1])));
  }
  assert_true(nearest > 0.49);
  throng_world_destroy(world);
}

static void head_on(void **state) {
  (void)state;
  static const throng_vec3 ways[] = {{1, 0, 0}, {0, 0, 1}, {-0.6f, 0, 0.8f}, {0, 1, 0}, {0, -1, 0}, {0.6f, -0.8f, 0}};
  static const float yaws[][2] = {{0, 0}, {1.5707964f, 1.5707964f}, {0.3f, -2.0f}, {3.0f, 0.1f}};
  for (int space = 0; space < 2; space++)
    for (int w = 0; w < (space ? 6 : 3); w++)
      for (int y = 0; y < 4; y++)
        for (int fixed = 0; fixed < 2; fixed++) {
          require_opposite((throng_space)space, ways[w], fixed ? THRONG_FACING_FIXED : THRONG_FACING_INSTANT, yaws[y]);
        }
}

/* Returns the angle between facing and velocity after `time` seconds, if it is `angle` at the beginning. */
static double left_after(throng_space space, double angle, float time, float dt) {
  throng_world_def def = throng_default_world_def();
  throng_group_def g = stage_idle_group();
  throng_agent_id id;
  def.space = space;
  g.facing = THRONG_FACING_SMOOTH;
  g.facing_time = 1.0f;
  throng_world *world = stage_world(&def, &g);
  stage_add(world, 1, &(throng_vec3){0, 0, 0}, &(throng_vec3){0, 0, 1}, NULL, &id);
  const throng_vec3 facing = {(float)sin(angle), 0, (float)cos(angle)};
  stage_write(world, THRONG_COLUMN_FACING, id, space ? facing : (throng_vec3){(float)angle, 0, 0});
  for (int frame = 0; frame < (int)(time / dt + 0.5f); frame++) stage_step(world, dt);
  const throng_vec3 f = stage_read(world, THRONG_COLUMN_FACING, id);
  throng_world_destroy(world);
  return space ? atan2((double)f.x, (double)f.z) : (double)f.x;
}

static void smooth_facings(void **state) {
  (void)state;
  static const double degrees[] = {1, 45, 90, 135, 170, 179, 179.9};
  static const float dts[] = {1.0f / 240.0f, 1.0f / 60.0f, 0.1f, 0.5f};
  for (int space = 0; space < 2; space++)
    for (int k = 0; k < 7; k++)
      for (int d = 0; d < 4; d++) {
        const double angle = degrees[k] * PI / 180.0, left = left_after((throng_space)space, angle, 1.0f, dts[d]);
        if (fabs(left - angle * exp(-1.0)) > 1e-4) {
          fail_msg("space %d, %g degrees off, dt %g: %g rad are left after facing_time, wanted %g", space, degrees[k],
                   (double)dts[d], left, angle * exp(-1.0));
        }
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(head_on), cmocka_unit_test(smooth_facings)};
  return cmocka_run_group_tests_name("symmetry", tests, NULL, NULL);
}
