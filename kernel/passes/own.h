/* own.h: an agent's own value, or its group's. block.h has the same for blocks.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_OWN_H
#define THRONG_KERNEL_PASSES_OWN_H

#include "passes/passes_internal.h"

/* Within this range, a limit times a ratio of masses neither overflows when squared nor becomes 0. */
#define LEAST_MASS_RATIO 1e-9f
#define MOST_MASS_RATIO 1e9f

static inline const float *own_or_param(const struct frame *frame, uint32_t slot, int column, int param) {
  const float *own = frame->front->f[column];
  if (own && own[slot] == own[slot]) return &own[slot]; /* NaN: no own value */
  return &group_row(frame->groups, param)[meta_group(frame->front->meta[slot])];
}
static inline const float *body_radius_of(const struct frame *frame, uint32_t slot) {
  return own_or_param(frame, slot, COLUMN_BODY_RADIUS, PARAM_BODY_RADIUS);
}
static inline const float *mass_of(const struct frame *frame, uint32_t slot) {
  return own_or_param(frame, slot, COLUMN_MASS, PARAM_MASS);
}

/* Returns the max_acceleration that limits what one agent wants: load_wanted_limit in block.h. */
static inline float wanted_limit_of(const struct frame *frame, uint32_t slot) {
  const uint32_t group = meta_group(frame->front->meta[slot]);
  const float limit = group_row(frame->groups, PARAM_MAX_ACCELERATION)[group], *own = frame->front->f[COLUMN_MASS];
  if (!own || own[slot] != own[slot] || group_row(frame->groups, PARAM_IS_FORCE)[group] > 0.0f) return limit;
  float ratio = group_row(frame->groups, PARAM_MASS)[group] / own[slot];
  ratio = ratio > LEAST_MASS_RATIO ? ratio : LEAST_MASS_RATIO;
  return limit * (ratio < MOST_MASS_RATIO ? ratio : MOST_MASS_RATIO);
}

#endif
