/* passes/behaviours.c: what an agent wants by itself (goals, wander), and the blend of all its rules.
 * The formulas are those of ../ARITHMETIC.md, "Goals and wander" and "Blend". SPDX-License-Identifier: MIT */
#include "block.h"

/* Seek (Millington 3.3.3, or the desired-velocity form) and arrive (3.3.4) at the agents' own goals. */
LANES_INLINE void goals_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  const struct columns *front = frame->front;
  const uint32_t rules = frame->groups->rules;
  const bool rates = frame->groups->features & FEATURE_SEEK_RATE;
  const lf one = lf_set1(1.0f);
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct lane_groups groups;
    load_groups(&groups, frame, at);
    lv3 p = load_lv3(front->f + COLUMN_POSITION_X, at, spatial),
        v = load_lv3(front->f + COLUMN_VELOCITY_X, at, spatial);
    lv3 goal = load_lv3(front->f + COLUMN_GOAL_X, at, spatial);
    lm has_goal = lf_equal(goal.x, goal.x); /* NaN where there is none */
    lf limit = load_param(frame, &groups, PARAM_MAX_ACCELERATION),
       speed_limit = load_param(frame, &groups, PARAM_DESIRED_SPEED);
    lv3 dp = world_difference(frame->grid, goal, p, spatial);
    lf inverse = lv3_inv_len(dp, spatial);

    if (rules & 1u << RULE_SEEK) {
      lv3 a = lv3_scale(dp, lf_mul(limit, inverse), spatial);
      if (rates) {
        lf rate = load_param(frame, &groups, PARAM_SEEK_RATE);
        lv3 change = lv3_sub(lv3_scale(dp, lf_mul(speed_limit, inverse), spatial), v, spatial);
        lv3 desired = lv3_clip(lv3_scale(change, rate, spatial), limit, spatial);
        a = lv3_select(lf_greater(rate, lf_zero()), desired, a, spatial);
      }
      store_scratch(strip->rule[RULE_SEEK], at - strip->begin, lv3_where(has_goal, a, spatial), spatial);
    }
    if (rules & 1u << RULE_ARRIVE) {
      lf distance = lf_sqrt(lv3_dot(dp, dp, spatial));
      lf slow_radius = load_param(frame, &groups, PARAM_SLOW_RADIUS);
      lf slow = lf_div(lf_mul(speed_limit, distance), lf_select(lf_greater(slow_radius, lf_zero()), slow_radius, one));
      lf speed = lf_select(lf_less(distance, slow_radius), slow, speed_limit);
      speed = lf_select(lf_less_equal(distance, load_param(frame, &groups, PARAM_TARGET_RADIUS)), lf_zero(), speed);
      lv3 change = lv3_sub(lv3_scale(dp, lf_mul(speed, inverse), spatial), v, spatial);
      lv3 a = lv3_clip(lv3_scale(change, load_param(frame, &groups, PARAM_ARRIVE_RATE), spatial), limit, spatial);
      store_scratch(strip->rule[RULE_ARRIVE], at - strip->begin, lv3_where(has_goal, a, spatial), spatial);
    }
  }
}

static void goals(const struct frame *frame, struct strip *strip) {
  if (frame->def->space == THRONG_SPATIAL) {
    goals_strip(frame, strip, true);
  } else {
    goals_strip(frame, strip, false);
  }
}

/* The state from which an agent's draws of this frame follow: a counter, not a stream. */
LANES_INLINE lu draw_state(const struct frame *frame, uint32_t at) {
  const uint64_t seed = frame->def->seed;
  lu h = lu_mix(lu_add(lu_set1((uint32_t)seed), lu_load(frame->front->id + at)));
  lu generation = lu_shift_right(lu_load(frame->front->meta + at), 16);
  h = lu_mix(lu_xor(h, lu_add(lu_set1((uint32_t)(seed >> 32)), generation)));
  return lu_mix(lu_xor(h, lu_set1((uint32_t)frame->number)));
}
LANES_INLINE lf draw(const struct frame *frame, lu state, uint32_t k) {
  uint32_t salt = (uint32_t)(frame->number >> 32) + k * 0x9e3779b9u;
  return lu_to_uniform(lu_mix(lu_xor(state, lu_set1(salt))));
}
/* The difference of two uniform draws: triangular on (-1, 1), variance 1/6. */
LANES_INLINE lf binomial(const struct frame *frame, lu state, uint32_t k) {
  return lf_sub(draw(frame, state, 2 * k), draw(frame, state, 2 * k + 1));
}

