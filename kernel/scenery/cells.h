/* cells.h: the scenery cells of a planar world, blocked or free. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_SCENERY_CELLS_H
#define THRONG_KERNEL_SCENERY_CELLS_H

#include <stdbool.h>
#include <stdint.h>

#include <throng/scenery.h>

#include "base/memory.h"
#include "base/space.h"

struct cells {
  uint32_t width, height; /* 0: no cells */
  float cell, origin_x, origin_z;
  double inverse;        /* 1 / cell */
  uint8_t *blocked;      /* [height][width] */
  uint8_t *steps;        /* [height][width]: how many steps from cell to cell, also across corners, the nearest blocked
                            cell is away; at most 255. Beyond a map that does not repeat all cells are free */
  float low[2], high[2]; /* along x and z: the smallest coordinate in the first cell, and the largest one in the last
                            cell; not along axes that repeat */
  bool repeats[2];       /* whether the map repeats along x and z, because the axis is periodic: cell numbers then may
                            be below 0 or above the last */
};

/* An axis of the map: 0 is x, 1 is z. */
static inline float cells_origin(const struct cells *cells, int axis) {
  return axis ? cells->origin_z : cells->origin_x;
}
static inline uint32_t cells_count(const struct cells *cells, int axis) { return axis ? cells->height : cells->width; }

/* Returns the cell of a coordinate. In a map that does not repeat it is -1 before the first cell, and the number of
 * cells after the last one. In one that repeats, it is limited to two lengths from the origin. */
static inline int32_t cells_along(const struct cells *cells, float coordinate, int axis) {
  const uint32_t count = cells_count(cells, axis);
  const double distance = (double)coordinate - (double)cells_origin(cells, axis), size = (double)cells->cell;
  if (cells->repeats[axis]) { /* as far as a sweep may lead, and farther */
    if (!(distance >= -2.0 * size * count)) return -2 * (int32_t)count;
    if (distance >= 2.0 * size * count) return 2 * (int32_t)count;
  } else {
    if (!(distance >= 0.0)) return coordinate >= cells->low[axis] ? 0 : -1;
    if (distance >= size * count) return coordinate > cells->high[axis] ? (int32_t)count : (int32_t)count - 1;
  }
  /* The guess may be off by one; size * guess is exact. */
  int32_t guess = (int32_t)(distance * cells->inverse) - (distance < 0.0 ? 1 : 0);
  if (size * guess > distance) return guess - 1;
  return size * (guess + 1) <= distance ? guess + 1 : guess;
}

/* Returns the cell of the map that repeats as cell i. */
static inline int64_t cells_repeated(int64_t i, uint32_t cells) {
  const int64_t rest = i % (int64_t)cells;
  return rest < 0 ? rest + (int64_t)cells : rest;
}
/* The numbers of the first cell of an axis, and of the one after the last. A map that repeats goes on for two lengths
 * from the origin, which is at least one period beyond the box. */
static inline int32_t cells_begin(const struct cells *cells, int axis) {
  return cells->repeats[axis] ? -2 * (int32_t)cells_count(cells, axis) : 0;
}
static inline int32_t cells_end(const struct cells *cells, int axis) {
  return (cells->repeats[axis] ? 2 : 1) * (int32_t)cells_count(cells, axis);
}
/* Whether cell (i, j) is blocked. Outside of a map that does not repeat nothing is. */
static inline bool cells_blocked_at(const struct cells *cells, int64_t i, int64_t j) {
  if (cells->repeats[0]) i = cells_repeated(i, cells->width);
  if (cells->repeats[1]) j = cells_repeated(j, cells->height);
  if (i < 0 || j < 0 || i >= (int64_t)cells->width || j >= (int64_t)cells->height) return false;
  return cells->blocked[(size_t)j * cells->width + (size_t)i] != 0;
}
/* Whether the cell that holds (x, z) is blocked; false outside of the map. */
bool throng_cells_is_blocked(const struct cells *cells, float x, float z);
/* Whether no blocked cell is nearer to (x, z) than `radius` metres. Radius 0: whether the cell that holds (x, z) is
 * free. */
