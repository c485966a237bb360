/* kinematic.c: the kinematic behaviours (Millington 3.2). Each behaviour computes a velocity, and wants the
 * acceleration that reaches this velocity within the frame. Formulas: docs/ARITHMETIC.md, "Behaviours".
 * SPDX-License-Identifier: MIT */
#include "passes/random.h"
#include "passes/steering/aim.h"
#include "passes/steering/turn.h"

/* clip((wanted - v) * (rate / share), A), with rate = 1 / dt. */
LANES_INLINE lv3 reach_velocity(const struct frame *frame, const struct entry_block *block, lv3 wanted, lv3 v, lf limit,
                                bool spatial) {
  const lf rate = load_rate(frame, &block->groups, block->at, false);
  return lv3_clip(lv3_scale(lv3_sub(wanted, v, spatial), rate, spatial), limit, spatial);
}
LANES_INLINE void store_wanted(const struct frame *frame, struct strip *strip, const struct entry_block *block,
                               const struct aim *aim, lv3 wanted, bool spatial) {
  lv3 a = reach_velocity(frame, block, wanted, aim->v, aim->limit, spatial);
  store_entry(frame, strip, block, lv3_where(aim->exists, a, spatial), spatial);
}

/* A velocity that goes to the end of `way` along each axis on its own (Bourg & Seemann 2.1). */
LANES_INLINE lv3 along_axes(const struct frame *frame, lv3 way, lf speed, bool spatial) {
  const lf rate = lf_set1(frame->rate);
  lv3 wanted = {lf_clamp(lf_mul(way.x, rate), speed), spatial ? lf_clamp(lf_mul(way.y, rate), speed) : lf_zero(),
                lf_clamp(lf_mul(way.z, rate), speed)};
  return lv3_clip(wanted, speed, spatial);
}
/* `speed` with the sign of a; 0 where a is 0. */
LANES_INLINE lf signed_speed(lf a, lf speed) {
  return lf_where(lf_greater(lf_abs(a), lf_zero()), lf_select(lf_greater(a, lf_zero()), speed, lf_negate(speed)));
}
LANES_INLINE lv3 away_by_axes(lv3 away, lf speed, bool spatial) {
  lv3 wanted = {signed_speed(away.x, speed), spatial ? signed_speed(away.y, speed) : lf_zero(),
                signed_speed(away.z, speed)};
  return lv3_clip(wanted, speed, spatial);
}

LANES_INLINE lm is_outside(const struct aim *aim, lf radius, bool spatial) {
  return lf_greater(lv3_dot(aim->dp, aim->dp, spatial), lf_mul(radius, radius));
}

LANES_INLINE void kinematic_seek_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_KINEMATIC_SEEK)) continue;
    struct aim aim;
    load_aim(&aim, frame, strip, &block, spatial);
    lf near = ENTRY_VALUE(kinematic_seek, radius);
    lv3 way = way_to_target(&aim, frame, strip, &block, aim.dp, near, lf_zero(), false, spatial);
    lf speed = lf_min(aim.speed, aim.fastest);
    lv3 wanted = lv3_scale(way, lf_mul(speed, lv3_inv_len(way, spatial)), spatial);
    lm by_axis = lf_greater(ENTRY_VALUE(kinematic_seek, by_axis), lf_zero());
    if (lm_any(by_axis)) wanted = lv3_select(by_axis, along_axes(frame, way, speed, spatial), wanted, spatial);
    lm goes = is_outside(&aim, near, spatial);
    store_wanted(frame, strip, &block, &aim, lv3_where(goes, wanted, spatial), spatial);
  }
}
DEFINE_BEHAVIOUR(kinematic_seek)

LANES_INLINE void kinematic_flee_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_KINEMATIC_FLEE)) continue;
    struct aim aim;
    load_aim(&aim, frame, strip, &block, spatial);
    lf radius = ENTRY_VALUE(kinematic_flee, radius);
    lv3 away = way_along(&aim, frame, &block, lv3_negate(aim.dp, spatial), lf_zero());
    lv3 wanted = lv3_scale(away, lf_mul(aim.speed, lv3_inv_len(away, spatial)), spatial);
    lm by_axis = lf_greater(ENTRY_VALUE(kinematic_flee, by_axis), lf_zero());
    if (lm_any(by_axis)) wanted = lv3_select(by_axis, away_by_axes(away, aim.speed, spatial), wanted, spatial);
    lm safe = lm_and(is_outside(&aim, radius, spatial), lf_greater(radius, lf_zero()));
    store_wanted(frame, strip, &block, &aim, lv3_select(safe, lv3_zero(), wanted, spatial), spatial);
  }
}
DEFINE_BEHAVIOUR(kinematic_flee)

