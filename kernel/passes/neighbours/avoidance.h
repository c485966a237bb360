/* avoidance.h: avoidance of collisions: the first threat or the neighbours in a cone, and the acceleration away from
 * them. Formulas: docs/ARITHMETIC.md, "The rules" and "Other forms of the rules". SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_NEIGHBOURS_AVOIDANCE_H
#define THRONG_KERNEL_PASSES_NEIGHBOURS_AVOIDANCE_H

#include "passes/neighbours/neighbour_block.h"
#include "passes/steering/aim.h"

/* The approach of a candidate, whose offset at time t is dv t - d. */
struct approach {
  lf closing, speed_sq; /* d . dv, above 0 if they come closer; |dv|^2 */
  lm apart;             /* the bodies do not overlap yet */
  lm threat;
};
/* A threat is a candidate whose body overlaps the agent's, or will overlap it: |dv t - d| < reach at the closest
 * approach. The test without a division is (d . dv)^2 > (d2 - reach^2) |dv|^2. */
LANES_INLINE struct approach approach_of(const struct block *block, const struct candidate *it, lv3 d, lf d2, lv3 v,
                                         lm within_radius, unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL;
  lf contact_sq =
      block->one_contact ? block->contact_sq : contact_squared(lf_add(block->body, candidate_body(block, it)));
  if (variant & VARIANT_COINCIDENT) d2 = lf_select(it->coincident, lf_zero(), d2);
  lf margin = lf_sub(d2, contact_sq);
  lv3 dv = lv3_sub(v, block->v, spatial);
  struct approach approach = {.closing = lv3_dot(d, dv, spatial), .speed_sq = lv3_dot(dv, dv, spatial)};
  approach.apart = lf_greater_equal(margin, lf_zero());
  lf towards = lf_mul(approach.closing, lf_abs(approach.closing));
  approach.threat = lf_greater_if(within_radius, approach.apart, towards, lf_mul(margin, approach.speed_sq));
  return approach;
}

/* Keeps the first threat (Millington 3.3.14): the smallest t = d . dv / |dv|^2, which is 0 for overlapping bodies. */
LANES_INLINE void add_threat(const struct block *block, struct sums *sums, const struct candidate *it,
                             const struct approach *approach) {
  lf time = lf_where(approach->apart, lf_div(approach->closing, approach->speed_sq));
  lu id = candidate_id(block, it);
  lm tie = lu_less_signed_where(lf_equal_where(approach->threat, time, sums->threat_time), id, sums->threat_id);
  lm first = lm_or(lf_less_where(approach->threat, time, sums->threat_time), tie);
  sums->threat_time = lf_select(first, time, sums->threat_time);
  sums->threat_id = lu_select(first, id, sums->threat_id);
  sums->threat_slot = lu_select(first, candidate_slot(it), sums->threat_slot);
}

/* Deferred threats. When the walk over a list begins a batch of THREAT_BATCH candidates, at most SOME_THREATS threats
 * are deferred. The block's own agents may follow the batch. */
#define THREAT_BATCH 64u
#define SOME_THREATS 16u
#define MOST_THREATS (SOME_THREATS + THREAT_BATCH + LANES)
struct threats {
  uint32_t count;
  uint32_t slot[MOST_THREATS];
  struct approach approach[MOST_THREATS];
};

/* Stores the candidate at the end of the list, without a branch. If it is no threat, the next candidate overwrites
 * it. */
LANES_INLINE void defer_threat(struct threats *threats, const struct candidate *it, const struct approach *approach) {
  threats->slot[threats->count] = it->j;
  threats->approach[threats->count] = *approach;
  threats->count += lm_any(approach->threat);
}

/* Decides the deferred threats, and empties the list. */
LANES_INLINE void decide_threats(const struct block *block, struct sums *sums, struct threats *threats) {
  ASSERT_ALONE(threats->count <= MOST_THREATS);
  for (uint32_t k = 0; k < threats->count; k++) {
    const struct candidate it = {.j = threats->slot[k]};
    add_threat(block, sums, &it, &threats->approach[k]);
  }
  threats->count = 0;
}

/* Whether the variant looks for threats. */
LANES_INLINE bool looks_for_threats(const struct block *block, unsigned variant) {
  return variant & VARIANT_RARE ? (block->rules & 1u << RULE_AVOIDANCE) != 0 : (variant & VARIANT_AVOIDANCE) != 0;
}

/* Avoidance by a cone (Millington 3.3.14): handles one neighbour, in the lanes that have it in their cone. With
 * cone_nearest a lane keeps only the nearest of these neighbours. Without it, the lane adds up all of them. */
