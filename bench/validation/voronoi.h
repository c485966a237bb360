/* voronoi.h: the Voronoi cells of people in a rectangle. A person's cell is the part of the rectangle that is nearer to
 * this person than to any other. 1 / area is the individual density, as in U. Steffen, A. Seyfried, Methods for
 * measuring pedestrian density, flow, speed and direction with minimal scatter, 2010, and in PedPy
 * (compute_individual_voronoi_polygons, without a cut-off).
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_VALIDATION_VORONOI_H
#define BENCH_VALIDATION_VORONOI_H

#include <stdint.h>

typedef struct voronoi_point {
  double x, z;
} voronoi_point;

typedef struct voronoi_rectangle {
  double min_x, min_z, max_x, max_z; /* metres */
} voronoi_rectangle;

/* Writes the area of each point's cell, in m2, to areas[count]. All points lie in the rectangle, no two at one place.
 * Writes their order along x to order[count]. */
void voronoi_areas(const voronoi_rectangle *rectangle, const voronoi_point *points, uint32_t count, uint32_t *order,
                   double *areas);

#endif
