/* tests/support/crowd_forms.c: forms of the rules over neighbours in random crowds: see crowds.h.
 * SPDX-License-Identifier: MIT */
#include "support/crowds.h"
#include "support/random.h"

/* Gives each group a law of separation, or that of the world. */
static void choose_separation(crowd *c, uint64_t seed) {
  test_rng rng = rng_from(seed * 0x9e3779b97f4a7c15u + 28);
  for (uint32_t g = 0; g < c->group_count; g++) {
    c->groups[g].separation.law = (throng_separation_law)rng_below(&rng, THRONG_SEPARATION_AS_WORLD + 1);
  }
}

void crowd_choose_forms(crowd *c, uint64_t seed, bool flocks) {
  if (seed % 3 == 1 && !flocks) choose_separation(c, seed);
}

void crowd_make_common(crowd *c) {
  for (uint32_t g = 0; g < c->group_count; g++) {
    throng_group_def *d = &c->groups[g];
    d->walls_hide = d->separation.nearest_only = false;
    d->separation.law = THRONG_SEPARATION_AS_WORLD;
    d->cohesion.form = THRONG_COHESION_SEEK;
    d->alignment.form = THRONG_ALIGNMENT_MATCH;
    d->avoidance.form = THRONG_AVOIDANCE_PREDICT;
    d->attraction.weight = d->queue.width = 0.0f;
    for (uint32_t k = 0; k < d->behaviour_count; k++) {
      if (d->behaviour[k].kind == THRONG_BEHAVIOUR_ARRIVE) d->behaviour[k].arrive.gather = false;
    }
  }
}
