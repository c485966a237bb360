/* feelers.h: what an agent feels of the scenery ahead of it, and where it steers then. One agent at a time: few have any near.
 * In double precision; see ARITHMETIC.md, "Scenery". SPDX-License-Identifier: MIT */
#ifndef THRONG_FEELERS_H
#define THRONG_FEELERS_H

#include <throng/behaviour.h>

#include "scenery.h"

/* One who feels the scenery, or steers by it. */
struct feeler {
  const struct scenery *scenery;
  struct vec p, v;
  double body, limit, speed; /* own radius, A, S */
  uint32_t id;
};

static inline struct vec vec_direction(struct vec a) {
  const double length = vec_length(a);
  return length > 0.0 ? vec_scale(a, 1.0 / length) : (struct vec){0.0, 0.0, 0.0};
}
/* To the right of a heading, level; where it points straight up or down, -x. */
static inline struct vec feeler_right(struct vec heading) {
  const struct vec right = vec_direction((struct vec){-heading.z, 0.0, heading.x});
  return right.x == 0.0 && right.z == 0.0 ? (struct vec){-1.0, 0.0, 0.0} : right;
}
static inline struct vec feeler_clip(const struct feeler *feeler, struct vec a) {
  const double square = vec_dot(a, a);
  return square > feeler->limit * feeler->limit ? vec_scale(a, feeler->limit / sqrt(square)) : a;
}
/* What leads to a wanted velocity in some time. */
static inline struct vec feeler_change(const struct feeler *feeler, struct vec wanted, double time) {
  return feeler_clip(feeler, vec_scale(vec_sub(wanted, feeler->v), 1.0 / time));
}

/* The memory of an agent's fan of rays. */
struct fan {
  float angle; /* radians, between the long ray and each whisker; below the rest angle: not used yet */
  float latch; /* the ray that it answers, enum feeler_ray; 0 = whichever is hit first */
};

/* The acceleration, 0 where nothing is felt. */
struct vec throng_feel_obstacles(const struct feeler *feeler, const throng_avoid_obstacles *how);
struct vec throng_feel_walls(const struct feeler *feeler, const throng_avoid_walls *how, float dt, struct fan *fan);
/* From a target at `dp` from the agent. */
struct vec throng_steer_to_hide(const struct feeler *feeler, const throng_hide *how, struct vec dp);
struct vec throng_steer_along_walls(const struct feeler *feeler, const throng_hug_walls *how);

#endif
