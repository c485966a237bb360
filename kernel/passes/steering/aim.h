/* aim.h: formulas shared by the behaviours with a target (docs/ARITHMETIC.md, "Behaviours").
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_STEERING_AIM_H
#define THRONG_KERNEL_PASSES_STEERING_AIM_H

#include <math.h>

#include "passes/steering/entry.h"

struct aim {
  lv3 p, v, dp; /* dp: offset from the agent to its target */
  lm exists;
  lf limit, speed; /* A and S of the formulas */
};

LANES_INLINE void load_aim(struct aim *aim, const struct frame *frame, const struct strip *strip,
                           const struct entry_block *block, bool spatial) {
  float *const *f = frame->front->f;
  lv3 target = load_target(frame, strip, block, THE_TARGET, spatial);
  aim->p = load_lv3(f + COLUMN_POSITION_X, block->at, spatial);
  aim->v = load_lv3(f + COLUMN_VELOCITY_X, block->at, spatial);
  aim->exists = lf_equal(target.x, target.x);
  aim->dp = world_difference(frame->grid, target, aim->p, spatial);
  aim->limit = load_limit(frame, &block->groups, block->at, PARAM_MAX_ACCELERATION);
  aim->speed = load_param(frame, &block->groups, PARAM_DESIRED_SPEED);
}

/* clip((desired - v) * (1 / time), A). */
LANES_INLINE lv3 toward_velocity(const struct aim *aim, lv3 desired, lf time, bool spatial) {
  lv3 change = lv3_sub(desired, aim->v, spatial);
  return lv3_clip(lv3_scale(change, lf_div(lf_set1(1.0f), time), spatial), aim->limit, spatial);
}

/* Seek (Millington 3.3.3); with a time, its desired-velocity form. */
LANES_INLINE lv3 seek_along(const struct aim *aim, lv3 dp, lf time, bool spatial) {
  lf inverse = lv3_inv_len(dp, spatial);
  lm timed = lf_greater(time, lf_zero());
  lv3 a = lv3_scale(dp, lf_mul(aim->limit, inverse), spatial);
  if (!lm_any(timed)) return a;
  lv3 desired = lv3_scale(dp, lf_mul(aim->speed, inverse), spatial);
  lv3 smooth = toward_velocity(aim, desired, lf_select(timed, time, lf_set1(1.0f)), spatial);
  return lv3_select(timed, smooth, a, spatial);
}
/* The desired velocity of arrive (Millington 3.3.4). */
LANES_INLINE lv3 arrive_velocity(const struct aim *aim, lv3 dp, lf slow_radius, lf target_radius, bool spatial) {
  lf distance = lf_sqrt(lv3_dot(dp, dp, spatial));
  lf divisor = lf_select(lf_greater(slow_radius, lf_zero()), slow_radius, lf_set1(1.0f));
  lf slow = lf_div(lf_mul(aim->speed, distance), divisor);
  lf speed = lf_select(lf_less(distance, slow_radius), slow, aim->speed);
  speed = lf_select(lf_less_equal(distance, target_radius), lf_zero(), speed);
  return lv3_scale(dp, lf_mul(speed, lv3_inv_len(dp, spatial)), spatial);
}
LANES_INLINE lv3 arrive_along(const struct aim *aim, lv3 dp, lf slow_radius, lf target_radius, lf time, bool spatial) {
  return toward_velocity(aim, arrive_velocity(aim, dp, slow_radius, target_radius, spatial), time, spatial);
}

/* Returns min(|d| / S, most): the time to move by d at full speed, limited. */
LANES_INLINE lf time_to_reach(const struct aim *aim, lv3 d, lf most, bool spatial) {
  return lf_min(lf_div(lf_sqrt(lv3_dot(d, d, spatial)), aim->speed), most);
}
/* Returns the position, after `time`, of a point at d that moves with velocity u. */
LANES_INLINE lv3 after(lv3 d, lv3 u, lf time, bool spatial) { return lv3_add(d, lv3_scale(u, time, spatial), spatial); }

#endif
