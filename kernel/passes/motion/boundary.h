/* boundary.h: stops agents at the faces of a box, and wraps them along periodic axes. Formulas: docs/ARITHMETIC.md,
 * "Blend, integrate, constrain".
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_MOTION_BOUNDARY_H
#define THRONG_KERNEL_PASSES_MOTION_BOUNDARY_H

#include "passes/block.h"

LANES_INLINE void contain(float min, float max, lf *p, lf *v) {
  lm below = lf_less(*p, lf_set1(min)), above = lf_greater(*p, lf_set1(max));
  *v = lf_select(below, lf_max(*v, lf_zero()), *v);
  *v = lf_select(above, lf_min(*v, lf_zero()), *v);
  *p = lf_select(below, lf_set1(min), lf_select(above, lf_set1(max), *p));
}
LANES_INLINE lf wrap_position(const struct grid_axis *axis, float max, lf p) {
  lf min = lf_set1(axis->origin), length = lf_set1(axis->length);
  lm outside = lm_or(lf_less(p, min), lf_greater_equal(p, lf_set1(max)));
  if (!lm_any(outside)) return p;
  lf t = lf_sub(p, min);
  t = lf_sub(t, lf_mul(length, lf_floor(lf_div(t, length))));
  t = lf_select(lf_less(t, lf_zero()), lf_add(t, length), t);
  t = lf_select(lf_greater_equal(t, length), lf_zero(), t);
  lf wrapped = lf_add(min, t);
  wrapped = lf_select(lf_greater_equal(wrapped, lf_set1(max)), min, wrapped);
  return lf_select(outside, wrapped, p);
}

/* Stops positions at the last float before a face of the box, and sets the velocity into the face to 0. */
LANES_INLINE void contain_in_box(const struct frame *frame, lv3 *p, lv3 *v, bool spatial) {
  const struct space *space = frame->grid->space;
  if (!space->box) return;
  contain(space->stop_low[0], space->stop_high[0], &p->x, &v->x);
  if (spatial) contain(space->stop_low[1], space->stop_high[1], &p->y, &v->y);
  contain(space->stop_low[2], space->stop_high[2], &p->z, &v->z);
}
/* Wraps positions along periodic axes. */
LANES_INLINE void wrap_round(const struct frame *frame, lv3 *p, bool spatial) {
  const struct space *space = frame->grid->space;
  if (space->axis[0].period) p->x = wrap_position(&space->axis[0], space->end[0], p->x);
  if (spatial && space->axis[1].period) p->y = wrap_position(&space->axis[1], space->end[1], p->y);
  if (space->axis[2].period) p->z = wrap_position(&space->axis[2], space->end[2], p->z);
}

#endif
