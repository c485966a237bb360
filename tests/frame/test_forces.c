/* tests/frame/test_forces.c: tests of groups without a limit of acceleration, of steering by force
 * and of moments of inertia. test_reference_a compares the exact bits.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/groups.h"
#include "support/stage.h"

#include <math.h>

static throng_group_def unlimited_group(float speed) {
  throng_group_def g = stage_idle_group();
  g.max_acceleration = INFINITY;
  g.max_speed = speed;
  return g;
}

/* Without a limit, seek turns an agent to its goal at full speed within one frame; arrive needs its time alone. */
static void unlimited_agents_obey_at_once(void **state) {
  (void)state;
  const throng_vec3 p = {0, 0, 0}, v = {-5, 0, 0}, goal = {0, 0, 4000};
  throng_agent_id id;
  throng_group_def g = unlimited_group(5.0f);
  group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f);
  throng_world *world = stage_world(NULL, &g);
  stage_add(world, 1, &p, &v, &goal, &id);
  stage_step(world, 0.01f);
  throng_vec3 now = stage_read(world, THRONG_COLUMN_VELOCITY, id);
  assert_true(fabsf(now.x) < 1e-6f && fabsf(now.z - 5.0f) < 1e-6f);
  throng_world_destroy(world);

  g = unlimited_group(1000.0f);
  group_want(&g, THRONG_BEHAVIOUR_ARRIVE, 1.0f)->arrive.time_to_target = 0.02f;
  world = stage_world(NULL, &g);
  stage_add(world, 1, &p, NULL, &goal, &id);
  stage_step(world, 0.01f); /* half of the time: half of 1 000 m/s, an acceleration of 50 000 m/s^2 */
  now = stage_read(world, THRONG_COLUMN_VELOCITY, id);
  assert_true(fabsf(now.z - 500.0f) < 1e-3f);
  throng_world_destroy(world);
}

/* Rules of another group run for these agents, too, with a weight of 0. Infinity times 0 would be NaN. */
static void rules_of_others_leave_no_nan(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++) {
    for (int law = 0; law < 3; law++) {
      throng_world_def def = throng_default_world_def();
      def.space = (throng_space)space;
      def.separation_law = (throng_separation_law)law;
      throng_group_def free = unlimited_group(5.0f), busy = throng_default_group_def();
      busy.avoidance.weight = busy.attraction.weight = 1.0f;
      throng_world *world = stage_world(&def, &free);
      throng_error error;
      require_ok(throng_world_set_group(world, 1, &busy, &error), &error);
      const throng_vec3 p[3] = {{0, 0, 0}, {0, 0, 0}, {0.25f, 0, 0.25f}}, v[3] = {{1, 0, 0}, {0, 0, 0}, {-1, 0, 0}};
      throng_agent_id ids[3];
      stage_add(world, 3, p, v, NULL, ids);
      const uint8_t group = 1;
      require_ok(throng_agents_write(world, THRONG_COLUMN_GROUP, &ids[2], 1, &group, 0, &error), &error);
      for (int k = 0; k < 3; k++) stage_step(world, 0.01f);
      assert_true(stage_read(world, THRONG_COLUMN_VELOCITY, ids[0]).x == 1.0f);
      assert_true(stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, ids[1])) == 0.0);
      throng_world_destroy(world);
    }
  }
}

/* Every rule without a limit: the agents go at their maximum speed, and nothing becomes NaN. */
static void unlimited_rules(void **state) {
  (void)state;
  for (int forms = 0; forms < 3; forms++) {
    throng_group_def g = throng_default_group_def();
    g.max_acceleration = INFINITY;
    g.avoidance.weight = g.attraction.weight = 1.0f;
    g.cohesion.form = (throng_cohesion_form)forms;
    g.alignment.form = (throng_alignment_form)(forms % 2);
    g.avoidance.form = (throng_avoidance_form)forms;
    throng_world *world = stage_world(NULL, &g);
    const throng_vec3 p[4] = {{0, 0, 0}, {0, 0, 0}, {0.25f, 0, 0.25f}, {1, 0, 0}};
    throng_agent_id ids[4];
    stage_add(world, 4, p, NULL, NULL, ids);
    for (int k = 0; k < 20; k++) stage_step(world, 0.05f);
    for (int k = 0; k < 4; k++) {
      const double speed = stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, ids[k]));
      assert_true(speed > 0.1 && speed <= 1.5 * (1.0 + 1e-6));
    }
    throng_world_destroy(world);
  }
}

static void explained(void **state) {
  (void)state;
  throng_group_def g = unlimited_group(5.0f);
  throng_world *world = stage_world(NULL, &g);
  const throng_vec3 p = {0, 0, 0};
  throng_agent_id id;
  throng_error error;
  throng_explanation told;
  stage_add(world, 1, &p, NULL, NULL, &id);
  stage_write(world, THRONG_COLUMN_MASS, id, (throng_vec3){160.0f, 0, 0});
  require_ok(throng_world_watch(world, id, &error), &error);
  stage_step(world, 0.01f);
  require_ok(throng_world_explain(world, id, &told, &error), &error);
  assert_true(isinf(told.max_acceleration));
  throng_world_destroy(world);
}

static throng_vec3 steer(throng_world *world, throng_agent_id id) {
  throng_error error;
  require_ok(throng_world_steer(world, 0.01f, &error), &error);
  return stage_read(world, THRONG_COLUMN_ACCELERATION, id);
}

/* Wishes of agents of 40, 80 and 160 kg whose group has 80 kg: agents of 80 and 160 kg answer a wish for 60 N with 0.75
 * and 0.375 m/s^2 (T). A wish above the limit is one for 80 kg times max_acceleration. */
