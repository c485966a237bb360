/* vehicles.c: limits accelerations to what a vehicle can do (Millington 3.1.3; Bourg & Seemann 2.4). Formula:
 * docs/ARITHMETIC.md, "Blend". SPDX-License-Identifier: MIT */
#include "passes/block.h"

LANES_INLINE void drive_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  ASSERT_ALONE(frame->groups->features & FEATURE_VEHICLES);
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    const uint32_t k = at - strip->begin, lanes = lanes_left(at, strip->end);
    struct lane_groups groups;
    load_groups(&groups, frame, at);
    lf thrust = load_limit(frame, &groups, at, PARAM_THRUST);
    lm vehicles = lf_greater_equal(thrust, lf_zero());
    if (!lm_any(vehicles)) continue;
    lv3 v = load_lv3(frame->front->f + COLUMN_VELOCITY_X, at, spatial);
    lv3 a = load_lv3_first(strip->acceleration, k, lanes, spatial);
    lv3 facing = load_facing(frame, at, spatial);

    lf along = lv3_dot(a, facing, spatial);
    lv3 aside = lv3_sub(a, lv3_scale(facing, along, spatial), spatial);
    lf backward = lf_negate(load_limit(frame, &groups, at, PARAM_BRAKE));
    lf driven = lf_min(lf_max(along, backward), thrust);
    lf in_circles = lf_mul(lv3_dot(v, v, spatial), load_param(frame, &groups, PARAM_CURVATURE));
    lf most = lf_min(load_param(frame, &groups, PARAM_LATERAL), in_circles);
    if (frame->groups->features & FEATURE_TURN_LIMIT) {
      lf turning = lf_mul(lf_sqrt(lv3_dot(v, v, spatial)), load_max_yaw_rate(frame, &groups, at));
      most =
          lf_select(lf_greater(load_param(frame, &groups, PARAM_TURN_RADIUS), lf_zero()), lf_min(turning, most), most);
    }
    aside = lv3_clip(aside, most, spatial);
    lv3 feasible = lv3_add(lv3_scale(facing, driven, spatial), aside, spatial);
    store_lv3(strip->acceleration, k, lv3_select(vehicles, feasible, a, spatial), lanes, spatial);
  }
}

DEFINE_PASS(drive)
