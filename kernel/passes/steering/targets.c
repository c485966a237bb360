/* targets.c: behaviours with a target. Formulas: docs/ARITHMETIC.md, "Behaviours".
 * SPDX-License-Identifier: MIT */
#include "base/compiler.h"
#include "passes/steering/aim.h"
#include "scenery/free_time.h"

LANES_INLINE void seek_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_SEEK)) continue;
    struct aim aim;
    load_aim(&aim, frame, strip, &block, spatial);
    lf time = ENTRY_VALUE(seek, time_to_target);
    lv3 way = way_to_target(&aim, frame, strip, &block, aim.dp, lf_zero(), time, false, spatial);
    lv3 a = seek_by_route(&aim, frame, way, time, spatial);
    store_entry(frame, strip, &block, lv3_where(aim.exists, a, spatial), spatial);
  }
}
DEFINE_BEHAVIOUR(seek)

/* Whether the target is within the panic radius, if there is one. */
LANES_INLINE lm in_panic(const struct aim *aim, lf radius, bool spatial) {
  lm near = lf_less_equal(lv3_dot(aim->dp, aim->dp, spatial), lf_mul(radius, radius));
  return lm_and(aim->exists, lm_or(near, lf_equal(radius, lf_zero())));
}

LANES_INLINE void flee_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_FLEE)) continue;
    struct aim aim;
    load_aim(&aim, frame, strip, &block, spatial);
    lf time = ENTRY_VALUE(flee, time_to_target);
    lv3 away = way_along(&aim, frame, &block, lv3_negate(aim.dp, spatial), time);
    lv3 a = seek_along(&aim, away, time, spatial);
    lm flees = in_panic(&aim, ENTRY_VALUE(flee, panic_radius), spatial);
    store_entry(frame, strip, &block, lv3_where(flees, a, spatial), spatial);
  }
}
DEFINE_BEHAVIOUR(flee)

LANES_INLINE void arrive_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_ARRIVE)) continue;
    struct aim aim;
    load_aim(&aim, frame, strip, &block, spatial);
    lf near = ENTRY_VALUE(arrive, target_radius), time = ENTRY_VALUE(arrive, time_to_target);
    lv3 way = way_to_target(&aim, frame, strip, &block, aim.dp, near, time, true, spatial);
    lv3 a = arrive_along(&aim, way, ENTRY_VALUE(arrive, slow_radius), near, time, spatial);
    lf distance = lf_sqrt(lv3_dot(aim.dp, aim.dp, spatial));
    lm coasts = lf_less_equal(distance, ENTRY_VALUE(arrive, target_radius));
    coasts = lm_and(coasts, lf_greater(ENTRY_VALUE(arrive, coast), lf_zero()));
    store_entry(frame, strip, &block, lv3_where(lm_without(aim.exists, coasts), a, spatial), spatial);
  }
}
DEFINE_BEHAVIOUR(arrive)

/* Returns the prediction time: the time in which the agent would reach the target, at its present speed if `by_speed`
 * or at max_speed if not, but at most `most`. A time longer than `longest` is given up: 0. */
LANES_INLINE lf look_ahead(const struct aim *aim, lf by_speed, lf most, lf longest, bool spatial) {
  struct aim now = *aim;
  lf speed = lf_sqrt(lv3_dot(aim->v, aim->v, spatial));
  now.speed = lf_select(lf_greater(by_speed, lf_zero()), speed, aim->speed);
  lf time = time_to_reach(&now, aim->dp, most, spatial);
  return lf_select(lf_greater(time, longest), lf_zero(), time);
}

/* Writes the free times of the own targets of the agents in `asked` to value[LANES], which is `most` before. */
static OUT_OF_LINE void free_times(const struct frame *frame, const struct strip *strip, uint32_t at, uint32_t asked,
                                   float value[LANES]) {
  lanes_rest();
  const uint32_t first = at - strip->begin;
  const bool spatial = is_spatial(frame);
  for (uint32_t k = 0; asked >> k; k++) {
    if (!(asked >> k & 1)) continue;
    float q[3], u[3];
    for (int c = 0; c < 3; c++) {
      const bool level = c == 1 && !spatial;
      q[c] = level ? 0.0f : strip->target_position[c][first + k];
      u[c] = level ? 0.0f : strip->target_velocity[c][first + k];
    }
    value[k] = throng_free_time(frame->scenery, frame->cells, frame->grid->space, frame->def, q, u, value[k]);
  }
}

/* Where each agent's own target has a free time: limits the prediction `most` to it where the group stops at walls, and
 * makes it the longest prediction that is not given up. */
LANES_INLINE void heed_walls(const struct frame *frame, const struct strip *strip, const struct entry_block *block,
                             const struct aim *aim, lf stops, lf *most, lf *longest) {
  lm each = lm_and(block->wants, lf_less(*longest, lf_zero()));
  if (!lm_any(each)) return;
  float value[LANES];
  lf_store(value, *most);
  const lm there = lm_and(each, aim->exists);
  free_times(frame, strip, block->at, lm_bits(lm_and(there, have_targets(strip, block->at))), value);
  *longest = lf_select(each, lf_load(value), *longest);
  *most = lf_select(lm_and(each, lf_greater(stops, lf_zero())), *longest, *most);
}

