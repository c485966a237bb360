/* test_kinematic.c: tests of the kinematic behaviours, which reach the wanted velocity within one frame.
 * test_reference_a.c compares their bits with the reference.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/stage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns a group with one kinematic behaviour and enough acceleration to reach its velocity in a frame. */
static throng_group_def mover(throng_behaviour_kind kind, float speed, throng_vec3 target) {
  throng_group_def g = stage_idle_group();
  g.max_speed = speed;
  g.max_acceleration = 1e6f;
  group_want(&g, kind, 1.0f)->target = (throng_target){.kind = THRONG_TARGET_POINT, .point = target};
  return g;
}

typedef struct moved {
  throng_vec3 p, v;
} moved;

/* Moves one agent from the origin for one frame. Returns its new position and velocity. */
static moved move(const throng_group_def *g, throng_vec3 velocity, float dt) {
  throng_world *world = stage_world(NULL, g);
  throng_agent_id id;
  stage_add(world, 1, &(throng_vec3){0, 0, 0}, &velocity, NULL, &id);
  stage_step(world, dt);
  const moved m = {stage_read(world, THRONG_COLUMN_POSITION, id), stage_read(world, THRONG_COLUMN_VELOCITY, id)};
  throng_world_destroy(world);
  return m;
}

static void require_velocity(moved m, double x, double z) {
  const double off = hypot((double)m.v.x - x, (double)m.v.z - z);
  if (off > 1e-5) print_error("velocity (%g, %g), expected (%g, %g)\n", (double)m.v.x, (double)m.v.z, x, z);
  assert_true(off <= 1e-5);
}

static const throng_vec3 rest = {0, 0, 0}, any = {-3, 0, 1};

/* Kinematic seek moves at max_speed; kinematic arrive at distance / time_to_target (0.25 s). */
static void scenario_1(void **state) {
  (void)state;
  throng_group_def g = mover(THRONG_BEHAVIOUR_KINEMATIC_SEEK, 1, (throng_vec3){10, 0, 0});
  const moved m = move(&g, rest, 0.02f);
  assert_true(fabsf(m.p.x - 0.020f) < 1e-8f && m.p.z == 0.0f);
  g = mover(THRONG_BEHAVIOUR_KINEMATIC_ARRIVE, 10, (throng_vec3){1, 0, 0});
  require_velocity(move(&g, any, 0.02f), 4, 0);
  g = mover(THRONG_BEHAVIOUR_KINEMATIC_ARRIVE, 10, (throng_vec3){0, 0, 0.25f});
  require_velocity(move(&g, any, 0.02f), 0, 1);
}

static void velocities_at_once(void **state) {
  (void)state;
  const throng_vec3 target = {3, 0, -4};
  static const float dts[] = {1.0f / 60.0f, 0.1f, 1.0f};
  for (int k = 0; k < 3; k++) {
    throng_group_def g = mover(THRONG_BEHAVIOUR_KINEMATIC_SEEK, 2, target);
    require_velocity(move(&g, any, dts[k]), 1.2, -1.6);
    g.behaviour[0].kinematic_seek.radius = 5.01f;
    require_velocity(move(&g, any, dts[k]), 0, 0);
    g = mover(THRONG_BEHAVIOUR_KINEMATIC_FLEE, 2, target);
    require_velocity(move(&g, any, dts[k]), -1.2, 1.6);
    g.behaviour[0].kinematic_flee.radius = 5.01f;
    require_velocity(move(&g, any, dts[k]), -1.2, 1.6);
    g.behaviour[0].kinematic_flee.radius = 4.99f;
    require_velocity(move(&g, any, dts[k]), 0, 0);
    g = mover(THRONG_BEHAVIOUR_KINEMATIC_ARRIVE, 2, target); /* max_speed: 5 m in 0.25 s would be too fast */
    require_velocity(move(&g, any, dts[k]), 1.2, -1.6);
    g.behaviour[0].kinematic_arrive.time_to_target = 5.0f;
    require_velocity(move(&g, any, dts[k]), 0.6, -0.8);
    g.behaviour[0].kinematic_arrive.radius = 5.01f;
    require_velocity(move(&g, any, dts[k]), 0, 0);
  }
}

