/* tests/support/crowd_rules.c: the less common rules over neighbours in random crowds. SPDX-License-Identifier: MIT */
#include "support/crowds.h"

#define PI 3.14159265358979f
#define TWO_PI 6.28318530717959f
#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

void crowd_ask_more(crowd *c, uint64_t seed) {
  static const float cones[] = {0.0f, 0.3f, 1.05f, PI, 5.0f, TWO_PI}, times[] = {0.02f, 0.1f, 0.5f, 3.0f};
  test_rng rng = rng_from(seed * 0x9e3779b97f4a7c15u + 11);
  const float radius = c->def.perception_radius;
  for (uint32_t g = 0; g < c->group_count; g++) {
    throng_group_def *d = &c->groups[g];
    const uint32_t forms = d->max_speed < INFINITY ? 3 : 1;
    d->separation.nearest_only = rng_chance(&rng, 0.3f);
    d->cohesion.form = (throng_cohesion_form)(forms == 3 ? rng_below(&rng, 3) : 2 * rng_below(&rng, 2));
    d->cohesion.slow_radius = radius * rng_float(&rng, 0.0f, 1.0f);
    d->cohesion.target_radius = radius * rng_float(&rng, 0.0f, 0.2f);
    d->cohesion.time_to_target = rng_pick(&rng, times, COUNT_OF(times));
    d->cohesion.coast = rng_chance(&rng, 0.5f);
    d->cohesion.radius = rng_chance(&rng, 0.5f) ? 0.0f : radius * rng_float(&rng, 0.1f, 1.0f);
    d->alignment.radius = rng_chance(&rng, 0.5f) ? 0.0f : radius * rng_float(&rng, 0.1f, 1.0f);
    d->alignment.form = (throng_alignment_form)rng_below(&rng, 2);
    d->avoidance.form = (throng_avoidance_form)rng_below(&rng, forms);
    d->avoidance.cone = rng_pick(&rng, cones, COUNT_OF(cones));
    d->attraction.weight = crowd_random_weight(&rng);
    d->attraction.radius = rng_chance(&rng, 0.5f) ? 0.0f : radius * rng_float(&rng, 0.1f, 1.0f);
    d->attraction.strength = rng_chance(&rng, 0.1f) ? 0.0f : radius * rng_float(&rng, 0.01f, 2.0f);
    d->attraction.mask = crowd_random_mask(&rng);
    d->attraction.priority = rng_below(&rng, 3);
    d->queue.width = rng_chance(&rng, 0.4f) ? 0.0f : radius * rng_float(&rng, 0.01f, 1.0f);
    d->queue.gap = radius * rng_float(&rng, 0.0f, 0.5f);
    d->queue.time_to_target = rng_pick(&rng, times, COUNT_OF(times));
    d->queue.oncoming = rng_chance(&rng, 0.3f) ? 0.0f : radius * rng_float(&rng, 0.0f, 1.0f);
    d->queue.mask = crowd_random_mask(&rng);
  }
}

/* Gives each group a law of separation, or that of the world, and some groups the lateral form. */
static void choose_separation(crowd *c, uint64_t seed) {
  test_rng rng = rng_from(seed * 0x9e3779b97f4a7c15u + 28);
  for (uint32_t g = 0; g < c->group_count; g++) {
    c->groups[g].separation.law = (throng_separation_law)rng_below(&rng, THRONG_SEPARATION_AS_WORLD + 1);
    if (rng_chance(&rng, 0.4f)) c->groups[g].separation.form = THRONG_SEPARATION_LATERAL;
  }
}

/* Lets the alignment of some steered groups turn them. */
static void turn_together(crowd *c, uint64_t seed) {
  static const float radii[] = {0.0f, 0.01f, 0.4f, 2.0f};
  test_rng rng = rng_from(seed + 0x29a1167u);
  for (uint32_t g = 0; g < c->group_count; g++) {
    throng_alignment *alignment = &c->groups[g].alignment;
    if (c->groups[g].facing != THRONG_FACING_STEERED || rng_chance(&rng, 0.4f)) continue;
    alignment->turns = true;
    alignment->turn_slow_radius = rng_pick(&rng, radii, 4);
    alignment->turn_target_radius = rng_pick(&rng, radii, 4) * 0.2f;
  }
}