LANES_INLINE void pursue_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_PURSUE)) continue;
    struct aim aim;
    load_aim(&aim, frame, strip, &block, spatial);
    lv3 u = load_target_velocity(frame, strip, &block, THE_TARGET, spatial);
    lf most = ENTRY_VALUE(pursue, max_prediction), longest = ENTRY_VALUE(pursue, give_up_at_walls);
    heed_walls(frame, strip, &block, &aim, ENTRY_VALUE(pursue, stop_at_walls), &most, &longest);
    lf time = look_ahead(&aim, ENTRY_VALUE(pursue, by_speed), most, longest, spatial);
    lf soon = ENTRY_VALUE(pursue, time_to_target);
    lv3 way = way_to_place(&aim, frame, &block, after(aim.dp, u, time, spatial), u, lf_zero(), soon, false, spatial);
    lv3 a = seek_by_route(&aim, frame, way, soon, spatial);
    store_entry(frame, strip, &block, lv3_where(aim.exists, a, spatial), spatial);
  }
}
DEFINE_BEHAVIOUR(pursue)

LANES_INLINE void evade_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_EVADE)) continue;
    struct aim aim;
    load_aim(&aim, frame, strip, &block, spatial);
    lv3 u = load_target_velocity(frame, strip, &block, THE_TARGET, spatial);
    lf most = ENTRY_VALUE(evade, max_prediction), longest = ENTRY_VALUE(evade, give_up_at_walls);
    heed_walls(frame, strip, &block, &aim, ENTRY_VALUE(evade, stop_at_walls), &most, &longest);
    lf time = look_ahead(&aim, ENTRY_VALUE(evade, by_speed), most, longest, spatial);
    lf soon = ENTRY_VALUE(evade, time_to_target);
    lv3 away = way_along(&aim, frame, &block, lv3_negate(after(aim.dp, u, time, spatial), spatial), soon);
    lv3 a = seek_along(&aim, away, soon, spatial);
    lm flees = in_panic(&aim, ENTRY_VALUE(evade, panic_radius), spatial);
    store_entry(frame, strip, &block, lv3_where(flees, a, spatial), spatial);
  }
}
DEFINE_BEHAVIOUR(evade)

/* Returns the smallest time T >= 0 in which an agent that moves straight at max_speed meets a target that moves with
 * velocity u: the root of |dp + u T| = S T. Where there is none, returns the time to reach its present position. */
LANES_INLINE lf time_to_meet(const struct aim *aim, lv3 u, lf most, bool spatial) {
  const lf zero = lf_zero();
  lf a = lf_sub(lv3_dot(u, u, spatial), lf_mul(aim->speed, aim->speed));
  lf b = lv3_dot(aim->dp, u, spatial), c = lv3_dot(aim->dp, aim->dp, spatial);
  lf d = lf_sub(lf_mul(b, b), lf_mul(a, c)), root = lf_sqrt(lf_max(d, zero));
  const lm nears = lf_less(b, zero), slower = lf_less(a, zero);
  lf time = lf_select(nears, lf_div(c, lf_sub(root, b)), lf_div(lf_add(root, b), lf_negate(a)));
  const lm meets = lm_without(lm_or(nears, slower), lf_less(d, zero));
  return lf_select(meets, lf_min(time, most), time_to_reach(aim, aim->dp, most, spatial));
}

LANES_INLINE void intercept_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_INTERCEPT)) continue;
    struct aim aim;
    load_aim(&aim, frame, strip, &block, spatial);
    lv3 u = load_target_velocity(frame, strip, &block, THE_TARGET, spatial), dv = lv3_sub(u, aim.v, spatial);
    lf closing = lf_sqrt(lv3_dot(dv, dv, spatial)), distance = lf_sqrt(lv3_dot(aim.dp, aim.dp, spatial));
    lv3 f = load_facing(frame, at, spatial);
    lf behind = lv3_dot(f, aim.dp, spatial);
    lm plain = lm_or(lf_less(closing, ENTRY_VALUE(intercept, least_speed)), lf_less(behind, lf_zero()));
    plain = lm_or(plain, lf_equal(closing, lf_zero()));
    lf most = ENTRY_VALUE(intercept, max_prediction), time = lf_min(lf_div(distance, closing), most);
    time = lf_select(plain, lf_zero(), time);
    const lm exact = lf_greater(ENTRY_VALUE(intercept, exact), lf_zero());
    if (lm_any(exact)) time = lf_select(exact, time_to_meet(&aim, u, most, spatial), time);
    lv3 meet = after(aim.dp, u, time, spatial);
    lf turn = ENTRY_VALUE(intercept, turn), soon = ENTRY_VALUE(intercept, time_to_target);
    lm chases = lf_greater(turn, lf_zero());
    soon = lf_select(chases, lf_zero(), soon);
    lv3 way = way_to_place(&aim, frame, &block, meet, u, lf_zero(), soon, false, spatial);
    lv3 a = seek_by_route(&aim, frame, way, soon, spatial);
    if (lm_any(chases)) {
      struct pursuit how = {.turn = turn, .slow = lf_zero(), .evades = lm_first(0)};
      lf cosine;
      lf_sincos(ENTRY_VALUE(intercept, dead_band), &how.sine, &cosine);
      lv3 pursuit = chase_along(&aim, &how, f, way, spatial);
      if (has_routes(frame)) pursuit = hold_back(frame, pursuit, aim.v, aim.heading, aim.fastest, spatial);
      a = lv3_select(chases, pursuit, a, spatial);
    }
    store_entry(frame, strip, &block, lv3_where(aim.exists, a, spatial), spatial);
  }
}
DEFINE_BEHAVIOUR(intercept)

LANES_INLINE void velocity_match_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_VELOCITY_MATCH)) continue;
    struct aim aim;
    load_aim(&aim, frame, strip, &block, spatial);
    lv3 u = load_target_velocity(frame, strip, &block, THE_TARGET, spatial);
    lv3 a = toward_velocity(&aim, u, ENTRY_VALUE(velocity_match, time_to_target), spatial);
    store_entry(frame, strip, &block, lv3_where(aim.exists, a, spatial), spatial);
  }
}
DEFINE_BEHAVIOUR(velocity_match)