/* B's chase along axes: diagonally until one coordinate is the target's, then straight, without overshoot. The evasion
 * moves along every axis in which the two differ. */
static void along_axes(void **state) {
  (void)state;
  const double half = 2.0 / sqrt(2.0);
  throng_group_def g = mover(THRONG_BEHAVIOUR_KINEMATIC_SEEK, 2, (throng_vec3){3, 0, -4});
  g.behaviour[0].kinematic_seek.by_axis = true;
  require_velocity(move(&g, any, 0.1f), half, -half);
  g.behaviour[0].target.point = (throng_vec3){0, 0, -4};
  require_velocity(move(&g, any, 0.1f), 0, -2);
  g.behaviour[0].target.point = (throng_vec3){0.01f, 0, -0.05f}; /* reached within the frame */
  require_velocity(move(&g, any, 0.1f), 0.1, -0.5);
  g.behaviour[0].kinematic_seek.radius = 0.1f;
  require_velocity(move(&g, any, 0.1f), 0, 0);
  g = mover(THRONG_BEHAVIOUR_KINEMATIC_FLEE, 2, (throng_vec3){1e-3f, 0, -4});
  g.behaviour[0].kinematic_flee.by_axis = true;
  require_velocity(move(&g, any, 0.1f), -half, half);
  g.behaviour[0].target.point = (throng_vec3){-1, 0, 0};
  require_velocity(move(&g, any, 0.1f), 2, 0);

  g = mover(THRONG_BEHAVIOUR_KINEMATIC_SEEK, 2, (throng_vec3){1, 0, 3});
  g.behaviour[0].kinematic_seek.by_axis = true;
  throng_world *world = stage_world(NULL, &g);
  throng_agent_id id;
  stage_add(world, 1, &rest, NULL, NULL, &id);
  for (int frame = 0; frame < 400; frame++) {
    stage_step(world, 0.01f);
    const throng_vec3 p = stage_read(world, THRONG_COLUMN_POSITION, id);
    assert_true(p.x <= 1.0f + 1e-6f && p.z <= 3.0f + 1e-6f);
    assert_true(p.z < 0.9f ? fabsf(p.x - p.z) < 1e-4f : p.z < 1.1f || fabsf(p.x - 1.0f) < 1e-4f);
  }
  const throng_vec3 p = stage_read(world, THRONG_COLUMN_POSITION, id);
  assert_true(fabsf(p.x - 1.0f) < 1e-6f && fabsf(p.z - 3.0f) < 1e-6f);
  throng_world_destroy(world);
}

/* The acceleration is the change of velocity divided by dt, and 0 if dt is 0. It is clipped to max_acceleration and
 * blended with other behaviours. */
static void accelerations(void **state) {
  (void)state;
  throng_group_def g = mover(THRONG_BEHAVIOUR_KINEMATIC_SEEK, 2, (throng_vec3){9, 0, 0});
  throng_world *world = stage_world(NULL, &g);
  throng_error error;
  throng_agent_id id;
  stage_add(world, 1, &rest, &(throng_vec3){0, 0, 1}, NULL, &id);
  require_ok(throng_world_steer(world, 0.5f, &error), &error);
  throng_vec3 a = stage_read(world, THRONG_COLUMN_ACCELERATION, id);
  assert_true(fabsf(a.x - 4) < 1e-5f && fabsf(a.z + 2) < 1e-5f);
  require_ok(throng_world_steer(world, 0.0f, &error), &error);
  a = stage_read(world, THRONG_COLUMN_ACCELERATION, id);
  assert_true(a.x == 0.0f && a.z == 0.0f);
  require_ok(throng_world_steer(world, 1e-40f, &error), &error); /* a tiny dt: still finite */
  a = stage_read(world, THRONG_COLUMN_ACCELERATION, id);
  assert_true(fabs(stage_length(a) - 1e6) < 1.0);
  g.max_acceleration = 3.0f;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  require_ok(throng_world_steer(world, 0.1f, &error), &error);
  assert_true(fabs(stage_length(stage_read(world, THRONG_COLUMN_ACCELERATION, id)) - 3.0) < 1e-5);
  g.max_acceleration = 1e6f;
  g.behaviour[0].weight = 0.5f;
  throng_behaviour *flee = group_want(&g, THRONG_BEHAVIOUR_KINEMATIC_FLEE, 0.5f);
  flee->target = (throng_target){.kind = THRONG_TARGET_POINT, .point = {0, 0, -5}};
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  stage_step(world, 0.1f); /* the mean of (2, 0) and (0, 2) */
  const throng_vec3 v = stage_read(world, THRONG_COLUMN_VELOCITY, id);
  assert_true(fabsf(v.x - 1) < 1e-5f && fabsf(v.z - 1) < 1e-5f);
  throng_world_destroy(world);
}

