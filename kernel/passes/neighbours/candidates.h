/* candidates.h: culls a window to the list of candidates that a block must test one by one. LANES candidates at a time
 * are tested against the block's bounding box: a candidate whose distance from the box is at most the largest
 * perception radius is listed, in order, by its slot. Rounding cannot lose a neighbour: no component of its offset from
 * the box is larger than that of its offset from an agent in the box, and rounded squares and sums are monotonic. The
 * two blocks of a pair share the window and the loaded candidates. With 16 lanes, spatial lists are then refined:
 * candidates near the box, but near no agent, are removed (fixed_point.h).
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_NEIGHBOURS_CANDIDATES_H
#define THRONG_KERNEL_PASSES_NEIGHBOURS_CANDIDATES_H

#include "base/compiler.h"
#include "passes/neighbours/fixed_point.h"
#include "passes/neighbours/neighbour_pair.h"

#define CANDIDATES 1024u /* maximum of one list; a list of this length stays in the L1 cache */
#define LIST_RANGES 32u  /* a corner of a spatial periodic world needs about 20 */

/* A range of a list. `shift` is added to the positions of all its candidates. */
struct list_range {
  uint32_t end;
  bool own; /* the block's own agents come before this range's first candidate; they are not listed */
  bool shifted;
  lv3 shift; /* metres; only if `shifted` */
};

/* The list of one block. The walk begins when the list is complete, so that only the sums of one block need registers
 * at a time. */
struct candidates {
  uint32_t count, ranges;
  struct list_range range[LIST_RANGES];
  uint32_t slot[CANDIDATES + LANES];
#if LANES == 16
  uint32_t xy[CANDIDATES + LANES], zw[CANDIDATES + LANES]; /* fixed-point positions, only in lists that will be
                                                              refined */
#endif
};

/* A block's bounding box and largest perception radius. For lists that will be refined, only the fixed-point form is
 * set. */
struct bounds {
  lv3 low, high;
  lf radius_sq;
#if LANES == 16
  struct fixed_frame fixed_frame; /* the same for both blocks of a pair */
  struct fixed_block fixed_block;
#endif
};

/* Loads the agents' positions; lanes without an agent get the position of the last agent, so that a quarter with both
 * stays small. Returns the block's largest perception radius. */
LANES_INLINE float find_agents(lv3 *p, const struct frame *frame, uint32_t at, uint32_t lanes, bool spatial) {
  ASSERT_ALONE(lanes >= 1 && lanes <= LANES);
  float *const *position = frame->front->f + COLUMN_POSITION_X;
  const lm valid = lm_first(lanes);
  *p = lv3_select(valid, load_lv3(position, at, spatial), broadcast_lv3(position, at + lanes - 1, spatial), spatial);
  if (perception_is_alike(frame)) return group_row(frame->groups, PARAM_PERCEPTION_RADIUS)[frame->groups->largest];
  struct lane_groups groups;
  load_groups(&groups, frame, at);
  const lf radius = load_perception(frame, &groups, at);
  return lf_highest(lf_where(valid, radius));
}

LANES_INLINE void find_bounds(struct bounds *bounds, const struct frame *frame, uint32_t at, uint32_t lanes,
                              bool spatial) {
  lv3 p;
  const float radius = find_agents(&p, frame, at, lanes, spatial);
  bounds->low = (lv3){lf_set1(lf_lowest(p.x)), spatial ? lf_set1(lf_lowest(p.y)) : p.y, lf_set1(lf_lowest(p.z))};
  bounds->high = (lv3){lf_set1(lf_highest(p.x)), spatial ? lf_set1(lf_highest(p.y)) : p.y, lf_set1(lf_highest(p.z))};
  bounds->radius_sq = lf_set1(radius * radius);
}
/* Finds the bounds of each block of the pair [at, end). */
LANES_INLINE void find_pair_bounds(struct bounds bounds[PAIR_BLOCKS], const struct frame *frame, uint32_t at,
                                   uint32_t end, bool spatial) {
  ASSERT_ALONE(end - at <= PAIR_BLOCKS * LANES);
  for (uint32_t k = 0; at < end; k++, at += LANES) find_bounds(&bounds[k], frame, at, lanes_left(at, end), spatial);
}
#if LANES == 16
/* Finds the bounds in fixed point, for lists that will be refined. Returns false if an agent is farther than `farthest`
 * from the pair's middle agent. */
