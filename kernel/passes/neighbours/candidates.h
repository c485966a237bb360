/* passes/candidates.h: which agents of a window a block must look at one by one. Candidates are first held against the block's
 * bounding box, LANES of them at a time, and the slots of those within reach are listed, in order. Rounding cannot lose a
 * neighbour: its offset from the box is no longer, component by component, than from an agent in the box, and the squares
 * and sums that follow are monotonic.
 * Two blocks of a run share the window, and what is loaded of it. With 16 lanes, in space, a whole list is refined: who is within
 * reach of the box but of no agent is taken off (places.h).
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_CANDIDATES_H
#define THRONG_CANDIDATES_H

#include "base/compiler.h"
#include "passes/neighbours/neighbour_pair.h"
#include "passes/neighbours/places.h"

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
#if LANES == 16
  uint32_t xy[CANDIDATES + LANES], zw[CANDIDATES + LANES]; /* where it will be refined: the places */
#endif
};

/* Where a block's agents are, and how far the farthest-seeing of them sees; where lists will be refined, in places alone. */
struct reach {
  lv3 low, high;
  lf radius_sq;
#if LANES == 16
  struct places places; /* of all blocks of a run */
  struct sight sight;
#endif
};

/* Where a block's agents are, lanes without one where its first is, and how far the farthest-seeing sees. */
LANES_INLINE float find_seers(lv3 *p, const struct frame *frame, uint32_t at, uint32_t lanes, bool spatial) {
  float *const *position = frame->front->f + COLUMN_POSITION_X;
  const lm valid = lm_first(lanes);
  *p = lv3_select(valid, load_lv3(position, at, spatial), broadcast_lv3(position, at, spatial), spatial);
  if (perception_is_alike(frame)) return frame->groups->param[PARAM_PERCEPTION_RADIUS][frame->groups->largest];
  struct lane_groups groups;
  load_groups(&groups, frame, at);
  const lf radius = load_own_or_param(frame, &groups, at, COLUMN_PERCEPTION_RADIUS, PARAM_PERCEPTION_RADIUS);
  return lf_highest(lf_where(valid, radius));
}

LANES_INLINE void find_reach(struct reach *reach, const struct frame *frame, uint32_t at, uint32_t lanes,
                             bool spatial) {
  lv3 p;
  const float radius = find_seers(&p, frame, at, lanes, spatial);
  reach->low = (lv3){lf_set1(lf_lowest(p.x)), spatial ? lf_set1(lf_lowest(p.y)) : p.y, lf_set1(lf_lowest(p.z))};
  reach->high = (lv3){lf_set1(lf_highest(p.x)), spatial ? lf_set1(lf_highest(p.y)) : p.y, lf_set1(lf_highest(p.z))};
  reach->radius_sq = lf_set1(radius * radius);
}
/* For each block of the run [at, end). */
LANES_INLINE void find_reaches(struct reach reach[RUN_BLOCKS], const struct frame *frame, uint32_t at, uint32_t end,
                               bool spatial) {
  for (uint32_t k = 0; at < end; k++, at += LANES) find_reach(&reach[k], frame, at, lanes_left(at, end), spatial);
}
#if LANES == 16
/* What lists that will be refined need instead; false where somebody is farther from the run's middle agent than `farthest`. */
LANES_INLINE bool find_sights_within(struct reach reach[RUN_BLOCKS], const struct frame *frame, uint32_t at,
                                     uint32_t end, float farthest) {
  const struct places places = run_places(frame, at, end, farthest);
  bool within = true;
  for (uint32_t k = 0; at < end; k++, at += LANES) {
    lv3 p;
    const float radius = find_seers(&p, frame, at, lanes_left(at, end), true);
    reach[k].places = places;
    within &= find_sight(&reach[k].sight, &places, p, radius);
  }
  return within;
}
static OUT_OF_LINE void find_far_sights(struct reach reach[RUN_BLOCKS], const struct frame *frame, uint32_t at,
                                        uint32_t end) {
  find_sights_within(reach, frame, at, end, farthest_of_all(frame, at, end));
}
LANES_INLINE void find_sights(struct reach reach[RUN_BLOCKS], const struct frame *frame, uint32_t at, uint32_t end) {
  if (!find_sights_within(reach, frame, at, end, farthest_of_ends(frame, at, end)))
    find_far_sights(reach, frame, at, end);
}
#endif

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