static void at_the_target_and_without_one(void **state) {
  (void)state;
  for (throng_behaviour_kind kind = THRONG_BEHAVIOUR_KINEMATIC_SEEK; kind <= THRONG_BEHAVIOUR_KINEMATIC_ARRIVE;
       kind++) {
    throng_group_def g = mover(kind, 2, rest);
    throng_parameter radius;
    assert_true(throng_behaviour_get_parameter(kind, 0, &radius) && strcmp(radius.name, "radius") == 0);
    assert_true(throng_behaviour_set_value(&g.behaviour[0], &radius, 0));
    require_velocity(move(&g, any, 0.1f), 0, 0);
    g.when_target_lost = THRONG_WHEN_LOST_COAST;
    g.behaviour[0].target.kind = THRONG_TARGET_GOAL; /* the agent has no goal: its velocity is unchanged */
    require_velocity(move(&g, (throng_vec3){1, 0, 1}, 0.1f), 1, 1);
    throng_world *world = stage_world(NULL, &g);
    throng_error error;
    g.max_speed = INFINITY;
    require_error(throng_world_set_group(world, 0, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
    assert_non_null(strstr(error.text, throng_behaviour_name(kind)));
    throng_world_destroy(world);
  }
}

#define WALKERS 20000

static throng_group_def walker(float turn) {
  throng_group_def g = stage_idle_group();
  g.max_speed = 2.0f;
  g.max_acceleration = 1e6f;
  g.facing = THRONG_FACING_STEERED;
  g.max_yaw_rate = 3.0f;
  g.max_yaw_acceleration = INFINITY;
  group_want(&g, THRONG_BEHAVIOUR_KINEMATIC_WANDER, 1.0f)->kinematic_wander.turn = turn;
  return g;
}

/* Kinematic wander moves along the facing of the frame before. Its yaw rates have a variance of 1/6 of the square of
 * their maximum, and 3/4 of them are below half of it. */
static void wandering(void **state) {
  (void)state;
  static throng_vec3 p[WALKERS];
  static float yaw[WALKERS], before[WALKERS], rate[WALKERS];
  static throng_vec3 v[WALKERS];
  throng_world_def def = throng_default_world_def();
  def.perception_radius = 0.01f; /* all agents are at one position, and no rule reads neighbours */
  const throng_group_def g = walker(0.5f);
  throng_world *world = stage_world(&def, &g);
  throng_error error;
  stage_add(world, WALKERS, p, NULL, NULL, NULL);
  for (int k = 0; k < WALKERS; k++) yaw[k] = (float)(k % 600) * 0.01f - 3.0f;
  require_ok(throng_agents_write(world, THRONG_COLUMN_FACING, NULL, WALKERS, yaw, 0, &error), &error);
  const double n = WALKERS, most = 1.5;
  for (int frame = 0; frame < 4; frame++) {
    require_ok(throng_agents_read(world, THRONG_COLUMN_FACING, NULL, WALKERS, before, 0, &error), &error);
    stage_step(world, 0.1f);
    require_ok(throng_agents_read(world, THRONG_COLUMN_FACING, NULL, WALKERS, yaw, 0, &error), &error);
    require_ok(throng_agents_read(world, THRONG_COLUMN_VELOCITY, NULL, WALKERS, v, 0, &error), &error);
    require_ok(throng_agents_read(world, THRONG_COLUMN_YAW_RATE, NULL, WALKERS, rate, 0, &error), &error);
    double sum = 0, squares = 0, below = 0;
    for (int k = 0; k < WALKERS; k++) {
      const double x = (double)rate[k] / most;
      assert_true(fabs((double)v[k].x - 2 * sin((double)before[k])) < 1e-4);
      assert_true(fabs((double)v[k].z - 2 * cos((double)before[k])) < 1e-4);
      assert_true(fabs(remainder((double)yaw[k] - (double)before[k] - 0.1 * (double)rate[k], 6.283185307179586)) <
                  1e-5);
      assert_true(x > -1.0 && x < 1.0);
      sum += x;
      squares += x * x;
      below += fabs(x) < 0.5;
    }
    /* Five standard deviations of each estimate. */
    assert_true(fabs(sum / n) < 5.0 * sqrt(1.0 / 6.0 / n));
    assert_true(fabs(squares / n - 1.0 / 6.0) < 5.0 * sqrt((1.0 / 15.0 - 1.0 / 36.0) / n));
    assert_true(fabs(below / n - 0.75) < 5.0 * sqrt(0.75 * 0.25 / n));
  }
  throng_world_destroy(world);
}

/* If an earlier level decides, the linear acceleration of kinematic wander is not used, but its turn is. The
 * explanation has both. */
static void wandering_on_a_level(void **state) {
  (void)state;
  throng_group_def g = walker(1.0f);
  g.behaviour[0].priority = 2;
  throng_behaviour *seek = group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f);
  seek->target = (throng_target){.kind = THRONG_TARGET_POINT, .point = {0, 0, -9}};
  g.combine = THRONG_COMBINE_PRIORITY;
  g.max_acceleration = 40.0f;
  throng_world *world = stage_world(NULL, &g);
  throng_error error;
  throng_agent_id id;
  throng_explanation e;
  stage_add(world, 1, &rest, NULL, NULL, &id);
  require_ok(throng_world_watch(world, id, &error), &error);
  require_ok(throng_world_steer(world, 0.1f, &error), &error);
  require_ok(throng_world_explain(world, id, &e, &error), &error);
  assert_true(e.acceleration.z == -40.0f && e.yaw_acceleration != 0.0f);
  assert_true(e.contribution[0].priority == 2 && e.contribution[0].yaw_acceleration == e.yaw_acceleration);
  assert_true(fabsf(e.contribution[0].acceleration.z - 20.0f) < 1e-4f);
  assert_true(e.contribution[1].yaw_acceleration == 0.0f);
  g.combine = THRONG_COMBINE_WEIGHTED;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  require_ok(throng_world_steer(world, 0.1f, &error), &error);
  assert_true(fabsf(stage_read(world, THRONG_COLUMN_ACCELERATION, id).z + 20.0f) < 1e-4f);
  throng_world_destroy(world);
}

/* Frames succeed with goals at the limit of positions. */
static void far_goals(void **state) {
  (void)state;
  for (int kind = THRONG_BEHAVIOUR_KINEMATIC_SEEK; kind <= THRONG_BEHAVIOUR_KINEMATIC_ARRIVE; kind++) {
    throng_group_def g = stage_idle_group();
    g.max_speed = 2.0f;
    throng_behaviour *b = group_want(&g, (throng_behaviour_kind)kind, 1.0f);
    if (kind == THRONG_BEHAVIOUR_KINEMATIC_ARRIVE) b->kinematic_arrive.time_to_target = 1e-6f;
    throng_world_def def = throng_default_world_def();
    def.perception_radius = 1e6f;
    throng_world *world = stage_world(&def, &g);
    const throng_vec3 places[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}},
                      goals[3] = {{0x1p20f * 1e6f, 0, 0x1p20f * 1e6f}, {-1e12f, 0, 0}, {0, 0, 1e12f}};
    stage_add(world, 3, places, NULL, goals, NULL);
    for (int frame = 0; frame < 3; frame++) stage_step(world, 0.02f);
    throng_world_destroy(world);
  }
}