LANES_INLINE void add_to_cone(const struct block *block, struct sums *sums, const struct candidate *it, lv3 d, lf d2,
                              lv3 v, lf weight, lm where, unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL;
  const struct rare_block *rare = &block->rare;
  where = lu_test_where(lm_and(where, rare->cone), block->avoidance_mask, candidate_layer(block, it));
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

/* Adds a neighbour to what avoidance knows. v is its velocity; `where`: the lanes that look for threats. With
 * VARIANT_DEFER threats are deferred. `viewed`: the lanes that have it in their field of view. */
LANES_INLINE void add_to_avoidance(const struct block *block, struct sums *sums, const struct candidate *it, lv3 d,
                                   lf d2, lv3 v, lf weight, lm where, lm viewed, struct threats *threats,
                                   unsigned variant) {
  if (!looks_for_threats(block, variant)) return;
  const struct approach approach = approach_of(block, it, d, d2, v, where, variant);
  if (variant & VARIANT_DEFER) {
    defer_threat(threats, it, &approach);
  } else {
    add_threat(block, sums, it, &approach);
  }
  if (variant & VARIANT_RARE) add_to_cone(block, sums, it, d, d2, v, weight, viewed, variant);
}

/* Loads the column's values in these slots. */
LANES_INLINE lf gather(const float *column, const uint32_t slot[LANES]) {
  float value[LANES];
  for (uint32_t k = 0; k < LANES; k++) value[k] = column[slot[k]];
  return lf_load(value);
}
LANES_INLINE lv3 gather_lv3(float *const column[3], const uint32_t slot[LANES], bool spatial) {
  return (lv3){gather(column[0], slot), spatial ? gather(column[1], slot) : lf_zero(), gather(column[2], slot)};
}
LANES_INLINE lf gather_body(const struct frame *frame, const uint32_t slot[LANES]) {
  float value[LANES];
  for (uint32_t k = 0; k < LANES; k++) value[k] = *body_radius_of(frame, slot[k]);
  return lf_load(value);
}

/* The unit vector to the right of the relative motion e; 0 if e is 0. For two agents that are threats to each other e
 * is opposite, so they get opposite sides. */
LANES_INLINE lv3 right_of_motion(lv3 e, bool spatial) {
  lv3 u = lv3_direction(e, spatial), right = right_of(u, spatial);
  if (!spatial) return right;
  lf level = lf_add(lf_mul(u.x, u.x), lf_mul(u.z, u.z));
  lm down = lm_without(lf_less(u.y, lf_zero()), lf_greater(level, lf_set1(LANES_LEAST_SQUARE)));
  right.x = lf_select(down, lf_set1(1.0f), right.x);
  return lv3_where(lf_greater(lv3_dot(u, u, true), lf_zero()), right, true);
}

/* The part of max_acceleration that avoids the first threat: it grows as the time to contact shrinks. `closest`: the
 * offset at the closest approach. */
LANES_INLINE lf urgency_of(const struct block *block, const struct lane_groups *groups, const struct sums *sums,
                           lv3 closest, lv3 dv, lf contact, bool spatial) {
  const lf deep_sq = lf_max(lf_sub(lf_mul(contact, contact), lv3_dot(closest, closest, spatial)), lf_zero());
  const lf lead = lf_mul(lf_sqrt(deep_sq), lv3_inv_len(dv, spatial));
  const lf time = lf_max(lf_sub(sums->threat_time, lead), lf_zero()), time_sq = lf_mul(time, time);
  const lf full_sq = load_param(block->frame, groups, PARAM_URGENCY_SQ);
  const lm later = lm_and(lf_greater(time_sq, full_sq), lf_greater(full_sq, lf_zero()));
  return lf_select(later, lf_div(full_sq, time_sq), lf_set1(1.0f));
}

/* Reacts to the first threat: accelerates away from its relative position at the closest approach, or to the right of
 * the relative motion if that position is nearly 0. Lanes without a threat load the block's first agent instead; this
 * takes less time than a mispredicted branch. */
LANES_INLINE lv3 avoid_threat(const struct block *block, const struct lane_groups *groups, const struct sums *sums,
                              bool spatial) {
  const struct frame *frame = block->all;
  lm threatened = lm_and(block->valid, lu_less_signed(sums->threat_slot, lu_set1(0x7FFFFFFFu)));
  if (!lm_any(threatened)) return lv3_zero();

  uint32_t slot[LANES];
  lu_store(slot, lu_select(threatened, sums->threat_slot, lu_set1(block->at)));
  lv3 p = gather_lv3(frame->front->f + COLUMN_POSITION_X, slot, spatial);
  lv3 v = gather_lv3(frame->front->f + COLUMN_VELOCITY_X, slot, spatial);
  lf contact = lf_add(block->body, block->one_contact ? block->body : gather_body(frame, slot));

  lv3 d = world_difference(frame->grid, p, block->p, spatial);
  lv3 dv = lv3_sub(v, block->v, spatial);
  lv3 closest = lv3_add(d, lv3_scale(dv, sums->threat_time, spatial), spatial);
  lv3 away = lv3_scale(closest, lv3_inv_len(closest, spatial), spatial);
  lv3 a = lv3_scale(away, lf_negate(block->max_acceleration), spatial);

  lf dead_ahead = lf_mul(lf_set1(1e-3f), contact);
  lm head_on = lf_less(lv3_dot(closest, closest, spatial), lf_mul(dead_ahead, dead_ahead));
  lm coincident = lf_less_equal(lv3_dot(d, d, spatial), lf_set1(block->close_sq));
  if (lm_any(lm_and(head_on, threatened))) {
    lv3 right = right_of_motion(lv3_sub(block->v, v, spatial), spatial);
    head_on = lm_and(head_on, lf_greater(lv3_dot(right, right, spatial), lf_zero()));
    a = lv3_select(head_on, lv3_scale(right, block->max_acceleration, spatial), a, spatial);
  }
  if (lm_any(lm_and(coincident, threatened))) {
    lv3 u = coincident_direction(block->id, sums->threat_id, spatial);
    a = lv3_select(coincident, lv3_scale(u, lf_negate(block->max_acceleration), spatial), a, spatial);
  }
  if (frame->groups->features & FEATURE_URGENCY) {
    a = lv3_scale(a, urgency_of(block, groups, sums, closest, dv, contact, spatial), spatial);
  }
  return lv3_where(threatened, a, spatial);
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

LANES_INLINE lv3 finish_avoidance(const struct block *block, const struct lane_groups *groups, const struct sums *sums,
                                  unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL;
  lv3 a = avoid_threat(block, groups, sums, spatial);
  if (!(variant & VARIANT_RARE)) return a;
  return lv3_select(block->rare.cone, avoid_cone(block, groups, sums, spatial), a, spatial);
}

#endif
