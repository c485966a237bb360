/* cells.h: the blocked and free cells of a planar world. SPDX-License-Identifier: MIT */
#ifndef THRONG_CELLS_H
#define THRONG_CELLS_H

#include <stdbool.h>
#include <stdint.h>

#include "passes/passes.h"

struct cells {
  uint32_t width, height; /* 0 = there are none */
  float cell, origin_x, origin_z;
  double inverse;   /* 1 / cell */
  uint8_t *blocked; /* [height][width] */
};

/* Whether the cell that holds (x, z) is blocked; outside of the grid nothing is. */
bool throng_cells_is_blocked(const struct cells *cells, float x, float z);

/* The constrain pass: takes a strip's agents from the positions `from` along a straight line toward the positions `to` and stops
 * them and their velocities (NULL: none) at blocked cells. Where an agent was free it stays so. */
void throng_cells_constrain(const struct cells *cells, const struct strip *strip, float limit, float *const from[3],
                            float *const to[3], float *const velocity[3]);

/* Whether floats tell the cells along an axis apart: what makes a stop before a border possible. */
bool throng_cells_fit_floats(float origin, float cell, uint32_t cells);
void throng_cells_release(struct cells *cells, const throng_allocator *allocator);

#endif