/* Candidates j, j + 1, …, and where they stand for the block. */
struct row_block {
  uint32_t j;
  lv3 q;
#if LANES == 16
  struct place place; /* where lists will be refined */
#endif
};

LANES_INLINE struct row_block load_row_block(const struct reach *reach, float *const position[3], uint32_t j, lv3 shift,
                                             bool shifted, bool spatial, bool refines) {
  struct row_block row = {.j = j, .q = load_lv3(position, j, spatial)};
  if (shifted) row.q = lv3_add(row.q, shift, spatial);
#if LANES == 16
  if (refines) row.place = place_at(in_units(&reach->places, row.q));
#endif
  (void)reach, (void)refines;
  return row;
}

/* Of these, lists those that are `there` and whom somebody may reach behind the first `count`: how many there are then. */
LANES_INLINE uint32_t list_within(struct candidates *list, uint32_t count, const struct reach *reach,
                                  const struct row_block *row, lm there, bool spatial, bool refines) {
#if LANES == 16
  if (refines) {
    const lm near = box_may_reach(&reach->sight, row->place, there);
    lu_store(list->xy + count, lu_compress(near, row->place.xy));
    lu_store(list->zw + count, lu_compress(near, row->place.zw));
    return count + lu_store_set(list->slot + count, near, row->j);
  }
#endif
  (void)refines;
  const lv3 q = row->q;
  lv3 d = {outside(reach->low.x, reach->high.x, q.x), spatial ? outside(reach->low.y, reach->high.y, q.y) : lf_zero(),
           outside(reach->low.z, reach->high.z, q.z)};
  const lm near = lf_less_equal_where(there, lv3_dot(d, d, spatial), reach->radius_sq);
  return count + lu_store_set(list->slot + count, near, row->j);
}

/* Likewise of [from, to), at most LANES. */
LANES_INLINE void list_block(struct candidates *list, const struct reach *reach, float *const position[3],
                             uint32_t from, uint32_t to, bool spatial, bool refines) {
  const struct row_block row = load_row_block(reach, position, from, lv3_zero(), false, spatial, refines);
  list->count = list_within(list, list->count, reach, &row, lm_first(to - from), spatial, refines);
}

/* Lists for each block those of the candidates [from, to) that somebody in it may reach. */
LANES_INLINE void list_range(struct candidates *list, const struct reach *reach, bool two, float *const position[3],
                             uint32_t from, uint32_t to, lv3 shift, bool shifted, bool spatial, bool refines) {
  uint32_t first = list[0].count, second = two ? list[1].count : 0;
  for (uint32_t j = from; j < to; j += LANES) {
    const lm there = lm_first(to - j);
    const struct row_block row = load_row_block(reach, position, j, shift, shifted, spatial, refines);
    first = list_within(&list[0], first, &reach[0], &row, there, spatial, refines);
    if (two) second = list_within(&list[1], second, &reach[1], &row, there, spatial, refines);
  }
  list[0].count = first;
  if (two) list[1].count = second;
}

LANES_INLINE void begin_list(struct candidates *list) {
  list->count = list->stretches = 0;
  begin_stretch(list, false, lv3_zero(), false);
}
LANES_INLINE void end_list(struct candidates *list) { list->stretch[list->stretches - 1].end = list->count; }

