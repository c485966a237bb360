/* lateral.h: the lateral forms of rules over neighbours: directions at right angles to the facing.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_NEIGHBOURS_LATERAL_H
#define THRONG_KERNEL_PASSES_NEIGHBOURS_LATERAL_H

#include "passes/neighbours/neighbour_block.h"

/* The part of `toward` at right angles to the facing; `along` is the other part. */
LANES_INLINE lv3 aside_of(lv3 facing, lv3 toward, lf along, bool spatial) {
  return lv3_sub(toward, lv3_scale(facing, along, spatial), spatial);
}
/* Returns the direction of a vector at right angles to the facing. In the lanes `by_id` it is to the agent's right if
 * its id index is odd, and to its left if not. */
LANES_INLINE lv3 side_of(lv3 facing, lu id, lv3 aside, lm by_id, bool spatial) {
  lv3 side = lv3_scale(aside, lv3_inv_len(aside, spatial), spatial);
  lv3 right = right_of(facing, spatial), left = lv3_negate(right, spatial);
  lm odd = lu_test(id, lu_set1(1));
  return lv3_select(by_id, lv3_select(odd, right, left, spatial), side, spatial);
}

/* Returns an acceleration at right angles to the facing, to the side where the vector `toward` points. Its length is in
 * proportion to the angle between the facing and `toward`: max_acceleration at 180 degrees (Bourg & Seemann 4.2.3,
 * 4.2.4). */
LANES_INLINE lv3 steer_lateral(const struct block *block, lv3 toward, bool spatial) {
  lf along = lv3_dot(block->facing, toward, spatial);
  lv3 aside = aside_of(block->facing, toward, along, spatial);
  lf off = lf_sqrt(lv3_dot(aside, aside, spatial));
  lm behind = lm_and(lf_equal(off, lf_zero()), lf_less(along, lf_zero()));
  lf share = lf_mul(lf_atan2(off, along), lf_set1(0.318309886183791f));
  return lv3_scale(side_of(block->facing, block->id, aside, behind, spatial), lf_mul(block->max_acceleration, share),
                   spatial);
}

#endif
