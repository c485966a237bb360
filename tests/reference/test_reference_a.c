/* tests/reference/test_reference_a.c: checks that the library's results equal those of reference A bit for bit, frame
 * after frame, in random worlds of every kind.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/crowds.h"
#include "support/groups.h"

#include "reference/reference_a.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t base_seed;

static const throng_isa all_isas[] = {THRONG_ISA_BASELINE, THRONG_ISA_AVX2, THRONG_ISA_AVX512, THRONG_ISA_NEON};

/* Returns instruction set number k modulo n of the n available ones. */
static throng_isa some_isa(uint32_t k) {
  throng_isa available[4];
  uint32_t count = 0;
  for (uint32_t i = 0; i < 4; i++)
    if (throng_isa_is_available(all_isas[i])) available[count++] = all_isas[i];
  return count == 0 ? THRONG_ISA_AUTO : available[k % count];
}

static float random_dt(test_rng *rng) {
  static const float dts[] = {0.0f, 1.0f / 60.0f, 1.0f / 60.0f, 0.1f, 1.0f};
  return rng_pick(rng, dts, 5);
}

/* Steps the crowd and the world once. If `halves`, the world is stepped by steer and integrate, and accelerations are
 * compared between the two calls; if not, by throng_world_step. */
static void both_step(crowd *c, throng_world *world, float dt, bool halves, const char *what) {
  throng_error error;
  if (!halves) {
    ref_a_step(c, dt);
    require_ok(throng_world_step(world, dt, &error), &error);
  } else {
    throng_vec3 *next = malloc(((size_t)c->count + 1) * sizeof *next);
    if (next == NULL) abort();
    ref_a_steer(c, dt, next);
    require_ok(throng_world_steer(world, dt, &error), &error);
    const bool same = crowd_matches(
        c, world, THRONG_BIT(THRONG_COLUMN_ACCELERATION) | THRONG_BIT(THRONG_COLUMN_YAW_ACCELERATION), what);
    ref_a_integrate(c, dt, next);
    free(next);
    if (!same) fail();
    require_ok(throng_world_integrate(world, dt, &error), &error);
  }
  require_sound(world, what);
}

static void follow(crowd *c, throng_world *world, uint32_t frames, test_rng *rng, const char *what) {
  crowd_import(c, world);
  require_crowd(c, world, STATE_COLUMNS, what);
  for (uint32_t k = 0; k < frames; k++) {
    both_step(c, world, random_dt(rng), rng_chance(rng, 0.4f), what);
    require_crowd(c, world, STATE_COLUMNS, what);
  }
}

/* Changes group `number` of a random crowd. */
typedef void group_change(throng_group_def *g, uint32_t number, float radius, uint32_t variant);

static void compare_changed(uint64_t seed, const crowd_recipe *recipe, uint32_t frames, group_change *change,
                            uint32_t variant) {
  static const uint32_t threads[] = {1, 1, 2};
  static const char *const boundaries[CROWD_BOUNDARIES] = {"unbounded",
                                                           "boxed",
                                                           "periodic",
                                                           "periodic-unbounded-boxed",
                                                           "boxed-periodic-unbounded",
                                                           "unbounded-boxed-periodic"};
  char what[120];
  crowd *c = crowd_random(seed, recipe);
  for (uint32_t g = 0; change && g < c->group_count; g++) change(&c->groups[g], g, c->def.perception_radius, variant);
  const crowd_world_options options = {.isa = some_isa((uint32_t)seed), .threads = threads[seed / 3 % 3]};
  snprintf(what, sizeof what, "%s %s %s, %u agents, %s", recipe->space == THRONG_SPACE_SPATIAL ? "spatial" : "planar",
           boundaries[recipe->boundary], crowd_layout_name(recipe->layout), recipe->count,
           throng_isa_name(options.isa));
  throng_world *world = crowd_world(c, &options);
  test_rng rng = rng_from(seed);
  follow(c, world, frames, &rng, what);
  throng_world_destroy(world);
  crowd_free(c);
}

static void compare_recipe(uint64_t seed, const crowd_recipe *recipe, uint32_t frames) {
  compare_changed(seed, recipe, frames, NULL, 0);
}