/* With `uniform` the yaw rates are spread evenly: a variance of 1/3 of the square of their maximum, half of them below
 * half of it. */
static void uniform_wandering(void **state) {
  (void)state;
  static throng_vec3 p[WALKERS];
  static float rate[WALKERS];
  throng_world_def def = throng_default_world_def();
  def.perception_radius = 0.01f;
  throng_group_def g = walker(1.0f);
  g.behaviour[0].kinematic_wander.uniform = true;
  throng_world *world = stage_world(&def, &g);
  throng_error error;
  stage_add(world, WALKERS, p, NULL, NULL, NULL);
  stage_step(world, 0.1f);
  require_ok(throng_agents_read(world, THRONG_COLUMN_YAW_RATE, NULL, WALKERS, rate, 0, &error), &error);
  double square = 0, small = 0;
  for (int k = 0; k < WALKERS; k++) {
    const double r = (double)rate[k] / 3.0;
    assert_true(fabs(r) < 1.0 + 1e-6);
    square += r * r / WALKERS;
    small += (fabs(r) < 0.5) / (double)WALKERS;
  }
  assert_true(fabs(square - 1.0 / 3) < 0.01 && fabs(small - 0.5) < 0.02);
  throng_world_destroy(world);
}

/* Wander's main form: A along the facing, and a turn that faces the wander point. Its agents wander as those that seek
 * the point and look where they go: they move ahead, and their headings spread. */
