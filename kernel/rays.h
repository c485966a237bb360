/* rays.h: where a straight way first meets the scenery. In double precision; see ARITHMETIC.md, "Scenery".
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_RAYS_H
#define THRONG_RAYS_H

#include "scenery.h"

/* A ray: from `from` along `way`, its whole length. */
struct ray {
  struct vec from, way;
};
/* The nearest hit of a ray: t is the part of the ray before it, 2 where there is none. */
struct ray_hit {
  double t;
  uint32_t shape;
  struct vec normal; /* toward the side that the ray comes from */
};

/* Of walls, boxes and planes, and `balls` (circles) if so wished; a tie: the smallest number. */
struct ray_hit throng_ray_cast(const struct scenery *scenery, const struct ray *ray, bool balls);

#endif
