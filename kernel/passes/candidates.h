/* passes/candidates.h: which agents of a window a block must look at one by one. Candidates are first held against the block's
 * bounding box, LANES of them at a time, and the slots of those within reach are listed, in order. Rounding cannot lose a
 * neighbour: its offset from the box is no longer, component by component, than from an agent in the box, and the squares
 * and sums that follow are monotonic.
 * Two blocks of a run share the window, and what is loaded of it.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_CANDIDATES_H
#define THRONG_CANDIDATES_H

#include "neighbour_pair.h"

#define CANDIDATES 1024u /* as many may be listed at once: they stay in the L1 cache */
#define STRETCHES 32u    /* a corner of a spatial periodic world takes about 20 */

/* A part of a list, whose candidates all stand `shift` metres from where they say. */
struct stretch {
  uint32_t end;
  bool own; /* the block's own agents, which are not listed, come before the first */
  bool shifted;
  lv3 shift; /* where `shifted` */
};

/* The list of one block. It is whole before the walk begins, so that of two blocks only one's sums are alive in the loops. */
struct candidates {
  uint32_t count, stretches;
  struct stretch stretch[STRETCHES];
  uint32_t slot[CANDIDATES + LANES];
};

/* Where a block's agents are, and how far the farthest-seeing of them sees. */
struct reach {
  lv3 low, high;
  lf radius_sq;
};

LANES_INLINE struct reach block_reach(const struct frame *frame, uint32_t at, uint32_t lanes, bool spatial) {
  struct lane_groups groups;
  load_groups(&groups, frame, at);
  float *const *position = frame->front->f + COLUMN_POSITION_X;
  const lm valid = lm_first(lanes);
  lv3 p = lv3_select(valid, load_lv3(position, at, spatial), broadcast_lv3(position, at, spatial), spatial);
  lf radius = load_own_or_param(frame, &groups, at, COLUMN_PERCEPTION_RADIUS, PARAM_PERCEPTION_RADIUS);
  struct reach reach;
  reach.low = (lv3){lf_set1(lf_lowest(p.x)), spatial ? lf_set1(lf_lowest(p.y)) : p.y, lf_set1(lf_lowest(p.z))};
  reach.high = (lv3){lf_set1(lf_highest(p.x)), spatial ? lf_set1(lf_highest(p.y)) : p.y, lf_set1(lf_highest(p.z))};
  reach.radius_sq = lf_set1(lf_highest(lf_where(valid, lf_mul(radius, radius))));
  return reach;
}

LANES_INLINE void begin_stretch(struct candidates *list, bool own, lv3 shift, bool shifted) {
  if (list->stretches > 0) list->stretch[list->stretches - 1].end = list->count;
  struct stretch *stretch = &list->stretch[list->stretches++];
  stretch->own = own;
  stretch->shifted = shifted;
  if (shifted) stretch->shift = shift;
}
/* One for a shifted range, and one for all ranges up to the next that is. */
LANES_INLINE void begin_range(struct candidates *list, lv3 shift, bool shifted) {
  if (shifted || list->stretch[list->stretches - 1].shifted) begin_stretch(list, false, shift, shifted);
}

LANES_INLINE void list_all(struct candidates *list, uint32_t from, uint32_t to) {
  for (uint32_t j = from; j < to; j += LANES) {
    lu_store(list->slot + list->count + (j - from), lu_add(lu_set1(j), lu_iota()));
  }
  list->count += to - from;
}

/* Of candidates j, j + 1, … at q, those that are `there`, lists whom somebody may reach: how many. */
LANES_INLINE uint32_t list_within(uint32_t *slot, const struct reach *reach, uint32_t j, lv3 q, lm there,
                                  bool spatial) {
  lv3 d = {outside(reach->low.x, reach->high.x, q.x), spatial ? outside(reach->low.y, reach->high.y, q.y) : lf_zero(),
           outside(reach->low.z, reach->high.z, q.z)};
  return lu_store_set(slot, lf_less_equal_where(there, lv3_dot(d, d, spatial), reach->radius_sq), j);
}

/* Likewise of [from, to), at most LANES. */
LANES_INLINE void list_block(struct candidates *list, const struct reach *reach, float *const position[3],
                             uint32_t from, uint32_t to, bool spatial) {
  lv3 q = load_lv3(position, from, spatial);
  list->count += list_within(list->slot + list->count, reach, from, q, lm_first(to - from), spatial);
}

