/* test_own_values.c: tests of values of single agents: the maximum yaw rate, the weight of a rule that the group names,
 * and radii and feelers in the agent's own body lengths; and of what a moment of inertia does not change.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/stage.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265f

static throng_world_def world_of(int spatial) {
  throng_world_def def = throng_default_world_def();
  def.space = spatial ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR;
  def.perception_radius = 5.0f;
  return def;
}

static void write_own(throng_world *world, throng_column column, throng_agent_id id, float value) {
  throng_error error;
  require_ok(throng_agents_write(world, column, &id, 1, &value, 0, &error), &error);
}

static float yaw_of(throng_world *world, int spatial, throng_agent_id id) {
  const throng_vec3 f = stage_read(world, THRONG_COLUMN_FACING, id);
  return spatial ? atan2f(f.x, f.z) : f.x;
}

/* Facings that follow the motion, and steered ones, turn at the agent's own rate. */
static void own_yaw_rates(void **state) {
  (void)state;
  for (int k = 0; k < 4; k++) {
    const bool spatial = k & 1, steered = k & 2;
    const throng_world_def def = world_of(spatial);
    throng_group_def g = stage_idle_group();
    if (steered) {
      g.facing = THRONG_FACING_STEERED;
      g.upright = true;
      g.max_yaw_rate = 3.0f;
      g.max_yaw_acceleration = 1e6f;
      group_want(&g, THRONG_BEHAVIOUR_ALIGN, 1.0f)->align.offset = PI / 2;
      g.behaviour[0].target = (throng_target){.kind = THRONG_TARGET_POINT};
      g.behaviour[0].align.time_to_target = 0.001f;
    }
    throng_world *world = stage_world(&def, &g);
    throng_agent_id ids[2];
    stage_add(world, 2, (throng_vec3[]){{0, 0, 0}, {50, 0, 0}}, NULL, NULL, ids);
    stage_write(world, THRONG_COLUMN_VELOCITY, ids[0], (throng_vec3){1, 0, 0});
    stage_write(world, THRONG_COLUMN_VELOCITY, ids[1], (throng_vec3){1, 0, 0});
    write_own(world, THRONG_COLUMN_MAX_YAW_RATE, ids[1], 0.5f);
    assert_true(isnan(stage_read(world, THRONG_COLUMN_MAX_YAW_RATE, ids[0]).x));
    assert_true(stage_read(world, THRONG_COLUMN_MAX_YAW_RATE, ids[1]).x == 0.5f);
    for (int frame = 0; frame < 10; frame++) stage_step(world, 0.01f);
    const float first = yaw_of(world, spatial, ids[0]), second = yaw_of(world, spatial, ids[1]);
    assert_true(fabsf(first - (steered ? 0.3f : PI / 2)) < 0.05f);
    assert_true(fabsf(second - 0.05f) < 0.006f);
    throng_world_destroy(world);
  }
}

/* The own weight multiplies what the named rule wants, and the explanation tells it. */
static void own_weights(void **state) {
  (void)state;
  for (int k = 0; k < 8; k++) {
    const throng_world_def def = world_of(k & 1);
    const bool rule = k & 2, named = k & 4;
    throng_group_def g = stage_idle_group();
    g.max_acceleration = 10.0f;
    if (rule) {
      g.separation.weight = 1.0f;
      g.separation.strength = 0.4f;
    } else {
      group_want(&g, THRONG_BEHAVIOUR_LOOK, 0.0f);
      group_want(&g, THRONG_BEHAVIOUR_SEEK, 0.2f)->target = (throng_target){.kind = THRONG_TARGET_POINT};
    }
    g.own_weight = !named ? THRONG_OWN_WEIGHT_NONE : rule ? THRONG_OWN_WEIGHT_SEPARATION : THRONG_OWN_WEIGHT_BEHAVIOUR;
    g.own_weight_entry = 1;
    throng_world *world = stage_world(&def, &g);
    throng_agent_id ids[2];
    throng_error error;
    throng_explanation why;
    stage_add(world, 2, (throng_vec3[]){{2, 0, 0}, {4, 0, 0}}, NULL, NULL, ids);
    write_own(world, THRONG_COLUMN_WEIGHT, ids[1], 0.5f);
    require_ok(throng_world_watch(world, ids[1], &error), &error);
    require_ok(throng_world_steer(world, 0.01f, &error), &error);
    const float first = fabsf(stage_read(world, THRONG_COLUMN_ACCELERATION, ids[0]).x),
                second = fabsf(stage_read(world, THRONG_COLUMN_ACCELERATION, ids[1]).x);
    const float of_group = rule ? 1.0f : 0.2f, own = named ? 0.5f : of_group;
    assert_true(first > 0.0f && fabsf(second / first - own / of_group) < 1e-5f);
    require_ok(throng_world_explain(world, ids[1], &why, &error), &error);
    assert_true(why.count == 1 && why.contribution[0].weight == own);
    throng_world_destroy(world);
  }
}