/* Compares worlds of every space, boundary and count in this layout, with `rounds` seeds each. */
static void compare_layout(crowd_layout layout, uint32_t rounds) {
  static const uint32_t counts[] = {0, 1, 2, 7, 8, 9, 17, 60, 150};
  uint64_t seed = base_seed + (uint64_t)layout * 1000003u;
  for (uint32_t round = 0; round < rounds; round++)
    for (uint32_t space = 0; space < 2; space++)
      for (uint32_t boundary = 0; boundary < CROWD_BOUNDARIES; boundary++)
        for (uint32_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
          const crowd_recipe recipe = {(throng_space)space, boundary, layout, counts[k], round % 2 == 0, false};
          compare_recipe(seed++, &recipe, 4);
        }
}

#define LAYOUT_TEST(name, layout, rounds)                                                                              \
  static void name(void **state) {                                                                                     \
    (void)state;                                                                                                       \
    compare_layout(layout, rounds);                                                                                    \
  }
LAYOUT_TEST(uniform_worlds, LAYOUT_UNIFORM, 8)
LAYOUT_TEST(coincident_agents, LAYOUT_COINCIDENT, 6)
LAYOUT_TEST(agents_on_borders, LAYOUT_BORDERS, 8)
LAYOUT_TEST(agents_on_a_lattice, LAYOUT_LATTICE, 8)
LAYOUT_TEST(agents_at_the_seam, LAYOUT_SEAM, 8)
LAYOUT_TEST(agents_far_away, LAYOUT_FAR, 6)
LAYOUT_TEST(aliased_bins, LAYOUT_ALIASED, 6)
LAYOUT_TEST(one_bin, LAYOUT_ONE_BIN, 6)
LAYOUT_TEST(pairs_at_the_edge_of_perception, LAYOUT_REACH, 12)
LAYOUT_TEST(mirrored_pairs, LAYOUT_MIRROR, 6)

/* Groups that differ little from the default group. The kernel has variants for them. */
static void plain_flocks(void **state) {
  (void)state;
  static const uint32_t counts[] = {1, 9, 40, 150, 400};
  uint64_t seed = base_seed + 300;
  for (uint32_t layout = 0; layout < LAYOUT_COUNT; layout++)
    for (uint32_t space = 0; space < 2; space++)
      for (uint32_t boundary = 0; boundary < CROWD_BOUNDARIES; boundary++)
        for (uint32_t k = 0; k < 5; k++) {
          const crowd_recipe recipe = {(throng_space)space, boundary,   (crowd_layout)layout,
                                       counts[k],           k % 2 == 0, true};
          compare_recipe(seed++, &recipe, 3);
        }
}

/* Each bit of `variant` turns on a part of the rules; the kernel has variants of the walk for common combinations. From
 * variant 32 on separation has another field of view than the other rules; from 64 on that view is a full circle; from
 * 96 on the groups have paces, and the view is as in the first.
 * Groups with odd numbers are in layer 1 and have no separation radius. */
#define VARIANTS 128u
static void set_rules(throng_group_def *g, uint32_t number, float radius, uint32_t variant) {
  const bool view = variant & 1, mask = variant & 2, near = variant & 4, avoids = variant & 8, flocks = variant & 16;
  const uint32_t odd = number % 2;
  g->layer = odd;
  g->field_of_view = view ? 4.0f : 6.2831855f;
  g->separation.field_of_view = (const float[]){g->field_of_view, 5.0f, 6.2831855f, g->field_of_view}[variant / 32];
  g->pace.on = variant >= 96;
  g->pace.radius = radius * (odd ? 0.8f : 0.6f);
  g->pace.mask = THRONG_ALL_LAYERS;
  g->alignment.turns = false;
  g->own_weight = THRONG_OWN_WEIGHT_NONE;
  g->cohesion.radius = g->alignment.radius = 0.0f;
  g->separation.law = THRONG_SEPARATION_AS_WORLD;
  g->separation.form = THRONG_SEPARATION_PUSH;
  g->separation.radius = near && !odd ? radius * 0.6f : 0.0f;
  g->separation.weight = 1.0f;
  g->avoidance.weight = avoids ? 1.0f : 0.0f;
  g->cohesion.weight = g->alignment.weight = flocks ? 1.0f : 0.0f;
  g->separation.mask = g->avoidance.mask = THRONG_ALL_LAYERS;
  g->cohesion.mask = mask ? 1u << odd : THRONG_ALL_LAYERS;
  g->alignment.mask = mask ? 2u >> odd : THRONG_ALL_LAYERS;
}

