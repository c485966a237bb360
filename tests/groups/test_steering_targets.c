/* test_steering_targets.c: the formulas of seek, flee, arrive, pursue and evade (kernel/passes/steering/targets.c), in
 * numbers that are easy to check. A failure names the behaviour. Formulas: docs/arithmetic/behaviours.md.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/stage.h"

#include <math.h>

/* An agent at rest with max_speed 4 and time_to_target 1/2: an acceleration is twice the wanted velocity. */
static throng_group_def steering_group(throng_behaviour_kind kind) {
  throng_group_def g = stage_idle_group();
  g.max_speed = 4.0f;
  g.max_acceleration = 1000.0f;
  group_add(&g, kind);
  return g;
}

/* Returns the acceleration of an agent at the origin, whose target is an agent at `d` with the velocity `u`. */
static throng_vec3 steered(throng_group_def g, throng_space space, throng_vec3 d, throng_vec3 u) {
  throng_world_def def = throng_default_world_def();
  def.space = space;
  const throng_group_def idle = stage_idle_group();
  throng_world *world = stage_world(&def, &idle);
  const throng_vec3 p[] = {{0, 0, 0}, d}, v[] = {{0, 0, 0}, u};
  const uint8_t group = 1;
  throng_agent_id ids[2];
  throng_error error;
  stage_add(world, 2, p, v, NULL, ids);
  g.behaviour[0].target = (throng_target){.kind = THRONG_TARGET_AGENT, .agent = ids[1]};
  require_ok(throng_world_set_group(world, 1, &g, &error), &error);
  require_ok(throng_agents_write(world, THRONG_COLUMN_GROUP, ids, 1, &group, 0, &error), &error);
  const throng_vec3 a = stage_steered(world, ids[0]);
  throng_world_destroy(world);
  return a;
}

static void require_steered(const char *behaviour, const throng_group_def *g, throng_vec3 d, throng_vec3 u, double x,
                            double z) {
  for (int space = 0; space < 2; space++) {
    const throng_vec3 a = steered(*g, (throng_space)space, d, u);
    if (fabs((double)a.x - x) < 1e-5 && fabs((double)a.z - z) < 1e-5 && a.y == 0.0f) continue;
    fail_msg("%s, target at (%g, %g) m with (%g, %g) m/s, space %d: acceleration (%.6f, %.6f), expected (%.6f, %.6f)",
             behaviour, (double)d.x, (double)d.z, (double)u.x, (double)u.z, space, (double)a.x, (double)a.z, x, z);
  }
}

static const throng_vec3 still = {0, 0, 0};

static void seek(void **state) {
  (void)state;
  throng_group_def g = steering_group(THRONG_BEHAVIOUR_SEEK);
  require_steered("seek", &g, (throng_vec3){6, 0, 8}, still, 600.0, 800.0);
  g.behaviour[0].seek.time_to_target = 0.5f;
  require_steered("seek in a time", &g, (throng_vec3){6, 0, 8}, still, 4.8, 6.4);
}

static void flee(void **state) {
  (void)state;
  throng_group_def g = steering_group(THRONG_BEHAVIOUR_FLEE);
  g.behaviour[0].flee.time_to_target = 0.5f;
  g.behaviour[0].flee.panic_radius = 10.5f;
  require_steered("flee", &g, (throng_vec3){6, 0, 8}, still, -4.8, -6.4);
  require_steered("flee beyond panic_radius", &g, (throng_vec3){6, 0, 9}, still, 0.0, 0.0);
}

static void arrive(void **state) {
  (void)state;
  throng_group_def g = steering_group(THRONG_BEHAVIOUR_ARRIVE);
  g.behaviour[0].arrive.time_to_target = 0.5f;
  g.behaviour[0].arrive.slow_radius = 8.0f;
  g.behaviour[0].arrive.target_radius = 0.5f;
  require_steered("arrive beyond slow_radius", &g, (throng_vec3){6, 0, 8}, still, 4.8, 6.4);
  require_steered("arrive within slow_radius", &g, (throng_vec3){3, 0, 4}, still, 3.0, 4.0); /* speed 4 * 5 / 8 */
  require_steered("arrive within slow_radius", &g, (throng_vec3){0, 0, -1}, still, 0.0, -1.0);
  require_steered("arrive within target_radius", &g, (throng_vec3){0, 0, 0.25f}, still, 0.0, 0.0);
}

/* The target is 8 m away: the agent needs 2 s at full speed. */
static void pursue(void **state) {
  (void)state;
  throng_group_def g = steering_group(THRONG_BEHAVIOUR_PURSUE);
  g.behaviour[0].pursue.time_to_target = 0.5f;
  g.behaviour[0].pursue.max_prediction = 4.0f;
  require_steered("pursue", &g, (throng_vec3){0, 0, 8}, (throng_vec3){3, 0, 0}, 4.8, 6.4);
  g.behaviour[0].pursue.max_prediction = 1.0f;
  require_steered("pursue with max_prediction", &g, (throng_vec3){0, 0, 8}, (throng_vec3){6, 0, 0}, 4.8, 6.4);
}

static void evade(void **state) {
  (void)state;
  throng_group_def g = steering_group(THRONG_BEHAVIOUR_EVADE);
  g.behaviour[0].evade.time_to_target = 0.5f;
  g.behaviour[0].evade.max_prediction = 4.0f;
  require_steered("evade", &g, (throng_vec3){0, 0, 8}, (throng_vec3){3, 0, 0}, -4.8, -6.4);
  g.behaviour[0].evade.panic_radius = 7.5f;
  require_steered("evade beyond panic_radius", &g, (throng_vec3){0, 0, 8}, (throng_vec3){3, 0, 0}, 0.0, 0.0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(seek), cmocka_unit_test(flee), cmocka_unit_test(arrive),
                                     cmocka_unit_test(pursue), cmocka_unit_test(evade)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
