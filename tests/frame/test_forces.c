/* tests/frame/test_forces.c: tests of groups without a limit of acceleration. test_reference_a compares the exact bits.
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unlimited_agents_obey_at_once),
      cmocka_unit_test(rules_of_others_leave_no_nan),
      cmocka_unit_test(unlimited_rules),
      cmocka_unit_test(explained),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
