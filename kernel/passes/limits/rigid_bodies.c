/* rigid_bodies.c: makes of accelerations those of a rigid body with an engine and bow thrusters (Bourg & Seemann 2.4).
 * Formula: docs/ARITHMETIC.md, "Blend". SPDX-License-Identifier: MIT */
#include "passes/block.h"

/* Returns m * bow / I: the angular acceleration per acceleration to the side. */
LANES_INLINE lf load_lever(const struct frame *frame, const struct lane_groups *groups, uint32_t at) {
  lf lever = load_param(frame, groups, PARAM_LEVER);
  if (frame->front->f[COLUMN_MASS]) lever = lf_div(lever, load_mass_ratio(frame, groups, at, false));
  return lf_min(lf_max(lever, lf_set1(1e-18f)), lf_set1(1e18f));
}

/* Upright bodies of spatial worlds turn about the vertical; a thruster through their centre of mass lifts them. */
LANES_INLINE void propel_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  ASSERT_ALONE(frame->groups->features & FEATURE_RIGID_BODIES);
  float *const turns = spatial ? strip->turning[TURNING_YAW] : strip->acceleration[1];
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    const uint32_t k = at - strip->begin, lanes = lanes_left(at, strip->end);
    struct lane_groups groups;
    load_groups(&groups, frame, at);
    const lf engine = load_limit(frame, &groups, at, PARAM_ENGINE);
    const lm rigid = lf_greater_equal(engine, lf_zero());
    if (!lm_any(rigid)) continue;
    const lv3 a = load_lv3_first(strip->acceleration, k, lanes, spatial), facing = load_facing(frame, at, spatial);
    const lf turn = lf_load_first(turns + k, lanes), lever = load_lever(frame, &groups, at);
    const lv3 right = right_of(facing, spatial), ahead = spatial ? level_of(facing) : facing;

    const lf backward = lf_negate(load_limit(frame, &groups, at, PARAM_REVERSE));
    const lf thrust = lf_min(lf_max(lv3_dot(a, ahead, spatial), backward), engine);
    const lf wanted = lf_sub(lv3_dot(a, right, spatial), lf_div(turn, lever)); /* a right turn has a negative rate */
    const lf side = lf_clamp(wanted, load_limit(frame, &groups, at, PARAM_SIDE));
    const lf turned = lf_clamp(lf_negate(lf_mul(side, lever)), lf_set1(1e18f));
    lv3 pushed = lv3_add(lv3_scale(ahead, thrust, false), lv3_scale(right, side, false), false);
    if (spatial) pushed.y = lf_clamp(a.y, load_limit(frame, &groups, at, PARAM_LIFT));
    store_lv3(strip->acceleration, k, lv3_select(rigid, pushed, a, spatial), lanes, spatial);
    lf_store_first(turns + k, lf_select(rigid, turned, turn), lanes);
  }
}

DEFINE_PASS(propel)
