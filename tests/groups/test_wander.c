/* test_wander.c: tests of wander: its draws, its speed, and that it does not depend on the frame time.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"

#include <math.h>

static uint64_t base_seed;

/* Tests the distribution of the draws by the changes of the wander angle, each of which is a draw times 0.25 rad. */
static void binomial_draws(void **state) {
  (void)state;
  enum { AGENTS = 10000, ROUNDS = 10 };
  throng_group_def g = stage_idle_group();
  group_want(&g, THRONG_BEHAVIOUR_WANDER, 1.0f)->wander.rate = 1.0f;
  g.max_speed = 1e-3f; /* the agents hardly move */
  throng_world_def def = throng_default_world_def();
  def.seed = base_seed;
  throng_world *world = stage_world(&def, &g);
  static throng_vec3 p[AGENTS];
  static float before[AGENTS], after[AGENTS], last[AGENTS];
  for (int k = 0; k < AGENTS; k++) p[k] = (throng_vec3){(float)(k % 100) * 2.0f, 0.0f, (float)(k / 100) * 2.0f};
  stage_add(world, AGENTS, p, NULL, NULL, NULL);
  throng_error error;
  double sum = 0.0, squares = 0.0, neighbours = 0.0, frames = 0.0, halves = 0.0, extreme = 0.0;
  require_ok(throng_agents_read(world, THRONG_COLUMN_WANDER, NULL, AGENTS, before, 0, &error), &error);
  for (int k = 0; k < AGENTS; k++) assert_true(before[k] == 0.0f);
  const float dt = 0.0625f; /* sqrt(dt) = 0.25: ten changes of the angle are below pi */
  for (int round = 0; round < ROUNDS; round++) {
    stage_step(world, dt);
    require_ok(throng_agents_read(world, THRONG_COLUMN_WANDER, NULL, AGENTS, after, 0, &error), &error);
    double previous = 0.0;
    for (int k = 0; k < AGENTS; k++) {
      const double x = ((double)after[k] - (double)before[k]) / 0.25;
      sum += x;
      squares += x * x;
      halves += fabs(x) < 0.5;
      extreme = fmax(extreme, fabs(x));
      neighbours += x * previous;
      if (round > 0) frames += x * (double)last[k];
      previous = x;
      last[k] = (float)x;
      before[k] = after[k];
    }
  }
  throng_world_destroy(world);
  /* Five standard deviations of each estimate: x in (-1, 1) has variance 1/6 and fourth moment 1/15. */
  const double n = AGENTS * ROUNDS;
  assert_true(fabs(sum / n) < 5.0 * sqrt(1.0 / 6.0 / n));
  assert_true(fabs(squares / n - 1.0 / 6.0) < 5.0 * sqrt((1.0 / 15.0 - 1.0 / 36.0) / n));
  assert_true(fabs(halves / n - 0.75) < 5.0 * sqrt(0.75 * 0.25 / n));
  assert_true(fabs(neighbours / n) < 5.0 / 6.0 / sqrt(n) && fabs(frames / n) < 5.0 / 6.0 / sqrt(n));
  assert_true(extreme < 1.0 && extreme > 0.97);
}

/* After one second the wander angle has the same variance for every dt. */
static void wander_does_not_depend_on_the_frame_time(void **state) {
  (void)state;
  enum { AGENTS = 4000 };
  static throng_vec3 p[AGENTS];
  static float angle[AGENTS];
  for (int k = 0; k < AGENTS; k++) p[k] = (throng_vec3){(float)(k % 100) * 2.0f, 0.0f, (float)(k / 100) * 2.0f};
  for (int frames = 4; frames <= 100; frames *= 5) {
    throng_group_def g = stage_idle_group();
    group_want(&g, THRONG_BEHAVIOUR_WANDER, 1.0f)->wander.rate = 1.5f;
    throng_world *world = stage_world(NULL, &g);
    throng_error error;
    stage_add(world, AGENTS, p, NULL, NULL, NULL);
    for (int k = 0; k < frames; k++) stage_step(world, 1.0f / (float)frames);
    require_ok(throng_agents_read(world, THRONG_COLUMN_WANDER, NULL, AGENTS, angle, 0, &error), &error);
    double squares = 0.0;
    for (int k = 0; k < AGENTS; k++) squares += (double)angle[k] * (double)angle[k];
    const double wanted = 1.5 * 1.5 / 6.0; /* a variance; the standard deviation of its estimate is sqrt(2 / n) of it */
    assert_true(fabs(squares / AGENTS - wanted) < 5.0 * sqrt(2.0 / AGENTS) * wanted);
    throng_world_destroy(world);
  }
}

static void wanderers_go_everywhere_at_full_speed(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++) {
    throng_group_def g = stage_idle_group();
    throng_world_def def = throng_default_world_def();
    def.space = (throng_space)space;
    g.max_speed = 1.0f;
    group_want(&g, THRONG_BEHAVIOUR_WANDER, 1.0f);
    throng_world *world = stage_world(&def, &g);
    const throng_vec3 p = {0, 0, 0}, v = {0, 0, 1};
    throng_agent_id id;
    stage_add(world, 1, &p, &v, NULL, &id);
    uint32_t sides = 0;
    double speed = 0.0;
    for (int k = 0; k < 6000; k++) {
      stage_step(world, 0.02f);
      const throng_vec3 now = stage_read(world, THRONG_COLUMN_VELOCITY, id);
      sides |= 1u << ((now.x > 0.0f) + 2 * (now.z > 0.0f) + 4 * (now.y > 0.0f));
      speed += stage_length(now) / 6000.0;
    }
    assert_true(sides == (space == 0 ? 0xfu : 0xffu));
    assert_true(speed > 0.8 && speed <= 1.000001);
    throng_world_destroy(world);
  }
}

int main(void) {
  base_seed = test_seed("test_wander", 8);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(binomial_draws),
      cmocka_unit_test(wander_does_not_depend_on_the_frame_time),
      cmocka_unit_test(wanderers_go_everywhere_at_full_speed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
