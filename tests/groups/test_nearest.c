/* test_nearest.c: tests of rules that count only their nearest neighbours.
 * SPDX-License-Identifier: MIT */
#include "support/groups.h"
#include "support/random.h"
#include "support/stage.h"

#include <math.h>
#include <string.h>

#define AGENTS 400u

static throng_world_def wide_world(throng_space space) {
  throng_world_def def = throng_default_world_def();
  def.space = space;
  def.perception_radius = 10.0f;
  return def;
}

/* A group whose alignment alone gives the mean velocity of the neighbours. */
static throng_group_def aligned_group(uint32_t nearest) {
  throng_group_def g = stage_idle_group();
  g.max_acceleration = 100.0f;
  g.alignment.weight = 1.0f;
  g.alignment.time_to_target = 1.0f;
  g.alignment.nearest = nearest;
  return g;
}

static throng_vec3 wanted_by_first(const throng_group_def *g, uint32_t count, const throng_vec3 *positions,
                                   const throng_vec3 *velocities) {
  const throng_world_def def = wide_world(THRONG_SPACE_PLANAR);
  return stage_wanted_by_first(&def, g, count, positions, velocities);
}

static void require_vector(throng_vec3 a, float x, float z) {
  if (fabsf(a.x - x) <= 1e-5f && fabsf(a.z - z) <= 1e-5f) return;
  fail_msg("acceleration (%.7g, %.7g), expected (%.7g, %.7g)", (double)a.x, (double)a.z, (double)x, (double)z);
}

static const throng_vec3 spread[] = {{0, 0, 0}, {3, 0, 0}, {0, 0, -1}, {-2, 0, 0}, {0, 0, 4}};
static const throng_vec3 moving[] = {{0, 0, 0}, {8, 0, 0}, {0, 0, 2}, {4, 0, 0}, {0, 0, 12}};

static void the_nearest_count(void **state) {
  (void)state;
  throng_group_def g = aligned_group(1);
  require_vector(wanted_by_first(&g, 5, spread, moving), 0, 2);
  g.alignment.nearest = 2;
  require_vector(wanted_by_first(&g, 5, spread, moving), 2, 1);
  g.alignment.nearest = 3;
  require_vector(wanted_by_first(&g, 5, spread, moving), 4, 2.0f / 3);
  g.alignment.nearest = 4;
  require_vector(wanted_by_first(&g, 5, spread, moving), 3, 3.5f);
  g.alignment.nearest = 9; /* more than there are */
  require_vector(wanted_by_first(&g, 5, spread, moving), 3, 3.5f);
  g.alignment.weight = 0.0f;
  g.cohesion.weight = 1.0f;
  g.cohesion.form = THRONG_COHESION_SEEK;
  g.cohesion.nearest = 2; /* toward (-2, -1) */
  require_vector(wanted_by_first(&g, 5, spread, NULL), -200.0f / sqrtf(5.0f), -100.0f / sqrtf(5.0f));
  g.cohesion.weight = 0.0f;
  g.separation.weight = 1.0f;
  g.separation.strength = 0.1f;
  g.separation.nearest = 2; /* k R / d each */
  require_vector(wanted_by_first(&g, 5, spread, NULL), 0.5f, 1.0f);
}

/* The rule's own view and mask decide first who may be one of the nearest. */
static void only_those_that_count(void **state) {
  (void)state;
  throng_group_def g = aligned_group(1);
  g.field_of_view = THRONG_VIEW_LIMITED; /* the facing is +z: the one behind is out of view */
  require_vector(wanted_by_first(&g, 5, spread, moving), 4, 0);
  g.alignment.mask = 2u; /* a layer without agents */
  require_vector(wanted_by_first(&g, 5, spread, moving), 0, 0);
}

