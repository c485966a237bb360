/* neighbour_rare.h: rules and forms that few groups use: separation from the nearest neighbour alone, attraction,
 * avoidance by a cone, queues, lateral forms. Formulas: docs/ARITHMETIC.md, "Neighbours of agent i".
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_NEIGHBOURS_NEIGHBOUR_RARE_H
#define THRONG_KERNEL_PASSES_NEIGHBOURS_NEIGHBOUR_RARE_H

#include "passes/steering/aim.h"
#include "passes/steering/turn.h"
#include "passes/neighbours/neighbour_block.h"

/* `to_separation`: the lanes for which the neighbour counts in separation. Those of them with nearest_only replace
 * their sum by `push` if this neighbour is the nearest so far. Returns the others: the caller adds `push` to their
 * sums. */
LANES_INLINE lm keep_nearest(const struct block *block, struct sums *sums, lv3 push, lf d2, lm to_separation,
                             bool spatial) {
  lm nearer = lf_less_where(lm_and(to_separation, block->rare.nearest_only), d2, sums->rare.nearest_sq);
  sums->rare.nearest_sq = lf_select(nearer, d2, sums->rare.nearest_sq);
  sums->separation = lv3_select(nearer, push, sums->separation, spatial);
  return lm_without(to_separation, block->rare.nearest_only);
}

/* The part of `toward` at right angles to the facing; `along` is the other part. */
LANES_INLINE lv3 aside_of(lv3 facing, lv3 toward, lf along, bool spatial) {
  return lv3_sub(toward, lv3_scale(facing, along, spatial), spatial);
}
/* Returns the direction of a vector at right angles to the facing. In the lanes `by_id` it is to the agent's right if
 * its id index is odd, and to its left if not. */
LANES_INLINE lv3 side_of(lv3 facing, lu id, lv3 aside, lm by_id, bool spatial) {
  lv3 side = lv3_scale(aside, lv3_inv_len(aside, spatial), spatial);
  lv3 right = right_of(facing, spatial), left = lv3_negate(right, spatial);
  lm odd = lu_test(id, lu_set1(1));
  return lv3_select(by_id, lv3_select(odd, right, left, spatial), side, spatial);
}

/* Returns the direction at right angles to the facing, away from the side of a neighbour. */
LANES_INLINE lv3 away_from_side(lv3 facing, lu id, lv3 d, lf d2, bool spatial) {
  lv3 aside = aside_of(facing, d, lv3_dot(facing, d, spatial), spatial);
  lm in_line = lf_less_equal(lv3_dot(aside, aside, spatial), lf_mul(lf_set1(1e-10f), d2));
  return side_of(facing, id, aside, in_line, spatial);
}

/* Replaces `push`, which is d w, by a vector of its length at right angles to the facing, away from the side of the
 * neighbour, where the group separates so (Bourg & Seemann 4.2.5). It is 0 in lanes outside `where`. */
LANES_INLINE lv3 push_aside(const struct block *block, lv3 push, lv3 d, lf d2, lf w, lm where, bool spatial) {
  lv3 side = away_from_side(block->facing, block->id, d, d2, spatial);
  lv3 lateral = lv3_where(where, lv3_scale(side, lf_mul(w, lf_sqrt(d2)), spatial), spatial);
  return lv3_select(has_form(block->rare.forms, FORM_SEPARATION_LATERAL), lateral, push, spatial);
}

LANES_INLINE lv3 rare_where(lv3 sum, lm where, lv3 a, bool spatial) {
  return lv3_add(sum, lv3_where(where, a, spatial), spatial);
}

LANES_INLINE void add_attraction(const struct block *block, struct sums *sums, lv3 d, lf d2, lf weight, lm where,
                                 bool spatial) {
  where = lf_less_equal_where(where, d2, block->rare.attraction_radius_sq);
  lf h = lf_div(lf_set1(1.0f), lf_sqrt(d2));
  lf pull = lf_mul(lf_min(lf_mul(block->rare.attraction_strength, lf_mul(h, h)), block->max_acceleration), h);
  lv3 a = lv3_scale(lv3_scale(d, pull, spatial), weight, spatial);
  sums->rare.attraction = rare_where(sums->rare.attraction, where, a, spatial);
}

/* Avoidance by a cone (Millington 3.3.14): handles one neighbour, in the lanes that have it in their cone. With
 * cone_nearest a lane keeps only the nearest of these neighbours. Without it, the lane adds up all of them. */
