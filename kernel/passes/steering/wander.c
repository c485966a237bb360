/* wander.c: wander (Millington 3.3.11): steers toward a point on a circle (planar) or sphere (spatial) ahead of the
 * agent. Formulas: docs/ARITHMETIC.md, "Behaviours". SPDX-License-Identifier: MIT */
#include <math.h>

#include "passes/random.h"
#include "passes/steering/turn.h"

/* The direction on the sphere after a random step. */
LANES_INLINE lv3 walk_on_sphere(const struct frame *frame, const struct entry_block *block, lv3 w, lf step) {
  lu state = draw_state(frame, block->at);
  lv3 n = {lf_add(w.x, lf_mul(binomial(frame, state, 0), step)), lf_add(w.y, lf_mul(binomial(frame, state, 1), step)),
           lf_add(w.z, lf_mul(binomial(frame, state, 2), step))};
  lf inverse = lv3_inv_len(n, true);
  return lv3_select(lf_greater(inverse, lf_zero()), lv3_scale(n, inverse, true), w, true);
}
LANES_INLINE lf walk_on_circle(const struct frame *frame, const struct entry_block *block, lf angle, lf step) {
  lu state = draw_state(frame, block->at);
  return lf_wrap_angle(lf_add(angle, lf_mul(binomial(frame, state, 0), step)));
}

/* The main form of Millington 3.3.11, in lanes with `faces`: turns to the point at offset e, and accelerates
 * along the facing f. Other lanes keep `a`. Returns the acceleration, with the angular one in y. */
LANES_INLINE lv3 walk_ahead(const struct frame *frame, const struct strip *strip, const struct entry_block *of, lv3 f,
                            lv3 e, lv3 a) {
  const struct entry_block block = *of;
  const lm faces = lf_greater(ENTRY_VALUE(wander, faces), lf_zero());
  const lf yaw = lf_load(frame->front->f[COLUMN_FACING_X] + block.at);
  lf turn = turn_acceleration(frame, &block, turn_to_vector(e, yaw), ENTRY_VALUE(wander, slow_radius),
                              ENTRY_VALUE(wander, target_radius), ENTRY_VALUE(wander, time_to_target));
  lf limit = load_wanted_limit(frame, &block.groups, block.at, PARAM_MAX_ACCELERATION);
  a = lv3_select(faces, lv3_scale(f, limit, false), a, false);
  a.y = lf_where(faces, turn);
  return a;
}

/* The same in spatial worlds. The turning is not returned, but stored for the entry. */
LANES_INLINE lv3 swim_ahead(const struct frame *frame, struct strip *strip, const struct entry_block *of, lv3 f, lv3 e,
                            lv3 a) {
  const struct entry_block block = *of;
  const lm faces = lf_greater(ENTRY_VALUE(wander, faces), lf_zero());
  lv3 turning = turn_toward(frame, &block, e, ENTRY_VALUE(wander, slow_radius), ENTRY_VALUE(wander, target_radius),
                            ENTRY_VALUE(wander, time_to_target));
  store_entry_turning(frame, strip, &block, lv3_where(faces, turning, true));
  lf limit = load_wanted_limit(frame, &block.groups, block.at, PARAM_MAX_ACCELERATION);
  return lv3_select(faces, lv3_scale(f, limit, true), a, true);
}

LANES_INLINE void wander_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  const struct columns *front = frame->front;
  float *const *memory = front->f + COLUMN_WANDER_X, *const *next = frame->back->f + COLUMN_WANDER_X;
  const lf root_dt = lf_sqrt(lf_set1(frame->dt));
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_WANDER)) continue;
    lf step = lf_mul(ENTRY_VALUE(wander, rate), root_dt);
    lv3 around = lv3_zero();
    if (spatial) {
      around = walk_on_sphere(frame, &block, load_lv3(memory, at, true), step);
      lv3 before = load_lv3_first(next, at, block.lanes, true);
      store_lv3(next, at, lv3_select(block.wants, around, before, true), block.lanes, true);
    } else {
      lf angle = walk_on_circle(frame, &block, lf_load(memory[0] + at), step);
      lf before = lf_load_first(next[0] + at, block.lanes);
      lf_store_first(next[0] + at, lf_select(block.wants, angle, before), block.lanes);
      lf yaw = lf_load(front->f[COLUMN_FACING_X] + at);
      lf_sincos(lf_wrap_angle(lf_add(yaw, angle)), &around.x, &around.z);
    }
    lv3 f = load_facing(frame, at, spatial), ahead = lv3_scale(f, ENTRY_VALUE(wander, offset), spatial);
    lv3 e = lv3_add(ahead, lv3_scale(around, ENTRY_VALUE(wander, radius), spatial), spatial);
    lf limit = load_wanted_limit(frame, &block.groups, at, PARAM_MAX_ACCELERATION);
    lv3 a = lv3_scale(e, lf_mul(limit, lv3_inv_len(e, spatial)), spatial);
    const bool turns = frame->groups->entry[strip->entry].turns;
    if (turns) a = spatial ? swim_ahead(frame, strip, &block, f, e, a) : walk_ahead(frame, strip, &block, f, e, a);
    store_entry(frame, strip, &block, a, spatial || turns);
  }
}
DEFINE_BEHAVIOUR(wander)
