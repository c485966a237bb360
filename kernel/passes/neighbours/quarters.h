/* quarters.h: the walk in quarters. Each quarter of a block of 16 lanes, four agents, has its own list. With 20
 * neighbours per agent, this list is 0.6 times as long as the block's list (0.5 times in spatial worlds). An iteration
 * adds the next candidate of each of the four lists. Each lane still adds its neighbours in canonical order, and other
 * candidates add nothing. So the bits are the same as without quarters.
 *
 * An iteration has four candidates, so their data cannot be broadcast from columns. Therefore the data of each agent is
 * packed first. One load per quarter then loads four floats. Packing and culling by quarters save time if a candidate
 * needs much arithmetic (VARIANT_QUARTERS), unless the crowd is so dense that the quarters' boxes are small compared
 * with the perception radius.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_NEIGHBOURS_QUARTERS_H
#define THRONG_KERNEL_PASSES_NEIGHBOURS_QUARTERS_H

#include "passes/neighbours/candidates.h"

#if LANES == 16

#define QUARTERS 4u
#define QUARTER_CANDIDATES 640u /* maximum of one list, and of a window that is walked in quarters */

/* Whether the walk may read layers or bodies, in spatial worlds. Variants with a view may have masks, too. */
LANES_INLINE bool reads_layers_or_bodies(const struct frame *frame) {
  return frame->groups->features & (FEATURE_MASKS | FEATURE_VIEW) || !bodies_are_alike(frame);
}

/* Packs agents [at, at + lanes). Planar: x z vx vz, id slot layer body; with FEATURE_GAP the course in place of layer
 * and body, which frame->seen has. Spatial: x y z id, vx vy vz slot, and in
 * packed_more layer body 0 0. */
LANES_INLINE void pack_block(const struct frame *frame, uint32_t at, uint32_t lanes, bool spatial) {
  const struct grid *grid = frame->grid;
  float *const *f = frame->front->f;
  struct lane_groups groups;
  load_groups(&groups, frame, at);
  const lv3 p = load_lv3(f + COLUMN_POSITION_X, at, spatial), v = load_lv3(f + COLUMN_VELOCITY_X, at, spatial);
  const lf id = lf_from_bits(lu_load(frame->front->id + at)), slot = lf_from_bits(lu_add(lu_set1(at), lu_iota())),
           layer = load_param(frame, &groups, PARAM_LAYER),
           body = load_own_or_param(frame, &groups, at, COLUMN_BODY_RADIUS, PARAM_BODY_RADIUS);
  float *to = grid->packed + (size_t)at * PACKED_FLOATS;
  if (!spatial) {
    const bool gaps = frame->groups->features & FEATURE_GAP;
    const lv3 course = gaps ? load_course(frame, at, p, false) : lv3_zero();
    lf_store_fours(to, PACKED_FLOATS, (const lf[]){p.x, p.z, v.x, v.z}, lanes);
    lf_store_fours(to + 4, PACKED_FLOATS, (const lf[]){id, slot, gaps ? course.x : layer, gaps ? course.z : body},
                   lanes);
    return;
  }
  lf_store_fours(to, PACKED_FLOATS, (const lf[]){p.x, p.y, p.z, id}, lanes);
  lf_store_fours(to + 4, PACKED_FLOATS, (const lf[]){v.x, v.y, v.z, slot}, lanes);
  if (!reads_layers_or_bodies(frame)) return;
  to = grid->packed_more + (size_t)at * PACKED_MORE;
  lf_store_fours(to, PACKED_MORE, (const lf[]){layer, body, lf_zero(), lf_zero()}, lanes);
}

/* The lists of a block. Each is filled up with the dummy to `iterations` + 1 candidates. */
struct quarters {
  uint32_t iterations;
  uint32_t slot[QUARTERS][QUARTER_CANDIDATES + LANES];
};

/* The boxes of a block's quarters. */
struct boxes {
  lf low[3][QUARTERS], high[3][QUARTERS];
  lf radius_sq; /* the block's largest perception radius, squared */
};

LANES_INLINE void spread_box(struct boxes *boxes, int axis, lf p) {
  lf_spread_quarters(boxes->low[axis], lf_quarter_lowest(p));
  lf_spread_quarters(boxes->high[axis], lf_quarter_highest(p));
}