LANES_INLINE bool find_fixed_blocks_within(struct bounds bounds[PAIR_BLOCKS], const struct frame *frame, uint32_t at,
                                           uint32_t end, float farthest) {
  ASSERT_ALONE(end - at <= PAIR_BLOCKS * LANES);
  const struct fixed_frame fixed_frame = fixed_frame_of(frame, at, end, farthest);
  bool within = true;
  for (uint32_t k = 0; at < end; k++, at += LANES) {
    lv3 p;
    const float radius = find_agents(&p, frame, at, lanes_left(at, end), true);
    bounds[k].fixed_frame = fixed_frame;
    within &= find_fixed_block(&bounds[k].fixed_block, &fixed_frame, p, radius);
  }
  return within;
}
static OUT_OF_LINE void find_far_fixed_blocks(struct bounds bounds[PAIR_BLOCKS], const struct frame *frame, uint32_t at,
                                              uint32_t end) {
  find_fixed_blocks_within(bounds, frame, at, end, farthest_of_all(frame, at, end));
}
LANES_INLINE void find_fixed_blocks(struct bounds bounds[PAIR_BLOCKS], const struct frame *frame, uint32_t at,
                                    uint32_t end) {
  if (!find_fixed_blocks_within(bounds, frame, at, end, farthest_of_ends(frame, at, end)))
    find_far_fixed_blocks(bounds, frame, at, end);
}
#endif

LANES_INLINE void begin_list_range(struct candidates *list, bool own, lv3 shift, bool shifted) {
  ASSERT_ALONE(list->ranges < LIST_RANGES);
  if (list->ranges > 0) list->range[list->ranges - 1].end = list->count;
  struct list_range *range = &list->range[list->ranges++];
  range->own = own;
  range->shifted = shifted;
  if (shifted) range->shift = shift;
}
/* Begins a list range for a range of the window. Consecutive ranges without a shift have one list range together. */
LANES_INLINE void begin_range(struct candidates *list, lv3 shift, bool shifted) {
  if (shifted || list->range[list->ranges - 1].shifted) begin_list_range(list, false, shift, shifted);
}

LANES_INLINE void list_all(struct candidates *list, uint32_t from, uint32_t to) {
  ASSERT_ALONE(from <= to && to - from <= CANDIDATES - list->count);
  for (uint32_t j = from; j < to; j += LANES) {
    lu_store(list->slot + list->count + (j - from), lu_add(lu_set1(j), lu_iota()));
  }
  list->count += to - from;
}

/* Candidates j, j + 1, … and their positions, shifted if their range is. */
struct row_block {
  uint32_t j;
  lv3 q;
#if LANES == 16
  struct fixed_points fixed; /* only for lists that will be refined */
#endif
};

LANES_INLINE struct row_block load_row_block(const struct bounds *bounds, float *const position[3], uint32_t j,
                                             lv3 shift, bool shifted, bool spatial, bool refines) {
  struct row_block row = {.j = j, .q = load_lv3(position, j, spatial)};
  if (shifted) row.q = lv3_add(row.q, shift, spatial);
#if LANES == 16
  if (refines) row.fixed = fixed_at(in_units(&bounds->fixed_frame, row.q));
#endif
  (void)bounds, (void)refines;
  return row;
}

/* Appends the valid candidates that an agent of the block may reach to the list's first `count` ones. Returns the new
 * count. */
