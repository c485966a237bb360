/* tests/support/crowd_own.c: values of agents' own in random crowds. SPDX-License-Identifier: MIT */
#include "support/crowds.h"

#include <math.h>

void crowd_weigh(crowd *c, uint64_t seed) {
  test_rng rng = rng_from(seed * 0x9e3779b97f4a7c15u + 17);
  for (uint32_t i = 0; i < c->count; i++) {
    crowd_agent *a = &c->agents[i];
    if (rng_chance(&rng, 0.6f)) a->mass = crowd_group(c, a)->mass * rng_float(&rng, 0.4f, 4.0f);
    if (rng_chance(&rng, 0.02f)) a->mass = 1e9f;
  }
}

void crowd_pace(crowd *c, uint64_t seed) {
  test_rng rng = rng_from(seed * 0x9e3779b97f4a7c15u + 23);
  for (uint32_t i = 0; i < c->count; i++) {
    crowd_agent *a = &c->agents[i];
    const float of_group = crowd_group(c, a)->max_speed, top = isinf(of_group) ? c->def.perception_radius : of_group;
    if (rng_chance(&rng, 0.6f)) a->max_speed = top * rng_float(&rng, 0.1f, 3.0f);
    if (rng_chance(&rng, 0.1f)) a->max_speed = 0.0f;
  }
}

static void use_forces(crowd *c, uint64_t seed) {
  test_rng rng = rng_from(seed * 0x9e3779b97f4a7c15u + 37);
  for (uint32_t g = 0; g < c->group_count; g++) {
    throng_group_def *d = &c->groups[g];
    d->steering_is_force = d->actuation != THRONG_ACTUATION_VEHICLE && rng_chance(&rng, 0.6f);
    if (rng_chance(&rng, 0.4f)) d->moment_of_inertia = rng_float(&rng, 0.1f, 20.0f);
  }
}

static void stiffen(crowd *c, uint64_t seed) {
  test_rng rng = rng_from(seed * 0x9e3779b97f4a7c15u + 41);
  for (uint32_t g = 0; g < c->group_count; g++) {
    throng_group_def *d = &c->groups[g];
    const bool may = c->def.space == THRONG_SPACE_PLANAR || d->upright;
    if (!may || d->facing != THRONG_FACING_STEERED || rng_chance(&rng, 0.2f)) continue;
    const float weight = d->mass * d->max_acceleration, force = isinf(weight) ? 100.0f : weight;
    d->actuation = THRONG_ACTUATION_RIGID_BODY;
    d->moment_of_inertia = d->mass * rng_float(&rng, 0.01f, 3.0f);
    d->rigid_body.max_thrust = force * rng_float(&rng, 0.0f, 1.5f);
    d->rigid_body.max_reverse = rng_chance(&rng, 0.5f) ? 0.0f : force * rng_float(&rng, 0.0f, 1.0f);
    d->rigid_body.max_side = force * rng_float(&rng, 0.0f, 1.0f);
    d->rigid_body.max_lift = 0.5f * force;
    d->rigid_body.bow = c->def.perception_radius * rng_float(&rng, 0.01f, 1.0f);
  }
}

void crowd_actuate(crowd *c, uint64_t seed) {
  if (seed % 10 == 7) use_forces(c, seed);
  if (seed % 3 == 2) stiffen(c, seed);
}

void crowd_unlimit(crowd *c, uint64_t seed) {
  test_rng rng = rng_from(seed * 0x9e3779b97f4a7c15u + 31);
  if (c->def.update == THRONG_UPDATE_BALLISTIC) return;
  for (uint32_t g = 0; g < c->group_count; g++) {
    if (rng_chance(&rng, 0.6f) && !isinf(c->groups[g].max_speed)) c->groups[g].max_acceleration = INFINITY;
  }
}

void crowd_hunt(crowd *c, uint64_t seed) {
  test_rng rng = rng_from(seed * 0x9e3779b97f4a7c15u + 29);
  for (uint32_t g = 0; g < c->group_count; g++) {
    for (uint32_t k = 0; k < c->groups[g].behaviour_count; k++) {
      throng_behaviour *b = &c->groups[g].behaviour[k];
      if (rng_chance(&rng, 0.6f)) b->target.kind = THRONG_TARGET_OWN;
      if (rng_chance(&rng, 0.3f)) b->other.kind = THRONG_TARGET_OWN;
    }
  }
  for (uint32_t i = 0; i < c->count; i++) {
    const uint32_t prey = rng_below(&rng, c->count);
    if (prey != i && rng_chance(&rng, 0.8f)) c->agents[i].target = c->agents[prey].id;
  }
}

void crowd_own_values(crowd *c, uint64_t seed) {
  test_rng rng = rng_from(seed * 0x9e3779b97f4a7c15u + 59);
  for (uint32_t g = 0; g < c->group_count; g++) {
    throng_group_def *d = &c->groups[g];
    const float weights[] = {1.0f,
                             d->separation.weight,
                             d->cohesion.weight,
                             d->alignment.weight,
                             d->avoidance.form == THRONG_AVOIDANCE_RECIPROCAL ? 0.0f : d->avoidance.weight,
                             d->attraction.weight};
    d->own_weight = (throng_own_weight)rng_below(&rng, THRONG_OWN_WEIGHT_BEHAVIOUR + 1);
    d->own_weight_entry = d->behaviour_count > 0 ? rng_below(&rng, d->behaviour_count) : 0;
    const bool listed = d->own_weight == THRONG_OWN_WEIGHT_BEHAVIOUR;
    const float weight = !listed                  ? weights[d->own_weight]
                         : d->behaviour_count > 0 ? d->behaviour[d->own_weight_entry].weight
                                                  : 0.0f;
    if (weight == 0.0f) d->own_weight = THRONG_OWN_WEIGHT_NONE;
    d->own_bodies = d->body_radius > 0.0f && rng_chance(&rng, 0.5f);
  }
  for (uint32_t i = 0; i < c->count; i++) {
    crowd_agent *a = &c->agents[i];
    if (rng_chance(&rng, 0.5f)) a->max_yaw_rate = rng_float(&rng, 0.01f, 12.0f);
    if (rng_chance(&rng, 0.5f)) a->weight = rng_chance(&rng, 0.2f) ? 0.0f : rng_float(&rng, -1.0f, 3.0f);
  }
}

throng_status crowd_write_own(const crowd *c, throng_world *world, throng_error *error) {
  const size_t stride = sizeof *c->agents;
  bool rates = false, weights = false;
  for (uint32_t i = 0; i < c->count; i++) {
    rates |= c->agents[i].max_yaw_rate == c->agents[i].max_yaw_rate;
    weights |= c->agents[i].weight == c->agents[i].weight;
  }
  throng_status status = THRONG_OK;
  if (rates)
    status =
        throng_agents_write(world, THRONG_COLUMN_MAX_YAW_RATE, NULL, c->count, &c->agents->max_yaw_rate, stride, error);
  if (status != THRONG_OK || !weights) return status;
  return throng_agents_write(world, THRONG_COLUMN_WEIGHT, NULL, c->count, &c->agents->weight, stride, error);
}
