/* test_crossing.c: people of the walkers' preset on a ring go to the opposite places, as shipped: all come across, at
 * every frame rate in about the same time. SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"

#include <math.h>

#define MOST 100u
#define PI 3.14159265358979
#define SPEED 1.34   /* m/s: the preset's */
#define APART 1.5708 /* metres from person to person along the ring */
#define NEAR 0.3f    /* metres from the goal */

/* Returns the seconds until all are across; 10 times the free time if some are not by then. */
static double crossing_time(uint32_t count, int rate, uint64_t seed) {
  const throng_group_def people = throng_walkers_group_def();
  throng_world_def def = throng_default_world_def();
  def.perception_radius = 2.5f;
  throng_world *world = stage_world(&def, &people);
  const double radius = count * APART / (2 * PI), free_time = 2 * radius / SPEED;
  test_rng rng = rng_from(seed);
  throng_vec3 p[MOST], goals[MOST];
  throng_agent_id ids[MOST];
  throng_error error;
  for (uint32_t i = 0; i < count; i++) {
    const double angle = 2 * PI * (i + (double)rng_float(&rng, 0, 0.3f)) / count;
    p[i] = (throng_vec3){(float)(radius * cos(angle)), 0, (float)(radius * sin(angle))};
    goals[i] = (throng_vec3){-p[i].x, 0, -p[i].z};
  }
  stage_add(world, count, p, NULL, goals, ids);
  double seconds = 0;
  for (uint32_t across = 0; across < count && seconds < 10 * free_time; seconds += 0.5) {
    for (int frame = 0; frame < rate / 2; frame++) stage_step(world, 1.0f / (float)rate);
    require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, ids, count, p, 0, &error), &error);
    across = 0;
    for (uint32_t i = 0; i < count; i++) across += hypotf(p[i].x - goals[i].x, p[i].z - goals[i].z) < NEAR;
  }
  throng_world_destroy(world);
  return seconds / free_time;
}

static void all_come_across(void **state) {
  (void)state;
  static const int rates[] = {20, 60, 120, 240};
  static const uint32_t counts[] = {60, 100};
  for (int c = 0; c < 2; c++) {
    double first = INFINITY, last = 0;
    for (int r = 0; r < 4; r++) {
      double mean = 0;
      for (uint64_t seed = 1; seed <= 3; seed++) {
        const double time = crossing_time(counts[c], rates[r], seed);
        if (time > 3) fail_msg("%u people, %d Hz, seed %d: %.2f free times", counts[c], rates[r], (int)seed, time);
        mean += time / 3;
      }
      first = fmin(first, mean);
      last = fmax(last, mean);
    }
    print_message("%u people, seeds 1 to 3: %.2f to %.2f free times\n", counts[c], first, last);
    assert_true(last < 1.25 * first);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_come_across)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