static void common_rules(void **state) {
  (void)state;
  uint64_t seed = base_seed + 400;
  for (uint32_t variant = 0; variant < VARIANTS; variant++)
    for (uint32_t layout = 0; layout < LAYOUT_COUNT; layout++)
      for (uint32_t space = 0; space < 2; space++) {
        const crowd_recipe recipe = {(throng_space)space,  (uint32_t)(seed / 3 % CROWD_BOUNDARIES),
                                     (crowd_layout)layout, 90,
                                     variant % 2 == 0,     true};
        compare_changed(seed++, &recipe, 3, set_rules, variant);
      }
}

/* Flocks that count only their nearest neighbours: the common walk serves those with one number and without masks. */
static void set_nearest(throng_group_def *g, uint32_t number, float radius, uint32_t variant) {
  static const uint32_t numbers[] = {1, 4, 7, THRONG_MAX_NEAREST};
  set_rules(g, number, radius, 16 + variant % 8 / 4 * 4 + variant % 2);
  g->separation.nearest = numbers[variant / 8];
  g->cohesion.nearest = numbers[(variant / 8 + number) % 4];
  g->alignment.nearest = variant % 4 / 2 ? g->cohesion.nearest : 2;
  g->separation.field_of_view = g->field_of_view;
  g->walls_hide = g->separation.nearest_only = false;
  g->cohesion.form = THRONG_COHESION_SEEK;
  g->alignment.form = THRONG_ALIGNMENT_MATCH;
  g->attraction.weight = g->queue.width = 0.0f;
}

static void nearest_neighbours(void **state) {
  (void)state;
  uint64_t seed = base_seed + 450;
  for (uint32_t variant = 0; variant < 32; variant++)
    for (uint32_t layout = 0; layout < LAYOUT_COUNT; layout++)
      for (uint32_t space = 0; space < 2; space++) {
        const crowd_recipe recipe = {(throng_space)space,  (uint32_t)(seed / 3 % CROWD_BOUNDARIES),
                                     (crowd_layout)layout, 120,
                                     variant % 2 == 0,     true};
        compare_changed(seed++, &recipe, 3, set_nearest, variant);
      }
}

static void a_thousand_agents(void **state) {
  (void)state;
  uint64_t seed = base_seed + 500;
  for (uint32_t layout = 0; layout < LAYOUT_COUNT; layout++)
    for (uint32_t space = 0; space < 2; space++)
      for (uint32_t boundary = 0; boundary < CROWD_BOUNDARIES; boundary++) {
        const crowd_recipe recipe = {(throng_space)space, boundary, (crowd_layout)layout, 1000, boundary == 1, false};
        compare_recipe(seed++, &recipe, 2);
      }
}

/* Cells have so many agents that they are radix-sorted, and that their windows do not fit into one candidate list. */
static void thousands_in_one_bin(void **state) {
  (void)state;
  const crowd_recipe planar = {THRONG_SPACE_PLANAR, THRONG_BOUNDARY_UNBOUNDED, LAYOUT_ONE_BIN, 3000, true, false};
  const crowd_recipe spatial = {THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_PERIODIC, LAYOUT_ONE_BIN, 2500, false, false};
  compare_recipe(base_seed + 901, &planar, 2);
  compare_recipe(base_seed + 902, &spatial, 1);
}

static float between(test_rng *rng, float a, float b) { return a + (b - a) * rng_float(rng, 0.0f, 0.05f); }

/* Some windows fit into one candidate list and some do not: 1 600 agents are in a dense cloud beside 200 other
 * agents. */
