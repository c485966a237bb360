/* passes/quarters.h: a walk in which each quarter of a block of 16 lanes, four agents, has a list of its own: at 20 neighbours an
 * agent it holds 0.6 of what the block's holds, in space 0.5. A step takes the next candidate of all four lists. Every lane
 * still meets its neighbours in the canonical order, and a candidate out of reach adds nothing, so that the bits are the same.
 *
 * Four candidates a step cannot be broadcast from columns. So what is asked of them is packed beforehand, agent by agent: a
 * load a quarter brings four floats. That, and more comparisons with boxes, pays where a candidate is worth much
 * arithmetic (KIND_QUARTERS) and where the crowd is not so dense that all boxes are small beside the perception radius.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_QUARTERS_H
#define THRONG_QUARTERS_H

#include "passes/neighbours/candidates.h"

#if LANES == 16

#define QUARTERS 4u
#define QUARTER_CANDIDATES 640u /* as many fit a list, and a window that is walked so */

/* Whether, in space, load_step asks for layers or bodies. */
LANES_INLINE bool asks_for_more(const struct frame *frame) {
  return frame->groups->features & FEATURE_MASKS || !bodies_are_alike(frame);
}

/* Packs agents [at, at + lanes): x z vx vz, id slot layer body; in space x y z id, vx vy vz slot, and more: layer body 0 0. */
LANES_INLINE void pack_block(const struct frame *frame, uint32_t at, uint32_t lanes, bool spatial) {
  const struct grid *grid = frame->grid;
  float *const *f = frame->front->f;
  struct lane_groups groups;
  load_groups(&groups, frame, at);
  uint32_t layers[LANES];
  for (uint32_t k = 0; k < LANES; k++) layers[k] = frame->groups->layer_bit[meta_group(groups.meta[k])];
  const lv3 p = load_lv3(f + COLUMN_POSITION_X, at, spatial), v = load_lv3(f + COLUMN_VELOCITY_X, at, spatial);
  const lf id = lf_from_bits(lu_load(frame->front->id + at)), slot = lf_from_bits(lu_add(lu_set1(at), lu_iota())),
           layer = lf_from_bits(lu_load(layers)),
           body = load_own_or_param(frame, &groups, at, COLUMN_BODY_RADIUS, PARAM_BODY_RADIUS);
  float *to = grid->packed + (size_t)at * PACKED_FLOATS;
  if (!spatial) {
    lf_store_fours(to, PACKED_FLOATS, (const lf[]){p.x, p.z, v.x, v.z}, lanes);
    lf_store_fours(to + 4, PACKED_FLOATS, (const lf[]){id, slot, layer, body}, lanes);
    return;
  }
  lf_store_fours(to, PACKED_FLOATS, (const lf[]){p.x, p.y, p.z, id}, lanes);
  lf_store_fours(to + 4, PACKED_FLOATS, (const lf[]){v.x, v.y, v.z, slot}, lanes);
  if (!asks_for_more(frame)) return;
  to = grid->packed_more + (size_t)at * PACKED_MORE;
  lf_store_fours(to, PACKED_MORE, (const lf[]){layer, body, lf_zero(), lf_zero()}, lanes);
}

static void pack(const struct frame *frame, struct strip *strip) {
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    pack_block(frame, at, lanes_left(at, strip->end), frame->grid->space.spatial);
  }
}
#define PACK pack

/* The lists of a block, each filled with nobody, up to `steps` and one behind it. */
struct quarters {
  uint32_t steps;
  uint32_t slot[QUARTERS][QUARTER_CANDIDATES + LANES];
};

/* The boxes of a block's quarters. */
struct boxes {
  lf low[3][QUARTERS], high[3][QUARTERS];
  lf radius_sq; /* of the farthest-seeing */
};

LANES_INLINE void spread_box(struct boxes *boxes, int axis, lf p) {
  lf_spread_quarters(boxes->low[axis], lf_quarter_lowest(p));
  lf_spread_quarters(boxes->high[axis], lf_quarter_highest(p));
}

