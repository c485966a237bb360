/* feelers.h: what the feelers of steering find in the map of scenery cells, in double precision. Formulas:
 * docs/ARITHMETIC.md, "Scenery".
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_SCENERY_FEELERS_H
#define THRONG_KERNEL_SCENERY_FEELERS_H

#include "scenery/cells.h"

/* A rectangle of cells, with the numbers of its first and last cells along x and z, counted from cells_begin. */
struct cell_range {
  uint32_t first_x, last_x, first_z, last_z;
};
/* Returns the cell of the map of which `cell`, counted from cells_begin, is a repetition. */
static inline uint32_t cell_in_map(uint32_t cell, uint32_t cells) {
  while (cell >= cells) cell -= cells; /* at most three times */
  return cell;
}
/* A quick test, because most rays are short and meet no cell. If it is true, no cell of the rectangle is blocked; if it
 * is false, one may be: the rectangle is across a seam, or longer than three cells. */
static inline bool cells_surely_free(const struct cells *cells, const struct cell_range *range) {
  const uint32_t x = cell_in_map(range->first_x, cells->width), z = cell_in_map(range->first_z, cells->height);
  const uint32_t more_x = range->last_x - range->first_x, more_z = range->last_z - range->first_z;
  if (x + more_x >= cells->width || z + more_z >= cells->height) return false;
  const size_t first = (size_t)z * cells->width + x, middle = first + (size_t)(more_z / 2) * cells->width + more_x / 2;
  const uint32_t more = more_x > more_z ? more_x : more_z;
  if (cells->steps[middle] > more - more / 2) return true;
  if (more_x > 2 || more_z > 2) return false;
  uint8_t blocked = 0;
  for (uint32_t row = 0; row <= more_z; row++) {
    for (uint32_t k = 0; k <= more_x; k++) blocked |= cells->blocked[first + (size_t)row * cells->width + k];
  }
  return blocked == 0;
}

/* Where a ray first comes from a free cell into a blocked one. */
struct cell_hit {
  float part; /* fraction of the ray's length; 2 without a hit */
  float normal_x, normal_z;
};
/* A ray starts at (from_x, from_z) and goes by (way_x, way_z). */
struct cell_hit throng_cells_feel(const struct cells *cells, float from_x, float from_z, float way_x, float way_z);

/* The surface of the blocked cell nearest to a point. Where the map repeats, this and the next two functions look half
 * a length each way. */
struct cell_surface {
  bool found; /* some blocked cell is within reach */
  float distance, normal_x, normal_z;
};
struct cell_surface throng_cells_nearest(const struct cells *cells, float x, float z, float reach);
/* The same for the cells of the point's row only (axis 0, along x), or of its column only (axis 1, along z). */
struct cell_surface throng_cells_straight(const struct cells *cells, float x, float z, int axis, float reach);

/* An agent that hides, and what it hides from. */
struct hider {
  float p[2];            /* the agent's position: x and z, as in the next two */
  float threat[2];       /* from the agent to what it hides from */
  float low[2], high[2]; /* faces of the box: places must be between them */
  float reach, body, distance;
};
/* Finds the nearest hiding place behind a blocked cell, as an offset from the agent. Returns false if there is none. */
bool throng_cells_cover(const struct cells *cells, const struct hider *hider, float place[2]);

#endif
