/* test_facing.c: tests of the facing modes. test_yaw.c and test_spatial_turns.c test steered facings.
 * SPDX-License-Identifier: MIT */
#include "support/stage.h"

#include <math.h>

#define PI 3.14159265358979323846

static void facing_modes_planar(void **state) {
  (void)state;
  for (int mode = 0; mode < 3; mode++) {
    throng_group_def g = stage_idle_group();
    g.facing = (throng_facing)mode;
    g.facing_time = 0.25f;
    throng_world *world = stage_world(NULL, &g);
    const throng_vec3 p[3] = {{0, 0, 0}, {10, 0, 0}, {20, 0, 0}}, v[3] = {{1, 0, 0}, {0, 0, 0}, {-0.1f, 0, -1}};
    const float yaw[3] = {0.5f, 0.5f, 3.0f};
    throng_agents_def def = throng_default_agents_def();
    throng_agent_id ids[3];
    throng_error error;
    def.position.data = p;
    def.velocity.data = v;
    def.facing.data = yaw;
    require_ok(throng_agents_add(world, &def, 3, ids, &error), &error);
    stage_step(world, 0.1f);
    const double k = 1.0 - exp(-0.4), target = PI * 0.5,
                 seam = atan2(-0.1, -1.0); /* from a yaw of 3 the short arc crosses pi */
    const double wanted[3] = {mode == 0 ? target : (mode == 1 ? 0.5 + k * (target - 0.5) : 0.5), 0.5,
                              mode == 0 ? seam : (mode == 1 ? 3.0 + k * (seam + 2.0 * PI - 3.0) : 3.0)};
    for (int i = 0; i < 3; i++) {
      const double got = (double)stage_read(world, THRONG_COLUMN_FACING, ids[i]).x;
      if (!(fabs(remainder(got - wanted[i], 2.0 * PI)) < 2e-6))
        print_error("mode %d, agent %d: facing %g, expected %g\n", mode, i, got, wanted[i]);
      assert_true(fabs(remainder(got - wanted[i], 2.0 * PI)) < 2e-6 && fabs(got) <= 3.1415930);
    }
    throng_world_destroy(world);
  }
}

/* Below facing_speed the facing is unchanged; from it on the facing follows the velocity. */
static void facings_stay_while_slow(void **state) {
  (void)state;
  for (uint32_t space = 0; space < 2; space++)
    for (int mode = 0; mode < 2; mode++) {
      throng_group_def g = stage_idle_group();
      throng_world_def def = throng_default_world_def();
      def.space = (throng_space)space;
      g.facing = (throng_facing)mode;
      g.facing_speed = 0.0625f;
      throng_world *world = stage_world(&def, &g);
      const throng_vec3 p[3] = {{0, 0, 0}, {10, 0, 0}, {20, 0, 0}}, v[3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}},
                        slow[3] = {{nextafterf(0.0625f, 0.0f), 0, 0}, {0.0625f, 0, 0}, {0, 0, 0}};
      throng_agent_id ids[3];
      stage_add(world, 3, p, v, NULL, ids);
      for (int i = 0; i < 3; i++) stage_write(world, THRONG_COLUMN_VELOCITY, ids[i], slow[i]);
      const throng_vec3 before = stage_read(world, THRONG_COLUMN_FACING, ids[0]);
      stage_step(world, 0.02f);
      assert_true(stage_distance(stage_read(world, THRONG_COLUMN_FACING, ids[0]), before) == 0.0);
      assert_true(stage_distance(stage_read(world, THRONG_COLUMN_FACING, ids[1]), before) > 0.1);
      assert_true(stage_distance(stage_read(world, THRONG_COLUMN_FACING, ids[2]), before) == 0.0);
      throng_world_destroy(world);
    }
}

static void facing_modes_spatial(void **state) {
  (void)state;
  for (int mode = 0; mode < 3; mode++) {
    throng_group_def g = stage_idle_group();
    throng_world_def def = throng_default_world_def();
    def.space = THRONG_SPACE_SPATIAL;
    g.facing = (throng_facing)mode;
    g.facing_time = 0.05f;
    throng_world *world = stage_world(&def, &g);
    /* The last agent turns by 180 degrees. */
    const throng_vec3 p[3] = {{0, 0, 0}, {10, 0, 0}, {20, 0, 0}}, v[3] = {{0, 3, 4}, {0, 0, 0}, {0, 0, -1}},
                      f[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    throng_agents_def agents = throng_default_agents_def();
    throng_agent_id ids[3];
    throng_error error;
    agents.position.data = p;
    agents.velocity.data = v;
    agents.facing.data = f;
    require_ok(throng_agents_add(world, &agents, 3, ids, &error), &error);
    for (int k = 0; k < 100; k++) {
      stage_step(world, 0.02f);
      for (int i = 0; i < 3; i++)
        assert_true(fabs(stage_length(stage_read(world, THRONG_COLUMN_FACING, ids[i])) - 1.0) < 1e-6);
    }
    const throng_vec3 up_front = {0, 0.6f, 0.8f}, back = {0, 0, -1};
    const bool fixed = mode == THRONG_FACING_FIXED;
    assert_true(stage_distance(stage_read(world, THRONG_COLUMN_FACING, ids[0]), fixed ? f[0] : up_front) < 1e-5);
    assert_true(stage_distance(stage_read(world, THRONG_COLUMN_FACING, ids[1]), f[1]) == 0.0);
    assert_true(stage_distance(stage_read(world, THRONG_COLUMN_FACING, ids[2]), fixed ? f[2] : back) < 1e-5);
    throng_world_destroy(world);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(facing_modes_planar),
      cmocka_unit_test(facing_modes_spatial),
      cmocka_unit_test(facings_stay_while_slow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
