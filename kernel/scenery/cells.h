/* cells.h: the blocked and free cells of a planar world. SPDX-License-Identifier: MIT */
#ifndef THRONG_CELLS_H
#define THRONG_CELLS_H

#include <stdbool.h>
#include <stdint.h>

#include <throng/scenery.h>

#include "base/memory.h"
#include "base/space.h"

struct cells {
  uint32_t width, height; /* 0 = there are none */
  float cell, origin_x, origin_z;
  double inverse;   /* 1 / cell */
  uint8_t *blocked; /* [height][width] */
};

/* Whether the cell that holds (x, z) is blocked; outside of the grid nothing is. */
bool throng_cells_is_blocked(const struct cells *cells, float x, float z);
/* Whether no blocked cell is nearer to (x, z) than `radius` metres; with 0, whether the cell that holds (x, z) is free. */
bool throng_cells_is_free(const struct cells *cells, float x, float z, float radius);
/* The cell that holds (x, z); false outside of the grid. */
bool throng_cells_find(const struct cells *cells, float x, float z, uint32_t *index);

/* Moves one agent from (from_x, from_z) along a straight line toward (*x, *z), and stops it and its velocity at blocked
 * cells: an agent that was in a free cell ends in one. */
void throng_cells_sweep(const struct cells *cells, float from_x, float from_z, float *x, float *z, float *vx,
                        float *vz);

/* The part of the straight way between two points before it enters a blocked cell; 2 where it enters none. */
double throng_cells_hit(const struct cells *cells, float from_x, float from_z, float x, float z);

/* Where a grid of cells lies. */
struct map_frame {
  const char *name; /* of the definition, for errors */
  uint32_t width, height;
  float cell, origin_x, origin_z;
};

/* Whether it is one that is allowed, with the origin within +-limit. */
throng_status throng_cells_check_frame(const struct map_frame *frame, float limit, throng_error *error);
/* The cookie, the array and the frame. */
throng_status throng_cells_check_def(const throng_cells_def *def, float limit, throng_error *error);

/* Whether floats tell the cells along an axis apart: what makes a stop before a border possible. */
bool throng_cells_fit_floats(float origin, float cell, uint32_t cells);

/* Checks a definition and makes the cells of it, whatever agents are there. On failure nothing is left to release. */
throng_status throng_cells_make(const struct space *space, const throng_allocator *allocator,
                                const throng_cells_def *def, struct cells *cells, throng_error *error);
void throng_cells_release(struct cells *cells, const throng_allocator *allocator);

/* Whether the cells can be shifted exactly, to within +-limit; then they may be. */
throng_status throng_cells_check_shift(const struct cells *cells, const float shift[3], float limit,
                                       throng_error *error);
void throng_cells_shift(struct cells *cells, const float shift[3]);

#endif
