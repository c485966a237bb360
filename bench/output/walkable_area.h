/* The walkable area of a scene as well-known text (WKT), seen from above: the world's x and z are the text's x and y.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_WALKABLE_AREA_H
#define BENCH_WALKABLE_AREA_H

#include "common/problem.h"
#include "scene/scene.h"

/* The rectangle that holds all positions of a run; only axes without faces need it. Zeroed: it has seen nothing. */
typedef struct seen_rectangle {
  bool any;
  double min[2], max[2]; /* x, z */
} seen_rectangle;

void seen_rectangle_add(seen_rectangle *seen, const bench_crowd *crowd);

typedef struct walkable_area {
  char *wkt;             /* POLYGON, or MULTIPOLYGON if agents are in parts that are not connected */
  double min[2], max[2]; /* its bounding box */
} walkable_area;

/* Computes the area: the world's box, or along axes without faces what `seen` and the scenery cover and one metre more,
 * without the blocked cells, circles and walls. Walls become 1 mm wide. Parts without an agent of `crowd` are left out.
 * Balls, boxes and planes of spatial worlds are not in it, because agents can pass over and under them. */
bool walkable_area_make(walkable_area *area, const bench_scene *scene, const seen_rectangle *seen,
                        const bench_crowd *crowd, bench_problem *problem);
void walkable_area_release(walkable_area *area);

#endif
