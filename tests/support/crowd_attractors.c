/* tests/support/crowd_attractors.c: random attractors, and groups that heed them.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/crowds.h"

#include <math.h>

throng_vec3 crowd_near_agent(test_rng *rng, const crowd *c) {
  throng_vec3 p = c->agents[rng_below(rng, c->count)].position;
  const float reach = c->def.perception_radius;
  if (rng_chance(rng, 0.3f)) return p;
  for (int axis = 0; axis < 3; axis++) {
    float *q = &(&p.x)[axis];
    const bool periodic = c->def.boundary[axis] == THRONG_BOUNDARY_PERIODIC;
    const float limit = 0x1p20f * reach, low = periodic ? (&c->def.box_min.x)[axis] : -limit,
                high = periodic ? (&c->def.box_max.x)[axis] : limit;
    *q = fminf(fmaxf(*q + rng_float(rng, -reach, reach), low), high);
  }
  return p;
}

static throng_attractor random_attractor(test_rng *rng, const crowd *c) {
  static const float radii[] = {0.1f, 0.7f, 1.9f, 1.9f}, strengths[] = {-3.0f, -0.5f, 0.0f, 1.0f, 40.0f};
  const float unit = c->def.perception_radius;
  throng_attractor at = throng_default_attractor();
  at.position = crowd_near_agent(rng, c);
  at.radius = unit * rng_pick(rng, radii, 4) * (!crowd_wraps(&c->def) && rng_chance(rng, 0.3f) ? 20.0f : 1.0f);
  at.strength = unit * rng_pick(rng, strengths, 5);
  at.least_distance = fmaxf(unit * rng_float(rng, 0.01f, 0.5f), 1e-3f);
  at.law = (throng_attractor_law)rng_below(rng, 2);
  if (rng_chance(rng, 0.3f)) at.mask = rng_below(rng, 16);
  return at;
}

void crowd_random_attractors(crowd *c) {
  test_rng rng = rng_from(c->seed + 0xa77ac7u);
  if (c->count == 0 || rng_chance(&rng, 0.5f)) return;
  c->attractor_count = rng_below(&rng, CROWD_MAX_ATTRACTORS + 1);
  for (uint32_t k = 0; k < c->attractor_count; k++) c->attractors[k] = random_attractor(&rng, c);
  for (uint32_t g = 0; g < c->group_count; g++) {
    if (c->groups[g].behaviour_count == THRONG_MAX_BEHAVIOURS || rng_chance(&rng, 0.3f)) continue;
    throng_behaviour *b = throng_group_def_add(&c->groups[g], THRONG_BEHAVIOUR_ATTRACTORS);
    b->weight = rng_float(&rng, -1.0f, 2.0f);
    b->priority = rng_below(&rng, THRONG_PRIORITIES);
    b->attractors.nearest_only = rng_chance(&rng, 0.3f);
  }
}

void crowd_set_attractors(const crowd *c, throng_world *world) {
  throng_error error;
  throng_attractors_def def = throng_default_attractors_def();
  def.attractors = c->attractors;
  def.count = c->attractor_count;
  require_ok(throng_world_set_attractors(world, &def, &error), &error);
}