static void what_is_refused(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  throng_world *world = stage_world(NULL, &g);
  throng_error error;
  g.own_weight = THRONG_OWN_WEIGHT_COHESION;
  require_error(throng_world_set_group(world, 0, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
  assert_string_equal(error.text, "group.own_weight is cohesion, which has no weight");
  g.own_weight = THRONG_OWN_WEIGHT_BEHAVIOUR;
  require_error(throng_world_set_group(world, 0, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
  assert_non_null(strstr(error.text, "own_weight_entry is 0"));
  g.own_weight = THRONG_OWN_WEIGHT_NONE;
  g.own_bodies = true;
  g.body_radius = 0.0f;
  require_error(throng_world_set_group(world, 0, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
  assert_non_null(strstr(error.text, "own_bodies"));
  throng_world_destroy(world);
}

/* Two neighbours 1.5 m apart: within two of the body lengths of the large agent, and beyond those of the small one. */
static void radii_in_own_body_lengths(void **state) {
  (void)state;
  for (int k = 0; k < 8; k++) {
    const throng_world_def def = world_of(k & 1);
    const bool own = k & 2, perception = k & 4;
    throng_group_def g = stage_idle_group();
    g.separation.weight = 1.0f;
    g.separation.strength = 0.1f;
    g.radii_in_bodies = true;
    g.own_bodies = own;
    g.when_target_lost = THRONG_WHEN_LOST_COAST;
    *(perception ? &g.perception_radius : &g.separation.radius) = 2.0f;
    throng_world *world = stage_world(&def, &g);
    throng_agent_id ids[2];
    throng_error error;
    stage_add(world, 2, (throng_vec3[]){{0, 0, 0}, {1.5f, 0, 0}}, NULL, NULL, ids);
    write_own(world, THRONG_COLUMN_BODY_RADIUS, ids[1], 0.5f);
    require_ok(throng_world_steer(world, 0.01f, &error), &error);
    assert_true(stage_length(stage_read(world, THRONG_COLUMN_ACCELERATION, ids[0])) == 0.0);
    const double pushed = stage_length(stage_read(world, THRONG_COLUMN_ACCELERATION, ids[1]));
    assert_true(own ? fabs(pushed - 0.1 * 2.0 / 1.5) < 1e-6 : pushed == 0.0); /* k r / d */
    throng_world_destroy(world);
  }
}

/* A feeler of 4 body lengths, 1.6 m or 4 m, meets a circle or a wall 3 m ahead, with the bits of one in metres. */
static void feelers_in_body_lengths(void **state) {
  (void)state;
  for (int k = 0; k < 4; k++) {
    const bool walls = k & 1, own = k & 2;
    const throng_world_def def = world_of(0);
    throng_group_def g = stage_idle_group();
    throng_behaviour *b = group_want(&g, walls ? THRONG_BEHAVIOUR_AVOID_WALLS : THRONG_BEHAVIOUR_AVOID_OBSTACLES, 1.0f);
    float *const ahead = walls ? &b->avoid_walls.look_ahead : &b->avoid_obstacles.look_ahead;
    *(walls ? &b->avoid_walls.look_ahead_time : &b->avoid_obstacles.look_ahead_time) = 0.0f;
    *ahead = 4.0f;
    g.look_ahead_in_bodies = true;
    g.own_bodies = own;
    throng_world *world = stage_world(&def, &g);
    throng_agent_id ids[2];
    throng_error error;
    stage_add(world, 2, (throng_vec3[]){{0, 0, 0}, {0, 0, 1}}, (throng_vec3[]){{0, 0, 1}, {0, 0, 1}}, NULL, ids);
    write_own(world, THRONG_COLUMN_BODY_RADIUS, ids[1], 0.5f);
    throng_scenery_def scenery = throng_default_scenery_def();
    const throng_vec3 centre = {0.1f, 0, 4}, wall[] = {{-9, 0, 4}, {9, 0, 4}};
    const float radius = 0.3f;
    scenery.obstacle_centre.data = &centre;
    scenery.obstacle_radius.data = &radius;
    scenery.obstacle_count = walls ? 0 : 1;
    scenery.wall_from.data = &wall[0];
    scenery.wall_to.data = &wall[1];
    scenery.wall_count = walls ? 1 : 0;
    require_ok(throng_world_set_scenery(world, &scenery, &error), &error);
    require_ok(throng_world_steer(world, 0.01f, &error), &error);
    assert_true(stage_length(stage_read(world, THRONG_COLUMN_ACCELERATION, ids[0])) == 0.0);
    const throng_vec3 felt = stage_read(world, THRONG_COLUMN_ACCELERATION, ids[1]);
    assert_true((stage_length(felt) > 0.0) == own);
    if (own) {
      g.look_ahead_in_bodies = false; /* b is an element of g */
      *ahead = 4.0f;
      require_ok(throng_world_set_group(world, 0, &g, &error), &error);
      require_ok(throng_world_steer(world, 0.01f, &error), &error);
      const throng_vec3 metres = stage_read(world, THRONG_COLUMN_ACCELERATION, ids[1]);
      assert_memory_equal(&felt, &metres, sizeof felt);
    }
    throng_world_destroy(world);
  }
}

/* The size of a moment of inertia does not change how a steered facing turns, with or without steering_is_force. */
static void inertia_is_for_rigid_bodies(void **state) {
  (void)state;
  static const float moments[] = {1.0f, 10.0f, 100.0f};
  for (int force = 0; force < 2; force++) {
    float turned[3];
    for (int k = 0; k < 3; k++) {
      throng_group_def g = stage_idle_group();
      g.facing = THRONG_FACING_STEERED;
      g.max_yaw_rate = 3.0f;
      g.steering_is_force = force;
      g.moment_of_inertia = moments[k];
      group_want(&g, THRONG_BEHAVIOUR_FACE, 1.0f)->target =
          (throng_target){.kind = THRONG_TARGET_POINT, .point = {9, 0, 0}};
      throng_world *world = stage_world(NULL, &g);
      throng_agent_id id;
      stage_add(world, 1, &(throng_vec3){0, 0, 0}, NULL, NULL, &id);
      for (int frame = 0; frame < 20; frame++) stage_step(world, 1.0f / 60.0f);
      turned[k] = stage_read(world, THRONG_COLUMN_FACING, id).x;
      throng_world_destroy(world);
    }
    assert_true(turned[0] > 0.1f && turned[0] == turned[1] && turned[1] == turned[2]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(own_yaw_rates),           cmocka_unit_test(own_weights),
      cmocka_unit_test(what_is_refused),         cmocka_unit_test(radii_in_own_body_lengths),
      cmocka_unit_test(feelers_in_body_lengths), cmocka_unit_test(inertia_is_for_rigid_bodies),
  };
  return cmocka_run_group_tests_name("own values", tests, NULL, NULL);
}
