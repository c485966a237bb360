/* passes/candidates.h: which agents of a range of the grid a block must look at one by one. A range's candidates are first
 * held against the block's bounding box, LANES of them at a time, and the slots of those within reach are listed, in
 * order. Rounding cannot lose a neighbour: its offset from the box is no longer, component by component, than from an agent
 * in the box, and the squares and sums that follow are monotonic. SPDX-License-Identifier: MIT */
#ifndef THRONG_CANDIDATES_H
#define THRONG_CANDIDATES_H

#include "neighbour_pair.h"

#define CANDIDATES 256u /* as many are listed before they are walked: the list stays in the L1 cache */
#define FEW 64u         /* of a block's own row so many on a side are listed too, as they lie */

struct candidates {
  uint64_t tested; /* of the block, so far */
  uint32_t count;
  uint32_t slot[CANDIDATES + FEW + LANES];
};

/* Where a block's agents are, and how far the farthest-seeing of them sees. */
struct reach {
  lv3 low, high;
  lf radius_sq;
};

LANES_INLINE struct reach block_reach(const struct block *block, bool spatial) {
  float *const *f = block->frame->front->f;
  lv3 first = {lf_set1(f[COLUMN_POSITION_X][block->at]), spatial ? lf_set1(f[COLUMN_POSITION_Y][block->at]) : lf_zero(),
               lf_set1(f[COLUMN_POSITION_Z][block->at])};
  lv3 p = lv3_select(block->valid, block->p, first, spatial);
  struct reach reach;
  reach.low = (lv3){lf_set1(lf_lowest(p.x)), spatial ? lf_set1(lf_lowest(p.y)) : p.y, lf_set1(lf_lowest(p.z))};
  reach.high = (lv3){lf_set1(lf_highest(p.x)), spatial ? lf_set1(lf_highest(p.y)) : p.y, lf_set1(lf_highest(p.z))};
  reach.radius_sq = lf_set1(lf_highest(lf_where(block->valid, block->radius_sq)));
  return reach;
}

/* Lists all of [from, to), at most FEW. */
LANES_INLINE void list_all(struct candidates *list, uint32_t from, uint32_t to) {
  for (uint32_t j = from; j < to; j += LANES) {
    lu_store(list->slot + list->count + (j - from), lu_add(lu_set1(j), lu_iota()));
  }
  list->count += to - from;
}

/* Lists those of the candidates [from, to) that somebody in the block may reach, as far as the list has room: returns where to go
 * on. */
LANES_INLINE uint32_t list_range(struct candidates *list, const struct block *block, const struct reach *reach,
                                 uint32_t from, uint32_t to, lv3 shift, bool shifted, bool spatial) {
  uint32_t j = from;
  for (; j < to && list->count <= CANDIDATES - LANES; j += LANES) {
    lv3 q = load_lv3(block->frame->front->f + COLUMN_POSITION_X, j, spatial);
    if (shifted) q = lv3_add(q, shift, spatial);
    lv3 d = {outside(reach->low.x, reach->high.x, q.x), spatial ? outside(reach->low.y, reach->high.y, q.y) : lf_zero(),
             outside(reach->low.z, reach->high.z, q.z)};
    lm within = lf_less_equal(lv3_dot(d, d, spatial), reach->radius_sq);
    if (to - j < LANES) within = lm_and(within, lm_first(to - j));
    lu_store(list->slot + list->count, lu_add(lu_set1(j), lu_set_lanes(within)));
    list->count += lm_count(within);
  }
  return j < to ? j : to;
}

#endif