/* Lists for each block those of the candidates [from, to) that somebody in it may reach. */
LANES_INLINE void list_range(struct candidates *list, const struct reach *reach, bool two, float *const position[3],
                             uint32_t from, uint32_t to, lv3 shift, bool shifted, bool spatial) {
  uint32_t first = list[0].count, second = two ? list[1].count : 0;
  for (uint32_t j = from; j < to; j += LANES) {
    const lm there = lm_first(to - j);
    lv3 q = load_lv3(position, j, spatial);
    if (shifted) q = lv3_add(q, shift, spatial);
    first += list_within(list[0].slot + first, &reach[0], j, q, there, spatial);
    if (two) second += list_within(list[1].slot + second, &reach[1], j, q, there, spatial);
  }
  list[0].count = first;
  if (two) list[1].count = second;
}

LANES_INLINE void begin_list(struct candidates *list) {
  list->count = list->stretches = 0;
  begin_stretch(list, false, lv3_zero(), false);
}
LANES_INLINE void end_list(struct candidates *list) { list->stretch[list->stretches - 1].end = list->count; }

/* Of a single block [at, end): its own row holds few that are out of reach. */
LANES_INLINE void list_own_row(struct candidates *list, uint32_t at, uint32_t end, uint32_t from, uint32_t to) {
  list_all(list, from, at);
  begin_stretch(list, true, lv3_zero(), false);
  list_all(list, end, to);
}

/* Of a pair. */
LANES_INLINE void list_pair_row(struct candidates *list, const struct reach *reach, float *const position[3],
                                uint32_t at, uint32_t end, uint32_t from, uint32_t to, bool spatial) {
  list_range(list, reach, true, position, from, at, lv3_zero(), false, spatial);
  begin_stretch(&list[0], true, lv3_zero(), false);
  list_block(&list[0], &reach[0], position, at + LANES, end, spatial);
  list_block(&list[1], &reach[1], position, at, at + LANES, spatial);
  begin_stretch(&list[1], true, lv3_zero(), false);
  list_range(list, reach, true, position, end, to, lv3_zero(), false, spatial);
}

/* Lists a window for each block of the run [at, end); false where that is too much. */
LANES_INLINE bool list_window(struct candidates list[RUN_BLOCKS], const struct frame *frame,
                              const struct window *window, uint32_t at, uint32_t end, bool spatial) {
  const struct grid *grid = frame->grid;
  float *const *position = frame->front->f + COLUMN_POSITION_X;
  const bool two = end - at > LANES;
  const uint32_t blocks = two ? 2 : 1;
  struct reach reach[2];
  for (uint32_t k = 0; k < blocks; k++) {
    const uint32_t block_at = at + k * LANES;
    reach[k] = block_reach(frame, block_at, lanes_left(block_at, end), spatial);
    begin_list(&list[k]);
  }
  uint32_t from, to;
  lv3 shift;
  bool shifted;
  FOR_EACH_RANGE(grid, grid->start, window, from, to, shift, shifted, spatial) {
    for (uint32_t k = 0; k < blocks; k++) {
      if (to - from > CANDIDATES - list[k].count || list[k].stretches > STRETCHES - 2) return false;
      begin_range(&list[k], shift, shifted);
    }
    const bool own_row = !shifted && from <= at && at < to;
    if (!own_row) {
      list_range(list, reach, two, position, from, to, shift, shifted, spatial);
    } else if (two) {
      list_pair_row(list, reach, position, at, end, from, to, spatial);
    } else {
      list_own_row(list, at, end, from, to);
    }
  }
  for (uint32_t k = 0; k < blocks; k++) end_list(&list[k]);
  return true;
}

/* Lists a piece of the range [from, to) for the block [at, end), as far as there is room: returns where to go on. */
LANES_INLINE uint32_t list_piece(struct candidates *list, const struct reach *reach, float *const position[3],
                                 uint32_t at, uint32_t end, uint32_t from, uint32_t to, lv3 shift, bool shifted,
                                 bool spatial) {
  uint32_t piece = to - from > CANDIDATES ? from + CANDIDATES : to;
  if (!shifted && from < at && at < piece && piece < end) piece = at; /* it does not cut the block's own agents */
  begin_list(list);
  begin_range(list, shift, shifted);
  if (!shifted && from <= at && at < piece) {
    list_own_row(list, at, end, from, piece);
  } else {
    list_range(list, reach, false, position, from, piece, shift, shifted, spatial);
  }
  end_list(list);
  return piece;
}

#endif
