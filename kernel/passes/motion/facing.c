/* facing.c: turns agents along their motion, or as angular behaviours steer them, within their limits. Formulas:
 * docs/ARITHMETIC.md, "Facing". SPDX-License-Identifier: MIT */
#include "passes/block.h"

/* Whether every facing is simply the direction of the velocity. */
LANES_INLINE bool faces_velocity(const struct frame *frame) {
  return !(frame->groups->features & (FEATURE_SMOOTH_FACING | FEATURE_TURN_LIMIT));
}

/* Returns the square of the speed below which an agent keeps its facing. */
LANES_INLINE lf least_speed_sq(const struct frame *frame, const struct lane_groups *groups, uint32_t at) {
  lf speed;
  const lf of_group = load_param(frame, groups, PARAM_FACING_SPEED_SQ);
  const lm own = load_own_speed(frame, groups, at, FROM_SPEED_FACING_SPEED, &speed);
  const lf least = lf_mul(lf_set1(FACING_PACE), speed);
  return lf_select(own, lf_mul(least, least), of_group);
}

/* Returns `next`; if it is more than `most` away from `yaw`, returns `yaw` turned by `most` toward it. */
LANES_INLINE lf limit_yaw(lf yaw, lf next, lf most) {
  lf turn = lf_wrap_angle(lf_sub(next, yaw));
  return lf_select(lf_greater(lf_abs(turn), most), lf_wrap_angle(lf_add(yaw, lf_clamp(turn, most))), next);
}

/* The agents that are vehicles and drive backward: their facing is opposite to the motion. */
LANES_INLINE lm drive_backward(const struct frame *frame, const struct lane_groups *groups, lv3 facing, lv3 v,
                               bool spatial) {
  lm vehicles = lf_greater_equal(load_param(frame, groups, PARAM_THRUST), lf_zero());
  return lf_less_where(vehicles, lv3_dot(v, facing, spatial), lf_zero());
}

LANES_INLINE void face_planar(const struct frame *frame, struct strip *strip) {
  float *const *f = frame->back->f;
  const uint64_t features = frame->groups->features;
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    const uint32_t lanes = lanes_left(at, strip->end);
    lf vx = lf_load_first(f[COLUMN_VELOCITY_X] + at, lanes), vz = lf_load_first(f[COLUMN_VELOCITY_Z] + at, lanes);
    lf yaw = lf_load(frame->front->f[COLUMN_FACING_X] + at);
    lf speed_sq = lf_add(lf_mul(vx, vx), lf_mul(vz, vz));
    lm turns = lf_greater(speed_sq, lf_zero());
    struct lane_groups groups;
    load_groups(&groups, frame, at);
    if (features & FEATURE_VEHICLES) {
      lm backward = drive_backward(frame, &groups, load_facing(frame, at, false), (lv3){vx, lf_zero(), vz}, false);
      vx = lf_select(backward, lf_negate(vx), vx);
      vz = lf_select(backward, lf_negate(vz), vz);
    }
    lf target = lf_atan2(vx, vz);
    lf next = target;
    lf least = least_speed_sq(frame, &groups, at);
    turns = lm_and(turns, lf_greater_equal(speed_sq, least));
    if (!faces_velocity(frame)) {
      lf factor = load_param(frame, &groups, PARAM_FACING_FACTOR);
      lf turned = lf_wrap_angle(lf_add(yaw, lf_mul(factor, lf_wrap_angle(lf_sub(target, yaw)))));
      next = lf_select(lf_less(factor, lf_set1(1.0f)), turned, target);
      turns = lm_and(turns, lf_greater(factor, lf_zero()));
      if (features & FEATURE_TURN_LIMIT) {
        lf most = load_max_turn(frame, &groups, at);
        next = limit_yaw(yaw, next, most);
        turns = lm_and(turns, lf_greater(most, lf_zero()));
      }
      if (features & FEATURE_STEERED_YAW) {
        lm steered = lf_less(factor, lf_zero());
        next = lf_select(steered, lf_load_first(f[COLUMN_FACING_X] + at, lanes), next); /* the pass spin, below, has
                                                                                        written it */
        turns = lm_or(turns, steered);
      }
    }
    lf_store_first(f[COLUMN_FACING_X] + at, lf_select(turns, next, yaw), lanes);
  }
}

/* Returns `next`; if it is more than `most` away from `facing`, returns `facing` turned by `most` toward it along the
 * great circle. */