#if LANES == 16
/* Takes off a whole list who is within no agent's reach. */
LANES_INLINE void refine_list(struct candidates *list, const struct sight *sight) {
  const uint32_t listed = list->count;
  uint32_t count = 0, s = 0;
  for (uint32_t j = 0; j < listed; j += 2 * LANES) {
    const uint32_t left = listed - j, there = left < 2 * LANES ? (1u << left) - 1 : UINT32_MAX;
    const lu slot[2] = {lu_load(list->slot + j), lu_load(list->slot + j + LANES)};
    const struct place place[2] = {{lu_load(list->xy + j), lu_load(list->zw + j)},
                                   {lu_load(list->xy + j + LANES), lu_load(list->zw + j + LANES)}};
    const uint32_t near = agents_may_reach(sight, place) & there;
    for (; list->stretch[s].end - j < left && list->stretch[s].end - j < 2 * LANES; s++) {
      list->stretch[s].end = count + count_bits(near & ((1u << (list->stretch[s].end - j)) - 1));
    }
    for (int i = 0; i < 2; i++) {
      const lm here = (lm)(near >> i * LANES);
      lu_store(list->slot + count, lu_compress(here, slot[i]));
      count += lm_count(here);
    }
  }
  for (; s < list->stretches; s++) list->stretch[s].end = count;
  list->count = count;
}
#endif

/* Of a single block's own row, which holds few that are out of reach: all, but where a list will be refined. */
LANES_INLINE void list_beside(struct candidates *list, const struct reach *reach, float *const position[3],
                              uint32_t from, uint32_t to, bool spatial, bool refines) {
  if (refines) {
    list_range(list, reach, false, position, from, to, lv3_zero(), false, spatial, refines);
  } else {
    list_all(list, from, to);
  }
}
LANES_INLINE void list_own_row(struct candidates *list, const struct reach *reach, float *const position[3],
                               uint32_t at, uint32_t end, uint32_t from, uint32_t to, bool spatial, bool refines) {
  list_beside(list, reach, position, from, at, spatial, refines);
  begin_stretch(list, true, lv3_zero(), false);
  list_beside(list, reach, position, end, to, spatial, refines);
}

/* Of a pair. */
LANES_INLINE void list_pair_row(struct candidates *list, const struct reach *reach, float *const position[3],
                                uint32_t at, uint32_t end, uint32_t from, uint32_t to, bool spatial, bool refines) {
  list_range(list, reach, true, position, from, at, lv3_zero(), false, spatial, refines);
  begin_stretch(&list[0], true, lv3_zero(), false);
  list_block(&list[0], &reach[0], position, at + LANES, end, spatial, refines);
  list_block(&list[1], &reach[1], position, at, at + LANES, spatial, refines);
  begin_stretch(&list[1], true, lv3_zero(), false);
  list_range(list, reach, true, position, end, to, lv3_zero(), false, spatial, refines);
}

/* Lists a window for each block of the run [at, end); false where that is too much. `refines` only with 16 lanes, in space: then
 * `reach` is from find_sights. */
LANES_INLINE bool list_window(struct candidates list[RUN_BLOCKS], const struct reach reach[RUN_BLOCKS],
                              const struct frame *frame, const struct window *window, uint32_t at, uint32_t end,
                              bool spatial, bool refines) {
  const struct grid *grid = frame->grid;
  float *const *position = frame->front->f + COLUMN_POSITION_X;
  const bool two = end - at > LANES;
  const uint32_t blocks = two ? 2 : 1;
  for (uint32_t k = 0; k < blocks; k++) begin_list(&list[k]);
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
      list_range(list, reach, two, position, from, to, shift, shifted, spatial, refines);
    } else if (two) {
      list_pair_row(list, reach, position, at, end, from, to, spatial, refines);
    } else {
      list_own_row(list, reach, position, at, end, from, to, spatial, refines);
    }
  }
  for (uint32_t k = 0; k < blocks; k++) {
    end_list(&list[k]);
#if LANES == 16
    if (refines) refine_list(&list[k], &reach[k].sight);
#endif
  }
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
    list_own_row(list, reach, position, at, end, from, piece, spatial, false);
  } else {
    list_range(list, reach, false, position, from, piece, shift, shifted, spatial, false);
  }
  end_list(list);
  return piece;
}

#endif
