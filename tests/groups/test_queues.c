/* test_queues.c: tests of groups that queue. SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static throng_group_def queueing_group(void) {
  throng_group_def g = stage_idle_group();
  g.max_speed = 1.5f;
  g.max_acceleration = 3.0f;
  g.body_radius = 0.25f;
  g.queue.width = 0.5f;
  group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f)->seek.time_to_target = 0.2f;
  return g;
}

/* The acceleration of an agent at full speed with a queue limit, for several positions of a neighbour. */
static void room_for_one(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  def.perception_radius = 10.0f;
  throng_group_def g = queueing_group();
  g.max_acceleration = 100.0f;
  const throng_vec3 goals[] = {{0, 0, 50}, {0, 0, 50}}, coming[] = {{0, 0, 1.5f}, {0, 0, -0.25f}},
                    still[] = {{0, 0, 1.5f}, {0, 0, 0}};
  const struct {
    float x, z;
    const throng_vec3 *velocities;
    float expected; /* (max(room / 0.5, 0) - 1.5) * 4 / 0.5 with room = z - 0.5 - 0.3 */
  } cases[] = {{0, 1.0f, still, -8.8f}, {0.4f, 1.0f, still, -8.8f}, {0, 0.6f, still, -12.0f}, {0, 9.0f, still, 0},
               {0.6f, 1.0f, still, 0},  {0, -1.0f, still, 0},       {0, 1.0f, coming, 0}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    throng_world *world = stage_world(&def, &g);
    const throng_vec3 positions[] = {{0, 0, 0}, {cases[k].x, 0, cases[k].z}};
    throng_agent_id ids[2];
    throng_error error;
    stage_add(world, 2, positions, cases[k].velocities, goals, ids);
    require_ok(throng_world_steer(world, 0.01f, &error), &error);
    const throng_vec3 a = stage_read(world, THRONG_COLUMN_ACCELERATION, ids[0]), wanted = {0, 0, cases[k].expected};
    assert_true(stage_distance(a, wanted) <= 1e-5);
    throng_world_destroy(world);
  }
}

#define QUEUE 20
/* Agents seek a gate that another agent blocks. They wait in a queue, in the order in which they started, and move on
 * when the gate opens. */
static void a_queue_forms_and_goes(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  def.perception_radius = 10.0f;
  const throng_group_def g = queueing_group();
  throng_group_def gate = stage_idle_group();
  gate.body_radius = 0.25f;
  throng_world *world = stage_world(&def, &g);
  throng_vec3 positions[QUEUE], goals[QUEUE];
  throng_agent_id ids[QUEUE], guard;
  throng_error error;
  test_rng rng = rng_from(4);
  for (int k = 0; k < QUEUE; k++) {
    positions[k] = (throng_vec3){rng_float(&rng, -0.2f, 0.2f), 0, -3.0f - 1.3f * (float)k - rng_float(&rng, 0, 0.6f)};
    goals[k] = (throng_vec3){0, 0, 0};
  }
  stage_add(world, QUEUE, positions, NULL, goals, ids);
  require_ok(throng_world_set_group(world, 1, &gate, &error), &error);
  const uint8_t group = 1;
  throng_agents_def one = throng_default_agents_def();
  const throng_vec3 place = {0, 0, 0};
  one.position.data = &place;
  one.group.data = &group;
  require_ok(throng_agents_add(world, &one, 1, &guard, &error), &error);
  double gap = INFINITY;
  for (int frame = 0; frame < 40 * 60; frame++) stage_step(world, 1.0f / 60.0f);
  for (int k = 0; k < QUEUE; k++) {
    const throng_vec3 at = stage_read(world, THRONG_COLUMN_POSITION, ids[k]),
                      before = k ? stage_read(world, THRONG_COLUMN_POSITION, ids[k - 1]) : place;
    const double apart = stage_distance(at, before);
    gap = apart < gap ? apart : gap;
    assert_true(apart > 0.5 + 0.2 && apart < 0.5 + 0.35); /* no agent overlaps or overtakes another */
    assert_true(stage_length(stage_read(world, THRONG_COLUMN_VELOCITY, ids[k])) < 0.01);
  }
  require_ok(throng_agents_remove(world, &guard, 1, &error), &error);
  for (int k = 0; k < QUEUE; k++) stage_write(world, THRONG_COLUMN_GOAL, ids[k], (throng_vec3){0, 0, 100});
  for (int frame = 0; frame < 20 * 60; frame++) stage_step(world, 1.0f / 60.0f);
  for (int k = 0; k < QUEUE; k++) assert_true(stage_read(world, THRONG_COLUMN_POSITION, ids[k]).z > 5.0f);
  print_message("queue: least distance %.3f m at bodies of 0.5 m and a gap of 0.3 m\n", gap);
  throng_world_destroy(world);
}

/* A crowd with queue limits seeks one gate from all sides. Agents that reach it are removed. No agents may wait for
 * each other for ever. */
static void nobody_waits_in_a_circle(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  def.perception_radius = 3.0f;
  throng_group_def g = queueing_group();
  g.contact = 1.0f;
  const uint64_t base = test_seed("test_queues", 7);
  for (uint64_t seed = base; seed < base + 3; seed++) {
    throng_world *world = stage_world(&def, &g);
    test_rng rng = rng_from(seed);
    throng_vec3 positions[60], goals[60];
    throng_agent_id ids[60];
    throng_error error;
    for (int k = 0; k < 60; k++) {
      positions[k] = (throng_vec3){rng_float(&rng, -8, 8), 0, rng_float(&rng, -8, 8)};
      goals[k] = (throng_vec3){0, 0, 0};
    }
    stage_add(world, 60, positions, NULL, goals, ids);
    int frame = 0;
    for (; throng_agents_count(world) > 0 && frame < 300 * 60; frame++) {
      stage_step(world, 1.0f / 60.0f);
      for (int k = 0; k < 60; k++) {
        if (!throng_agents_is_valid(world, ids[k])) continue;
        if (stage_length(stage_read(world, THRONG_COLUMN_POSITION, ids[k])) > 0.3) continue;
        require_ok(throng_agents_remove(world, &ids[k], 1, &error), &error);
      }
    }
    print_message("seed %" PRIu64 ": 60 through the gate in %.1f s, %u left\n", seed, (double)frame / 60.0,
                  throng_agents_count(world));
    assert_int_equal(throng_agents_count(world), 0);
    throng_world_destroy(world);
  }
}

/* Two agents are almost equally far from their gate: rounding must not make each wait for the other. */
static void the_nearer_one_goes(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  def.perception_radius = 3.0f;
  throng_group_def g = queueing_group();
  g.queue.width = 1.1f;
  throng_world *world = stage_world(&def, &g);
  const throng_vec3 gate = {0.126124263f, 0, 0.843530059f}, goals[] = {gate, gate},
                    positions[] = {{1.62426627f, 0, -1.20889795f}, {1.3014245f, 0, -1.40937018f}};
  throng_agent_id ids[2];
  stage_add(world, 2, positions, NULL, goals, ids);
  for (int frame = 0; frame < 600; frame++) stage_step(world, 1.0f / 60.0f);
  const double left[] = {stage_distance(stage_read(world, THRONG_COLUMN_POSITION, ids[0]), gate),
                         stage_distance(stage_read(world, THRONG_COLUMN_POSITION, ids[1]), gate)};
  assert_true(fmin(left[0], left[1]) < 0.5);
  throng_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(room_for_one),
      cmocka_unit_test(a_queue_forms_and_goes),
      cmocka_unit_test(nobody_waits_in_a_circle),
      cmocka_unit_test(the_nearer_one_goes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
