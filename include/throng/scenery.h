/* throng/scenery.h: what stands in the agents' way.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_SCENERY_H
#define THRONG_SCENERY_H

#include "base.h"
#include "group.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A grid of blocked and free cells in the x-z plane of a planar world (a map). Outside of it everything is free.
 * Cell (i, j) covers x in [origin_x + i cell, origin_x + (i + 1) cell), z likewise with j; the grid's far edges belong to the
 * last cells, so that a box of the grid's size leaves no gap along them. Agents are points to it: in a
 * step each one's path is swept through the cells, stops at the first blocked one, loses the velocity into it and slides
 * along; nobody ends a frame inside a blocked cell, at any speed. */
typedef struct throng_cells_def {
  uint32_t width, height; /* cells along x and z, 1 to 16 384 each */
  float cell;             /* metres, 1e-3 to 1e6, and at least 2^-21 of the grid's largest coordinate */
  float origin_x, origin_z;
  const uint8_t *blocked; /* width * height bytes, row by row (blocked[j * width + i]); 0 = free. Copied */
  uint32_t cookie;        /* set by throng_default_cells_def; do not touch */
} throng_cells_def;

/* Thread-safe. */
THRONG_API throng_cells_def throng_default_cells_def(void);

/* Sets the world's cells, or takes them away (def == NULL). Errors: NULL_ARGUMENT, BAD_COOKIE, BAD_VALUE, UNSUPPORTED (spatial or
 * periodic worlds), BLOCKED (a live agent stands in a blocked cell; it is named), OUT_OF_MEMORY. */
THRONG_API throng_status throng_world_set_cells(throng_world *world, const throng_cells_def *def, throng_error *error);

/* Whether the point lies in a blocked cell: false outside the grid or without one. Thread-safe between steps. */
THRONG_API bool throng_world_is_blocked(const throng_world *world, float x, float z);

#ifdef __cplusplus
}
#endif

#endif
