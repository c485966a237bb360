/* yield.h: agents make way for impatient ones. Formulas: docs/ARITHMETIC.md, "Yielding".
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_MOTION_YIELD_H
#define THRONG_KERNEL_PASSES_MOTION_YIELD_H

#include "passes/blocked.h"
#include "passes/motion/bodies.h"
#include "passes/random.h"

#define YIELD_ROOM 1.2f  /* how near an impatient agent others make way, in contact distances */
#define YIELD_AHEAD 0.8f /* the part of the direction along the impatient agent's facing that is left out */
#define YIELD_SIDE 0.3f  /* the part to one side, so that an agent straight ahead steps aside */

/* The period of the draws that rank agents: about a second. */
LANES_INLINE uint64_t yield_tick(const struct frame *frame) {
  const uint64_t frames = (uint64_t)(frame->rate + 0.5f);
  return frame->number / (frames > 0 ? frames : 1);
}

/* The lanes of `some` that give way to impatient agent j, whose draws are `state`: lanes that are patient, and those
 * that a draw ranks below j. */
LANES_INLINE lm ranked_below(const struct bodies *bodies, lm some, uint32_t j, lu state, uint64_t tick) {
  const struct columns *front = bodies->frame->front;
  const lu own = draw_state_at(bodies->frame, bodies->id, lu_load(front->meta + bodies->at), tick);
  const lf rank = draw_at(tick, own, DRAW_RANK), other = draw_at(tick, state, DRAW_RANK);
  const lm tie = lm_and(lf_equal(rank, other), lu_less_signed(lu_set1(front->id[j]), bodies->id));
  const lm below = lm_or(lf_less(rank, other), tie), patient = lm_without(some, load_impatient(front, bodies->at));
  return lm_or(patient, lm_and(some, below));
}

/* Adds the ways that lanes make for impatient agent j, whose body is d away. An agent behind j makes none. */
LANES_INLINE void make_way(const struct bodies *bodies, struct pushes *pushes, uint32_t j, lv3 d, lf reach, lv3 shift,
                           bool spatial) {
  const struct frame *frame = bodies->frame;
  const lf d2 = lv3_dot(d, d, spatial), room = lf_mul(reach, lf_set1(YIELD_ROOM));
  const lv3 facing = broadcast_facing(frame, j, spatial);
  const lf ahead = lf_negate(lv3_dot(d, facing, spatial));
  lm gives = lm_and(bodies->solid, lf_less(d2, lf_mul(room, room)));
  gives = lm_and(gives, lf_greater(d2, lf_set1(bodies->close_sq)));
  gives = lm_and(gives, lf_greater_equal(ahead, lf_zero()));
  if (j - bodies->at < bodies->lanes) gives = lm_without(gives, lm_lane(j - bodies->at));
  if (!lm_any(gives)) return;
  const uint64_t tick = yield_tick(frame);
  const lu state = draw_state_at(frame, lu_set1(frame->front->id[j]), lu_set1(frame->front->meta[j]), tick);
  gives = ranked_below(bodies, were_within(bodies, gives, j, shift, spatial), j, state, tick);

  const lf distance = lf_sqrt(d2);
  const lm right = lf_less(draw_at(tick, state, DRAW_SIDE), lf_set1(0.5f));
  const lf side = lf_mul(lf_select(right, lf_set1(YIELD_SIDE), lf_set1(-YIELD_SIDE)), distance);
  lv3 away = lv3_add(d, lv3_scale(facing, lf_mul(ahead, lf_set1(YIELD_AHEAD)), spatial), spatial);
  away = lv3_sub(lv3_scale(right_of(facing, spatial), side, spatial), away, spatial);
  const float contact = group_row(frame->groups, PARAM_CONTACT)[meta_group(frame->front->meta[j])];
  const lf way = lf_mul(lf_min(lf_sub(room, distance), bodies->most_aside), part_of(bodies, j, contact));
  away = lv3_scale(lv3_direction(away, spatial), way, spatial);
  pushes->aside = lv3_add(pushes->aside, lv3_where(gives, away, spatial), spatial);
  pushes->gives = lm_or(pushes->gives, gives);
}

#endif
