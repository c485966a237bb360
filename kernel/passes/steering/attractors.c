/* attractors.c: points that attract or repel (Millington 3.3.13). Formula: docs/ARITHMETIC.md, "Attractors".
 * SPDX-License-Identifier: MIT */
#include "passes/steering/surroundings.h"

/* The pulls on the agents of a block. */
struct pulls {
  lv3 sum;
  lm nearest_only;
  lf nearest; /* with nearest_only: squared distance of the attractor in the sum */
};

/* Returns the acceleration toward an attractor at a squared distance. */
LANES_INLINE lf pull_at(const throng_attractor *attractor, lf d_sq) {
  const lf strength = lf_set1(attractor->strength), radius = lf_set1(attractor->radius);
  if (attractor->law == THRONG_ATTRACTOR_LINEAR) {
    return lf_mul(strength, lf_div(lf_sub(radius, lf_sqrt(d_sq)), radius));
  }
  const lf least_sq = lf_set1(attractor->least_distance * attractor->least_distance);
  return lf_mul(strength, lf_div(least_sq, lf_max(d_sq, least_sq)));
}

/* Adds the pull of an attractor, at `point`, on the agents of `here` that are within its radius. */
LANES_INLINE void add_pull(struct pulls *pulls, const throng_attractor *attractor, const float point[3],
                           const struct feeler *feeler, lm here, bool spatial) {
  const lv3 d = from_agent(point, feeler, spatial);
  const lf d_sq = lv3_dot(d, d, spatial), radius = lf_set1(attractor->radius);
  const lm within = lf_less_where(here, d_sq, lf_mul(radius, radius));
  if (!lm_any(within)) return;
  const lv3 pull = lv3_scale(lv3_direction(d, spatial), pull_at(attractor, d_sq), spatial);
  const lm nearer = lf_less_where(within, d_sq, pulls->nearest);
  const lv3 sum = lv3_select(within, lv3_add(pulls->sum, pull, spatial), pulls->sum, spatial);
  const lv3 only = lv3_select(nearer, pull, pulls->sum, spatial);
  pulls->nearest = lf_select(nearer, d_sq, pulls->nearest);
  pulls->sum = lv3_select(pulls->nearest_only, only, sum, spatial);
}

LANES_INLINE void attractors_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  const struct attractors *attractors = frame->attractors;
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_ATTRACTORS)) continue;
    const struct feeler feeler = {.p = load_lv3(frame->front->f + COLUMN_POSITION_X, at, spatial)};
    const lu layers = lf_bits(load_param(frame, &block.groups, PARAM_LAYER));
    struct pulls pulls = {.sum = lv3_zero(), .nearest = lf_set1(INFINITY)};
    pulls.nearest_only = lf_greater(ENTRY_VALUE(attractors, nearest_only), lf_zero());

    struct surroundings near;
    const struct shape *ball;
    look_for(&near, &attractors->reach.areas, frame, feeler.p, block.wants, lf_zero(), true, false);
    while ((ball = next_shape(&near, spatial))) {
      const throng_attractor *attractor = &attractors->list[attractors->reach.of[ball - attractors->reach.areas.shape]];
      const lm feels = lu_test_where(near.here, layers, lu_set1(attractor->mask));
      add_pull(&pulls, attractor, ball->a, &feeler, feels, spatial);
    }
    const lf limit = load_wanted_limit(frame, &block.groups, at, PARAM_MAX_ACCELERATION);
    store_entry(frame, strip, &block, lv3_clip(pulls.sum, limit, spatial), spatial);
  }
}
DEFINE_BEHAVIOUR(attractors)
