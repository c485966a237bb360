/* entry.h: what the pass of a behaviour kind reads and writes: one entry of the groups' lists, block by block. The pass
 * computes only the lanes whose group has the kind at that entry, and skips blocks without such lanes.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_STEERING_ENTRY_H
#define THRONG_KERNEL_PASSES_STEERING_ENTRY_H

#include "passes/block.h"

struct entry_block {
  struct lane_groups groups;
  lm wants;
  uint32_t at, lanes; /* the block's first slot; how many of its agents are in the strip */
};

LANES_INLINE bool load_entry(struct entry_block *block, const struct frame *frame, const struct strip *strip,
                             uint32_t at, throng_behaviour_kind kind) {
  block->at = at;
  block->lanes = lanes_left(at, strip->end);
  load_groups(&block->groups, frame, at);
  block->wants = lm_first(block->lanes);
  if (!frame->groups->entry[strip->entry].mixed) return true;
  lu there = lf_bits(load_param(frame, &block->groups, PARAM_KIND + (int)strip->entry));
  block->wants = lm_and(block->wants, lu_equal(there, lu_set1((uint32_t)kind)));
  return lm_any(block->wants);
}
/* Stores the entry's accelerations in the `where` lanes of the block at k; the stored values of other lanes are
 * unchanged. */
LANES_INLINE void store_entry_where(struct strip *strip, uint32_t k, lm where, lv3 a, bool spatial) {
  float(*scratch)[STRIP_CAPACITY] = strip->rule[RULE_LIST + strip->entry];
  const lv3 before = {lf_load(scratch[0] + k), spatial ? lf_load(scratch[1] + k) : lf_zero(), lf_load(scratch[2] + k)};
  store_scratch(scratch, k, lv3_select(where, a, before, spatial), spatial);
}
/* Stores the entry's acceleration. In a mixed entry, other lanes keep the value that their own kind wrote. */
LANES_INLINE void store_entry(const struct frame *frame, struct strip *strip, const struct entry_block *block, lv3 a,
                              bool spatial) {
  const uint32_t k = block->at - strip->begin;
  if (frame->groups->entry[strip->entry].mixed) {
    store_entry_where(strip, k, block->wants, a, spatial);
  } else {
    store_scratch(strip->rule[RULE_LIST + strip->entry], k, a, spatial);
  }
}

/* Stores the angular acceleration of an angular kind in y, which planar worlds do not use otherwise. */
LANES_INLINE void store_entry_turn(const struct frame *frame, struct strip *strip, const struct entry_block *block,
                                   lf turn) {
  store_entry(frame, strip, block, (lv3){lf_zero(), turn, lf_zero()}, true);
}

LANES_INLINE lf load_entry_param(const struct frame *frame, const struct strip *strip, const struct entry_block *block,
                                 int param) {
  return load_param(frame, &block->groups, PARAM_ENTRY + ENTRY_PARAMS * (int)strip->entry + param);
}
/* Loads a parameter of a kind, such as ENTRY_VALUE(arrive, slow_radius), as a float per lane. */
#define ENTRY_VALUE(name, member) load_entry_param(frame, strip, &block, ENTRY_PARAMETER + KIND_PARAMETER(name, member))

LANES_INLINE lv3 load_entry_vector(const struct frame *frame, const struct strip *strip,
                                   const struct entry_block *block, int param, bool spatial) {
  return (lv3){load_entry_param(frame, strip, block, param),
               spatial ? load_entry_param(frame, strip, block, param + 1) : lf_zero(),
               load_entry_param(frame, strip, block, param + 2)};
}

/* The agents' goals; NaN for agents without one. */
LANES_INLINE lv3 load_goal(const struct frame *frame, uint32_t at, bool spatial) {
  float *const *goal = frame->front->f + COLUMN_GOAL_X;
  if (goal[0]) return load_lv3(goal, at, spatial);
  return (lv3){lf_set1(NAN), lf_zero(), lf_zero()};
}
enum which_target { THE_TARGET, THE_OTHER };
/* The position of the entry's target. x is NaN in lanes without one. */
LANES_INLINE lv3 load_target(const struct frame *frame, const struct strip *strip, const struct entry_block *block,
                             int which, bool spatial) {
  const uint32_t kinds = frame->groups->entry[strip->entry].targets[which], goals = 1u << THRONG_TARGET_GOAL;
  if (kinds == goals) return load_goal(frame, block->at, spatial);
  lv3 common = load_entry_vector(frame, strip, block, ENTRY_TARGET + TARGET_PARAMS * which + TARGET_POSITION, spatial);
  if (!(kinds & goals)) return common;
  const int param = PARAM_TARGET_KIND + (int)THRONG_MAX_BEHAVIOURS * which + (int)strip->entry;
  lm own = lu_equal(lf_bits(load_param(frame, &block->groups, param)), lu_set1(THRONG_TARGET_GOAL));
  return lv3_select(own, load_goal(frame, block->at, spatial), common, spatial);
}
LANES_INLINE lv3 load_target_velocity(const struct frame *frame, const struct strip *strip,
                                      const struct entry_block *block, int which, bool spatial) {
  return load_entry_vector(frame, strip, block, ENTRY_TARGET + TARGET_PARAMS * which + TARGET_VELOCITY, spatial);
}
LANES_INLINE lv3 load_target_facing(const struct frame *frame, const struct strip *strip,
                                    const struct entry_block *block, bool spatial) {
  if (spatial) return load_entry_vector(frame, strip, block, ENTRY_TARGET + TARGET_FACING, true);
  lv3 facing = lv3_zero();
  lf_sincos(load_entry_param(frame, strip, block, ENTRY_TARGET + TARGET_FACING), &facing.x, &facing.z);
  return facing;
}

/* Defines the pass of a behaviour, which calls name_strip(frame, strip, spatial) with a constant `spatial`. */
#define DEFINE_BEHAVIOUR(name)                                                                                         \
  void BEHAVIOUR(name)(const struct frame *frame, struct strip *strip) {                                               \
    if (frame->def->space == THRONG_SPACE_SPATIAL) {                                                                   \
      name##_strip(frame, strip, true);                                                                                \
    } else {                                                                                                           \
      name##_strip(frame, strip, false);                                                                               \
    }                                                                                                                  \
  }

#endif