/* Lanes without an agent stand where the block's first does. */
LANES_INLINE void find_boxes(struct boxes *boxes, const struct block *block, bool spatial) {
  float *const *position = block->frame->front->f + COLUMN_POSITION_X;
  const lv3 p = lv3_select(block->valid, block->p, broadcast_lv3(position, block->at, spatial), spatial);
  spread_box(boxes, 0, p.x);
  if (spatial) spread_box(boxes, 1, p.y);
  spread_box(boxes, 2, p.z);
  boxes->radius_sq = lf_set1(lf_highest(lf_where(block->valid, block->radius_sq)));
}

/* From quarter k's box to q. */
LANES_INLINE lv3 outside_box(const struct boxes *boxes, uint32_t k, lv3 q, bool spatial) {
  return (lv3){outside(boxes->low[0][k], boxes->high[0][k], q.x),
               spatial ? outside(boxes->low[1][k], boxes->high[1][k], q.y) : lf_zero(),
               outside(boxes->low[2][k], boxes->high[2][k], q.z)};
}

/* Fills the lists up to the longest, and one slot behind it. */
LANES_INLINE void fill_lists(struct quarters *list, const uint32_t count[QUARTERS], uint32_t nobody) {
  list->steps = 0;
  for (uint32_t k = 0; k < QUARTERS; k++) list->steps = count[k] > list->steps ? count[k] : list->steps;
  for (uint32_t k = 0; k < QUARTERS; k++) {
    for (uint32_t n = count[k]; n <= list->steps; n += LANES) lu_store(list->slot[k] + n, lu_set1(nobody));
  }
}

/* Whether a block is about as long as the perception radius, or longer: its quarters then reach much less than it does. */
LANES_INLINE bool is_long(const struct strip *strip, uint32_t at, uint32_t lanes) {
  return cell_of(strip, at + lanes - 1) - cell_of(strip, at) >= REACH_BINS;
}

/* Whether part of the window lies across a seam: its agents are packed where they say, not where they stand for the block. */
LANES_INLINE bool crosses_seam(const struct grid *grid, const struct window *window) {
  const int32_t row[2] = {window->row_y, window->row_z}, reach[2] = {window->reach_y, window->reach_z};
  for (uint32_t k = 0; k < window->ranges; k++) {
    if (window->range[k].shift != 0.0f) return true;
  }
  for (int k = 0; k < 2; k++) {
    const int32_t period = grid->space.axis[1 + k].period;
    if (period && (row[k] < reach[k] || row[k] + reach[k] >= period)) return true;
  }
  return false;
}

/* Lists for each quarter the candidates of a window that crosses no seam whom somebody in it may reach (see candidates.h), its
 * own agents included; false where they are too many. */
LANES_INLINE bool list_quarters(struct quarters *list, const struct block *block, const struct window *window,
                                unsigned kind) {
  const bool spatial = kind & KIND_SPATIAL;
  const struct grid *grid = block->frame->grid;
  float *const *position = block->frame->front->f + COLUMN_POSITION_X;
  struct boxes boxes;
  find_boxes(&boxes, block, spatial);
  uint32_t count[QUARTERS] = {0}, all = 0, from, to;
  lv3 shift;
  bool shifted;
  FOR_EACH_RANGE(grid, grid->start, window, from, to, shift, shifted, spatial) {
    all += to - from;
    if (all > QUARTER_CANDIDATES) return false;
    for (uint32_t j = from; j < to; j += LANES) {
      const uint32_t there = (1u << lanes_left(j, to)) - 1;
      const lv3 q = load_lv3(position, j, spatial);
      const lu slot = lu_add(lu_set1(j), lu_iota());
      for (uint32_t k = 0; k < QUARTERS; k++) {
        const lv3 d = outside_box(&boxes, k, q, spatial);
        const lm within = lf_less_equal(lv3_dot(d, d, spatial), boxes.radius_sq);
        lu_store(list->slot[k] + count[k], lu_compress(within, slot));
        count[k] += count_bits(lm_bits(within) & there);
      }
    }
  }
  fill_lists(list, count, grid_nobody(grid));
  return true;
}

