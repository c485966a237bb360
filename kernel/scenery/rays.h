/* rays.h: how far a straight way is free of scenery. In double precision; see docs/ARITHMETIC.md, "Scenery".
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_RAYS_H
#define THRONG_RAYS_H

#include "scenery/scenery.h"

/* A ray: from `from` along `way`, its whole length. */
struct ray {
  struct vec from, way;
};
/* The part of a ray before the first wall, box, plane, circle or ball that it meets; 2 where there is none. */
double throng_ray_cast(const struct scenery *scenery, const struct ray *ray);

#endif
