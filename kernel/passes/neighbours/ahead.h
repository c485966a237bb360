/* ahead.h: the agents ahead: the crowd that sets a pace, and those that go the same way, to which an agent keeps a time
 * gap. Formulas: docs/ARITHMETIC.md, "Pace". SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_NEIGHBOURS_AHEAD_H
#define THRONG_KERNEL_PASSES_NEIGHBOURS_AHEAD_H

#include "passes/neighbours/neighbour_block.h"

/* Keeps the lowest speed at which the agent may follow the candidates that are ahead and go the same way. d: the offset
 * from the candidate; behind: its part along the queue line; along: the candidate's speed along this line. */
LANES_INLINE void follow(const struct block *block, struct sums *sums, const struct candidate *it, lv3 d, lf d2,
                         lf behind, lf along, lm ahead, bool spatial) {
  const struct pace_block *pace = &block->pace;
  lf room = pace->room, inverse = pace->inverse_room;
  if (!block->one_contact) {
    room = lf_add(lf_add(block->body, candidate_body(block, it)), pace->gap);
    inverse = lf_div(lf_set1(1.0f), room);
  }
  const lf aside_sq = lf_sub(d2, lf_mul(behind, behind));
  const lv3 course = candidate_course(block, it, spatial);
  lm where = lf_less_where(ahead, pace->alike, lv3_dot(course, pace->line, spatial));
  where = lf_less_where(where, lf_add(behind, lv3_dot(d, course, spatial)), lf_zero());
  where = lf_less_where(where, aside_sq, lf_mul(room, room));
  const lf way = lf_add(lf_sub(lf_negate(behind), room), lf_mul(aside_sq, inverse));
  const lf speed = lf_add(lf_max(along, lf_zero()), lf_mul(way, pace->gap_rate));
  sums->following = lf_select(where, lf_min(sums->following, speed), sums->following);
}

/* Adds a candidate to the crowd ahead. Lanes beyond the pace's radius add 0; those that coincide with the candidate add
 * nothing. */
LANES_INLINE void add_ahead(const struct block *block, struct sums *sums, const struct candidate *it, lv3 d, lf d2,
                            lf weight, lm within_radius, unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL, gaps = keeps_gaps(block, variant);
  const struct pace_block *pace = &block->pace;
  const lv3 v = candidate_velocity(block, it, spatial);
  const lf behind = lv3_dot(d, pace->line, spatial), along = lv3_dot(v, pace->line, spatial);
  lm where = lf_less(behind, lf_zero());
  if (!gaps) where = lf_less_where(where, pace->slowest, along);
  if (variant & VARIANT_RARE) {
    where = lm_and(where, without_coincident(it, within_radius, variant));
    where = lu_test_where(where, pace->mask, candidate_layer(block, it));
  }
  lf share = lf_max(lf_sub(pace->radius_sq, d2), lf_zero());
  if (gaps) {
    share = lf_select(lf_less(pace->slowest, along), share, lf_mul(share, pace->oncoming_weight));
    follow(block, sums, it, d, d2, behind, along, lm_and(where, within_radius), spatial);
  }
  if (variant & VARIANT_WEIGHTS) share = lf_mul(share, weight);
  sums->ahead = lf_add_where(sums->ahead, lw_from_mask(where), share);
}

/* Stores the queue line, and in strip->most the maximum acceleration along it that keeps the time gap. `queues`: a
 * queue has stored its own, and the smaller one counts. */
LANES_INLINE void finish_gap(const struct block *block, const struct lane_groups *groups, const struct sums *sums,
                             struct strip *strip, bool queues, bool spatial) {
  const struct frame *frame = block->frame;
  const uint32_t at = block->at - strip->begin;
  const lf speed = lv3_dot(block->v, block->pace.line, spatial), rate = block->pace.gap_rate;
  const lf least = lf_mul(load_param(frame, groups, PARAM_PACE_PUSH), load_desired_speed(frame, groups, block->at));
  const lm follows = lm_and(lf_less(sums->following, lf_set1(INFINITY)), lf_greater(rate, lf_zero()));
  const lf over = lf_sub(lf_max(sums->following, least), speed);
  lf most = lf_mul(over, load_param(frame, groups, PARAM_PACE_GRIP));
  most = lf_select(follows, most, lf_set1(INFINITY));
  if (queues) most = lf_min(most, lf_load(strip->most + at));
  lf_store(strip->most + at, most);
  store_scratch(strip->lane, at, block->pace.line, spatial);
}

#endif