/* What is packed of a step's candidates, as it is loaded: floats 0 to 3 and 4 to 7 of each, and those of packed_more. */
struct step {
  lf first, second, more;
};

LANES_INLINE lf load_packed(const struct quarters *list, uint32_t k, const float *packed, uint32_t floats,
                            uint32_t after) {
  const float *from[QUARTERS];
  for (uint32_t n = 0; n < QUARTERS; n++) from[n] = packed + (size_t)list->slot[n][k] * floats;
  return lf_load_quarters(from, after);
}

LANES_INLINE struct step load_step(const struct block *block, const struct quarters *list, uint32_t k, unsigned kind) {
  const struct grid *grid = block->frame->grid;
  struct step step;
  step.first = load_packed(list, k, grid->packed, PACKED_FLOATS, 0);
  step.second = load_packed(list, k, grid->packed, PACKED_FLOATS, 4);
  const bool more = kind & KIND_SPATIAL && (block->asks_layers || !block->one_reach);
  step.more = more ? load_packed(list, k, grid->packed_more, PACKED_MORE, 0) : lf_zero();
  return step;
}

/* The candidates of a step. */
LANES_INLINE struct candidate unpack_step(struct step step, unsigned kind) {
  struct candidate it = {.packed = true};
  const lf first = step.first, second = step.second;
  if (kind & KIND_SPATIAL) {
    it.p = (lv3){lf_quarter_element(first, 0), lf_quarter_element(first, 1), lf_quarter_element(first, 2)};
    it.id = lf_bits(lf_quarter_element(first, 3));
    it.v = (lv3){lf_quarter_element(second, 0), lf_quarter_element(second, 1), lf_quarter_element(second, 2)};
    it.slot = lf_bits(lf_quarter_element(second, 3));
    it.layer = lf_bits(lf_quarter_element(step.more, 0));
    it.body = lf_quarter_element(step.more, 1);
  } else {
    it.p = (lv3){lf_quarter_element(first, 0), lf_zero(), lf_quarter_element(first, 1)};
    it.v = (lv3){lf_quarter_element(first, 2), lf_zero(), lf_quarter_element(first, 3)};
    it.id = lf_bits(lf_quarter_element(second, 0));
    it.slot = lf_bits(lf_quarter_element(second, 1));
    it.layer = lf_bits(lf_quarter_element(second, 2));
    it.body = lf_quarter_element(second, 3);
  }
  return it;
}

/* Adds the candidates of the lists. An agent itself and nobody make numbers that are not finite in lanes that are masked: with
 * 16 lanes a masked addition leaves its sum alone. A step is loaded before the one before it is added: from a slot to a decision it
 * is farther than processors look ahead. */
LANES_INLINE void walk_quarters(const struct block *block, struct sums *sums, const struct quarters *list,
                                uint64_t *tested, unsigned kind) {
  const bool spatial = kind & KIND_SPATIAL;
  const lf one = lf_set1(1.0f);
  struct step step = load_step(block, list, 0, kind);
  for (uint32_t k = 0; k < list->steps; k++) {
    const struct candidate it = unpack_step(step, kind);
    step = load_step(block, list, k + 1, kind);
    const lv3 d = candidate_offset(block, &it, lv3_zero(), false, spatial);
    const lf d2 = lv3_dot(d, d, spatial);
    const lm other = lu_unequal(it.id, block->id);
    const lm near = lf_less_equal_where(other, d2, block->radius_sq);
    sums->nearest_sq = lf_nearer_where(other, sums->nearest_sq, d2);
    add_neighbour(block, sums, &it, d, d2, one, near, NULL, kind);
  }
  *tested += list->steps;
  sums->aligned = lf_from_count(sums->counted);
}

#else
#define PACK NULL
#endif

#endif
