/* tests/grid/test_budget_contact.c: checks that a neighbour budget bounds the pairs of contact and of gather in a
 * clump, that clumps of solid bodies still spread out, and that contact of ordinary crowds keeps its bits.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "support/check.h"
#include "support/random.h"

#include <throng/throng.h>

#define HEAP 600u
#define CROWD 2000u
#define SOLID 300u

static const float rates[] = {20.0f, 60.0f, 240.0f};
static const uint64_t seeds[] = {1, 2, 3};
#define RUNS 9 /* every seed with every rate */

static throng_world *new_world(const throng_world_def *def, const throng_group_def *group) {
  throng_world *world = NULL;
  throng_error error;
  require_ok(throng_world_create(def, &world, &error), &error);
  require_ok(throng_world_set_group(world, 0, group, &error), &error);
  return world;
}

static throng_world_def plane(uint32_t budget) {
  throng_world_def def = throng_default_world_def();
  def.perception_radius = 2.0f;
  def.neighbour_budget = budget;
  def.thread_count = 1;
  return def;
}

/* Adds agents in a square (or cube) of `side` metres, with goals at its middle. `ids` may be NULL. */
static void add(throng_world *world, uint32_t count, float side, uint64_t seed, throng_agent_id *ids) {
  test_rng rng = rng_from(seed);
  throng_vec3 *p = calloc(count, sizeof *p), *goal = calloc(count, sizeof *goal);
  assert_true(p && goal);
  const bool spatial = throng_world_get_def(world).space == THRONG_SPACE_SPATIAL;
  for (uint32_t k = 0; k < count; k++) {
    const float x = rng_float(&rng, -0.5f, 0.5f), y = rng_float(&rng, -0.5f, 0.5f), z = rng_float(&rng, -0.5f, 0.5f);
    p[k] = (throng_vec3){x * side, spatial ? y * side : 0.0f, z * side};
  }
  throng_agents_def agents = throng_default_agents_def();
  agents.position.data = p;
  agents.goal.data = goal;
  throng_error error;
  require_ok(throng_agents_add(world, &agents, count, ids, &error), &error);
  free(p);
  free(goal);
}

static void step(throng_world *world, uint32_t frames, float dt) {
  throng_error error;
  for (uint32_t k = 0; k < frames; k++) require_ok(throng_world_step(world, dt, &error), &error);
}

/* Bodies that press to one point, without rules over neighbours. */
static throng_group_def bodies(void) {
  throng_group_def group = throng_walkers_group_def();
  group.separation.weight = group.avoidance.weight = 0.0f;
  group.pace.on = false;
  throng_group_def_find(&group, THRONG_BEHAVIOUR_ARRIVE)->arrive.settle = false;
  return group;
}

/* The rules of a crowd with 6 agents per square metre are thinned with a budget of 8: a representative counts as five
 * agents. Its contact is not. With a budget of 2 it is. */
static void contact_of_an_ordinary_crowd_keeps_its_bits(void **state) {
  (void)state;
  const throng_group_def group = bodies();
  for (int run = 0; run < RUNS; run++) {
    const uint32_t budgets[3] = {0, 8, 2};
    uint64_t hash[3];
    for (int k = 0; k < 3; k++) {
      const throng_world_def def = plane(budgets[k]);
      throng_world *world = new_world(&def, &group);
      add(world, CROWD, sqrtf((float)CROWD / 6.0f), seeds[run / 3], NULL);
      step(world, 5, 1.0f / rates[run % 3]);
      hash[k] = throng_world_hash(world, 0);
      throng_world_destroy(world);
    }
    if (hash[0] == hash[1] && hash[0] != hash[2]) continue;
    fail_msg("seed %llu at %g Hz: budgets 0, 8 and 2 give %llx, %llx, %llx", (unsigned long long)seeds[run / 3],
             (double)rates[run % 3], (unsigned long long)hash[0], (unsigned long long)hash[1],
             (unsigned long long)hash[2]);
  }
}

/* Steps a clump of walkers. `halves`: in two halves, and the world grows between them. */
static uint64_t clump_hash(throng_world_def def, bool strays, bool halves) {
  const throng_group_def group = throng_walkers_group_def();
  throng_world *world = new_world(&def, &group);
  throng_error error;
  add(world, HEAP, 0.5f, 7, NULL);
  if (strays) add(world, 8, 50000.0f, 8, NULL);
  for (uint32_t frame = 0; frame < 10; frame++) {
    if (halves) {
      require_ok(throng_world_steer(world, 0.05f, &error), &error);
      require_ok(throng_agents_reserve(world, 700 + 100 * frame, &error), &error);
      require_ok(throng_world_integrate(world, 0.05f, &error), &error);
    } else {
      step(world, 1, 0.05f);
    }
  }
  throng_vec3 p[HEAP + 8];
  const uint32_t count = HEAP + (strays ? 8 : 0);
  require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, count, p, 0, &error), &error);
  require_sound(world, "a clump of walkers");
  throng_world_destroy(world);
  uint64_t hash = 14695981039346656037u;
  for (size_t k = 0; k < HEAP * sizeof *p; k++) hash = (hash ^ ((const unsigned char *)p)[k]) * 1099511628211u;
  return hash;
}

