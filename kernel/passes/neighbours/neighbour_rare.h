/* passes/neighbour_more.h: what few groups ask of their neighbours: separation from the nearest alone, attraction, avoidance by a
 * cone, queues, cohesion that arrives, and lateral forms. The formulas are those of docs/ARITHMETIC.md, "Neighbours of
 * agent i". SPDX-License-Identifier: MIT */
#ifndef THRONG_NEIGHBOUR_MORE_H
#define THRONG_NEIGHBOUR_MORE_H

#include "passes/steering/aim.h"
#include "passes/neighbours/neighbour_block.h"

/* Candidate j's push on the lanes that separate from the nearest alone. Returns those that sum. */
LANES_INLINE lm keep_nearest(const struct block *block, struct sums *sums, lv3 push, lf d2, lm to_separation,
                             bool spatial) {
  lm nearer = lf_less_where(lm_and(to_separation, block->more.nearest_only), d2, sums->more.nearest_sq);
  sums->more.nearest_sq = lf_select(nearer, d2, sums->more.nearest_sq);
  sums->separation = lv3_select(nearer, push, sums->separation, spatial);
  return lm_without(to_separation, block->more.nearest_only);
}

LANES_INLINE lv3 more_where(lv3 sum, lm where, lv3 a, bool spatial) {
  return lv3_add(sum, lv3_where(where, a, spatial), spatial);
}

LANES_INLINE void add_attraction(const struct block *block, struct sums *sums, lv3 d, lf d2, lf weight, lm where,
                                 bool spatial) {
  where = lf_less_equal_where(where, d2, block->more.attraction_radius_sq);
  lf h = lf_div(lf_set1(1.0f), lf_sqrt(d2));
  lf pull = lf_mul(lf_min(lf_mul(block->more.attraction_strength, lf_mul(h, h)), block->max_acceleration), h);
  lv3 a = lv3_scale(lv3_scale(d, pull, spatial), weight, spatial);
  sums->more.attraction = more_where(sums->more.attraction, where, a, spatial);
}

/* The neighbours in the cone, summed or the nearest alone (Millington 3.3.14). */
LANES_INLINE void add_to_cone(const struct block *block, struct sums *sums, const struct candidate *it, lv3 d, lf d2,
                              lv3 v, lf weight, lm where, unsigned kind) {
  const bool spatial = kind & KIND_SPATIAL;
  const struct more_block *more = &block->more;
  lf behind = lv3_dot(d, more->heading, spatial);
  lm ahead = lf_less_where(where, lf_mul(behind, lf_abs(behind)), lf_mul(more->cone_edge, d2));
  where = or_coincident(it, ahead, where, kind);
  lm nearer = lf_less_where(lm_and(where, more->cone_nearest), d2, sums->more.cone_nearest_sq);
  sums->more.cone_nearest_sq = lf_select(nearer, d2, sums->more.cone_nearest_sq);
  lm summed = lm_without(where, more->cone_nearest);
  lv3 all = more_where(sums->more.cone, summed, lv3_scale(d, weight, spatial), spatial);
  lv3 all_velocity = more_where(sums->more.cone_velocity, summed, lv3_scale(v, weight, spatial), spatial);
  sums->more.cone = lv3_select(nearer, d, all, spatial);
  sums->more.cone_velocity = lv3_select(nearer, v, all_velocity, spatial);
  lf count = lf_add(sums->more.cone_count, lf_where(summed, weight));
  sums->more.cone_count = lf_select(nearer, lf_set1(1.0f), count);
}

/* The nearest along the lane of those in it who do not come toward the agent and are nearer to its goal. */
LANES_INLINE void add_to_queue(const struct block *block, struct sums *sums, const struct candidate *it, lv3 d, lv3 v,
                               lm where, bool spatial) {
  const struct more_block *more = &block->more;
  lf ahead = lf_negate(lv3_dot(d, more->lane, spatial)), pace = lv3_dot(v, more->lane, spatial);
  lv3 aside = lv3_add(d, lv3_scale(more->lane, ahead, spatial), spatial);
  lv3 other = candidate_position(block, it, spatial);
  lv3 left = world_difference(block->frame->grid, more->goal, other, spatial); /* as it has it itself */
  where = lf_less_equal_where(where, lv3_dot(aside, aside, spatial), more->width_sq);
  where = lm_and(where, lm_and(lf_greater(ahead, lf_zero()), lf_greater_equal(pace, more->slowest)));
  lm not_nearer = lm_and(more->has_goal, lf_greater_equal(lv3_dot(left, left, spatial), more->goal_sq));
  where = lf_less_where(lm_without(where, not_nearer), ahead, sums->more.ahead);
  lf bodies = lf_add(block->body, candidate_body(block, it));
  sums->more.ahead = lf_select(where, ahead, sums->more.ahead);
  sums->more.room = lf_select(where, lf_sub(lf_sub(ahead, bodies), more->gap), sums->more.room);
  sums->more.pace = lf_select(where, pace, sums->more.pace);
}

