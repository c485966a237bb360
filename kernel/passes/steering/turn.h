/* turn.h: the angular acceleration toward a yaw (Millington 3.3.5), and the turn toward a direction in space. Formulas:
 * docs/ARITHMETIC.md, "Angular kinds". SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_STEERING_TURN_H
#define THRONG_KERNEL_PASSES_STEERING_TURN_H

#include "passes/steering/entry.h"

/* Returns the turn from `yaw` to the yaw of a vector; 0 if the vector is 0. */
LANES_INLINE lf turn_to_vector(lv3 v, lf yaw) {
  lm somewhere = lf_greater(lv3_dot(v, v, false), lf_zero());
  return lf_where(somewhere, lf_wrap_angle(lf_sub(lf_atan2(v.x, v.z), yaw)));
}

/* Returns the rate at which to turn if the angle `far` is left. */
LANES_INLINE lf turn_speed(const struct frame *frame, const struct entry_block *block, lf far, lf slow_radius,
                           lf target_radius) {
  lf fastest = load_max_yaw_rate(frame, &block->groups, block->at);
  lf divisor = lf_select(lf_greater(slow_radius, lf_zero()), slow_radius, lf_set1(1.0f));
  lf speed = lf_select(lf_less(far, slow_radius), lf_div(lf_mul(fastest, far), divisor), fastest);
  return lf_select(lf_less_equal(far, target_radius), lf_zero(), speed);
}

/* Returns the acceleration for a turn by `left`. */
LANES_INLINE lf turn_acceleration(const struct frame *frame, const struct entry_block *block, lf left, lf slow_radius,
                                  lf target_radius, lf time) {
  lf speed = turn_speed(frame, block, lf_abs(left), slow_radius, target_radius);
  lf wanted = lf_select(lf_less(left, lf_zero()), lf_negate(speed), speed);
  lf change = lf_sub(wanted, lf_load(frame->front->f[COLUMN_YAW_RATE] + block->at));
  lf a = lf_mul(change, lf_div(lf_set1(1.0f), time));
  return lf_clamp(a, load_wanted_limit(frame, &block->groups, block->at, PARAM_MAX_YAW_ACCELERATION));
}

LANES_INLINE lm are_upright(const struct frame *frame, const struct entry_block *block) {
  return lf_greater(load_param(frame, &block->groups, PARAM_UPRIGHT), lf_zero());
}

/* Returns how a facing f of a spatial world turns toward the direction of `way`: a vector at right angles to f, rad/s.
 * From the opposite direction it turns to the right. It never turns farther in a frame than is left. */
LANES_INLINE lv3 swing_toward(const struct frame *frame, const struct entry_block *block, lv3 f, lv3 way,
                              lf slow_radius, lf target_radius) {
  lf inverse = lv3_inv_len(way, true);
  lv3 target = lv3_scale(way, inverse, true);
  lf along = lv3_dot(f, target, true);
  lv3 aside = lv3_sub(target, lv3_scale(f, along, true), true);
  lf aside_sq = lv3_dot(aside, aside, true);
  lf left = lf_atan2(lf_sqrt(aside_sq), along);
  lm opposite = lm_and(lf_less(along, lf_zero()), lf_less(aside_sq, lf_set1(1e-10f)));
  aside = lv3_select(opposite, right_of(f, true), aside, true);
  lf speed = turn_speed(frame, block, left, slow_radius, target_radius);
  speed = lf_min(speed, lf_mul(left, lf_set1(frame->rate)));
  lv3 swing = lv3_scale(aside, lf_mul(speed, lv3_inv_len(aside, true)), true);
  return lv3_where(lf_greater(inverse, lf_zero()), swing, true);
}

/* What turns an agent of a spatial world toward the direction of `way`, for store_entry_turning. */
LANES_INLINE lv3 turn_toward(const struct frame *frame, const struct entry_block *block, lv3 way, lf slow_radius,
                             lf target_radius, lf time) {
  const lv3 f = load_facing(frame, block->at, true);
  lf left = turn_to_vector(way, yaw_of(level_of(f)));
  lv3 yaw = {turn_acceleration(frame, block, left, slow_radius, target_radius, time), lf_zero(), lf_zero()};
  lv3 swing = swing_toward(frame, block, f, way, slow_radius, target_radius);
  return lv3_select(are_upright(frame, block), yaw, swing, true);
}

#endif
