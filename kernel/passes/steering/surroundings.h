/* surroundings.h: the shapes of scenery near the agents of a block. A block's agents are mostly close together. So the
 * shapes near them are listed once, and every lane tests each of them. A block may continue in another row of the grid:
 * lanes far from the first lane are handled later, with their own lists. A list has every shape that may be near a
 * lane, and each lane tests the distance itself. So a lane's result does not depend on the other lanes.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_STEERING_SURROUNDINGS_H
#define THRONG_KERNEL_PASSES_STEERING_SURROUNDINGS_H

#include "passes/steering/entry.h"
#include "scenery/scenery_internal.h"

#define FEELER_MOST 1e12f /* metres: the longest reach for which no formula overflows */

/* The values of a block's agents in the formulas of scenery. */
struct feeler {
  lv3 p, v;
  lf body;
};
LANES_INLINE void load_feeler(struct feeler *feeler, const struct frame *frame, const struct entry_block *block,
                              bool spatial) {
  float *const *f = frame->front->f;
  feeler->p = load_lv3(f + COLUMN_POSITION_X, block->at, spatial);
  feeler->v = load_lv3(f + COLUMN_VELOCITY_X, block->at, spatial);
  lf body = load_own_or_param(frame, &block->groups, block->at, COLUMN_BODY_RADIUS, PARAM_BODY_RADIUS);
  feeler->body = lf_min(body, lf_set1(FEELER_MOST));
}
/* Returns the lanes of `who` whose agents move. */
LANES_INLINE lm moving(const struct feeler *feeler, lm who, bool spatial) {
  return lf_less_where(who, lf_set1(LANES_LEAST_SQUARE), lv3_dot(feeler->v, feeler->v, spatial));
}
/* Returns the offset from the agents to a point of a shape. */
LANES_INLINE lv3 from_agent(const float point[3], const struct feeler *feeler, bool spatial) {
  return (lv3){lf_sub(lf_set1(point[0]), feeler->p.x), spatial ? lf_sub(lf_set1(point[1]), feeler->p.y) : lf_zero(),
               lf_sub(lf_set1(point[2]), feeler->p.z)};
}

struct surroundings {
  struct scenery_list list;
  uint32_t next;  /* position in the list */
  uint32_t first; /* number of the first shape to visit */
  lm left, here;  /* lanes still to handle; lanes being handled */
  lv3 p;
  lf reach;
  float apart; /* lanes are handled together if they are at most this plus their reach apart */
};

/* Prepares a loop over the shapes of `scenery` within `reach` of the agents of `who`, at p: circles and balls, other
 * shapes, or both. */
LANES_INLINE void look_for(struct surroundings *near, const struct scenery *scenery, const struct frame *frame, lv3 p,
                           lm who, lf reach, bool balls, bool others) {
  ASSERT_ALONE(scenery->balls <= scenery->shapes);
  near->list.scenery = scenery;
  near->list.to = others ? scenery->shapes : scenery->balls;
  near->list.from = near->list.to;
  near->list.count = 0;
  near->list.pages = near->list.word = 0;
  near->next = 0;
  near->first = balls ? 0 : scenery->balls;
  near->left = scenery->shapes > 0 ? who : lm_first(0);
  near->here = lm_first(0);
  near->p = p;
  near->reach = reach;
  near->apart = frame->grid->space->radius;
}
LANES_INLINE void look_around(struct surroundings *near, const struct frame *frame, const struct feeler *feeler, lm who,
                              lf reach, bool balls, bool others) {
  look_for(near, frame->scenery, frame, feeler->p, who, reach, balls, others);
}

LANES_INLINE lm close_along(lf p, float first, lf apart, lm who) {
  return lf_less_equal_where(who, lf_abs(lf_sub(p, lf_set1(first))), apart);
}
LANES_INLINE void bound_along(struct surroundings *near, int axis, lf p, float first, double margin) {
  lf here = lf_select(near->here, p, lf_set1(first));
  near->list.low[axis] = (double)lf_lowest(here) - margin;
  near->list.high[axis] = (double)lf_highest(here) + margin;
}
/* Chooses the first remaining lane and those close to it, and lists their shapes. */
LANES_INLINE void serve_next(struct surroundings *near, bool spatial) {
  float first[3][LANES];
  lf_store(first[0], near->p.x);
  lf_store(first[1], near->p.y);
  lf_store(first[2], near->p.z);
  uint32_t k = 0;
  ASSERT_ALONE(lm_any(near->left));
  while (!(lm_bits(near->left) >> k & 1)) k++;
  const float reach = lf_highest(lf_where(near->left, near->reach));
  const lf apart = lf_set1(reach + near->apart);
  near->here = close_along(near->p.x, first[0][k], apart, near->left);
  if (spatial) near->here = close_along(near->p.y, first[1][k], apart, near->here);
  near->here = close_along(near->p.z, first[2][k], apart, near->here);
  near->here = lm_or(near->here, lm_lane(k));
  near->left = lm_without(near->left, near->here);

  const double margin = scenery_margin(near->list.scenery, reach);
  bound_along(near, 0, near->p.x, first[0][k], margin);
  if (spatial) bound_along(near, 1, near->p.y, first[1][k], margin);
  bound_along(near, 2, near->p.z, first[2][k], margin);
  near->list.from = near->first;
}

/* Returns the next shape, for the lanes `near->here`; NULL at the end. Each lane gets shapes in ascending order of
 * their numbers. */
LANES_INLINE const struct shape *next_shape(struct surroundings *near, bool spatial) {
  while (near->next == near->list.count) {
    near->next = 0;
    lanes_rest();
    if (throng_scenery_list(&near->list)) break;
    if (!lm_any(near->left)) return NULL;
    serve_next(near, spatial);
  }
  return &near->list.scenery->shape[near->list.number[near->next++]];
}

#endif