LANES_INLINE void add_to_cone(const struct block *block, struct sums *sums, const struct candidate *it, lv3 d, lf d2,
                              lv3 v, lf weight, lm where, unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL;
  const struct rare_block *rare = &block->rare;
  lf behind = lv3_dot(d, rare->heading, spatial);
  lm ahead = lf_less_where(where, lf_mul(behind, lf_abs(behind)), lf_mul(rare->cone_edge, d2));
  where = or_coincident(it, ahead, where, variant);
  lm nearer = lf_less_where(lm_and(where, rare->cone_nearest), d2, sums->rare.cone_nearest_sq);
  sums->rare.cone_nearest_sq = lf_select(nearer, d2, sums->rare.cone_nearest_sq);
  lm summed = lm_without(where, rare->cone_nearest);
  lv3 all = rare_where(sums->rare.cone, summed, lv3_scale(d, weight, spatial), spatial);
  lv3 all_velocity = rare_where(sums->rare.cone_velocity, summed, lv3_scale(v, weight, spatial), spatial);
  sums->rare.cone = lv3_select(nearer, d, all, spatial);
  sums->rare.cone_velocity = lv3_select(nearer, v, all_velocity, spatial);
  lf count = lf_add(sums->rare.cone_count, lf_where(summed, weight));
  sums->rare.cone_count = lf_select(nearer, lf_set1(1.0f), count);
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
                           lv3 v, lf weight, lu layer, lm within_radius, lm viewed, unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL;
  const uint32_t rules = block->rules;
  if (rules & 1u << RULE_ATTRACTION) {
    lm where = lu_test_where(without_coincident(it, viewed, variant), block->rare.attraction_mask, layer);
    add_attraction(block, sums, d, d2, weight, where, spatial);
  }
  if (rules & 1u << RULE_AVOIDANCE) {
    lm where = lu_test_where(lm_and(viewed, block->rare.cone), block->avoidance_mask, layer);
    add_to_cone(block, sums, it, d, d2, v, weight, where, variant);
  }
  if (block->frame->groups->features & FEATURE_QUEUE) {
    lm queued = lm_and(without_coincident(it, within_radius, variant), block->rare.queues);
    lm where = lu_test_where(queued, block->rare.queue_mask, layer);
    add_to_queue(block, sums, it, d, v, where, spatial);
  }
}

LANES_INLINE struct aim aim_of(const struct block *block, const struct lane_groups *groups) {
  struct aim aim = {.p = block->p, .v = block->v, .dp = lv3_zero(), .exists = block->valid};
  aim.limit = block->max_acceleration;
  aim.speed = load_desired_speed(block->frame, groups, block->at);
  aim.fastest = lf_set1(INFINITY);
  return aim;
}

/* Evades the neighbours in the cone. */
LANES_INLINE lv3 avoid_cone(const struct block *block, const struct lane_groups *groups, const struct sums *sums,
                            bool spatial) {
  const struct aim aim = aim_of(block, groups);
  lm any = lf_greater(sums->rare.cone_count, lf_zero());
  lf inverse = lf_div(lf_set1(1.0f), sums->rare.cone_count);
  lv3 d = lv3_scale(lv3_negate(sums->rare.cone, spatial), inverse, spatial);
  lv3 u = lv3_scale(sums->rare.cone_velocity, inverse, spatial);
  lf time = time_to_reach(&aim, d, block->horizon, spatial);
  lv3 away = lv3_negate(after(d, u, time, spatial), spatial);
  return lv3_where(any, seek_along(&aim, away, lf_zero(), spatial), spatial);
}

/* Returns an acceleration at right angles to the facing, to the side where the vector `toward` points. Its length is in
 * proportion to the angle between the facing and `toward`: max_acceleration at 180 degrees (Bourg & Seemann 4.2.3,
 * 4.2.4). */
LANES_INLINE lv3 steer_lateral(const struct block *block, lv3 toward, bool spatial) {
  lf along = lv3_dot(block->facing, toward, spatial);
  lv3 aside = aside_of(block->facing, toward, along, spatial);
  lf off = lf_sqrt(lv3_dot(aside, aside, spatial));
  lm behind = lm_and(lf_equal(off, lf_zero()), lf_less(along, lf_zero()));
  lf share = lf_mul(lf_atan2(off, along), lf_set1(0.318309886183791f));
  return lv3_scale(side_of(block->facing, block->id, aside, behind, spatial), lf_mul(block->max_acceleration, share),
                   spatial);
}

/* Stores how alignment turns toward the mean facing of the neighbours, as an entry of the list stores a turn. */
static OUT_OF_LINE void finish_alignment_turn(const struct block *block, const struct lane_groups *groups,
                                              const struct sums *sums, struct strip *strip, bool spatial) {
  const struct frame *frame = block->frame;
  const struct entry_block entry = {.groups = *groups, .wants = block->valid, .at = block->at, .lanes = block->lanes};
  const lv3 way = sums->rare.facing;
  const uint32_t at = block->at - strip->begin;
  const lm any = lf_greater(lv3_dot(way, way, spatial), lf_zero());
  lf slow = load_param(frame, groups, PARAM_ALIGN_SLOW), target = load_param(frame, groups, PARAM_ALIGN_TARGET);
  lf time = load_param(frame, groups, PARAM_ALIGN_TIME);
  if (spatial) {
    lv3 turning = turn_toward(frame, &entry, way, slow, target, time);
    store_scratch(strip->turn[TURN_OF_ALIGNMENT], at, lv3_where(any, turning, true), true);
    return;
  }
  lf left = turn_to_vector(way, lf_load(frame->front->f[COLUMN_FACING_X] + block->at));
  lf turn = turn_acceleration(frame, &entry, left, slow, target, time);
  lf_store(strip->rule[RULE_ALIGNMENT][1] + at, lf_where(any, turn));
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