LANES_INLINE void kinematic_arrive_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_KINEMATIC_ARRIVE)) continue;
    struct aim aim;
    load_aim(&aim, frame, strip, &block, spatial);
    lf near = ENTRY_VALUE(kinematic_arrive, radius), time = ENTRY_VALUE(kinematic_arrive, time_to_target);
    lv3 way = way_to_target(&aim, frame, strip, &block, aim.dp, near, lf_zero(), true, spatial);
    lf distance = lf_sqrt(lv3_dot(way, way, spatial));
    lf speed = lf_min(lf_min(lf_div(distance, time), aim.speed), aim.fastest);
    lv3 wanted = lv3_scale(way, lf_mul(speed, lv3_inv_len(way, spatial)), spatial);
    lm goes = is_outside(&aim, near, spatial);
    store_wanted(frame, strip, &block, &aim, lv3_where(goes, wanted, spatial), spatial);
  }
}
DEFINE_BEHAVIOUR(kinematic_arrive)

/* A random part of the largest yaw rate: the n-th binomial draw, or one uniform draw. */
LANES_INLINE lf random_part(const struct frame *frame, lu state, lm uniform, uint32_t n) {
  lf first = draw(frame, state, 2 * n), second = draw(frame, state, 2 * n + 1);
  return lf_select(uniform, lf_sub(lf_mul(first, lf_set1(2.0f)), lf_set1(1.0f)), lf_sub(first, second));
}
/* The angular acceleration that reaches a yaw rate within the frame. */
LANES_INLINE lf reach_rate(const struct frame *frame, const struct entry_block *block, lf wanted) {
  lf change = lf_sub(wanted, lf_load(frame->front->f[COLUMN_YAW_RATE] + block->at));
  return lf_clamp(lf_mul(change, load_rate(frame, &block->groups, block->at, true)),
                  load_wanted_limit(frame, &block->groups, block->at, PARAM_MAX_YAW_ACCELERATION));
}

/* Moves along the facing, and turns it. */
LANES_INLINE void kinematic_wander_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  float *const *v = frame->front->f + COLUMN_VELOCITY_X;
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_KINEMATIC_WANDER)) continue;
    lf speed = load_desired_speed(frame, &block.groups, at);
    lf limit = load_wanted_limit(frame, &block.groups, at, PARAM_MAX_ACCELERATION);
    const lv3 f = load_facing(frame, at, spatial);
    lv3 a = reach_velocity(frame, &block, lv3_scale(f, speed, spatial), load_lv3(v, at, spatial), limit, spatial);
    lf fastest = lf_mul(ENTRY_VALUE(kinematic_wander, turn), load_max_yaw_rate(frame, &block.groups, at));
    const lu state = draw_state(frame, at);
    lm uniform = lf_greater(ENTRY_VALUE(kinematic_wander, uniform), lf_zero());
    lf spin = lf_mul(random_part(frame, state, uniform, DRAW_KINEMATIC), fastest);
    lf yaw = reach_rate(frame, &block, spin);
    if (spatial) {
      lf rise = lf_mul(random_part(frame, state, uniform, DRAW_KINEMATIC_UP), fastest);
      lv3 right = right_of(f, true);
      lv3 swing = lv3_add(lv3_scale(right, spin, true), lv3_scale(lv3_cross(right, f), rise, true), true);
      lv3 upright = {yaw, lf_zero(), lf_zero()};
      store_entry_turning(frame, strip, &block, lv3_select(are_upright(frame, &block), upright, swing, true));
    } else {
      a.y = yaw;
    }
    store_entry(frame, strip, &block, a, true);
  }
}
DEFINE_BEHAVIOUR(kinematic_wander)