static void thousands_beside_few(void **state) {
  (void)state;
  for (uint32_t k = 0; k < 6; k++) {
    const crowd_recipe recipe = {(throng_space)(k % 2), (throng_boundary)(k % 3), LAYOUT_UNIFORM, 1800, true, false};
    crowd *c = crowd_random(base_seed + 950 + k, &recipe);
    test_rng rng = rng_from(k);
    const throng_vec3 a = c->agents[0].position, b = c->agents[1].position;
    for (uint32_t i = 200; i < c->count; i++) {
      c->agents[i].position = (throng_vec3){between(&rng, a.x, b.x), between(&rng, a.y, b.y), between(&rng, a.z, b.z)};
    }
    const crowd_world_options options = {.isa = some_isa(k)};
    throng_world *world = crowd_world(c, &options);
    follow(c, world, 1, &rng, "1 600 agents in a cloud beside 200");
    throng_world_destroy(world);
    crowd_free(c);
  }
}

static void radii_in_body_lengths(void **state) {
  (void)state;
  for (uint32_t k = 0; k < 40; k++) {
    const crowd_recipe recipe = {(throng_space)(k % 2), (throng_boundary)(k % 3), LAYOUT_UNIFORM, 120, true, false};
    crowd *c = crowd_random(base_seed + 1100 + k, &recipe);
    crowd_measure_in_bodies(c, base_seed + k);
    const crowd_world_options options = {.isa = some_isa(k)};
    throng_world *world = crowd_world(c, &options);
    test_rng rng = rng_from(k);
    follow(c, world, 3, &rng, "radii in body lengths");
    throng_world_destroy(world);
    crowd_free(c);
  }
}

/* In the second half of the cases separation radii are so small that some coincident agents are farther apart than the
 * radius. */
static void hundreds_at_one_point(void **state) {
  (void)state;
  for (uint32_t k = 0; k < 12; k++) {
    const crowd_recipe recipe = {(throng_space)(k % 2), (throng_boundary)(k % 3), LAYOUT_UNIFORM, 300, true, false};
    crowd *c = crowd_random(base_seed + 700 + k, &recipe);
    for (uint32_t i = 1; i < c->count; i++) c->agents[i].position = c->agents[0].position;
    if (k >= 6) c->def.separation_law = THRONG_SEPARATION_LINEAR;
    for (uint32_t g = 0; k >= 6 && g < c->group_count; g++)
      c->groups[g].separation.radius = g % 3 == 2 ? 1e-39f : 6e-7f * c->def.perception_radius;
    const crowd_world_options options = {.isa = some_isa(k)};
    throng_world *world = crowd_world(c, &options);
    test_rng rng = rng_from(k);
    follow(c, world, 4, &rng, "300 agents at one point");
    throng_world_destroy(world);
    crowd_free(c);
  }
}

/* Two worlds with the same state must stay equal. The agents of one were added in another order, with another capacity,
 * and some extra agents were added and removed again. */
static void history_leaves_no_trace(void **state) {
  (void)state;
  for (uint32_t k = 0; k < 60; k++) {
    const crowd_recipe recipe = {
        (throng_space)(k % 2), (throng_boundary)(k / 2 % 3), (crowd_layout)(k % LAYOUT_COUNT), 90, k % 4 == 0, false};
    crowd *c = crowd_random(base_seed + 800 + k, &recipe);
    const crowd_world_options plain = {.isa = some_isa(k)};
    const crowd_world_options tangled = {.isa = some_isa(k / 3), .history = 1 + k, .capacity = k % 3 * 5000};
    throng_world *a = crowd_world(c, &plain), *b = crowd_world(c, &tangled);
    test_rng rng = rng_from(base_seed + k);
    crowd_import(c, a);
    require_crowd(c, b, STATE_COLUMNS, "another history, before the first frame");
    for (uint32_t frame = 0; frame < 6; frame++) {
      const float dt = random_dt(&rng);
      both_step(c, a, dt, frame % 2 == 0, "plain history");
      throng_error error;
      require_ok(throng_world_step(b, dt, &error), &error);
      require_sound(b, "another history");
      require_crowd(c, b, STATE_COLUMNS, "another history");
      assert_true(throng_world_hash(a, STATE_COLUMNS) == throng_world_hash(b, STATE_COLUMNS));
    }
    throng_world_destroy(a);
    throng_world_destroy(b);
    crowd_free(c);
  }
}