bool throng_cells_is_free(const struct cells *cells, float x, float z, float radius);
/* Finds the cell of the map that holds (x, z), or that repeats there; false outside of the map. */
bool throng_cells_find(const struct cells *cells, float x, float z, uint32_t *index);

/* Moves an agent from (from_x, from_z) along a straight line toward (*x, *z). Blocked cells stop the agent and its
 * velocity. An agent that starts in a free cell ends in a free cell. */
void throng_cells_sweep(const struct cells *cells, float from_x, float from_z, float *x, float *z, float *vx,
                        float *vz);

/* The fraction of the line between two points before it enters a blocked cell; 2 if it enters none. */
double throng_cells_hit(const struct cells *cells, float from_x, float from_z, float x, float z);

/* Whether a blocked cell hides two points from each other: the straight line between them passes through its inside, or
 * exactly between two blocked cells that share a corner. This is exact. Points in one cell see each other. */
bool throng_cells_hide(const struct cells *cells, float px, float pz, float qx, float qz);

/* The layout of a map: cells, a flow field or a raster of speed factors. */
struct map_frame {
  const char *name; /* of the definition, for error texts */
  uint32_t width, height;
  float cell, origin_x, origin_z;
};

/* Returns cells of a checked layout that belong to no world; `blocked` may be NULL. The cells at the edges extend as
 * far as throng_cells_fit_box could extend them. */
struct cells throng_cells_map(const struct map_frame *frame, uint8_t *blocked);

/* Checks a layout; its origin must be within +-limit. */
throng_status throng_cells_check_frame(const throng_axes *axes, const struct map_frame *frame, float limit,
                                       throng_error *error);
/* Returns the layout of a host's map, with its origin and cell converted from `axes` (NULL: throng's own). */
struct map_frame throng_cells_frame(const throng_axes *axes, const char *name, uint32_t width, uint32_t height,
                                    float cell, throng_vec3 origin);
/* Checks the cookie and the layout, which becomes *frame. */
throng_status throng_cells_read_frame(const throng_axes *axes, const throng_cells_def *def, float limit,
                                      struct map_frame *frame, throng_error *error);
/* Checks the array of blocked cells, too. */
throng_status throng_cells_check_def(const throng_axes *axes, const throng_cells_def *def, float limit,
                                     struct map_frame *frame, throng_error *error);

/* Whether a layout repeats along an axis of the map (0: x, 1: z): the axis is periodic, and the layout is as long as
 * the period, up to 2^-21 of the box's largest coordinate. */
bool throng_cells_tile(const struct space *space, const struct map_frame *frame, int k);
/* Checks that the layout of cells repeats along all periodic axes, and that its origin is in the box there. */
throng_status throng_cells_check_tiling(const struct space *space, const struct map_frame *frame, throng_error *error);

/* Whether floats can distinguish the cells along an axis. If not, an agent cannot stop before a border. */
bool throng_cells_fit_floats(float origin, float cell, uint32_t cells);

/* Finds the cells [*first, *last] along an axis (0: x, 1: z) that [low, high], in metres from the map's origin, may
 * touch; none if *first > *last. A map that repeats has cells up to two lengths beyond its edges. */
void throng_cells_between(const struct cells *cells, int axis, double low, double high, int64_t *first, int64_t *last);

/* Checks a definition, and makes the cells. Does not check where agents are. On failure there is nothing to release. */
throng_status throng_cells_make(const struct space *space, const throng_allocator *allocator,
                                const throng_cells_def *def, struct cells *cells, throng_error *error);
void throng_cells_release(struct cells *cells, const throng_allocator *allocator);

/* Sets along which axes the map repeats. Extends the cells at the map's other edges to the faces of the world's box, if
 * rounding has put the faces a few floats beyond the edges. Call it whenever the box or the cells change. */
void throng_cells_fit_box(struct cells *cells, const struct space *space);

/* Checks that the cells can be shifted exactly and stay within +-limit. Only then may they be shifted. */
throng_status throng_cells_check_shift(const struct cells *cells, const float shift[3], float limit,
                                       throng_error *error);
void throng_cells_shift(struct cells *cells, const float shift[3]);

#endif
