/* alignment.h: alignment: what a neighbour adds, and the acceleration or the turn that follows from the sums. Formulas:
 * docs/ARITHMETIC.md, "The rules" and "Other forms of the rules". SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_NEIGHBOURS_ALIGNMENT_H
#define THRONG_KERNEL_PASSES_NEIGHBOURS_ALIGNMENT_H

#include "passes/neighbours/lateral.h"
#include "passes/steering/turn.h"

/* Adds a neighbour to alignment's sums, in the lanes `where`. v is its velocity. Its count is also cohesion's. */
LANES_INLINE void add_to_alignment(const struct block *block, struct sums *sums, const struct candidate *it, lv3 v,
                                   lf weight, lw where, unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL, generic = variant & VARIANT_GENERIC,
             weighted = variant & VARIANT_WEIGHTS, flocks = !(variant & VARIANT_WALKERS);
  if (generic ? block->rules & (1u << RULE_ALIGNMENT | 1u << RULE_COHESION) : flocks) {
    if (weighted) {
      sums->aligned = lf_add_where(sums->aligned, where, weight);
    } else {
      sums->counted = lc_add_where(sums->counted, where);
    }
  }
  if (generic ? block->rules & 1u << RULE_ALIGNMENT : flocks) {
    const lv3 velocity = weighted ? lv3_scale(v, weight, spatial) : v;
    sums->alignment = add_where(sums->alignment, where, velocity, spatial);
  }
  if (variant & VARIANT_RARE && block->frame->groups->features & FEATURE_ALIGNMENT_TURNS) {
    const lv3 facing = lv3_scale(broadcast_facing(block->all, it->j, spatial), weight, spatial);
    sums->rare.facing = add_where(sums->rare.facing, where, facing, spatial);
  }
}

LANES_INLINE lv3 finish_alignment(const struct block *block, const struct lane_groups *groups, const struct sums *sums,
                                  unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL;
  lm any = lf_greater(sums->aligned, lf_zero());
  lf inverse = lf_div(lf_set1(1.0f), sums->aligned);
  lv3 change = lv3_sub(lv3_scale(sums->alignment, inverse, spatial), block->v, spatial);
  change = lv3_scale(change, load_param(block->frame, groups, PARAM_ALIGNMENT_RATE), spatial);
  lv3 a = lv3_where(any, lv3_clip(change, block->max_acceleration, spatial), spatial);
  if (!(variant & VARIANT_RARE)) return a;
  lv3 turns = steer_lateral(block, sums->alignment, spatial);
  return lv3_select(has_form(block->rare.forms, FORM_ALIGNMENT_LATERAL), turns, a, spatial);
}

/* Stores how alignment turns toward the mean facing of the neighbours, as an entry of the list stores a turn. */
static OUT_OF_LINE void finish_alignment_turn(const struct block *block, const struct lane_groups *groups,
                                              const struct sums *sums, struct strip *strip, bool spatial) {
  const struct frame *frame = block->frame;
  const struct entry_block entry = {.groups = *groups, .wants = block->valid, .at = block->at, .lanes = block->lanes};
  const lv3 way = sums->rare.facing;
  const uint32_t at = block->at - strip->begin;
  const lm any = lf_greater(lv3_dot(way, way, spatial), lf_zero());
  lf slow = load_param(frame, groups, PARAM_ALIGN_SLOW), target = load_param(frame, groups, PARAM_ALIGN_TARGET);
  lf time = load_param(frame, groups, PARAM_ALIGN_TIME);
  if (spatial) {
    lv3 turning = turn_toward(frame, &entry, way, slow, target, time);
    store_scratch(strip->turn[TURN_OF_ALIGNMENT], at, lv3_where(any, turning, true), true);
    return;
  }
  lf left = turn_to_vector(way, lf_load(frame->front->f[COLUMN_FACING_X] + block->at));
  lf turn = turn_acceleration(frame, &entry, left, slow, target, time);
  lf_store(strip->rule[RULE_ALIGNMENT][1] + at, lf_where(any, turn));
}

#endif
