/* neighbour_rare.h: rules that few groups use: attraction and queues. Formulas: docs/ARITHMETIC.md, "Other forms of the
 * rules" and "Queue". SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_NEIGHBOURS_NEIGHBOUR_RARE_H
#define THRONG_KERNEL_PASSES_NEIGHBOURS_NEIGHBOUR_RARE_H

#include "passes/neighbours/neighbour_block.h"

LANES_INLINE void add_attraction(const struct block *block, struct sums *sums, lv3 d, lf d2, lf weight, lm where,
                                 bool spatial) {
  where = lf_less_equal_where(where, d2, block->rare.attraction_radius_sq);
  lf h = lf_div(lf_set1(1.0f), lf_sqrt(d2));
  lf pull = lf_mul(lf_min(lf_mul(block->rare.attraction_strength, lf_mul(h, h)), block->max_acceleration), h);
  lv3 a = lv3_scale(lv3_scale(d, pull, spatial), weight, spatial);
  sums->rare.attraction = rare_where(sums->rare.attraction, where, a, spatial);
}

/* Finds the agent ahead in the queue: the candidate with the smallest distance `ahead` along the queue line, which must
 * be above 0. A candidate counts only if it is at most `width` beside the line, and if its speed against the direction
 * of the line is at most `oncoming`. If this agent has a goal, the candidate must also be nearer to that goal than this
 * agent is. */
LANES_INLINE void add_to_queue(const struct block *block, struct sums *sums, const struct candidate *it, lv3 d, lv3 v,
                               lm where, bool spatial) {
  const struct rare_block *rare = &block->rare;
  lf ahead = lf_negate(lv3_dot(d, rare->queue_line, spatial)), pace = lv3_dot(v, rare->queue_line, spatial);
  lv3 aside = lv3_add(d, lv3_scale(rare->queue_line, ahead, spatial), spatial);
  lv3 other = candidate_position(block, it, spatial);
  /* The same expression as in load_queue, so that both distances to the goal round alike. */
  lv3 left = world_difference(block->frame->grid, rare->goal, other, spatial);
  where = lf_less_equal_where(where, lv3_dot(aside, aside, spatial), rare->width_sq);
  where = lm_and(where, lm_and(lf_greater(ahead, lf_zero()), lf_greater_equal(pace, rare->slowest)));
  lm not_nearer = lm_and(rare->has_goal, lf_greater_equal(lv3_dot(left, left, spatial), rare->goal_sq));
  where = lf_less_where(lm_without(where, not_nearer), ahead, sums->rare.ahead);
  lf bodies = lf_add(block->body, candidate_body(block, it));
  sums->rare.ahead = lf_select(where, ahead, sums->rare.ahead);
  sums->rare.room = lf_select(where, lf_sub(lf_sub(ahead, bodies), rare->gap), sums->rare.room);
  sums->rare.pace = lf_select(where, pace, sums->rare.pace);
}

/* Adds a candidate to the sums of the rare rules. `within_radius`: the lanes that have the candidate within their
 * perception radius. `viewed`: the lanes that also have it in their field of view. */
LANES_INLINE void add_rare(const struct block *block, struct sums *sums, const struct candidate *it, lv3 d, lf d2,
                           lv3 v, lf weight, lm within_radius, lm viewed, unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL;
  const lu layer = candidate_layer(block, it);
  if (block->rules & 1u << RULE_ATTRACTION) {
    lm where = lu_test_where(without_coincident(it, viewed, variant), block->rare.attraction_mask, layer);
    add_attraction(block, sums, d, d2, weight, where, spatial);
  }
  if (block->frame->groups->features & FEATURE_QUEUE) {
    lm queued = lm_and(without_coincident(it, within_radius, variant), block->rare.queues);
    lm where = lu_test_where(queued, block->rare.queue_mask, layer);
    add_to_queue(block, sums, it, d, v, where, spatial);
  }
}

/* Stores the queue line, and in strip->most the maximum acceleration along it. The agent ahead sets this maximum. If no
 * agent is ahead, it is infinite. */
LANES_INLINE void finish_queue(const struct block *block, const struct sums *sums, struct strip *strip, bool spatial) {
  const uint32_t at = block->at - strip->begin;
  lf rate = block->rare.queue_rate, speed = lv3_dot(block->v, block->rare.queue_line, spatial);
  lf allowed = lf_max(lf_add(sums->rare.pace, lf_mul(sums->rare.room, rate)), lf_zero());
  lm behind = lf_less(sums->rare.ahead, lf_set1(INFINITY));
  lf most = lf_select(behind, lf_mul(lf_sub(allowed, speed), block->rare.queue_grip), lf_set1(INFINITY));
  lf_store(strip->most + at, most);
  store_scratch(strip->lane, at, block->rare.queue_line, spatial);
}

#endif