static void facing_the_wander_point(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  g.max_speed = 2.0f;
  g.max_acceleration = 4.0f;
  g.facing = THRONG_FACING_STEERED;
  g.max_yaw_rate = 3.0f;
  throng_behaviour *b = group_want(&g, THRONG_BEHAVIOUR_WANDER, 1.0f);
  b->wander.faces = true;
  throng_world *world = stage_world(NULL, &g);
  throng_error error;
  throng_agent_id id;
  stage_add(world, 1, &rest, &(throng_vec3){0, 0, 1}, NULL, &id);
  double path = 0.0, turned = 0.0;
  for (int frame = 0; frame < 1200; frame++) {
    const double yaw = (double)stage_read(world, THRONG_COLUMN_FACING, id).x;
    require_ok(throng_world_steer(world, 1.0f / 60.0f, &error), &error);
    const throng_vec3 a = stage_read(world, THRONG_COLUMN_ACCELERATION, id);
    assert_true(fabs((double)a.x - 4.0 * sin(yaw)) < 1e-5 && fabs((double)a.z - 4.0 * cos(yaw)) < 1e-5);
    require_ok(throng_world_integrate(world, 1.0f / 60.0f, &error), &error);
    turned += fabs((double)stage_read(world, THRONG_COLUMN_YAW_RATE, id).x) / 60.0;
    path += stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, id)) / 60.0;
  }
  assert_true(path > 30.0 && turned > 5.0);

  b->wander.rate = 0.0f; /* the point stays at the angle 1 on its circle: the turn is that of face */
  b->wander.radius = b->wander.offset = 1.0f;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  const float angle = 1.0f, still = 0.0f;
  require_ok(throng_agents_write(world, THRONG_COLUMN_WANDER, &id, 1, &angle, 0, &error), &error);
  require_ok(throng_agents_write(world, THRONG_COLUMN_YAW_RATE, &id, 1, &still, 0, &error), &error);
  require_ok(throng_world_steer(world, 1.0f / 60.0f, &error), &error);
  const float turn = stage_read(world, THRONG_COLUMN_YAW_ACCELERATION, id).x; /* 0.5 rad left, slow_radius 0.8 */
  assert_true(fabsf(turn - 10.0f) < 1e-5f);                                   /* clipped to max_yaw_acceleration */
  b->wander.time_to_target = 1.0f;
  require_ok(throng_world_set_group(world, 0, &g, &error), &error);
  require_ok(throng_world_steer(world, 1.0f / 60.0f, &error), &error);
  assert_true(fabsf(stage_read(world, THRONG_COLUMN_YAW_ACCELERATION, id).x - 3.0f * 0.5f / 0.8f) < 1e-5f);

  g.facing = THRONG_FACING_INSTANT;
  require_error(throng_world_set_group(world, 0, &g, &error), THRONG_ERROR_BAD_VALUE, &error);
  assert_non_null(strstr(error.text, "wander, needs it"));
  throng_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scenario_1),        cmocka_unit_test(velocities_at_once),
      cmocka_unit_test(accelerations),     cmocka_unit_test(at_the_target_and_without_one),
      cmocka_unit_test(wandering),         cmocka_unit_test(wandering_on_a_level),
      cmocka_unit_test(far_goals),         cmocka_unit_test(along_axes),
      cmocka_unit_test(uniform_wandering), cmocka_unit_test(facing_the_wander_point),
  };
  return cmocka_run_group_tests_name("kinematic", tests, NULL, NULL);
}
