/* tests/reference/reference_map.h: what feelers see of scenery cells, as in docs/ARITHMETIC.md, "Scenery". They test
 * every cell.
 * SPDX-License-Identifier: MIT */
#ifndef REFERENCE_MAP_H
#define REFERENCE_MAP_H

#include <stddef.h>

#include <throng/throng.h>

typedef struct ref_map {
  const throng_cells_def *cells;
  bool repeats[2]; /* along x and z: where the axis is periodic */
} ref_map;

typedef struct ref_map_hit {
  float t; /* fraction of the ray before the hit; 2: no hit */
  throng_vec3 normal;
} ref_map_hit;
/* The ray starts at s and goes by w. */
ref_map_hit ref_map_ray(const ref_map *map, throng_vec3 s, throng_vec3 w);

typedef struct ref_map_surface {
  bool found;
  float distance;
  throng_vec3 normal;
} ref_map_surface;
ref_map_surface ref_map_nearest(const ref_map *map, throng_vec3 x, float reach);
/* The same of the cells of the point's row (axis 0) or column (axis 1) alone. */
ref_map_surface ref_map_straight(const ref_map *map, throng_vec3 x, int axis, float reach);

/* Finds the index of the cell that holds the point, or that repeats there; false outside of the map. */
bool ref_map_find(const ref_map *map, throng_vec3 x, size_t *index);
/* Whether the point is in a blocked cell. */
bool ref_map_is_blocked(const ref_map *map, throng_vec3 x);

typedef struct ref_map_hider {
  throng_vec3 p, dp; /* position; from it to the target */
  float reach, body, distance;
  bool box;
  throng_vec3 low, high; /* the faces of the box */
} ref_map_hider;
/* Returns the cover of the cells as an offset from the agent; x is NaN if there is none. */
throng_vec3 ref_map_cover(const ref_map *map, const ref_map_hider *who);

#endif