LANES_INLINE lv3 limit_direction(lv3 facing, lv3 next, lf most) {
  lf sine, cosine;
  lf_sincos(lf_mul(most, lf_set1(0.5f)), &sine, &cosine);
  lf chord = lf_mul(lf_set1(2.0f), sine);
  lv3 way = lv3_sub(next, facing, true);
  lm beyond = lf_greater(lv3_dot(way, way, true), lf_mul(chord, chord));
  beyond = lm_and(beyond, lf_less(most, lf_set1(LANES_PI)));
  if (!lm_any(beyond)) return next;
  lf along = lv3_dot(facing, next, true);
  lv3 across = lv3_sub(next, lv3_scale(facing, along, true), true);
  across = lv3_select(lf_less(along, lf_set1(-0.999999f)), right_of(facing, true), across, true);
  lf_sincos(most, &sine, &cosine);
  sine = lf_mul(sine, lv3_inv_len(across, true));
  lv3 turned = lv3_add(lv3_scale(facing, cosine, true), lv3_scale(across, sine, true), true);
  return lv3_select(beyond, lv3_scale(turned, lv3_inv_len(turned, true), true), next, true);
}

/* `facing`, turned toward `target` by a part of the angle between them; to the right if they are opposite. */
LANES_INLINE lv3 turn_part(lv3 facing, lv3 target, lf part) {
  lf along = lv3_dot(facing, target, true), sine, cosine;
  lv3 across = lv3_sub(target, lv3_scale(facing, along, true), true);
  lf q = lv3_dot(across, across, true);
  lm opposite = lm_and(lf_less(along, lf_zero()), lf_less(q, lf_set1(1e-10f)));
  lf_sincos(lf_mul(lf_atan2(lf_sqrt(q), along), part), &sine, &cosine);
  across = lv3_select(opposite, right_of(facing, true), across, true);
  sine = lf_mul(sine, lv3_inv_len(across, true));
  lv3 turned = lv3_add(lv3_scale(facing, cosine, true), lv3_scale(across, sine, true), true);
  return lv3_scale(turned, lv3_inv_len(turned, true), true);
}

/* Upright agents: leaves out the vertical parts of the facing and of the velocity that it follows. */
LANES_INLINE void keep_upright(const struct frame *frame, const struct lane_groups *groups, lv3 *facing, lv3 *v) {
  const lf zero = lf_zero();
  lm upright = lf_greater(load_param(frame, groups, PARAM_UPRIGHT), zero);
  lm tilted = lm_without(upright, lf_equal(facing->y, zero));
  if (lm_any(tilted)) *facing = lv3_select(tilted, level_of(*facing), *facing, true);
  v->y = lf_select(upright, zero, v->y);
}

LANES_INLINE void face_spatial(const struct frame *frame, struct strip *strip) {
  float *const *f = frame->back->f;
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    const uint32_t lanes = lanes_left(at, strip->end);
    lv3 v = load_lv3_first(f + COLUMN_VELOCITY_X, at, lanes, true);
    lv3 facing = load_lv3(frame->front->f + COLUMN_FACING_X, at, true);
    struct lane_groups groups;
    load_groups(&groups, frame, at);
    if (frame->groups->features & FEATURE_UPRIGHT) keep_upright(frame, &groups, &facing, &v);
    lf inverse = lv3_inv_len(v, true);
    lm turns = lf_greater(inverse, lf_zero());
    lv3 target = lv3_scale(v, inverse, true);
    if (frame->groups->features & FEATURE_VEHICLES) {
      target = lv3_select(drive_backward(frame, &groups, facing, v, true), lv3_negate(target, true), target, true);
    }
    lv3 next = target;
    lf least = least_speed_sq(frame, &groups, at);
    turns = lm_and(turns, lf_greater_equal(lv3_dot(v, v, true), least));
    if (!faces_velocity(frame)) {
      lf factor = load_param(frame, &groups, PARAM_FACING_FACTOR);
      lm smooth = lf_less(factor, lf_set1(1.0f));
      if (lm_any(smooth)) next = lv3_select(smooth, turn_part(facing, target, factor), target, true);
      turns = lm_and(turns, lf_greater(factor, lf_zero()));
      if (frame->groups->features & FEATURE_TURN_LIMIT) {
        lf most = load_max_turn(frame, &groups, at);
        next = limit_direction(facing, next, most);
        turns = lm_and(turns, lf_greater(most, lf_zero()));
      }
      if (frame->groups->features & FEATURE_STEERED_YAW) {
        lm steered = lf_less(factor, lf_zero());
        lv3 spun = load_lv3_first(f + COLUMN_FACING_X, at, lanes, true); /* the pass spin, below, has written it */
        next = lv3_select(steered, spun, next, true);
        turns = lm_or(turns, steered);
      }
    }
    store_lv3(f + COLUMN_FACING_X, at, lv3_select(turns, next, facing, true), lanes, true);
  }
}

