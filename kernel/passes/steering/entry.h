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
  ASSERT_ALONE(strip->entry < THRONG_MAX_BEHAVIOURS);
  ASSERT_ALONE(frame->groups->entry[strip->entry].kinds & THRONG_BIT(kind));
  block->at = at;
  block->lanes = lanes_left(at, strip->end);
  load_groups(&block->groups, frame, at);
  block->wants = lm_first(block->lanes);
  if (!frame->groups->entry[strip->entry].mixed) return true;
  lu there = lf_bits(load_param(frame, &block->groups, PARAM_KIND + (int)strip->entry));
  block->wants = lm_and(block->wants, lu_equal(there, lu_set1((uint32_t)kind)));
  return lm_any(block->wants);
}
/* Loads the weight of a rule: the agent's own, if its group names this rule and it has one; if not, the group's. */
LANES_INLINE lf load_weight(const struct frame *frame, const struct lane_groups *groups, uint32_t at, int rule) {
  const lf of_group = load_param(frame, groups, PARAM_WEIGHT + rule);
  if (!frame->front->f[COLUMN_WEIGHT]) return of_group;
  const lf own = lf_load(frame->front->f[COLUMN_WEIGHT] + at), named = load_param(frame, groups, PARAM_OWN_WEIGHT);
  return lf_select(lf_equal_where(lf_equal(own, own), named, lf_set1((float)rule)), own, of_group);
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

/* Makes the lanes `who` of the block at k heed neither separation nor avoidance: impatient agents and those that have
 * settled. Contact keeps them apart. */
LANES_INLINE void leave_out_rules(const struct frame *frame, struct strip *strip, uint32_t k, lm who, bool spatial) {
  static const int left_out[] = {RULE_SEPARATION, RULE_AVOIDANCE};
  if (!lm_any(who)) return;
  for (int r = 0; r < 2; r++) {
    if (!(frame->groups->rules & 1u << left_out[r])) continue;
    float(*rule)[STRIP_CAPACITY] = strip->rule[left_out[r]];
    for (int c = 0; c < 3; c += spatial ? 1 : 2) {
      lf_store(rule[c] + k, lf_select(who, lf_zero(), lf_load(rule[c] + k)));
    }
  }
}

/* Stores the angular acceleration of an angular kind in y, which planar worlds do not use otherwise. */
LANES_INLINE void store_entry_turn(const struct frame *frame, struct strip *strip, const struct entry_block *block,
                                   lf turn) {
  store_entry(frame, strip, block, (lv3){lf_zero(), turn, lf_zero()}, true);
}

/* The same in spatial worlds, of all kinds that turn. `turning`: for upright facings the angular acceleration in x; for
 * others a vector at right angles to the facing, rad/s. */
LANES_INLINE void store_entry_turning(const struct frame *frame, struct strip *strip, const struct entry_block *block,
                                      lv3 turning) {
  float(*scratch)[STRIP_CAPACITY] = strip->turn[strip->entry];
  const uint32_t k = block->at - strip->begin;
  const lv3 before = {lf_load(scratch[0] + k), lf_load(scratch[1] + k), lf_load(scratch[2] + k)};
  if (frame->groups->entry[strip->entry].mixed) turning = lv3_select(block->wants, turning, before, true);
  store_scratch(scratch, k, turning, true);
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
/* Where an agent wants to go: toward its goal, or along its facing if it has none. */
LANES_INLINE lv3 course_of(lv3 to_goal, lm has_goal, lv3 facing, bool spatial) {
  return lv3_select(has_goal, lv3_direction(to_goal, spatial), facing, spatial);
}
LANES_INLINE lv3 load_course(const struct frame *frame, uint32_t at, lv3 p, bool spatial) {
  const lv3 goal = load_goal(frame, at, spatial), to_goal = world_difference(frame->grid, goal, p, spatial);
  return course_of(to_goal, lf_equal(goal.x, goal.x), load_facing(frame, at, spatial), spatial);
}
/* Values of the agents' own targets; of the agent itself where it has none. strip->target has their slots. */
LANES_INLINE lf load_of_targets(const struct strip *strip, uint32_t at, const float *column) {
  float value[LANES];
  THRONG_TABLE(gather_of_targets)(strip, at, column, value);
  return lf_load(value);
}
LANES_INLINE lv3 load_found(const float (*found)[STRIP_CAPACITY], uint32_t k, bool spatial) {
  return (lv3){lf_load(found[0] + k), spatial ? lf_load(found[1] + k) : lf_zero(), lf_load(found[2] + k)};
}
LANES_INLINE lv3 load_lv3_of_targets(const struct strip *strip, uint32_t at, float *const column[3], bool spatial) {
  return (lv3){load_of_targets(strip, at, column[0]), spatial ? load_of_targets(strip, at, column[1]) : lf_zero(),
               load_of_targets(strip, at, column[2])};
}
/* The lanes whose agents have own targets. */
LANES_INLINE lm have_targets(const struct strip *strip, uint32_t at) {
  const lu own = lu_add(lu_set1(at), lu_iota());
  return lm_without(lm_first(LANES), lu_equal(lu_load(strip->target + (at - strip->begin)), own));
}

enum which_target { THE_TARGET, THE_OTHER };
/* Whether some group's target of the running entry is of a kind, and the lanes where it is. */
LANES_INLINE bool uses_target(const struct frame *frame, const struct strip *strip, int which, uint32_t kind) {
  return frame->groups->entry[strip->entry].targets[which] >> kind & 1;
}
LANES_INLINE lm with_target(const struct frame *frame, const struct strip *strip, const struct entry_block *block,
                            int which, uint32_t kind) {
  const int param = PARAM_TARGET_KIND + (int)THRONG_MAX_BEHAVIOURS * which + (int)strip->entry;
  return lu_equal(lf_bits(load_param(frame, &block->groups, param)), lu_set1(kind));
}
/* The position of the entry's target. x is NaN in lanes without one. */
LANES_INLINE lv3 load_target(const struct frame *frame, const struct strip *strip, const struct entry_block *block,
                             int which, bool spatial) {
  const uint32_t kinds = frame->groups->entry[strip->entry].targets[which], goals = 1u << THRONG_TARGET_GOAL;
  if (kinds == goals) return load_goal(frame, block->at, spatial);
  lv3 common = load_entry_vector(frame, strip, block, ENTRY_TARGET + TARGET_PARAMS * which + TARGET_POSITION, spatial);
  if (kinds & goals) {
    lm goal = with_target(frame, strip, block, which, THRONG_TARGET_GOAL);
    common = lv3_select(goal, load_goal(frame, block->at, spatial), common, spatial);
  }
  if (!uses_target(frame, strip, which, THRONG_TARGET_OWN)) return common;
  lm own = lm_and(with_target(frame, strip, block, which, THRONG_TARGET_OWN), have_targets(strip, block->at));
  lv3 q = load_found(strip->target_position, block->at - strip->begin, spatial);
  return lv3_select(own, q, common, spatial);
}
LANES_INLINE lv3 load_target_velocity(const struct frame *frame, const struct strip *strip,
                                      const struct entry_block *block, int which, bool spatial) {
  lv3 common = load_entry_vector(frame, strip, block, ENTRY_TARGET + TARGET_PARAMS * which + TARGET_VELOCITY, spatial);
  if (!uses_target(frame, strip, which, THRONG_TARGET_OWN)) return common;
  lv3 u = load_found(strip->target_velocity, block->at - strip->begin, spatial);
  return lv3_select(with_target(frame, strip, block, which, THRONG_TARGET_OWN), u, common, spatial);
}
/* Planar worlds. */
LANES_INLINE lf load_target_yaw(const struct frame *frame, const struct strip *strip, const struct entry_block *block) {
  lf common = load_entry_param(frame, strip, block, ENTRY_TARGET + TARGET_FACING);
  if (!uses_target(frame, strip, THE_TARGET, THRONG_TARGET_OWN)) return common;
  lf yaw = load_of_targets(strip, block->at, frame->front->f[COLUMN_FACING_X]);
  return lf_select(with_target(frame, strip, block, THE_TARGET, THRONG_TARGET_OWN), yaw, common);
}
LANES_INLINE lf load_target_yaw_rate(const struct frame *frame, const struct strip *strip,
                                     const struct entry_block *block) {
  lf common = load_entry_param(frame, strip, block, ENTRY_TARGET + TARGET_YAW_RATE);
  if (!uses_target(frame, strip, THE_TARGET, THRONG_TARGET_OWN)) return common;
  lf rate = load_of_targets(strip, block->at, frame->front->f[COLUMN_YAW_RATE]);
  return lf_select(with_target(frame, strip, block, THE_TARGET, THRONG_TARGET_OWN), rate, common);
}
LANES_INLINE lv3 load_target_facing(const struct frame *frame, const struct strip *strip,
                                    const struct entry_block *block, bool spatial) {
  lv3 facing = lv3_zero();
  if (!spatial) {
    lf_sincos(load_target_yaw(frame, strip, block), &facing.x, &facing.z);
    return facing;
  }
  facing = load_entry_vector(frame, strip, block, ENTRY_TARGET + TARGET_FACING, true);
  if (!uses_target(frame, strip, THE_TARGET, THRONG_TARGET_OWN)) return facing;
  lv3 own = load_lv3_of_targets(strip, block->at, frame->front->f + COLUMN_FACING_X, true);
  return lv3_select(with_target(frame, strip, block, THE_TARGET, THRONG_TARGET_OWN), own, facing, true);
}

#endif