/* Replaces targets that are removed agents by targets that are alive, because the library refuses removed agents. */
static void aim_at_the_living(const crowd *c, throng_group_def *g, test_rng *rng) {
  for (uint32_t k = 0; k < g->behaviour_count; k++) {
    throng_target *const targets[] = {&g->behaviour[k].target, &g->behaviour[k].other};
    for (uint32_t which = 0; which < 2; which++) {
      bool lives = false;
      for (uint32_t i = 0; i < c->count; i++) lives |= c->agents[i].id.index == targets[which]->agent.index;
      if (!lives) targets[which]->agent = c->agents[rng_below(rng, c->count)].id;
    }
  }
}

/* In 48 frames: after every 4 frames a group gets another definition and an agent is removed. */
static void many_frames_with_changes(void **state) {
  (void)state;
  for (uint32_t k = 0; k < 6; k++) {
    const crowd_recipe recipe = {(throng_space)(k % 2), (throng_boundary)(k % 3), LAYOUT_UNIFORM, 200, true, false};
    crowd *c = crowd_random(base_seed + 600 + k, &recipe);
    const crowd_world_options options = {.isa = some_isa(k), .threads = 1 + k % 2};
    throng_world *world = crowd_world(c, &options);
    throng_error error;
    test_rng rng = rng_from(base_seed + k);
    for (uint32_t round = 0; round < 12; round++) {
      follow(c, world, 4, &rng, "48 frames with changes");
      const uint32_t g = rng_below(&rng, c->group_count), gone = rng_below(&rng, c->count);
      const bool wanders = group_wants(&c->groups[g], THRONG_BEHAVIOUR_WANDER);
      if (!crowd_wanders(c) || wanders) {
        c->groups[g] = crowd_random_group(&rng, c->def.perception_radius, false);
        crowd_random_turns(&rng, &c->groups[g]);
        group_forget(&c->groups[g], THRONG_BEHAVIOUR_WANDER);
        if (wanders && c->groups[g].behaviour_count == THRONG_MAX_BEHAVIOURS) c->groups[g].behaviour_count--;
        if (wanders) group_want(&c->groups[g], THRONG_BEHAVIOUR_WANDER, 1.0f);
        for (uint32_t i = 0; i < c->count; i++) {
          if (c->agents[i].group == g) c->agents[i].kept = (throng_vec3){NAN, NAN, NAN}; /* due at once */
        }
      }
      aim_at_the_living(c, &c->groups[g], &rng);
      require_ok(throng_world_set_group(world, g, &c->groups[g], &error), &error);
      require_ok(throng_agents_remove(world, &c->agents[gone].id, 1, &error), &error);
      c->count--;
      for (uint32_t i = gone; i < c->count; i++) c->agents[i] = c->agents[i + 1];
    }
    throng_world_destroy(world);
    crowd_free(c);
  }
}

int main(void) {
  base_seed = test_seed("test_reference_a", 20240611);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(uniform_worlds),
      cmocka_unit_test(coincident_agents),
      cmocka_unit_test(agents_on_borders),
      cmocka_unit_test(agents_on_a_lattice),
      cmocka_unit_test(agents_at_the_seam),
      cmocka_unit_test(agents_far_away),
      cmocka_unit_test(aliased_bins),
      cmocka_unit_test(one_bin),
      cmocka_unit_test(mirrored_pairs),
      cmocka_unit_test(pairs_at_the_edge_of_perception),
      cmocka_unit_test(plain_flocks),
      cmocka_unit_test(common_rules),
      cmocka_unit_test(nearest_neighbours),
      cmocka_unit_test(a_thousand_agents),
      cmocka_unit_test(thousands_in_one_bin),
      cmocka_unit_test(thousands_beside_few),
      cmocka_unit_test(radii_in_body_lengths),
      cmocka_unit_test(hundreds_at_one_point),
      cmocka_unit_test(history_leaves_no_trace),
      cmocka_unit_test(many_frames_with_changes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
