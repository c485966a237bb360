/* seen_agents.h: what reciprocal avoidance reads of other agents. The values of each agent are packed before the walk:
 * x z vx vz, then id body and the components x and z of its course; in spatial worlds x y z body, then vx vy vz id,
 * then the course. A block then loads four floats of the candidates of four lists at a time: one list for each quarter
 * of the block, which is shorter than a list for the block. The sources that include this file define SPATIAL before.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_RECIPROCAL_SEEN_AGENTS_H
#define THRONG_KERNEL_PASSES_RECIPROCAL_SEEN_AGENTS_H

#include "passes/steering/entry.h"
#include "passes/window.h"

#define SEEN_LISTS (LANES / 4u)
#define SEEN_VALUES (SPATIAL ? SEEN_FLOATS_SPATIAL : SEEN_FLOATS)
#define SEEN_CANDIDATES 256u /* maximum of a list; a longer one is handled in parts */

LANES_INLINE void pack_seen_block(const struct frame *frame, uint32_t at, uint32_t lanes) {
  float *const *f = frame->front->f;
  struct lane_groups groups;
  load_groups(&groups, frame, at);
  const lv3 p = load_lv3(f + COLUMN_POSITION_X, at, SPATIAL);
  const lv3 v = load_lv3(f + COLUMN_VELOCITY_X, at, SPATIAL);
  const lv3 course = load_course(frame, at, p, SPATIAL);
  const lf id = lf_from_bits(lu_load(frame->front->id + at));
  const lf body = load_own_or_param(frame, &groups, at, COLUMN_BODY_RADIUS, PARAM_BODY_RADIUS);
  float *to = frame->seen + (size_t)at * SEEN_VALUES;
#if SPATIAL
  lf_store_fours(to, SEEN_VALUES, (const lf[]){p.x, p.y, p.z, body}, lanes);
  lf_store_fours(to + 4, SEEN_VALUES, (const lf[]){v.x, v.y, v.z, id}, lanes);
  lf_store_fours(to + 8, SEEN_VALUES, (const lf[]){course.x, course.y, course.z, lf_zero()}, lanes);
#else
  lf_store_fours(to, SEEN_VALUES, (const lf[]){p.x, p.z, v.x, v.z}, lanes);
  lf_store_fours(to + 4, SEEN_VALUES, (const lf[]){id, body, course.x, course.z}, lanes);
#endif
}

/* The lists of a block. Candidates have the slot numbers in which the others see them. */
struct seen_lists {
  uint32_t count[SEEN_LISTS];
  uint32_t slot[SEEN_LISTS][SEEN_CANDIDATES + LANES];
};

/* The boxes of a block's quarters. */
struct seen_boxes {
  lf low_x[SEEN_LISTS], high_x[SEEN_LISTS], low_y[SEEN_LISTS], high_y[SEEN_LISTS], low_z[SEEN_LISTS],
      high_z[SEEN_LISTS];
  lf radius_sq; /* of the largest radius in the block */
};

/* Finds the boxes of the agents at p. Lanes without an agent count as the last one, so that its quarter stays small. */
LANES_INLINE void find_seen_boxes(struct seen_boxes *boxes, const struct frame *frame, uint32_t at, uint32_t lanes,
                                  float radius_sq) {
  ASSERT_ALONE(lanes >= 1 && lanes <= LANES);
  float *const *position = frame->front->f + COLUMN_POSITION_X;
  const lv3 p = lv3_select(lm_first(lanes), load_lv3(position, at, SPATIAL),
                           broadcast_lv3(position, at + lanes - 1, SPATIAL), SPATIAL);
  lf_spread_quarters(boxes->low_x, lf_quarter_lowest(p.x));
  lf_spread_quarters(boxes->high_x, lf_quarter_highest(p.x));
  if (SPATIAL) {
    lf_spread_quarters(boxes->low_y, lf_quarter_lowest(p.y));
    lf_spread_quarters(boxes->high_y, lf_quarter_highest(p.y));
  }
  lf_spread_quarters(boxes->low_z, lf_quarter_lowest(p.z));
  lf_spread_quarters(boxes->high_z, lf_quarter_highest(p.z));
  boxes->radius_sq = lf_set1(radius_sq);
}

/* Appends the candidates j, j + 1, … at q, those in `valid`, that an agent of a quarter may have within its radius.
 * Rounding loses none: see neighbours/candidates.h. */
LANES_INLINE void list_seen(struct seen_lists *lists, const struct seen_boxes *boxes, uint32_t j, lm valid, lv3 q) {
  for (uint32_t k = 0; k < SEEN_LISTS; k++) {
    const lv3 off = {outside(boxes->low_x[k], boxes->high_x[k], q.x),
                     SPATIAL ? outside(boxes->low_y[k], boxes->high_y[k], q.y) : lf_zero(),
                     outside(boxes->low_z[k], boxes->high_z[k], q.z)};
    const lm within = lf_less_equal_where(valid, lv3_dot(off, off, SPATIAL), boxes->radius_sq);
    lists->count[k] += lu_store_set(lists->slot[k] + lists->count[k], within, j);
  }
}

/* Fills all lists up to the longest one with the dummy, and returns their length. */
LANES_INLINE uint32_t fill_seen_lists(struct seen_lists *lists, uint32_t dummy) {
  uint32_t longest = 0;
  for (uint32_t k = 0; k < SEEN_LISTS; k++) longest = lists->count[k] > longest ? lists->count[k] : longest;
  ASSERT_ALONE(longest <= SEEN_CANDIDATES);
  for (uint32_t k = 0; k < SEEN_LISTS; k++) {
    for (uint32_t n = lists->count[k]; n < longest; n += LANES) lu_store(lists->slot[k] + n, lu_set1(dummy));
  }
  return longest;
}

/* The candidates of the lists at one position: one per quarter. */
struct seen_agent {
  lv3 p, v, course;
  lf body;
  lu id;
};
LANES_INLINE struct seen_agent load_seen_agent(const struct frame *frame, const struct seen_lists *lists, uint32_t k) {
  const float *from[SEEN_LISTS];
  for (uint32_t q = 0; q < SEEN_LISTS; q++) from[q] = frame->seen + (size_t)lists->slot[q][k] * SEEN_VALUES;
  const lf first = lf_load_quarters(from, 0), second = lf_load_quarters(from, 4);
#if SPATIAL
  const lf third = lf_load_quarters(from, 8);
  return (struct seen_agent){
      .p = {lf_quarter_element(first, 0), lf_quarter_element(first, 1), lf_quarter_element(first, 2)},
      .body = lf_quarter_element(first, 3),
      .v = {lf_quarter_element(second, 0), lf_quarter_element(second, 1), lf_quarter_element(second, 2)},
      .id = lf_bits(lf_quarter_element(second, 3)),
      .course = {lf_quarter_element(third, 0), lf_quarter_element(third, 1), lf_quarter_element(third, 2)}};
#else
  return (struct seen_agent){.p = {lf_quarter_element(first, 0), lf_zero(), lf_quarter_element(first, 1)},
                             .v = {lf_quarter_element(first, 2), lf_zero(), lf_quarter_element(first, 3)},
                             .id = lf_bits(lf_quarter_element(second, 0)),
                             .body = lf_quarter_element(second, 1),
                             .course = {lf_quarter_element(second, 2), lf_zero(), lf_quarter_element(second, 3)}};
#endif
}

#endif