/* Strays far away put agents of several true cells into torus cells. */
static void a_clump_has_the_same_bits_everywhere(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++) {
    throng_world_def def = plane(4);
    def.space = (throng_space)space;
    const uint64_t expected = clump_hash(def, false, false);
    assert_true(clump_hash(def, true, false) == expected);
    assert_true(clump_hash(def, false, true) == expected);
    def.thread_count = 3;
    assert_true(clump_hash(def, true, true) == expected);
    for (int isa = THRONG_ISA_AUTO + 1; isa < THRONG_ISA_COUNT; isa++) {
      if (!throng_isa_is_available((throng_isa)isa)) continue;
      def.isa = (throng_isa)isa;
      assert_true(clump_hash(def, isa % 2 == 0, false) == expected);
    }
  }
}

/* What a heap has become. */
typedef struct spread {
  float closest, widest, fastest; /* smallest distance of two agents; largest from the middle; largest speed */
} spread;

static spread spread_of(throng_world *world) {
  static throng_vec3 p[SOLID], v[SOLID];
  throng_error error;
  spread s = {INFINITY, 0.0f, 0.0f};
  require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, SOLID, p, 0, &error), &error);
  require_ok(throng_agents_read(world, THRONG_COLUMN_VELOCITY, NULL, SOLID, v, 0, &error), &error);
  for (uint32_t k = 0; k < SOLID; k++) {
    s.widest = fmaxf(s.widest, hypotf(p[k].x, p[k].z));
    s.fastest = fmaxf(s.fastest, hypotf(v[k].x, v[k].z));
    for (uint32_t j = 0; j < k; j++) s.closest = fminf(s.closest, hypotf(p[k].x - p[j].x, p[k].z - p[j].z));
  }
  return s;
}

static spread heap_after(float seconds, float rate, uint32_t seed) {
  const throng_world_def def = plane(8);
  throng_group_def group = throng_walkers_group_def();
  group.behaviour_count = 0;
  group.when_target_lost = THRONG_WHEN_LOST_COAST; /* keep the radius of separation: bodies end apart */
  throng_world *world = new_world(&def, &group);
  throng_agent_id taken[3]; /* other ids give coincident agents other directions */
  throng_error error;
  add(world, seed, 1.0f, 1, taken);
  add(world, SOLID, 0.0f, 1, NULL);
  require_ok(throng_agents_remove(world, taken, seed, &error), &error);
  step(world, (uint32_t)(seconds * rate), 1.0f / rate);
  const spread s = spread_of(world);
  throng_world_destroy(world);
  return s;
}

/* Walkers on one point are thinned at first. In the end their bodies do not overlap, and none was thrown out. */
static void solid_bodies_on_one_point_spread_out(void **state) {
  (void)state;
  for (int run = 0; run < RUNS; run++) {
    const spread s = heap_after(12.0f, rates[run % 3], (uint32_t)seeds[run / 3]);
    printf("seed %llu at %g Hz: closest %.3f m, widest %.2f m, fastest %.2f m/s\n", (unsigned long long)seeds[run / 3],
           (double)rates[run % 3], (double)s.closest, (double)s.widest, (double)s.fastest);
    assert_true(s.closest > 0.36f && s.widest < 20.0f && s.fastest < 1.35f);
  }
}

static double seconds_now(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Returns the smallest time of a frame in milliseconds with `count` agents on one point. */
static double heap_time(const throng_group_def *group, uint32_t count) {
  const throng_world_def def = plane(8);
  throng_world *world = new_world(&def, group);
  double best = INFINITY;
  add(world, count, 0.0f, 1, NULL);
  for (int frame = 0; frame < 3; frame++) {
    const double begin = seconds_now();
    step(world, 1, 0.0001f);
    best = fmin(best, 1e3 * (seconds_now() - begin));
  }
  throng_world_destroy(world);
  return best;
}

/* Without the bound the ratio is above 500. The test allows 100, because other programs run at the same time. */
static void a_heap_of_solid_bodies_takes_little_longer_than_a_flock(void **state) {
  (void)state;
  enum { COUNT = 20000 };
  const throng_group_def flock = throng_default_group_def(), walkers = throng_walkers_group_def();
  throng_group_def gather = throng_default_group_def();
  gather.separation.weight = gather.cohesion.weight = gather.alignment.weight = 0.0f;
  throng_group_def_add(&gather, THRONG_BEHAVIOUR_ARRIVE)->arrive.gather = true;
  const double flock_ms = heap_time(&flock, COUNT), walkers_ms = heap_time(&walkers, COUNT),
               gather_ms = heap_time(&gather, COUNT);
  printf(
      "%d agents on one point, budget 8: a flock %.1f ms, walkers %.1f ms (%.1f times), gather %.1f ms (%.1f times)\n",
      COUNT, flock_ms, walkers_ms, walkers_ms / flock_ms, gather_ms, gather_ms / flock_ms);
  assert_true(walkers_ms < 100.0 * flock_ms && gather_ms < 100.0 * flock_ms);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contact_of_an_ordinary_crowd_keeps_its_bits),
      cmocka_unit_test(a_clump_has_the_same_bits_everywhere),
      cmocka_unit_test(solid_bodies_on_one_point_spread_out),
      cmocka_unit_test(a_heap_of_solid_bodies_takes_little_longer_than_a_flock),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
