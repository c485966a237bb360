/* turn.h: the angular acceleration toward a yaw (Millington 3.3.5). Formulas: docs/ARITHMETIC.md, "Angular kinds".
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_STEERING_TURN_H
#define THRONG_KERNEL_PASSES_STEERING_TURN_H

#include "passes/steering/entry.h"

/* Returns the turn from `yaw` to the yaw of a vector; 0 if the vector is 0. */
LANES_INLINE lf turn_to_vector(lv3 v, lf yaw) {
  lm somewhere = lf_greater(lv3_dot(v, v, false), lf_zero());
  return lf_where(somewhere, lf_wrap_angle(lf_sub(lf_atan2(v.x, v.z), yaw)));
}

/* Returns the acceleration for a turn by `left`. */
LANES_INLINE lf turn_acceleration(const struct frame *frame, const struct entry_block *block, lf left, lf slow_radius,
                                  lf target_radius, lf time) {
  lf far = lf_abs(left), fastest = load_param(frame, &block->groups, PARAM_MAX_YAW_RATE);
  lf divisor = lf_select(lf_greater(slow_radius, lf_zero()), slow_radius, lf_set1(1.0f));
  lf speed = lf_select(lf_less(far, slow_radius), lf_div(lf_mul(fastest, far), divisor), fastest);
  speed = lf_select(lf_less_equal(far, target_radius), lf_zero(), speed);
  lf wanted = lf_select(lf_less(left, lf_zero()), lf_negate(speed), speed);
  lf change = lf_sub(wanted, lf_load(frame->front->f[COLUMN_YAW_RATE] + block->at));
  lf a = lf_mul(change, lf_div(lf_set1(1.0f), time));
  return lf_clamp(a, load_wanted_limit(frame, &block->groups, block->at, PARAM_MAX_YAW_ACCELERATION));
}

#endif