LANES_INLINE uint32_t list_within(struct candidates *list, uint32_t count, const struct bounds *bounds,
                                  const struct row_block *row, lm valid, bool spatial, bool refines) {
#if LANES == 16
  if (refines) {
    const lm reachable = box_may_reach(&bounds->fixed_block, row->fixed, valid);
    lu_store(list->xy + count, lu_compress(reachable, row->fixed.xy));
    lu_store(list->zw + count, lu_compress(reachable, row->fixed.zw));
    return count + lu_store_set(list->slot + count, reachable, row->j);
  }
#endif
  (void)refines;
  const lv3 q = row->q;
  lv3 d = {outside(bounds->low.x, bounds->high.x, q.x),
           spatial ? outside(bounds->low.y, bounds->high.y, q.y) : lf_zero(),
           outside(bounds->low.z, bounds->high.z, q.z)};
  const lm reachable = lf_less_equal_where(valid, lv3_dot(d, d, spatial), bounds->radius_sq);
  return count + lu_store_set(list->slot + count, reachable, row->j);
}

/* Appends the candidates [from, to), at most LANES of them. */
LANES_INLINE void list_block(struct candidates *list, const struct bounds *bounds, float *const position[3],
                             uint32_t from, uint32_t to, bool spatial, bool refines) {
  ASSERT_ALONE(from < to && to - from <= LANES);
  const struct row_block row = load_row_block(bounds, position, from, lv3_zero(), false, spatial, refines);
  list->count = list_within(list, list->count, bounds, &row, lm_first(to - from), spatial, refines);
}

/* Appends to each block's list the candidates of [from, to) that an agent of the block may reach. */
LANES_INLINE void list_reachable(struct candidates *list, const struct bounds *bounds, bool two,
                                 float *const position[3], uint32_t from, uint32_t to, lv3 shift, bool shifted,
                                 bool spatial, bool refines) {
  uint32_t first = list[0].count, second = two ? list[1].count : 0;
  ASSERT_ALONE(from <= to && to - from <= CANDIDATES - first && to - from <= CANDIDATES - second);
  for (uint32_t j = from; j < to; j += LANES) {
    const lm valid = lm_first(to - j);
    const struct row_block row = load_row_block(bounds, position, j, shift, shifted, spatial, refines);
    first = list_within(&list[0], first, &bounds[0], &row, valid, spatial, refines);
    if (two) second = list_within(&list[1], second, &bounds[1], &row, valid, spatial, refines);
  }
  list[0].count = first;
  if (two) list[1].count = second;
}

LANES_INLINE void begin_list(struct candidates *list) {
  list->count = list->ranges = 0;
  begin_list_range(list, false, lv3_zero(), false);
}
LANES_INLINE void end_list(struct candidates *list) { list->range[list->ranges - 1].end = list->count; }

#if LANES == 16
/* Removes from a complete list the candidates that are near no agent. */
LANES_INLINE void refine_list(struct candidates *list, const struct fixed_block *fixed_block) {
  const uint32_t listed = list->count;
  uint32_t count = 0, s = 0;
  for (uint32_t j = 0; j < listed; j += 2 * LANES) {
    const uint32_t left = listed - j, valid = left < 2 * LANES ? (1u << left) - 1 : UINT32_MAX;
    const lu slot[2] = {lu_load(list->slot + j), lu_load(list->slot + j + LANES)};
    const struct fixed_points fixed[2] = {{lu_load(list->xy + j), lu_load(list->zw + j)},
                                          {lu_load(list->xy + j + LANES), lu_load(list->zw + j + LANES)}};
    const uint32_t reachable = agents_may_reach(fixed_block, fixed) & valid;
    for (; list->range[s].end - j < left && list->range[s].end - j < 2 * LANES; s++) {
      list->range[s].end = count + count_bits(reachable & ((1u << (list->range[s].end - j)) - 1));
    }
    for (int i = 0; i < 2; i++) {
      const lm here = (lm)(reachable >> i * LANES);
      lu_store(list->slot + count, lu_compress(here, slot[i]));
      count += lm_count(here);
    }
  }
  for (; s < list->ranges; s++) list->range[s].end = count;
  list->count = count;
}
#endif

/* Lists the candidates beside a single block in its own row. Few of them are out of reach, so all are listed without a
 * test. But if the list will be refined they are tested, because the test also stores the fixed-point positions. */