LANES_INLINE void find_boxes(struct boxes *boxes, const struct frame *frame, uint32_t at, uint32_t lanes,
                             bool spatial) {
  lv3 p;
  const float radius = find_agents(&p, frame, at, lanes, spatial);
  spread_box(boxes, 0, p.x);
  if (spatial) spread_box(boxes, 1, p.y);
  spread_box(boxes, 2, p.z);
  boxes->radius_sq = lf_set1(radius * radius);
}

/* Returns the offset from quarter k's box to q. */
LANES_INLINE lv3 outside_box(const struct boxes *boxes, uint32_t k, lv3 q, bool spatial) {
  return (lv3){outside(boxes->low[0][k], boxes->high[0][k], q.x),
               spatial ? outside(boxes->low[1][k], boxes->high[1][k], q.y) : lf_zero(),
               outside(boxes->low[2][k], boxes->high[2][k], q.z)};
}

/* Fills all lists with the dummy until each has one candidate more than the longest list had. */
LANES_INLINE void fill_lists(struct quarters *list, const uint32_t count[QUARTERS], uint32_t dummy) {
  list->iterations = 0;
  for (uint32_t k = 0; k < QUARTERS; k++) list->iterations = count[k] > list->iterations ? count[k] : list->iterations;
  ASSERT_ALONE(list->iterations <= QUARTER_CANDIDATES);
  for (uint32_t k = 0; k < QUARTERS; k++) {
    for (uint32_t n = count[k]; n <= list->iterations; n += LANES) lu_store(list->slot[k] + n, lu_set1(dummy));
  }
}

/* Whether a block is about as long as the perception radius or longer: only then are its quarters' lists much
 * shorter. */
LANES_INLINE bool is_long(const struct strip *strip, uint32_t at, uint32_t lanes) {
  return cell_of(strip, at + lanes - 1) - cell_of(strip, at) >= REACH_BINS;
}

/* Whether part of the window is across a seam. Packed positions are not shifted. */
LANES_INLINE bool crosses_seam(const struct grid *grid, const struct window *window) {
  const int32_t row[2] = {window->row_y, window->row_z}, reach[2] = {window->reach_y, window->reach_z};
  for (uint32_t k = 0; k < window->ranges; k++) {
    if (window->range[k].shift != 0.0f) return true;
  }
  for (int k = 0; k < 2; k++) {
    const int32_t period = grid->space->axis[1 + k].period;
    if (period && (row[k] < reach[k] || row[k] + reach[k] >= period)) return true;
  }
  return false;
}

/* Lists, for each quarter, the candidates of the window that an agent of the quarter may reach (see candidates.h),
 * its own agents included. The front columns of `frame` have the block's agents, those of `others` the candidates. The
 * window must cross no seam. Returns false if a list would overflow. */
LANES_INLINE bool list_quarters(struct quarters *list, const struct frame *frame, const struct frame *others,
                                const struct window *window, uint32_t at, uint32_t lanes, bool spatial) {
  const struct grid *grid = frame->grid;
  ASSERT_ALONE(!crosses_seam(grid, window));
  float *const *position = others->front->f + COLUMN_POSITION_X;
  struct boxes boxes;
  find_boxes(&boxes, frame, at, lanes, spatial);
  uint32_t count[QUARTERS] = {0}, all = 0, from, to;
  lv3 shift;
  bool shifted;
  FOR_EACH_RANGE(grid, grid->start, window, from, to, shift, shifted, spatial) {
    all += to - from;
    if (all > QUARTER_CANDIDATES) return false;
    for (uint32_t j = from; j < to; j += LANES) {
      const uint32_t valid = (1u << lanes_left(j, to)) - 1;
      const lv3 q = load_lv3(position, j, spatial);
      const lu slot = lu_add(lu_set1(j), lu_iota());
      for (uint32_t k = 0; k < QUARTERS; k++) {
        const lv3 d = outside_box(&boxes, k, q, spatial);
        const lm within = lf_less_equal(lv3_dot(d, d, spatial), boxes.radius_sq);
        lu_store(list->slot[k] + count[k], lu_compress(within, slot));
        count[k] += count_bits(lm_bits(within) & valid);
      }
    }
  }
  fill_lists(list, count, grid_dummy(grid));
  return true;
}

/* The packed data of an iteration's four candidates: floats 0 to 3, floats 4 to 7, and packed_more. */
struct iteration {
  lf first, second, more;
};

