/* turns.c: the angular behaviours (Millington 3.3.5, 3.3.6, 3.3.9, 3.3.10): align, face, look, rotation match.
 * Formulas: docs/ARITHMETIC.md, "Behaviours". SPDX-License-Identifier: MIT */
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

/* The wanted direction in spatial worlds. */
LANES_INLINE lv3 direction_of(const struct frame *frame, const struct strip *strip, const struct entry_block *block,
                              throng_behaviour_kind kind, lf offset) {
  float *const *f = frame->front->f;
  if (kind == THRONG_BEHAVIOUR_LOOK) return load_lv3(f + COLUMN_VELOCITY_X, block->at, true);
  if (kind == THRONG_BEHAVIOUR_FACE) {
    lv3 target = load_target(frame, strip, block, THE_TARGET, true);
    return world_difference(frame->grid, target, load_lv3(f + COLUMN_POSITION_X, block->at, true), true);
  }
  lf sine, cosine;
  lv3 way = load_target_facing(frame, strip, block, true);
  lf_sincos(offset, &sine, &cosine);
  return (lv3){lf_add(lf_mul(way.x, cosine), lf_mul(way.z, sine)), way.y,
               lf_sub(lf_mul(way.z, cosine), lf_mul(way.x, sine))};
}

LANES_INLINE void turn_in_space(const struct frame *frame, struct strip *strip, throng_behaviour_kind kind) {
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, kind)) continue;
    lf offset = kind == THRONG_BEHAVIOUR_ALIGN ? ENTRY_VALUE(align, offset) : lf_zero();
    lv3 way = direction_of(frame, strip, &block, kind, offset);
    lv3 turning = turn_toward(frame, &block, way, ENTRY_VALUE(align, slow_radius), ENTRY_VALUE(align, target_radius),
                              ENTRY_VALUE(align, time_to_target));
    if (kind != THRONG_BEHAVIOUR_LOOK) {
      lf target = load_target(frame, strip, &block, THE_TARGET, true).x;
      turning = lv3_where(lf_equal(target, target), turning, true);
    }
    store_entry_turning(frame, strip, &block, turning);
    store_entry(frame, strip, &block, lv3_zero(), true);
  }
}

/* All angular kinds begin with the same three parameters. */
LANES_INLINE void turn_strip(const struct frame *frame, struct strip *strip, throng_behaviour_kind kind) {
  if (is_spatial(frame)) {
    turn_in_space(frame, strip, kind);
    return;
  }
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

void BEHAVIOUR(rotation_match)(const struct frame *frame, struct strip *strip) {
  const bool spatial = is_spatial(frame);
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_ROTATION_MATCH)) continue;
    lf target = load_target(frame, strip, &block, THE_TARGET, spatial).x;
    lf change = lf_sub(load_target_yaw_rate(frame, strip, &block), lf_load(frame->front->f[COLUMN_YAW_RATE] + at));
    lf a = lf_mul(change, lf_div(lf_set1(1.0f), ENTRY_VALUE(rotation_match, time_to_target)));
    a = lf_clamp(a, load_wanted_limit(frame, &block.groups, at, PARAM_MAX_YAW_ACCELERATION));
    a = lf_where(lf_equal(target, target), a);
    if (!spatial) {
      store_entry_turn(frame, strip, &block, a);
      continue;
    }
    store_entry_turning(frame, strip, &block, (lv3){lf_where(are_upright(frame, &block), a), lf_zero(), lf_zero()});
    store_entry(frame, strip, &block, lv3_zero(), true);
  }
}
