/* test_time_gap.c: tests of the time gap of a pace, on a few agents: who is ahead, and how fast the agent may follow.
 * bench/validate tests how crowds walk. SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"

#include <math.h>

#define FREE_SPEED 1.5
#define BODY 0.25
#define GAP 0.1
#define TIME_GAP 0.5
#define PUSH 0.1
#define ROOM (2 * BODY + GAP)

/* Its density does not matter: the factor is 1 everywhere. The grip is 4 per second. */
static throng_group_def following_group(void) {
  throng_group_def g = stage_idle_group();
  g.max_speed = (float)FREE_SPEED;
  g.max_acceleration = 1000.0f;
  g.body_radius = (float)BODY;
  g.pace.on = true;
  g.pace.time_to_target = 1.0f;
  g.pace.points = 2;
  g.pace.density[0] = 0.0f;
  g.pace.density[1] = 1.0f;
  g.pace.factor[0] = g.pace.factor[1] = 1.0f;
  g.pace.time_gap = (float)TIME_GAP;
  g.pace.gap = (float)GAP;
  g.pace.push = (float)PUSH;
  g.pace.alike = 0.5f;
  return g;
}

#define FREE 1e9 /* no limit */

/* Returns the speed that an agent at full speed along +z may have, with the other agents. The first agent is the one
 * asked. Without goals, agents look along their velocity. */
static double allowed(const throng_group_def *g, int space, uint32_t count, const throng_vec3 *p, const throng_vec3 *v,
                      const throng_vec3 *goals) {
  throng_world_def def = throng_default_world_def();
  def.space = (throng_space)space;
  def.perception_radius = 3.0f;
  throng_world *world = stage_world(&def, g);
  throng_agent_id ids[8];
  stage_add(world, count, p, v, goals, ids);
  throng_error error;
  require_ok(throng_world_steer(world, 0.01f, &error), &error);
  const double braking = (double)stage_read(world, THRONG_COLUMN_ACCELERATION, ids[0]).z;
  throng_world_destroy(world);
  return braking == 0.0 ? FREE : FREE_SPEED + braking / 4;
}

static double behind(double ahead, double aside) { return ahead - ROOM + aside * aside / ROOM; }