void crowd_measure_in_bodies(crowd *c, uint64_t seed) {
  test_rng rng = rng_from(seed * 0x9e3779b97f4a7c15u + 30);
  for (uint32_t g = 0; g < c->group_count; g++) {
    throng_group_def *d = &c->groups[g];
    const float lengths = c->def.perception_radius / (2.0f * d->body_radius) * 0.999f;
    if (!(d->body_radius > 0.0f) || rng_chance(&rng, 0.3f)) continue;
    d->radii_in_bodies = true;
    float *const radii[] = {&d->perception_radius, &d->separation.radius, &d->cohesion.radius, &d->alignment.radius,
                            &d->attraction.radius};
    for (uint32_t k = 0; k < COUNT_OF(radii); k++)
      *radii[k] = rng_chance(&rng, 0.3f) ? 0.0f : lengths * rng_float(&rng, 0.1f, 1.0f);
    d->own_bodies = rng_chance(&rng, 0.5f);
  }
}

/* Lets some groups avoid each other reciprocally. */
static void avoid_reciprocally(crowd *c, uint64_t seed) {
  static const float alike[] = {-1.0f, 0.5f, 0.5f, 1.0f, 2.0f};
  test_rng rng = rng_from(seed * 0x9e3779b97f4a7c15u + 44);
  const float radius = c->def.perception_radius;
  for (uint32_t g = 0; g < c->group_count; g++) {
    throng_group_def *d = &c->groups[g];
    if (d->max_speed == INFINITY || rng_chance(&rng, 0.2f)) continue;
    d->avoidance.form = THRONG_AVOIDANCE_RECIPROCAL;
    d->avoidance.weight = rng_chance(&rng, 0.1f) ? 0.0f : 1.0f;
    d->avoidance.radius = rng_chance(&rng, 0.3f) ? 0.0f : radius * rng_float(&rng, 0.0f, 1.0f);
    d->avoidance.alike = rng_pick(&rng, alike, COUNT_OF(alike));
    d->avoidance.wall_horizon = rng_float(&rng, 0.01f, 1.0f);
    d->avoidance.margin = rng_chance(&rng, 0.5f) ? 0.0f : radius * rng_float(&rng, 0.0f, 0.1f);
  }
}

/* A table of 2 to 9 points, from about free ways to about a jam of the density. */
static void choose_pace_table(throng_pace *pace, test_rng *rng, float jam) {
  pace->points = 2 + rng_below(rng, 8);
  float density = rng_chance(rng, 0.3f) ? 0.0f : jam * rng_float(rng, 0.0f, 0.2f);
  for (uint32_t k = 0; k < pace->points; k++) {
    pace->density[k] = density;
    pace->factor[k] = rng_float(rng, 0.0f, 1.0f);
    density = nextafterf(density, INFINITY) + (rng_chance(rng, 0.1f) ? 0.0f : jam * rng_float(rng, 0.0f, 0.3f));
  }
}