LANES_INLINE lf load_packed(const struct quarters *list, uint32_t k, const float *packed, uint32_t floats,
                            uint32_t after) {
  const float *from[QUARTERS];
  for (uint32_t n = 0; n < QUARTERS; n++) from[n] = packed + (size_t)list->slot[n][k] * floats;
  return lf_load_quarters(from, after);
}

/* Whether the walk reads packed_more. */
LANES_INLINE bool reads_packed_more(const struct block *block, unsigned variant) {
  return variant & VARIANT_SPATIAL && (block->reads_layers || !block->one_contact);
}

LANES_INLINE struct iteration load_iteration(const struct block *block, const struct quarters *list, uint32_t k,
                                             unsigned variant) {
  const struct grid *grid = block->frame->grid;
  struct iteration iteration;
  iteration.first = load_packed(list, k, grid->packed, PACKED_FLOATS, 0);
  iteration.second = load_packed(list, k, grid->packed, PACKED_FLOATS, 4);
  if (variant & VARIANT_GAP) {
    const bool bodies = !block->one_contact;
    iteration.more = bodies ? load_packed(list, k, block->all->seen, SEEN_FLOATS, 4) : lf_zero();
    return iteration;
  }
  const bool more = reads_packed_more(block, variant);
  iteration.more = more ? load_packed(list, k, grid->packed_more, PACKED_MORE, 0) : lf_zero();
  return iteration;
}

/* The candidates of an iteration. */
LANES_INLINE struct candidate unpack_iteration(struct iteration iteration, unsigned variant) {
  struct candidate it = {.packed = true};
  const lf first = iteration.first, second = iteration.second;
  if (variant & VARIANT_SPATIAL) {
    it.p = (lv3){lf_quarter_element(first, 0), lf_quarter_element(first, 1), lf_quarter_element(first, 2)};
    it.id = lf_bits(lf_quarter_element(first, 3));
    it.v = (lv3){lf_quarter_element(second, 0), lf_quarter_element(second, 1), lf_quarter_element(second, 2)};
    it.slot = lf_bits(lf_quarter_element(second, 3));
    it.layer = lf_bits(lf_quarter_element(iteration.more, 0));
    it.body = lf_quarter_element(iteration.more, 1);
  } else {
    it.p = (lv3){lf_quarter_element(first, 0), lf_zero(), lf_quarter_element(first, 1)};
    it.v = (lv3){lf_quarter_element(first, 2), lf_zero(), lf_quarter_element(first, 3)};
    it.id = lf_bits(lf_quarter_element(second, 0));
    it.slot = lf_bits(lf_quarter_element(second, 1));
    if (variant & VARIANT_GAP) {
      it.course = (lv3){lf_quarter_element(second, 2), lf_zero(), lf_quarter_element(second, 3)};
      it.body = lf_quarter_element(iteration.more, 1);
      return it;
    }
    it.layer = lf_bits(lf_quarter_element(second, 2));
    it.body = lf_quarter_element(second, 3);
  }
  return it;
}

/* Adds the candidates of the lists. The agent itself and the dummy give terms that are not finite. Their lanes are not
 * in the mask, and with 16 lanes masked additions leave the sums of such lanes unchanged. Each iteration loads the data
 * of the next one, because the operations from loading a slot to a decision take longer than processors can hide. */
LANES_INLINE void walk_quarters(const struct block *block, struct sums *sums, const struct quarters *list,
                                uint64_t *tested, unsigned variant) {
  const bool spatial = variant & VARIANT_SPATIAL;
  ASSERT_ALONE(!reads_packed_more(block, variant) || reads_layers_or_bodies(block->all));
  const lf one = lf_set1(1.0f);
  struct iteration iteration = load_iteration(block, list, 0, variant);
  for (uint32_t k = 0; k < list->iterations; k++) {
    const struct candidate it = unpack_iteration(iteration, variant);
    iteration = load_iteration(block, list, k + 1, variant);
    const lv3 d = candidate_offset(block, &it, lv3_zero(), false, spatial);
    const lf d2 = lv3_dot(d, d, spatial);
    const lm other = lu_unequal(it.id, block->id);
    const lm within_radius = lf_less_equal_where(other, d2, block->radius_sq);
    sums->nearest_sq = lf_nearer_where(other, sums->nearest_sq, d2);
    add_neighbour(block, sums, &it, d, d2, one, within_radius, NULL, variant);
  }
  *tested += list->iterations;
  sums->aligned = lf_from_count(sums->counted);
}

#endif

#endif