static void who_is_ahead(void **state) {
  (void)state;
  const throng_group_def g = following_group();
  throng_group_def none = g, all = g, masked = g, off = g, near_sighted = g;
  none.pace.alike = 2.0f;
  all.pace.alike = -1.0f;
  masked.pace.mask = 0;
  off.pace.on = false;
  near_sighted.perception_radius = 0.7f;
  const throng_vec3 north = {0, 0, 99}, south = {0, 0, -99}, east = {99, 0, 0};
  const struct {
    const throng_group_def *g;
    throng_vec3 p, v, goal;
    double expected;
  } cases[] = {{&g, {0, 0, 0.8f}, {0, 0, 0}, north, 2 * behind(0.8, 0)},          /* stands ahead */
               {&g, {0, 0, 0.8f}, {0, 0, 0.6f}, north, 0.6 + 2 * behind(0.8, 0)}, /* walks ahead */
               {&g, {0, 0, 0.8f}, {0, 0, -0.6f}, north, 2 * behind(0.8, 0)},      /* was pushed back */
               {&g, {0, 0, 0.5f}, {0, 0, 0}, north, PUSH * FREE_SPEED},           /* too near: the agent presses */
               {&g, {0.4f, 0, 0.5f}, {0, 0, 0}, north, 2 * behind(0.5, 0.4)},     /* ahead, to the side */
               {&g, {0.61f, 0, 0.5f}, {0, 0, 0}, north, FREE},                    /* too far to the side */
               {&g, {0, 0, -0.5f}, {0, 0, 0}, north, FREE},                       /* behind */
               {&g, {0, 0, 0.8f}, {0, 0, 0}, south, FREE},                        /* comes the other way */
               {&g, {0, 0, 0.8f}, {0, 0, 0}, east, FREE},                         /* crosses */
               {&g, {0, 0, 0.8f}, {0, 0, 0}, {83, 0, 50.8f}, 2 * behind(0.8, 0)}, /* 58.9 degrees off */
               {&none, {0, 0, 0.8f}, {0, 0, 0}, north, FREE},                     /* nobody goes the same way */
               {&all, {0, 0, 0.8f}, {0, 0, 0}, {1, 0, 99}, 2 * behind(0.8, 0)},
               {&all, {0.1f, 0, 0.8f}, {0, 0, 0}, {0.1f, 0, -99}, FREE}, /* faces it: neither is ahead */
               {&masked, {0, 0, 0.8f}, {0, 0, 0}, north, FREE},
               {&off, {0, 0, 0.8f}, {0, 0, 0}, north, FREE},
               {&near_sighted, {0, 0, 0.8f}, {0, 0, 0}, north, FREE}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
    for (int space = 0; space < 2; space++) {
      const throng_vec3 p[] = {{0, 0, 0}, cases[k].p}, v[] = {{0, 0, (float)FREE_SPEED}, cases[k].v};
      const throng_vec3 goals[] = {north, cases[k].goal};
      const double speed = allowed(cases[k].g, space, 2, p, v, goals);
      if (!(fabs(speed - cases[k].expected) < 1e-4))
        fail_msg("case %zu, space %d: %.5f m/s, expected %.5f", k, space, speed, cases[k].expected);
    }
}

/* Two agents whose courses are alike never wait for each other: at most one of them is ahead. If they have one goal,
 * the nearer one is ahead. */
static void one_of_two(void **state) {
  (void)state;
  throng_group_def g = following_group();
  g.pace.push = 0.0f;
  test_rng rng = rng_from(7);
  uint32_t waiting = 0;
  for (int k = 0; k < 2000; k++) {
    const throng_vec3 first = {0, 0, 0}, second = {rng_float(&rng, -0.6f, 0.6f), 0, rng_float(&rng, -0.6f, 0.6f)};
    const throng_vec3 goal = {rng_float(&rng, -1, 1), 0, rng_float(&rng, 2, 4)};
    const throng_vec3 goals[] = {goal, goal}, turned[] = {second, first}, p[] = {first, second};
    const throng_vec3 v[] = {{0, 0, (float)FREE_SPEED}, {0, 0, (float)FREE_SPEED}};
    const bool waits = allowed(&g, 0, 2, p, v, goals) != FREE, other = allowed(&g, 0, 2, turned, v, goals) != FREE;
    if (waits && other) fail_msg("draw %d: both wait", k);
    waiting += waits || other;
    const double near = hypot((double)goal.x, (double)goal.z);
    const double other_near = hypot((double)(goal.x - second.x), (double)(goal.z - second.z));
    if (waits && near < other_near - 0.02) fail_msg("draw %d: the nearer one waits", k);
    if (other && other_near < near - 0.02) fail_msg("draw %d: the nearer one waits", k);
  }
  print_message("seed 7: in %u of 2000 pairs one waits\n", waiting);
  assert_true(waiting > 800);
}

/* The lowest of several limits counts, also together with a queue; agents at one place have no limit. */
static void lowest_limit(void **state) {
  (void)state;
  throng_group_def g = following_group();
  const throng_vec3 p[] = {{0, 0, 0}, {0, 0, 1.2f}, {0.3f, 0, 0.7f}, {0, 0, 0}},
                    goals[] = {{0, 0, 99}, {0, 0, 99}, {0, 0, 99}, {0, 0, 99}};
  const throng_vec3 v[] = {{0, 0, (float)FREE_SPEED}, {0, 0, 0}, {0, 0, 0}, {0, 0, (float)FREE_SPEED}};
  for (int space = 0; space < 2; space++) {
    assert_true(fabs(allowed(&g, space, 2, p, v, goals) - 2 * behind(1.2, 0)) < 1e-4);
    assert_true(fabs(allowed(&g, space, 3, p, v, goals) - 2 * behind(0.7, 0.3)) < 1e-4);
    throng_group_def queues = g;
    queues.queue.width = 0.2f;
    queues.queue.gap = 0.6f;
    queues.queue.time_to_target = 1.0f;
    assert_true(fabs(allowed(&queues, space, 3, p, v, goals) - (1.2 - 2 * BODY - 0.6)) < 1e-4); /* the queue's */
    queues.queue.gap = 0.1f;
    assert_true(fabs(allowed(&queues, space, 3, p, v, goals) - 2 * behind(0.7, 0.3)) < 1e-4); /* the time gap's */
    const throng_vec3 both[] = {p[0], p[3]}, velocities[] = {v[0], v[3]};
    assert_true(allowed(&g, space, 2, both, velocities, goals) == FREE);
  }
}

/* Agents that come toward the agent count oncoming_weight in the density. */
static void oncoming_agents_count(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++)
    for (int k = 0; k < 3; k++) {
      throng_group_def g = following_group();
      g.pace.time_gap = 0.0f;
      g.pace.density[1] = 100.0f; /* the factor is 1 - density / 100 */
      g.pace.factor[1] = 0.0f;
      g.pace.radius = 1.0f;
      g.pace.self = 0.0f;
      g.pace.oncoming_weight = 0.5f * (float)k;
      const throng_vec3 p[] = {{0, 0, 0}, {0, 0, 0.6f}}, goals[] = {{0, 0, 99}, {0, 0, -99}};
      const throng_vec3 v[] = {{0, 0, (float)FREE_SPEED}, {0, 0, -1}};
      const double density = 0.5 * k * (1 - 0.36) * 4 / 3.14159265358979;
      const double speed = allowed(&g, space, 2, p, v, goals), expected = FREE_SPEED * (1 - density / 100);
      assert_true(k == 0 ? speed == FREE : fabs(speed - expected) < 1e-5);
    }
}

