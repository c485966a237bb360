/* tests/support/crowd_slicing.c: steer periods of random crowds.
 * SPDX-License-Identifier: MIT */
#include "support/crowds.h"

#include <math.h>

void crowd_slice(crowd *c, uint64_t seed) {
  test_rng rng = rng_from(seed * 0x9e3779b97f4a7c15u + 23);
  const bool own = rng_chance(&rng, 0.5f);
  for (uint32_t g = 0; g < c->group_count; g++) c->groups[g].steer_period = 1u << rng_below(&rng, 4);
  for (uint32_t i = 0; i < c->count; i++) {
    crowd_agent *a = &c->agents[i];
    if (own && rng_chance(&rng, 0.5f)) a->period = (float)(1u << rng_below(&rng, 4));
    if (!rng_chance(&rng, 0.3f)) continue;
    const float most = 2.0f * crowd_group(c, a)->max_acceleration;
    a->kept.x = rng_float(&rng, -most, most);
    a->kept.y = crowd_is_spatial(c) ? rng_float(&rng, -most, most) : 0.0f;
    a->kept.z = rng_float(&rng, -most, most);
  }
}

void crowd_make_unsliced(crowd *c) {
  for (uint32_t g = 0; g < c->group_count; g++) c->groups[g].steer_period = 1;
  for (uint32_t i = 0; i < c->count; i++) {
    c->agents[i].period = NAN;
    c->agents[i].kept = (throng_vec3){NAN, NAN, NAN};
  }
}