/* Gives some groups a pace. */
static void choose_paces(crowd *c, uint64_t seed) {
  test_rng rng = rng_from(seed * 0x9e3779b97f4a7c15u + 45);
  const float radius = c->def.perception_radius;
  for (uint32_t g = 0; g < c->group_count; g++) {
    throng_group_def *d = &c->groups[g];
    if (!(d->max_speed < INFINITY) || rng_chance(&rng, 0.3f)) continue;
    d->pace.on = true;
    d->pace.radius = rng_chance(&rng, 0.1f) ? radius : radius * rng_float(&rng, 0.1f, 1.0f);
    d->pace.self = rng_float(&rng, 0.0f, 1.0f);
    d->pace.oncoming = rng_chance(&rng, 0.3f) ? 0.0f : radius * rng_float(&rng, 0.0f, 1.0f);
    d->pace.time_to_target = rng_pick(&rng, (const float[]){0.02f, 0.1f, 0.5f, 3.0f}, 4);
    if (rng_chance(&rng, 0.3f)) d->pace.mask = crowd_random_mask(&rng);
    if (rng_chance(&rng, 0.8f)) choose_pace_table(&d->pace, &rng, 10.0f / (radius * radius));
    d->pace.oncoming_weight = rng_pick(&rng, (const float[]){0.0f, 0.0f, 0.4f, 1.0f}, 4);
    d->pace.time_gap = rng_pick(&rng, (const float[]){0.0f, 0.1f, 0.5f, 3.0f}, 4);
    d->pace.gap = rng_chance(&rng, 0.5f) ? 0.0f : radius * rng_float(&rng, 0.0f, 0.2f);
    d->pace.alike = rng_pick(&rng, (const float[]){-1.0f, 0.0f, 0.5f, 0.9f, 2.0f}, 5);
    d->pace.push = rng_pick(&rng, (const float[]){0.0f, 0.2f, 1.0f}, 3);
  }
}

/* Lets some rules count only their nearest neighbours; half of the groups have one number for all three. */
static void choose_nearest(crowd *c, uint64_t seed) {
  static const uint32_t numbers[] = {0, 1, 2, 3, 7, 20, THRONG_MAX_NEAREST};
  test_rng rng = rng_from(seed * 0x9e3779b97f4a7c15u + 58);
  for (uint32_t g = 0; g < c->group_count; g++) {
    throng_group_def *d = &c->groups[g];
    const bool alike = rng_chance(&rng, 0.5f);
    d->separation.nearest = numbers[rng_below(&rng, COUNT_OF(numbers))];
    d->cohesion.nearest = alike ? d->separation.nearest : numbers[rng_below(&rng, COUNT_OF(numbers))];
    d->alignment.nearest = alike ? d->separation.nearest : numbers[rng_below(&rng, COUNT_OF(numbers))];
  }
}

void crowd_choose_forms(crowd *c, uint64_t seed, bool flocks) {
  if (seed / 2 % 3 == 1 && !flocks) avoid_reciprocally(c, seed);
  if (seed % 5 == 3) choose_paces(c, seed);
  if (seed % 3 == 1 && !flocks) choose_separation(c, seed);
  if (seed % 3 == 0) turn_together(c, seed);
  if (seed % 7 == 2) choose_nearest(c, seed);
}

void crowd_make_common(crowd *c) {
  for (uint32_t i = 0; i < c->count; i++) c->agents[i].max_yaw_rate = NAN;
  for (uint32_t g = 0; g < c->group_count; g++) {
    throng_group_def *d = &c->groups[g];
    d->walls_hide = d->separation.nearest_only = false;
    d->own_weight = THRONG_OWN_WEIGHT_NONE;
    d->separation.law = THRONG_SEPARATION_AS_WORLD;
    d->separation.form = THRONG_SEPARATION_PUSH;
    if (d->cohesion.form == THRONG_COHESION_LATERAL) d->cohesion.form = THRONG_COHESION_SEEK;
    d->alignment.form = THRONG_ALIGNMENT_MATCH;
    d->alignment.turns = false;
    d->avoidance.form = THRONG_AVOIDANCE_PREDICT;
    d->pace.on = false;
    d->attraction.weight = d->queue.width = d->cohesion.radius = d->alignment.radius = 0.0f;
    for (uint32_t k = 0; k < d->behaviour_count; k++) {
      throng_arrive *arrive = &d->behaviour[k].arrive;
      if (d->behaviour[k].kind == THRONG_BEHAVIOUR_ARRIVE) arrive->gather = arrive->settle = false;
    }
  }
}
