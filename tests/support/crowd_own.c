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
