/* rays.h: finds how far a straight line is free of scenery, in double precision. Formulas: docs/ARITHMETIC.md,
 * "Scenery".
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_SCENERY_RAYS_H
#define THRONG_KERNEL_SCENERY_RAYS_H

#include "scenery/scenery_internal.h"

/* A ray from `from` to from + way. */
struct ray {
  struct vec from, way;
};
/* The fraction of a ray before its first hit of a wall, box, plane, circle or ball; 2 without a hit. */
double throng_ray_cast(const struct scenery *scenery, const struct ray *ray);

#endif
