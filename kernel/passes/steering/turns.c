/* turns.c: the angular behaviours of planar worlds (Millington 3.3.5, 3.3.9, 3.3.10): align, face, look. Formulas:
 * docs/ARITHMETIC.md, "Behaviours". SPDX-License-Identifier: MIT */
#include <math.h>

#include "passes/steering/turn.h"

/* The remaining turn, and whether the behaviour acts on the agent. */
struct turn {
  lf left;
  lm acts;
};

LANES_INLINE struct turn turn_of(const struct frame *frame, const struct strip *strip, const struct entry_block *block,
                                 throng_behaviour_kind kind, lf offset, lf yaw) {
  float *const *f = frame->front->f;
  if (kind == THRONG_BEHAVIOUR_LOOK) {
    return (struct turn){turn_to_vector(load_lv3(f + COLUMN_VELOCITY_X, block->at, false), yaw), block->wants};
  }
  lv3 target = load_target(frame, strip, block, THE_TARGET, false);
  struct turn turn = {.acts = lf_equal(target.x, target.x)};
  if (kind == THRONG_BEHAVIOUR_FACE) {
    lv3 p = load_lv3(f + COLUMN_POSITION_X, block->at, false);
    turn.left = turn_to_vector(world_difference(frame->grid, target, p, false), yaw);
  } else {
    lf wanted = lf_wrap_angle(lf_add(load_target_yaw(frame, strip, block), offset));
    turn.left = lf_wrap_angle(lf_sub(wanted, yaw));
  }
  return turn;
}

/* All angular kinds begin with the same three parameters. */
LANES_INLINE void turn_strip(const struct frame *frame, struct strip *strip, throng_behaviour_kind kind) {
  float *const *f = frame->front->f;
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, kind)) continue;
    lf offset = kind == THRONG_BEHAVIOUR_ALIGN ? ENTRY_VALUE(align, offset) : lf_zero();
    struct turn turn = turn_of(frame, strip, &block, kind, offset, lf_load(f[COLUMN_FACING_X] + at));
    lf a = turn_acceleration(frame, &block, turn.left, ENTRY_VALUE(align, slow_radius),
                             ENTRY_VALUE(align, target_radius), ENTRY_VALUE(align, time_to_target));
    store_entry_turn(frame, strip, &block, lf_where(turn.acts, a));
  }
}

void BEHAVIOUR(align)(const struct frame *frame, struct strip *strip) {
  turn_strip(frame, strip, THRONG_BEHAVIOUR_ALIGN);
}
void BEHAVIOUR(face)(const struct frame *frame, struct strip *strip) {
  turn_strip(frame, strip, THRONG_BEHAVIOUR_FACE);
}
void BEHAVIOUR(look)(const struct frame *frame, struct strip *strip) {
  turn_strip(frame, strip, THRONG_BEHAVIOUR_LOOK);
}