/* Of neighbours at one distance those with the smallest z row count first, then those with the smallest x. */
static void ties_go_by_canonical_order(void **state) {
  (void)state;
  const throng_vec3 p[] = {{0, 0, 0}, {2, 0, 0}, {0, 0, 2}, {-2, 0, 0}, {0, 0, -2}};
  const throng_vec3 v[] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 7}, {5, 0, 0}, {0, 0, 3}};
  throng_group_def g = aligned_group(1);
  require_vector(wanted_by_first(&g, 5, p, v), 0, 3); /* z = 0 is the border of two rows */
  g.alignment.nearest = 2;
  require_vector(wanted_by_first(&g, 5, p, v), 2.5f, 1.5f);
}

/* A brute force over all agents: the mean velocity of the `most` nearest. */
static throng_vec3 mean_of_nearest(const throng_vec3 *p, const throng_vec3 *v, uint32_t i, uint32_t most) {
  bool taken[AGENTS] = {false};
  throng_vec3 sum = {0, 0, 0};
  float n = 0.0f;
  for (; n < (float)most; n += 1.0f) {
    uint32_t best = AGENTS;
    double nearest = 10.0;
    for (uint32_t j = 0; j < AGENTS; j++) {
      const double d = stage_distance(p[i], p[j]);
      if (j == i || taken[j] || d > nearest) continue;
      best = j;
      nearest = d;
    }
    if (best == AGENTS) break;
    taken[best] = true;
    sum = (throng_vec3){sum.x + v[best].x, sum.y + v[best].y, sum.z + v[best].z};
  }
  if (n == 0.0f) return v[i];
  return (throng_vec3){sum.x / n, sum.y / n, sum.z / n};
}

static void equals_a_brute_force(void **state) {
  (void)state;
  static const uint32_t numbers[] = {1, 6, 7, 20, THRONG_MAX_NEAREST};
  for (uint32_t k = 0; k < 10; k++) {
    const throng_world_def def = wide_world(k % 2 ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR);
    const throng_group_def g = aligned_group(numbers[k / 2]);
    throng_world *world = stage_world(&def, &g);
    static throng_vec3 p[AGENTS], v[AGENTS];
    static throng_agent_id ids[AGENTS];
    throng_error error;
    test_rng rng = rng_from(77 + k);
    for (uint32_t i = 0; i < AGENTS; i++) {
      const float side = k % 2 ? 30.0f : 50.0f;
      p[i] = (throng_vec3){rng_float(&rng, 0, side), k % 2 ? rng_float(&rng, 0, side) : 0.0f, rng_float(&rng, 0, side)};
      v[i] = (throng_vec3){rng_float(&rng, -1, 1), 0.0f, rng_float(&rng, -1, 1)};
    }
    stage_add(world, AGENTS, p, v, NULL, ids);
    require_ok(throng_world_steer(world, 0.01f, &error), &error);
    for (uint32_t i = 0; i < AGENTS; i++) {
      const throng_vec3 mean = mean_of_nearest(p, v, i, numbers[k / 2]),
                        a = stage_read(world, THRONG_COLUMN_ACCELERATION, ids[i]);
      assert_true(fabsf(a.x - (mean.x - v[i].x)) < 1e-5f && fabsf(a.z - (mean.z - v[i].z)) < 1e-5f);
    }
    throng_world_destroy(world);
  }
}

static void numbers_are_checked(void **state) {
  (void)state;
  const throng_world_def def = wide_world(THRONG_SPACE_PLANAR);
  throng_group_def g = aligned_group(THRONG_MAX_NEAREST);
  throng_world *world = stage_world(&def, &g);
  throng_error error;
  g.alignment.nearest = 33;
  assert_int_equal(throng_world_set_group(world, 0, &g, &error), THRONG_ERROR_BAD_VALUE);
  assert_string_equal(error.text, "group.alignment.nearest is 33, allowed: 0 to 32");
  throng_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_nearest_count),          cmocka_unit_test(only_those_that_count),
      cmocka_unit_test(ties_go_by_canonical_order), cmocka_unit_test(equals_a_brute_force),
      cmocka_unit_test(numbers_are_checked),
  };
  return cmocka_run_group_tests_name("nearest", tests, NULL, NULL);
}