void THRONG_TABLE(face)(const struct frame *frame, struct strip *strip) {
  if (is_spatial(frame)) {
    face_spatial(frame, strip);
  } else {
    face_planar(frame, strip);
  }
}

/* Integrates a yaw rate by the update rule of positions and velocities (Millington 3.1.3). `a`: the angular
 * acceleration. Returns the turn of the frame. */
LANES_INLINE lf integrate_rate(const struct frame *frame, const struct lane_groups *groups, uint32_t at, lf a, lf rate,
                               lf *next) {
  const lf dt = lf_set1(frame->dt), half_dt_sq = lf_set1(0.5f * frame->dt * frame->dt);
  lf fastest = load_max_yaw_rate(frame, groups, at), turn;
  *next = lf_mul(lf_add(rate, lf_mul(a, dt)), load_param(frame, groups, PARAM_YAW_DAMP));
  *next = lf_clamp(*next, fastest);
  switch (frame->def->update) {
  case THRONG_UPDATE_EXPLICIT:
    turn = lf_mul(rate, dt);
    break;
  case THRONG_UPDATE_BALLISTIC:
    turn = lf_add(lf_mul(rate, dt), lf_mul(a, half_dt_sq));
    break;
  default:
    turn = lf_mul(*next, dt);
    break;
  }
  turn = lf_clamp(turn, lf_mul(fastest, dt));
  lf rounds = lf_floor(lf_add(lf_mul(turn, lf_set1(0.159154943091895f)), lf_set1(0.5f)));
  return lf_sub(turn, lf_mul(rounds, lf_set1(LANES_TWO_PI)));
}

/* Turns upright facings about the vertical, and others along `swing`. */
LANES_INLINE lv3 spin_in_space(const struct frame *frame, const struct lane_groups *groups, lv3 f, lf turn, lv3 swing) {
  lf zero = lf_zero(), sine, cosine, yaw_sine, yaw_cosine;
  lv3 level = lv3_select(lf_equal(f.y, zero), f, level_of(f), true);
  lf_sincos(lf_wrap_angle(lf_add(yaw_of(level_of(f)), turn)), &yaw_sine, &yaw_cosine);
  lv3 spun = lv3_select(lf_equal(turn, zero), level, (lv3){yaw_sine, zero, yaw_cosine}, true);

  lf inverse = lv3_inv_len(swing, true), speed = lf_sqrt(lv3_dot(swing, swing, true));
  lf angle = lf_min(lf_mul(speed, lf_set1(frame->dt)), lf_set1(LANES_PI));
  lf_sincos(angle, &sine, &cosine);
  lv3 swung = lv3_add(lv3_scale(f, cosine, true), lv3_scale(swing, lf_mul(sine, inverse), true), true);
  swung = lv3_select(lf_greater(lf_mul(angle, inverse), zero), lv3_direction(swung, true), f, true);
  lm upright = lf_greater(load_param(frame, groups, PARAM_UPRIGHT), zero);
  return lv3_select(upright, spun, swung, true);
}

/* Turns steered facings. Agents of other groups keep their rate. */
LANES_INLINE void spin_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  ASSERT_ALONE(frame->groups->features & FEATURE_STEERED_YAW);
  float *const *front = frame->front->f, *const *back = frame->back->f;
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    const uint32_t k = at - strip->begin, lanes = lanes_left(at, strip->end);
    struct lane_groups groups;
    load_groups(&groups, frame, at);
    lm steered = lf_less(load_param(frame, &groups, PARAM_FACING_FACTOR), lf_zero());
    lf rate = lf_load(front[COLUMN_YAW_RATE] + at), next;
    if (spatial) {
      lv3 f = load_facing(frame, at, true), swing = load_lv3_first(strip->turning + TURNING_X, k, lanes, true);
      lf a = lf_load_first(strip->turning[TURNING_YAW] + k, lanes);
      lf turn = integrate_rate(frame, &groups, at, a, rate, &next);
      lv3 turned = spin_in_space(frame, &groups, f, turn, swing);
      store_lv3(back + COLUMN_FACING_X, at, lv3_select(steered, turned, f, true), lanes, true);
    } else {
      lf yaw = lf_load(front[COLUMN_FACING_X] + at);
      lf turn = integrate_rate(frame, &groups, at, lf_load(strip->acceleration[1] + k), rate, &next);
      lf turned = lf_wrap_angle(lf_add(yaw, turn));
      lm turns = lm_without(steered, lf_equal(turn, lf_zero())); /* without a turn the yaw keeps its bits, also -pi */
      lf_store_first(back[COLUMN_FACING_X] + at, lf_select(turns, turned, yaw), lanes);
    }
    lf_store_first(back[COLUMN_YAW_RATE] + at, lf_select(steered, next, rate), lanes);
  }
}

DEFINE_PASS(spin)