LANES_INLINE void list_beside(struct candidates *list, const struct bounds *bounds, float *const position[3],
                              uint32_t from, uint32_t to, bool spatial, bool refines) {
  if (refines) {
    list_reachable(list, bounds, false, position, from, to, lv3_zero(), false, spatial, refines);
  } else {
    list_all(list, from, to);
  }
}
LANES_INLINE void list_own_row(struct candidates *list, const struct bounds *bounds, float *const position[3],
                               uint32_t at, uint32_t end, uint32_t from, uint32_t to, bool spatial, bool refines) {
  list_beside(list, bounds, position, from, at, spatial, refines);
  begin_list_range(list, true, lv3_zero(), false);
  list_beside(list, bounds, position, end, to, spatial, refines);
}

/* Lists the candidates in the block pair's own row. */
LANES_INLINE void list_pair_row(struct candidates *list, const struct bounds *bounds, float *const position[3],
                                uint32_t at, uint32_t end, uint32_t from, uint32_t to, bool spatial, bool refines) {
  list_reachable(list, bounds, true, position, from, at, lv3_zero(), false, spatial, refines);
  begin_list_range(&list[0], true, lv3_zero(), false);
  list_block(&list[0], &bounds[0], position, at + LANES, end, spatial, refines);
  list_block(&list[1], &bounds[1], position, at, at + LANES, spatial, refines);
  begin_list_range(&list[1], true, lv3_zero(), false);
  list_reachable(list, bounds, true, position, end, to, lv3_zero(), false, spatial, refines);
}

/* Lists a window for each block of the pair [at, end). Returns false if a list would overflow. `refines` is for spatial
 * worlds with 16 lanes; `bounds` must then come from find_fixed_blocks. */
LANES_INLINE bool list_window(struct candidates list[PAIR_BLOCKS], const struct bounds bounds[PAIR_BLOCKS],
                              const struct frame *frame, const struct window *window, uint32_t at, uint32_t end,
                              bool spatial, bool refines) {
  const struct grid *grid = frame->grid;
  float *const *position = frame->front->f + COLUMN_POSITION_X;
  ASSERT_ALONE(!refines || (LANES == 16 && spatial));
#if LANES == 16
  ASSERT_ALONE(!refines || bounds[0].fixed_frame.scale > 0.0f); /* as find_fixed_blocks leaves it */
#endif
  const bool two = end - at > LANES;
  const uint32_t blocks = two ? 2 : 1;
  for (uint32_t k = 0; k < blocks; k++) begin_list(&list[k]);
  uint32_t from, to;
  lv3 shift;
  bool shifted;
  FOR_EACH_RANGE(grid, grid->start, window, from, to, shift, shifted, spatial) {
    for (uint32_t k = 0; k < blocks; k++) {
      if (to - from > CANDIDATES - list[k].count || list[k].ranges > LIST_RANGES - 2) return false;
      begin_range(&list[k], shift, shifted);
    }
    const bool own_row = !shifted && from <= at && at < to;
    if (!own_row) {
      list_reachable(list, bounds, two, position, from, to, shift, shifted, spatial, refines);
    } else if (two) {
      list_pair_row(list, bounds, position, at, end, from, to, spatial, refines);
    } else {
      list_own_row(list, bounds, position, at, end, from, to, spatial, refines);
    }
  }
  for (uint32_t k = 0; k < blocks; k++) {
    end_list(&list[k]);
#if LANES == 16
    if (refines) refine_list(&list[k], &bounds[k].fixed_block);
#endif
  }
  return true;
}

/* Lists the first part of the candidates [from, to), as many as the list can hold, for the block [at, end). Returns
 * where the next part begins. */
LANES_INLINE uint32_t list_part(struct candidates *list, const struct bounds *bounds, float *const position[3],
                                uint32_t at, uint32_t end, uint32_t from, uint32_t to, lv3 shift, bool shifted,
                                bool spatial) {
  uint32_t part = to - from > CANDIDATES ? from + CANDIDATES : to;
  if (!shifted && from < at && at < part && part < end) part = at; /* a part does not divide the block's own agents */
  begin_list(list);
  begin_range(list, shift, shifted);
  if (!shifted && from <= at && at < part) {
    list_own_row(list, bounds, position, at, end, from, part, spatial, false);
  } else {
    list_reachable(list, bounds, false, position, from, part, shift, shifted, spatial, false);
  }
  end_list(list);
  return part;
}

#endif