/* `viewed` are the lanes that see the candidate and `near` those in whose range it is. */
LANES_INLINE void add_more(const struct block *block, struct sums *sums, const struct candidate *it, lv3 d, lf d2,
                           lv3 v, lf weight, lu layer, lm near, lm viewed, unsigned kind) {
  const bool spatial = kind & KIND_SPATIAL;
  const uint32_t rules = block->rules;
  if (rules & 1u << RULE_COHESION) {
    lm together = lu_test_where(viewed, block->cohesion_mask, layer);
    sums->more.together = lf_add(sums->more.together, lf_where(together, weight));
  }
  if (rules & 1u << RULE_ATTRACTION) {
    lm where = lu_test_where(without_coincident(it, viewed, kind), block->more.attraction_mask, layer);
    add_attraction(block, sums, d, d2, weight, where, spatial);
  }
  if (rules & 1u << RULE_AVOIDANCE) {
    lm where = lu_test_where(lm_and(viewed, block->more.cone), block->avoidance_mask, layer);
    add_to_cone(block, sums, it, d, d2, v, weight, where, kind);
  }
  if (block->frame->groups->features & FEATURE_QUEUE) {
    lm there = lm_and(without_coincident(it, near, kind), block->more.queues);
    lm where = lu_test_where(there, block->more.queue_mask, layer);
    add_to_queue(block, sums, it, d, v, where, spatial);
  }
}

LANES_INLINE struct aim aim_of(const struct block *block, const struct lane_groups *groups) {
  struct aim aim = {.p = block->p, .v = block->v, .dp = lv3_zero(), .exists = block->valid};
  aim.limit = block->max_acceleration;
  aim.speed = load_param(block->frame, groups, PARAM_DESIRED_SPEED);
  return aim;
}

/* Evades what is in the cone. */
LANES_INLINE lv3 avoid_cone(const struct block *block, const struct lane_groups *groups, const struct sums *sums,
                            bool spatial) {
  const struct aim aim = aim_of(block, groups);
  lm any = lf_greater(sums->more.cone_count, lf_zero());
  lf inverse = lf_div(lf_set1(1.0f), sums->more.cone_count);
  lv3 d = lv3_scale(lv3_negate(sums->more.cone, spatial), inverse, spatial);
  lv3 u = lv3_scale(sums->more.cone_velocity, inverse, spatial);
  lf time = time_to_reach(&aim, d, block->horizon, spatial);
  lv3 away = lv3_negate(after(d, u, time, spatial), spatial);
  return lv3_where(any, seek_along(&aim, away, lf_zero(), spatial), spatial);
}

/* Arrives at the mean position. */
LANES_INLINE lv3 arrive_together(const struct block *block, const struct lane_groups *groups, const struct sums *sums,
                                 bool spatial) {
  const struct frame *frame = block->frame;
  const struct aim aim = aim_of(block, groups);
  lm any = lf_greater(sums->more.together, lf_zero());
  lf inverse = lf_div(lf_set1(1.0f), sums->more.together);
  lv3 mean = lv3_scale(lv3_negate(sums->cohesion, spatial), inverse, spatial);
  lv3 a = arrive_along(&aim, mean, load_param(frame, groups, PARAM_COHESION_SLOW),
                       load_param(frame, groups, PARAM_COHESION_TARGET), load_param(frame, groups, PARAM_COHESION_TIME),
                       spatial);
  return lv3_where(any, a, spatial);
}

/* Square to the facing, to the side of `toward`, by its angle to the facing (Bourg & Seemann 4.2.3, 4.2.4). */
LANES_INLINE lv3 steer_lateral(const struct block *block, lv3 toward, bool spatial) {
  lf along = lv3_dot(block->facing, toward, spatial);
  lv3 aside = lv3_sub(toward, lv3_scale(block->facing, along, spatial), spatial);
  lf off = lf_sqrt(lv3_dot(aside, aside, spatial));
  lm behind = lm_and(lf_equal(off, lf_zero()), lf_less(along, lf_zero()));
  lv3 side = lv3_scale(aside, lv3_inv_len(aside, spatial), spatial);
  lv3 right = right_of(block->facing, spatial), left = lv3_negate(right, spatial);
  lm odd = lu_test(block->id, lu_set1(1));
  side = lv3_select(behind, lv3_select(odd, right, left, spatial), side, spatial);
  lf share = lf_mul(lf_atan2(off, along), lf_set1(0.318309886183791f));
  return lv3_scale(side, lf_mul(block->max_acceleration, share), spatial);
}

/* What the one ahead leaves room for. */
LANES_INLINE void finish_queue(const struct block *block, const struct sums *sums, struct strip *strip, bool spatial) {
  const uint32_t at = block->at - strip->begin;
  lf rate = block->more.queue_rate, speed = lv3_dot(block->v, block->more.lane, spatial);
  lf allowed = lf_max(lf_add(sums->more.pace, lf_mul(sums->more.room, rate)), lf_zero());
  lm behind = lf_less(sums->more.ahead, lf_set1(INFINITY));
  lf most = lf_select(behind, lf_mul(lf_sub(allowed, speed), block->more.queue_grip), lf_set1(INFINITY));
  lf_store(strip->most + at, most);
  store_scratch(strip->lane, at, block->more.lane, spatial);
}

#endif