/* Wander (Millington 3.3.11): toward a point on a circle (planar) or sphere (spatial) that lies ahead. */
LANES_INLINE void wander_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  const struct columns *front = frame->front;
  float *const *memory = front->f + COLUMN_WANDER_X, *const *next = frame->back->f + COLUMN_WANDER_X;
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    uint32_t lanes = lanes_left(at, strip->end);
    struct lane_groups groups;
    load_groups(&groups, frame, at);
    lu state = draw_state(frame, at);
    lf step = load_param(frame, &groups, PARAM_WANDER_STEP);
    lm wanders = lf_greater(load_param(frame, &groups, PARAM_WEIGHT + RULE_WANDER), lf_zero());
    lf radius = load_param(frame, &groups, PARAM_WANDER_RADIUS),
       offset = load_param(frame, &groups, PARAM_WANDER_OFFSET);
    lv3 ahead = load_facing(frame, at, spatial), around;
    if (spatial) {
      lv3 w = load_lv3(memory, at, true);
      lv3 n = {lf_add(w.x, lf_mul(binomial(frame, state, 0), step)),
               lf_add(w.y, lf_mul(binomial(frame, state, 1), step)),
               lf_add(w.z, lf_mul(binomial(frame, state, 2), step))};
      lf inverse = lv3_inv_len(n, true);
      around = lv3_select(lm_and(wanders, lf_greater(inverse, lf_zero())), lv3_scale(n, inverse, true), w, true);
      store_lv3(next, at, around, lanes, true);
    } else {
      lf angle = lf_load(memory[0] + at);
      angle = lf_select(wanders, lf_wrap_angle(lf_add(angle, lf_mul(binomial(frame, state, 0), step))), angle);
      lf_store_first(next[0] + at, angle, lanes);
      around = lv3_zero();
      lf yaw = lf_load(front->f[COLUMN_FACING_X] + at);
      lf_sincos(lf_wrap_angle(lf_add(yaw, angle)), &around.x, &around.z);
    }
    lv3 e = lv3_add(lv3_scale(ahead, offset, spatial), lv3_scale(around, radius, spatial), spatial);
    lf scale = lf_mul(load_param(frame, &groups, PARAM_MAX_ACCELERATION), lv3_inv_len(e, spatial));
    store_scratch(strip->rule[RULE_WANDER], at - strip->begin, lv3_scale(e, scale, spatial), spatial);
  }
}

static void wander(const struct frame *frame, struct strip *strip) {
  if (frame->def->space == THRONG_SPATIAL) {
    wander_strip(frame, strip, true);
  } else {
    wander_strip(frame, strip, false);
  }
}

/* Weighted blending (Millington 3.4.2): clip(sum of weight * acceleration, max_acceleration). */
LANES_INLINE void blend_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct lane_groups groups;
    load_groups(&groups, frame, at);
    const uint32_t k = at - strip->begin;
    lv3 sum = lv3_zero();
    for (int rule = 0; rule < RULE_COUNT; rule++) {
      if (!(frame->groups->rules & 1u << rule)) continue;
      lf weight = load_param(frame, &groups, PARAM_WEIGHT + rule);
      float(*a)[STRIP_CAPACITY] = strip->rule[rule];
      lv3 acceleration = {lf_load(a[0] + k), spatial ? lf_load(a[1] + k) : lf_zero(), lf_load(a[2] + k)};
      sum = lv3_add(sum, lv3_scale(acceleration, weight, spatial), spatial);
    }
    sum = lv3_clip(sum, load_param(frame, &groups, PARAM_MAX_ACCELERATION), spatial);
    store_lv3(strip->acceleration, k, sum, lanes_left(at, strip->end), spatial);
  }
}

static void blend(const struct frame *frame, struct strip *strip) {
  if (frame->def->space == THRONG_SPATIAL) {
    blend_strip(frame, strip, true);
  } else {
    blend_strip(frame, strip, false);
  }
}

const struct behaviour_passes THRONG_TABLE(behaviours) = {goals, wander, blend};
