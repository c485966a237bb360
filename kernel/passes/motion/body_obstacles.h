/* body_obstacles.h: bodies that block an agent as scenery does: those of much heavier groups, and those of groups that
 * nothing drives. Formula: docs/ARITHMETIC.md, "Yielding".
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_MOTION_BODY_OBSTACLES_H
#define THRONG_KERNEL_PASSES_MOTION_BODY_OBSTACLES_H

#include "passes/blocked.h"
#include "passes/motion/bodies.h"
#include "passes/window.h"

/* Whether agents of group `other` are obstacles for those of group `own`. */
LANES_INLINE bool is_obstacle_for(const struct group_table *groups, uint32_t own, uint32_t other) {
  const float *mass = group_row(groups, PARAM_MASS), *driven = group_row(groups, PARAM_DRIVEN);
  if (!(group_row(groups, PARAM_CONTACT)[other] > 0.0f)) return false;
  return mass[own] * HEAVY < mass[other] || driven[own] > driven[other];
}

/* Whether agent j is an obstacle for agent i, and was near i when the frame began. */
LANES_INLINE bool is_near_obstacle(const struct frame *frame, uint32_t i, uint32_t j, lv3 shift, bool spatial) {
  const uint32_t *meta = frame->front->meta;
  if (!is_obstacle_for(frame->groups, meta_group(meta[i]), meta_group(meta[j]))) return false;
  float *const *position = frame->front->f + COLUMN_POSITION_X;
  const lv3 p = broadcast_lv3(position, i, spatial);
  const lv3 d = lv3_sub(lv3_add(broadcast_lv3(position, j, spatial), shift, spatial), p, spatial);
  const float most = largest_body(frame), radius = *body_radius_of(frame, j), seen = frame->grid->space->radius;
  const float reach = NEAR_RADII * *body_radius_of(frame, i) + (radius < most ? radius : most);
  const lf d2 = lv3_dot(d, d, spatial);
  return lm_any(lm_and(lf_less_equal(d2, lf_set1(seen * seen)), lf_less(d2, lf_set1(reach * reach))));
}

LANES_INLINE bool has_near_obstacle(const struct frame *frame, const struct strip *strip, uint32_t i, bool spatial) {
  struct window window;
  uint32_t from, to;
  lv3 shift;
  bool shifted;
  make_window(&window, frame, strip, i, 1, throng_grid_periodic_aliased(frame->grid), spatial);
  FOR_EACH_RANGE(frame->grid, frame->grid->start, &window, from, to, shift, shifted, spatial) {
    for (uint32_t j = from; j < to; j++)
      if (is_near_obstacle(frame, i, j, shift, spatial)) return true;
  }
  return false;
}

/* Makes the time of a blocked agent positive if such a body is near. note_blocked has written it negative. */
LANES_INLINE void note_body_obstacles(const struct frame *frame, const struct strip *strip, bool spatial) {
  float *time = frame->back->f[COLUMN_BLOCKED_TIME];
  for (uint32_t i = strip->begin; i < strip->end; i++)
    if (time[i] < 0.0f && has_near_obstacle(frame, strip, i, spatial)) time[i] = -time[i];
}

#endif
