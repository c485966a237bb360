/* feelers.h: what an agent feels of the scenery ahead of it, and where it steers then. One agent at a time: few have any near.
 * In double precision; see ARITHMETIC.md, "Scenery". SPDX-License-Identifier: MIT */
#ifndef THRONG_FEELERS_H
#define THRONG_FEELERS_H

#include <throng/behaviour.h>

#include "scenery.h"

struct feeler {
  const struct scenery *scenery;
  struct vec p, v;
  double body, limit; /* own radius, A */
  uint32_t id;
};

/* The memory of an agent's fan of rays. */
struct fan {
  float angle; /* radians, between the long ray and each whisker; below the rest angle: not used yet */
  float latch; /* the ray that it answers, enum feeler_ray; 0 = whichever is hit first */
};

/* The acceleration, 0 where nothing is felt. */
struct vec throng_feel_obstacles(const struct feeler *feeler, const throng_avoid_obstacles *how);
struct vec throng_feel_walls(const struct feeler *feeler, const throng_avoid_walls *how, float dt, struct fan *fan);

#endif