static void masses_answer_a_force(void **state) {
  (void)state;
  const throng_vec3 p[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, goal[3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
  const float masses[3] = {40.0f, NAN, 160.0f};
  for (int newtons = 0; newtons < 2; newtons++) {
    throng_group_def g = stage_idle_group();
    g.steering_is_force = true;
    g.max_acceleration = newtons ? 240.0f : 3.0f; /* 240 N in both */
    if (newtons) g.mass = 1.0f;
    throng_behaviour *b = group_want(&g, THRONG_BEHAVIOUR_ARRIVE, 1.0f);
    b->arrive.slow_radius = 0.0f;
    b->arrive.time_to_target = 0.1f;
    throng_world *world = stage_world(NULL, &g);
    throng_error error;
    for (int limited = 0; limited < 2; limited++) {
      g.max_speed = (limited ? 60.0f : 0.75f) * 0.1f * (newtons ? 80.0f : 1.0f); /* it wants S / time_to_target */
      require_ok(throng_world_set_group(world, 0, &g, &error), &error);
      throng_agent_id ids[3];
      stage_add(world, 3, p, NULL, goal, ids);
      for (int k = 0; k < 3; k++) {
        const float mass = newtons && k == 1 ? 80.0f : masses[k], kilograms = mass == mass ? mass : 80.0f;
        stage_write(world, THRONG_COLUMN_MASS, ids[k], (throng_vec3){mass, 0, 0});
        const float wanted = (limited ? 240.0f : 60.0f) / kilograms, got = steer(world, ids[k]).z;
        assert_true(fabsf(got - wanted) <= 1e-6f * wanted);
      }
      require_ok(throng_agents_remove(world, ids, 3, &error), &error);
    }
    throng_world_destroy(world);
  }
}

/* Kinematic behaviours and lost agents reach their velocity within a frame, whatever the mass, with enough force. */
static void velocities_at_once_whatever_the_mass(void **state) {
  (void)state;
  const float masses[] = {8.0f, 40.0f, 160.0f, 800.0f};
  for (int k = 0; k < 4; k++) {
    throng_group_def g = stage_idle_group();
    g.when_target_lost = THRONG_WHEN_LOST_BRAKE;
    g.steering_is_force = true;
    g.max_acceleration = 1e6f;
    g.max_speed = 2.0f;
    group_want(&g, THRONG_BEHAVIOUR_KINEMATIC_SEEK, 1.0f);
    throng_world *world = stage_world(NULL, &g);
    const throng_vec3 p = {0, 0, 0}, v = {1.5f, 0, 0}, goal = {0, 0, 50};
    throng_agent_id id;
    stage_add(world, 1, &p, &v, &goal, &id);
    stage_write(world, THRONG_COLUMN_MASS, id, (throng_vec3){masses[k], 0, 0});
    stage_step(world, 0.02f);
    const throng_vec3 now = stage_read(world, THRONG_COLUMN_VELOCITY, id);
    assert_true(fabsf(now.x) < 1e-5f && fabsf(now.z - 2.0f) < 1e-5f);
    stage_write(world, THRONG_COLUMN_GOAL, id, (throng_vec3){NAN, NAN, NAN});
    stage_step(world, 0.02f);
    assert_true(stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, id)) == 0.0);
    throng_world_destroy(world);
  }
}

/* The angular acceleration of a heavy agent that faces its goal: with and without a moment of inertia, with a torque
 * below and above the limit. */
static void moments_of_inertia(void **state) {
  (void)state;
  for (int k = 0; k < 8; k++) {
    const bool force = k & 1, inertia = k & 2, limited = k & 4;
    throng_group_def g = stage_idle_group();
    g.facing = THRONG_FACING_STEERED;
    g.max_yaw_rate = 1.0f;
    g.max_yaw_acceleration = limited ? 4.0f : 1000.0f; /* it wants 10 rad/s^2 */
    g.steering_is_force = force;
    g.moment_of_inertia = inertia ? 5.0f : 0.0f;
    group_want(&g, THRONG_BEHAVIOUR_FACE, 1.0f)->face.time_to_target = 0.1f;
    throng_world *world = stage_world(NULL, &g);
    const throng_vec3 p = {0, 0, 0}, goal = {5, 0, 0};
    throng_agent_id id;
    stage_add(world, 1, &p, NULL, &goal, &id);
    stage_write(world, THRONG_COLUMN_MASS, id, (throng_vec3){160.0f, 0, 0});
    steer(world, id);
    const float got = stage_read(world, THRONG_COLUMN_YAW_ACCELERATION, id).x;
    const float wanted = (limited ? 4.0f : 10.0f) * (!inertia && (force || limited) ? 0.5f : 1.0f);
    assert_true(fabsf(got - wanted) < 1e-5f);
    throng_world_destroy(world);
  }
}

static void vehicles_need_accelerations(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  throng_world *world = stage_world(NULL, &g);
  throng_error error;
  g.steering_is_force = true;
  g.actuation = THRONG_ACTUATION_VEHICLE;
  assert_int_equal(throng_world_set_group(world, 0, &g, &error), THRONG_ERROR_BAD_VALUE);
  throng_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unlimited_agents_obey_at_once),
      cmocka_unit_test(rules_of_others_leave_no_nan),
      cmocka_unit_test(unlimited_rules),
      cmocka_unit_test(explained),
      cmocka_unit_test(masses_answer_a_force),
      cmocka_unit_test(velocities_at_once_whatever_the_mass),
      cmocka_unit_test(moments_of_inertia),
      cmocka_unit_test(vehicles_need_accelerations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
