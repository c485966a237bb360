/* bodies.h: the solid bodies of a block, for the passes of contact. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_MOTION_BODIES_H
#define THRONG_KERNEL_PASSES_MOTION_BODIES_H

#include "passes/block.h"
#include "passes/own.h"

#define YIELD_PACE 0.8f /* fraction of max_speed at which an agent makes way */

/* The solid bodies of a block. */
struct bodies {
  const struct frame *frame;
  float *const *from; /* positions of all agents in this iteration */
  uint32_t at, lanes;
  bool yields; /* agents make way in this iteration */
  lm solid;
  lv3 committed, p;
  lf radius, mass, share;
  lu id;
  lv3 low, high; /* bounding box of p */
  lf reach;      /* the largest radius of the block's bodies */
  lf most_aside; /* how far a lane makes way in this frame */
  float close_sq, window_sq;
};

/* What candidates add to a block. */
struct pushes {
  lv3 sum;
  lc count;
  lm gives;       /* lanes that make way for impatient agents */
  lv3 aside;      /* the ways that they make */
  uint32_t group; /* group of the last candidate that pushed */
  lf part;        /* fraction of an overlap with an agent of that group by which the lanes give way */
};

/* What much heavier bodies add to a block. */
struct heavy_pushes {
  lm lighter; /* lanes that the group of the last candidate pushes as a much heavier body */
  lm yields;  /* lanes that such bodies push */
  lf most;    /* how far these bodies may push the lanes */
  lv3 whole;  /* the pushes of these bodies */
};

/* Returns the largest radius of a solid body, R / 2: two bodies that touch are then within R, and in each other's
 * windows. */
LANES_INLINE float largest_body(const struct frame *frame) { return frame->grid->space->radius * 0.5f; }

LANES_INLINE void box_bodies(struct bodies *bodies, bool spatial) {
  ASSERT_ALONE(lm_any(bodies->solid));
  uint32_t some = bodies->at;
  for (uint32_t bits = lm_bits(bodies->solid); !(bits & 1); bits >>= 1) some++;
  lv3 inside = {lf_set1(bodies->from[0][some]), spatial ? lf_set1(bodies->from[1][some]) : lf_zero(),
                lf_set1(bodies->from[2][some])};
  lv3 p = lv3_select(bodies->solid, bodies->p, inside, spatial);
  bodies->low = (lv3){lf_set1(lf_lowest(p.x)), spatial ? lf_set1(lf_lowest(p.y)) : p.y, lf_set1(lf_lowest(p.z))};
  bodies->high = (lv3){lf_set1(lf_highest(p.x)), spatial ? lf_set1(lf_highest(p.y)) : p.y, lf_set1(lf_highest(p.z))};
  bodies->reach = lf_set1(lf_highest(lf_where(bodies->solid, bodies->radius)));
}

LANES_INLINE void load_bodies(struct bodies *bodies, const struct frame *frame, float *const from[3], uint32_t at,
                              uint32_t lanes, bool spatial) {
  struct lane_groups groups;
  load_groups(&groups, frame, at);
  const float close = 1e-6f * frame->grid->space->radius;
  bodies->frame = frame;
  bodies->from = from;
  bodies->at = at;
  bodies->lanes = lanes;
  bodies->yields = frame->groups->features & FEATURE_YIELD && from[0] == frame->back->f[COLUMN_POSITION_X];
  bodies->committed = load_lv3(frame->front->f + COLUMN_POSITION_X, at, spatial);
  bodies->p = load_lv3(from, at, spatial);
  bodies->id = lu_load(frame->front->id + at);
  bodies->mass = load_own_or_param(frame, &groups, at, COLUMN_MASS, PARAM_MASS);
  bodies->share = load_param(frame, &groups, PARAM_CONTACT);
  lf radius = load_own_or_param(frame, &groups, at, COLUMN_BODY_RADIUS, PARAM_BODY_RADIUS);
  bodies->radius = lf_min(radius, lf_set1(largest_body(frame)));
  bodies->most_aside = lf_mul(load_max_speed(frame, &groups, at), lf_set1(YIELD_PACE * frame->dt));
  bodies->solid = lm_and(lm_first(lanes), lf_greater(bodies->share, lf_zero()));
  bodies->close_sq = close * close;
  bodies->window_sq = frame->grid->space->radius * frame->grid->space->radius;
  if (lm_any(bodies->solid)) box_bodies(bodies, spatial);
}

/* The lanes of `some` that were within R of agent j when the frame began. */
LANES_INLINE lm were_within(const struct bodies *bodies, lm some, uint32_t j, lv3 shift, bool spatial) {
  lv3 committed = broadcast_lv3(bodies->frame->front->f + COLUMN_POSITION_X, j, spatial);
  committed = lv3_sub(lv3_add(committed, shift, spatial), bodies->committed, spatial);
  return lm_and(some, lf_less_equal(lv3_dot(committed, committed, spatial), lf_set1(bodies->window_sq)));
}

/* The fraction of an overlap with agent j by which the lanes give way. `contact`: that of agent j's group. */
LANES_INLINE lf part_of(const struct bodies *bodies, uint32_t j, float contact) {
  const lf mass = lf_set1(*mass_of(bodies->frame, j)), share = lf_min(bodies->share, lf_set1(contact));
  return lf_mul(share, lf_div(mass, lf_add(bodies->mass, mass)));
}

#endif
