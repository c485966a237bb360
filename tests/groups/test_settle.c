/* test_settle.c: people of the walkers' preset who wait at a goal stand still, and look calm.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"

#include <math.h>

#define SEEDS 3
#define RATES 4
#define MOST 60
#define ROW 9

static const int rates[RATES] = {20, 60, 120, 240};
static const uint32_t counts[] = {2, 3, 7, 15, 31, 60};
static uint64_t base_seed;

/* Where people go. KERB: others stand on the goal, and beside it in a row. CROWDED: goals of their own, with too little
 * room for all. */
enum place { OPEN, KERB, CROWDED, SPACE, PLACES };
static const char *const place_name[PLACES] = {"one goal", "a kerb", "goals too near each other", "one goal in space"};

typedef struct waiting {
  throng_world *world;
  uint32_t count;
  int hz;
  throng_agent_id id[MOST];
} waiting;

static void add_standing_row(throng_world *world) {
  for (int k = 0; k < ROW; k++) {
    const throng_vec3 at = {0, 0, 0.45f * (float)(k - ROW / 2)};
    stage_add(world, 1, &at, NULL, NULL, NULL);
  }
}

static throng_vec3 place_of_goal(enum place place, float length, test_rng *rng) {
  if (place != CROWDED) return (throng_vec3){0, 0, 0};
  return (throng_vec3){rng_float(rng, -0.25f, 0.25f), 0, rng_float(rng, -0.5f, 0.5f) * length};
}

static waiting begin(enum place place, uint32_t count, int hz, uint64_t seed) {
  waiting w = {.count = count, .hz = hz};
  const throng_group_def walkers = throng_walkers_group_def();
  throng_world_def def = throng_default_world_def();
  test_rng rng = rng_from(seed);
  def.space = place == SPACE ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR;
  def.perception_radius = 2.0f;
  w.world = stage_world(&def, &walkers);
  if (place == KERB) add_standing_row(w.world);
  for (uint32_t k = 0; k < count; k++) {
    const float height = place == SPACE ? rng_float(&rng, -1, 1) : 0.0f;
    const throng_vec3 p = {rng_float(&rng, -12, -7), height, rng_float(&rng, -2.5f, 2.5f)};
    const throng_vec3 goal = place_of_goal(place, 0.3f * (float)count, &rng);
    stage_add(w.world, 1, &p, NULL, &goal, &w.id[k]);
  }
  return w;
}

static throng_vec3 facing_of(const waiting *w, uint32_t k, enum place place) {
  const throng_vec3 f = stage_read(w->world, THRONG_COLUMN_FACING, w->id[k]);
  return place == SPACE ? f : (throng_vec3){sinf(f.x), 0, cosf(f.x)};
}

/* How much people turn in 20 s, in the mean, and their mean speed. */
typedef struct unrest {
  double turn, speed;
} unrest;

static unrest unrest_of(const waiting *w, enum place place) {
  unrest all = {0, 0};
  throng_vec3 before[MOST];
  for (uint32_t k = 0; k < w->count; k++) before[k] = facing_of(w, k, place);
  for (int frame = 0; frame < 20 * w->hz; frame++) {
    stage_step(w->world, 1.0f / (float)w->hz);
    for (uint32_t k = 0; k < w->count; k++) {
      const throng_vec3 now = facing_of(w, k, place);
      const double chord = stage_distance(now, before[k]);
      all.turn += 2 * asin(fmin(chord / 2, 1));
      all.speed += stage_length(stage_read(w->world, THRONG_COLUMN_VELOCITY, w->id[k])) / (20 * w->hz);
      before[k] = now;
    }
  }
  return (unrest){all.turn / w->count, all.speed / w->count};
}

/* They need 9 s to the goal, and have 20 s to settle. */
static void people_who_wait_stand_still(void **state) {
  (void)state;
  for (int place = 0; place < PLACES; place++) {
    for (int h = 0; h < RATES; h++) {
      unrest worst = {0, 0};
      for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
        for (uint64_t seed = base_seed; seed < base_seed + SEEDS; seed++) {
          const waiting w = begin((enum place)place, counts[n], rates[h], seed);
          for (int frame = 0; frame < 29 * w.hz; frame++) stage_step(w.world, 1.0f / (float)w.hz);
          const unrest it = unrest_of(&w, (enum place)place);
          worst.turn = fmax(worst.turn, it.turn);
          worst.speed = fmax(worst.speed, it.speed);
          throng_world_destroy(w.world);
        }
      }
      print_message("%s, %d Hz: at most %.4f rad in 20 s, %.5f m/s\n", place_name[place], rates[h], worst.turn,
                    worst.speed);
      assert_true(worst.turn < 1.0 && worst.speed < 0.01);
    }
  }
}

int main(void) {
  base_seed = test_seed("settle", 1);
  const struct CMUnitTest tests[] = {cmocka_unit_test(people_who_wait_stand_still)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
