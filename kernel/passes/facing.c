/* passes/facing.c: where agents look. The formulas are those of ../ARITHMETIC.md, "Blend, integrate, constrain".
 * SPDX-License-Identifier: MIT */
#include "block.h"

/* Facing follows motion: at once, smoothly the short way round, or not at all; never while the speed is 0. */
LANES_INLINE void face_planar(const struct frame *frame, struct strip *strip) {
  float *const *f = frame->back->f;
  const bool smooth = frame->groups->features & FEATURE_SMOOTH_FACING;
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    const uint32_t lanes = lanes_left(at, strip->end);
    lf vx = lf_load_first(f[COLUMN_VELOCITY_X] + at, lanes), vz = lf_load_first(f[COLUMN_VELOCITY_Z] + at, lanes);
    lf yaw = lf_load(frame->front->f[COLUMN_FACING_X] + at);
    lm moving = lf_greater(lf_add(lf_mul(vx, vx), lf_mul(vz, vz)), lf_zero());
    lf target = lf_atan2(vx, vz);
    lf next = target;
    if (smooth) {
      struct lane_groups groups;
      load_groups(&groups, frame, at);
      lf factor = load_param(frame, &groups, PARAM_FACING_FACTOR);
      lf turned = lf_wrap_angle(lf_add(yaw, lf_mul(factor, lf_wrap_angle(lf_sub(target, yaw)))));
      next = lf_select(lf_less(factor, lf_set1(1.0f)), turned, target);
      moving = lm_and(moving, lf_greater(factor, lf_zero()));
    }
    lf_store_first(f[COLUMN_FACING_X] + at, lf_select(moving, next, yaw), lanes);
  }
}
LANES_INLINE void face_spatial(const struct frame *frame, struct strip *strip) {
  float *const *f = frame->back->f;
  const bool smooth = frame->groups->features & FEATURE_SMOOTH_FACING;
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    const uint32_t lanes = lanes_left(at, strip->end);
    lv3 v = load_lv3_first(f + COLUMN_VELOCITY_X, at, lanes, true);
    lv3 facing = load_lv3(frame->front->f + COLUMN_FACING_X, at, true);
    lf inverse = lv3_inv_len(v, true);
    lm moving = lf_greater(inverse, lf_zero());
    lv3 target = lv3_scale(v, inverse, true), next = target;
    if (smooth) {
      struct lane_groups groups;
      load_groups(&groups, frame, at);
      lf factor = load_param(frame, &groups, PARAM_FACING_FACTOR);
      lm opposite = lf_less(lv3_dot(facing, target, true), lf_set1(-0.999999f));
      lv3 toward = lv3_select(opposite, right_of(facing, true), target, true);
      lv3 turned = lv3_add(facing, lv3_scale(lv3_sub(toward, facing, true), factor, true), true);
      turned = lv3_scale(turned, lv3_inv_len(turned, true), true);
      next = lv3_select(lf_less(factor, lf_set1(1.0f)), turned, target, true);
      moving = lm_and(moving, lf_greater(factor, lf_zero()));
    }
    store_lv3(f + COLUMN_FACING_X, at, lv3_select(moving, next, facing, true), lanes, true);
  }
}

void THRONG_TABLE(face)(const struct frame *frame, struct strip *strip) {
  if (frame->def->space == THRONG_SPATIAL) {
    face_spatial(frame, strip);
  } else {
    face_planar(frame, strip);
  }
}
