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

/* The constrain pass: takes a strip's agents from their front positions along a straight line toward their back positions and
 * stops them at blocked cells. Both columns end up free wherever the front was. */
void throng_cells_constrain(const struct cells *cells, const struct frame *frame, struct strip *strip);
/* The same for one agent: it goes from (from_x, from_z) toward (*x, *z). */
void throng_cells_sweep(const struct cells *cells, float from_x, float from_z, float *x, float *z, float *vx,
                        float *vz);

/* Whether floats tell the cells along an axis apart: what makes a stop before a border possible. */
bool throng_cells_fit_floats(float origin, float cell, uint32_t cells);
void throng_cells_release(struct cells *cells, const throng_allocator *allocator);

#endif
