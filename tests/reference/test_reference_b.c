/* tests/reference/test_reference_b.c: checks that the results of one step of the library differ from those of reference
 * B (double precision) by no more than the derived bounds, in worlds where no decision depends on rounding.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/crowds.h"
#include "support/groups.h"

#include "reference/reference_b.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TWO_PI 6.28318530717958647692

static uint64_t base_seed;

static float jitter(test_rng *rng, const crowd *c, int axis, float value, float low, float high) {
  const float r = c->def.perception_radius;
  value += rng_float(rng, -0.2f, 0.2f) * r;
  if (c->def.boundary[axis] == THRONG_BOUNDARY_UNBOUNDED) return value;
  const float inside = 0.01f * r;
  return value < low + inside ? low + inside * 2.0f : (value > high - inside ? high - inside * 2.0f : value);
}

/* Changes an agent's position, velocity and facing a little at random. */
static void disturb(test_rng *rng, crowd *c, uint32_t i) {
  crowd_agent *a = &c->agents[i];
  const throng_vec3 low = c->def.box_min, high = c->def.box_max;
  a->position.x = jitter(rng, c, 0, a->position.x, low.x, high.x);
  a->position.z = jitter(rng, c, 2, a->position.z, low.z, high.z);
  if (crowd_is_spatial(c)) a->position.y = jitter(rng, c, 1, a->position.y, low.y, high.y);
  a->velocity.x *= rng_float(rng, 0.8f, 1.2f);
  a->velocity.z *= rng_float(rng, 0.8f, 1.2f);
  if (!crowd_is_spatial(c)) a->facing.x = rng_float(rng, -3.14f, 3.14f);
  if (group_wants(&c->groups[a->group], THRONG_BEHAVIOUR_WANDER) && !crowd_is_spatial(c)) a->wander.x = 0.0f;
}

/* Disturbs agents until no decision of any agent has too small a margin, and writes the reference's results. Returns
 * false after 400 attempts. First reads the facings from a world, because the library normalises spatial facings. */
static bool settle(test_rng *rng, crowd *c, float dt, ref_b_result *results) {
  throng_world *world = crowd_world(c, NULL);
  crowd_import(c, world);
  throng_world_destroy(world);
  for (uint32_t attempt = 0; attempt < 400; attempt++) {
    uint32_t culprit;
    if (ref_b_step(c, (double)dt, results, &culprit)) return true;
    disturb(rng, c, culprit);
  }
  return false;
}

static double distance(const crowd *c, const double expected[3], throng_vec3 got, bool positions) {
  const double value[3] = {(double)got.x, (double)got.y, (double)got.z};
  const double side[3] = {(double)c->def.box_max.x - (double)c->def.box_min.x,
                          (double)c->def.box_max.y - (double)c->def.box_min.y,
                          (double)c->def.box_max.z - (double)c->def.box_min.z};
  double sum = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    if (axis == 1 && !crowd_is_spatial(c)) continue;
    double d = value[axis] - expected[axis];
    if (positions && c->def.boundary[axis] == THRONG_BOUNDARY_PERIODIC) d = remainder(d, side[axis]);
    sum += d * d;
  }
  return sqrt(sum);
}

static double worst; /* maximum of difference / allowed difference over all results so far */

static bool within(const crowd *c, uint32_t i, const char *what, double difference, double bound) {
  const double allowed = 2.0 * bound; /* twice, because the bound leaves out products of errors */
  if (allowed > 0.0 && difference / allowed > worst) worst = difference / allowed;
  if (difference <= allowed) return true;
  print_error("seed %" PRIu64 ", agent %u, %s: differs by %.3g (%a), allowed %.3g (%a)\n", c->seed,
              c->agents[i].id.index, what, difference, difference, allowed, allowed);
  return false;
}

static bool compare(const crowd *c, const throng_world *world, const ref_b_result *expected) {
  const uint32_t n = c->count;
  throng_vec3 *p = calloc((size_t)n + 1, sizeof *p), *v = calloc((size_t)n + 1, sizeof *v),
              *f = calloc((size_t)n + 1, sizeof *f);
  if (p == NULL || v == NULL || f == NULL) abort();
  throng_error error;
  require_ok(throng_agents_read(world, THRONG_COLUMN_POSITION, NULL, n, p, sizeof *p, &error), &error);
  require_ok(throng_agents_read(world, THRONG_COLUMN_VELOCITY, NULL, n, v, sizeof *v, &error), &error);
  require_ok(throng_agents_read(world, THRONG_COLUMN_FACING, NULL, n, f, sizeof *f, &error), &error);
  bool good = true;
  for (uint32_t i = 0; i < n; i++) {
    const ref_b_result *e = &expected[i];
    good &= within(c, i, "position", distance(c, e->position, p[i], true), e->position_bound);
    good &= within(c, i, "velocity", distance(c, e->velocity, v[i], false), e->velocity_bound);
    if (isinf(e->facing_bound)) continue;
    const double turned = crowd_is_spatial(c) ? distance(c, e->facing, f[i], false)
                                              : fabs(remainder((double)f[i].x - e->facing[0], TWO_PI));
    good &= within(c, i, "facing", turned, e->facing_bound);
  }
  free(p);
  free(v);
  free(f);
  return good;
}