/* Walkers in a file come to rest behind one who stands. The gap is then between all bodies. */
static void a_file_stops(void **state) {
  (void)state;
  for (int k = 0; k < 4; k++) {
    const float rate = (float[]){20, 60, 120, 240}[k];
    throng_group_def g = following_group();
    g.max_acceleration = 4.0f;
    g.pace.push = 0.0f;
    g.pace.time_to_target = 0.3f;
    group_want(&g, THRONG_BEHAVIOUR_SEEK, 1.0f);
    throng_world_def def = throng_default_world_def();
    def.perception_radius = 3.0f;
    throng_world *world = stage_world(&def, &g);
    throng_vec3 p[6], goals[6];
    throng_agent_id ids[6];
    for (int i = 0; i < 6; i++) {
      p[i] = (throng_vec3){0, 0, -1.5f * (float)i};
      goals[i] = (throng_vec3){0, 0, 99};
    }
    stage_add(world, 6, p, NULL, goals, ids);
    stage_write(world, THRONG_COLUMN_MAX_SPEED, ids[0], (throng_vec3){0.001f, 0, 0});
    for (int frame = 0; frame < (int)(60 * rate); frame++) stage_step(world, 1 / rate);
    for (int i = 1; i < 6; i++) {
      const float z = stage_read(world, THRONG_COLUMN_POSITION, ids[i]).z;
      const float before = stage_read(world, THRONG_COLUMN_POSITION, ids[i - 1]).z;
      if (fabsf(before - z - (float)ROOM) > 0.01f)
        fail_msg("%g Hz: %.3f m from agent %d to the one ahead, expected %.3f", (double)rate, (double)(before - z), i,
                 ROOM);
    }
    throng_world_destroy(world);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(who_is_ahead),          cmocka_unit_test(one_of_two),   cmocka_unit_test(lowest_limit),
      cmocka_unit_test(oncoming_agents_count), cmocka_unit_test(a_file_stops),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
