/* neighbour_sight.h: neighbours that scenery hides do not count for groups with walls_hide. Formulas:
 * docs/ARITHMETIC.md, "Sight". SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_NEIGHBOURS_NEIGHBOUR_SIGHT_H
#define THRONG_KERNEL_PASSES_NEIGHBOURS_NEIGHBOUR_SIGHT_H

#include "base/compiler.h"
#include "passes/block.h"
#include "scenery/sight.h"

LANES_INLINE void agent_point(float p[3], const struct frame *frame, uint32_t slot) {
  float *const *f = frame->front->f + COLUMN_POSITION_X;
  p[0] = f[0][slot];
  p[1] = frame->grid->space->spatial ? f[1][slot] : 0.0f;
  p[2] = f[2][slot];
}

/* The bits of the agents at slots `at` and on, of those in `asked`, that something may hide neighbours from. */
static OUT_OF_LINE uint32_t limited_bits(const struct frame *frame, uint32_t at, uint32_t asked,
                                         const float radius[LANES]) {
  lanes_rest();
  uint32_t bits = 0;
  for (uint32_t k = 0; asked >> k; k++) {
    if (!(asked >> k & 1)) continue;
    float p[3];
    agent_point(p, frame, at + k);
    if (throng_sight_is_limited(frame->scenery, frame->cells, p, radius[k])) bits |= 1u << k;
  }
  return bits;
}

/* The bits of the agents, of those in `asked`, from which candidate j is hidden. */
static OUT_OF_LINE uint32_t hidden_bits(const struct frame *frame, uint32_t at, uint32_t asked, uint32_t j) {
  lanes_rest();
  float q[3];
  agent_point(q, frame, j);
  uint32_t bits = 0;
  for (uint32_t k = 0; asked >> k; k++) {
    if (!(asked >> k & 1)) continue;
    float p[3];
    agent_point(p, frame, at + k);
    const struct grid_axis *axis = frame->grid->space->axis;
    const float seen[3] = {space_image(&axis[0], q[0], p[0]), space_image(&axis[1], q[1], p[1]),
                           space_image(&axis[2], q[2], p[2])};
    if (throng_sight_is_blocked(frame->scenery, frame->cells, p, seen)) bits |= 1u << k;
  }
  return bits;
}

/* Returns the lanes of a block, of those in `who`, from which scenery may hide neighbours. */
LANES_INLINE lm limited_sight(const struct frame *frame, uint32_t at, lm who, lf radius) {
  float radii[LANES];
  lf_store(radii, radius);
  return lanes_of_bits(limited_bits(frame, at, lm_bits(who), radii));
}

/* Removes the lanes of `limited` from which candidate j is hidden. */
LANES_INLINE lm without_hidden(const struct frame *frame, uint32_t at, lm within_radius, lm limited, uint32_t j) {
  const uint32_t asked = lm_bits(lm_and(within_radius, limited));
  return asked ? lm_without(within_radius, lanes_of_bits(hidden_bits(frame, at, asked, j))) : within_radius;
}

#endif