static bool compare_recipe(uint64_t seed, const crowd_recipe *recipe) {
  test_rng rng = rng_from(seed);
  crowd *c = crowd_random(seed, recipe);
  crowd_make_common(c);
  crowd_make_unsliced(c);
  crowd_make_fluid(c); /* without contact: in a pile of bodies rounding would change the number of overlaps */
  /* Reference B has no neighbour budget, speed zones, flow fields, limits of turns, upright facings, vehicles, and only
   * one way to blend. */
  c->def.neighbour_budget = 0;
  c->zone_count = c->raster.width = 0;
  for (uint32_t g = 0; g < c->group_count; g++) {
    group_forget(&c->groups[g], THRONG_BEHAVIOUR_FOLLOW_FIELD);
    c->groups[g].steering_is_force = false;
    c->groups[g].combine = THRONG_COMBINE_WEIGHTED;
    c->groups[g].facing_speed = 0.0f;
    c->groups[g].max_yaw_rate = INFINITY;
    c->groups[g].upright = false;
    c->groups[g].actuation = THRONG_ACTUATION_FREE;
    if (c->groups[g].facing == THRONG_FACING_STEERED) group_look_ahead(&c->groups[g]);
    uint32_t kept = 0;
    for (uint32_t k = 0; k < c->groups[g].behaviour_count; k++) {
      throng_behaviour b = c->groups[g].behaviour[k];
      if (b.kind == THRONG_BEHAVIOUR_INTERCEPT) b.intercept.turn = 0.0f; /* else it chases */
      const bool in_the_book = book_aims(b.kind) || b.kind == THRONG_BEHAVIOUR_WANDER;
      if (in_the_book) c->groups[g].behaviour[kept++] = b;
    }
    c->groups[g].behaviour_count = kept;
  }
  const float dt = rng_chance(&rng, 0.5f) ? 1.0f / 60.0f : 0.1f;
  ref_b_result *results = calloc((size_t)c->count + 1, sizeof *results);
  if (results == NULL) abort();
  const bool settled = settle(&rng, c, dt, results);
  if (settled) {
    throng_error error;
    const crowd_world_options options = {.threads = 1 + (uint32_t)(seed % 2)};
    throng_world *world = crowd_world(c, &options);
    /* Normalising a unit vector again may change its last bit. So compute the results again, from this world's
     * facings. */
    crowd_import(c, world);
    uint32_t culprit;
    if (ref_b_step(c, (double)dt, results, &culprit)) {
      require_ok(throng_world_step(world, dt, &error), &error);
      const bool good = compare(c, world, results);
      throng_world_destroy(world);
      free(results);
      if (!good) {
        print_error("%s, seed %" PRIu64 "\n", crowd_layout_name(recipe->layout), seed);
        fail();
      }
      crowd_free(c);
      return true;
    }
    throng_world_destroy(world);
  }
  free(results);
  crowd_free(c);
  return false;
}

/* Checks that at least the fraction `share` of the worlds could be compared. In the other worlds decisions kept too
 * small a margin. */
static void compare_layout(crowd_layout layout, uint32_t rounds, float share) {
  static const uint32_t counts[] = {1, 2, 7, 17, 60};
  uint32_t compared = 0, all = 0;
  uint64_t seed = base_seed + (uint64_t)layout * 1000003u;
  for (uint32_t round = 0; round < rounds; round++)
    for (uint32_t space = 0; space < 2; space++)
      for (uint32_t boundary = 0; boundary < CROWD_BOUNDARIES; boundary++)
        for (uint32_t k = 0; k < sizeof counts / sizeof counts[0]; k++, all++) {
          const crowd_recipe recipe = {(throng_space)space, boundary, layout, counts[k], false, false};
          compared += compare_recipe(seed++, &recipe);
        }
  print_message("%s: compared %u of %u worlds; the largest difference so far is %.2f of the allowed one\n",
                crowd_layout_name(layout), compared, all, worst);
  assert_true((float)compared >= share * (float)all);
}

static void uniform_worlds(void **state) {
  (void)state;
  compare_layout(LAYOUT_UNIFORM, 20, 0.8f);
}

static void mirrored_pairs(void **state) {
  (void)state;
  compare_layout(LAYOUT_MIRROR, 12, 0.8f);
}

static void clusters_over_kilometres(void **state) {
  (void)state;
  compare_layout(LAYOUT_ALIASED, 8, 0.5f);
}

static void dense_bins(void **state) {
  (void)state;
  compare_layout(LAYOUT_ONE_BIN, 8, 0.5f);
}

static void at_the_seam(void **state) {
  (void)state;
  compare_layout(LAYOUT_SEAM, 8, 0.5f);
}

static void a_thousand_agents(void **state) {
  (void)state;
  uint32_t compared = 0;
  for (uint32_t k = 0; k < 6; k++) {
    const crowd_recipe recipe = {(throng_space)(k % 2), (throng_boundary)(k / 2), LAYOUT_UNIFORM, 1000, true, false};
    compared += compare_recipe(base_seed + 900 + k, &recipe);
  }
  assert_true(compared >= 3);
}

int main(void) {
  base_seed = test_seed("test_reference_b", 77001);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(uniform_worlds), cmocka_unit_test(mirrored_pairs), cmocka_unit_test(clusters_over_kilometres),
      cmocka_unit_test(dense_bins),     cmocka_unit_test(at_the_seam),    cmocka_unit_test(a_thousand_agents),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
