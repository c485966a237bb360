/* throng/attractors.h: points that attract or repel agents (THRONG_BEHAVIOUR_ATTRACTORS, throng/behaviour.h): lures,
 * exits, fires, fountains. A world has one list of them. Source: M 3.3.13 (throng/group.h lists the sources).
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_ATTRACTORS_H
#define THRONG_ATTRACTORS_H

#include "agents.h"
#include "base.h"
#include "group.h"

#ifdef __cplusplus
extern "C" {
#endif

#define THRONG_MAX_ATTRACTORS 1000u /* of a world */

/* How the acceleration s toward the point depends on the distance d, for d < radius. It is 0 at the radius and beyond,
 * and at the point itself. */
typedef enum throng_attractor_law {
  THRONG_ATTRACTOR_LINEAR = 0,    /* s = strength (radius - d) / radius: fades to 0 at the radius (default) */
  THRONG_ATTRACTOR_INVERSE_SQUARE /* s = strength l^2 / max(d, l)^2, with l = least_distance: the strength within
                                     least_distance, and less and less beyond. It ends abruptly at the radius */
} throng_attractor_law;

/* One attractor. */
typedef struct throng_attractor {
  throng_vec3 position;     /* metres, within the limit of positions; in the box or on a face along periodic axes. y is
                           ignored in planar worlds */
  float strength;           /* m/s^2 for every host, -1e9 to 1e9; negative repels (default 1) */
  float radius;             /* metres, > 0, at most the limit of positions (default 10); at most half of the shortest
                           periodic side */
  float least_distance;     /* metres, 1e-3 to 1e9 (default 1); the linear law does not use it */
  throng_attractor_law law; /* default THRONG_ATTRACTOR_LINEAR */
  uint32_t mask;            /* only agents of groups in these layers feel it (default THRONG_ALL_LAYERS) */
} throng_attractor;

/* An attractor at the origin, with the defaults. Thread-safe. */
THRONG_API throng_attractor throng_default_attractor(void);

/* The attractors of a world. */
typedef struct throng_attractors_def {
  const throng_attractor *attractors; /* [count]; copied */
  uint32_t count;                     /* 0 to 1000 (default 0) */
  uint32_t cookie;                    /* set by throng_default_attractors_def; do not touch */
} throng_attractors_def;

/* A definition without attractors. Thread-safe. */
THRONG_API throng_attractors_def throng_default_attractors_def(void);

/* Replaces the world's attractors, or removes them (def == NULL, or no attractors). All or nothing. They are in
 * snapshots and recordings, and throng_world_shift_origin shifts them. To move one, set the whole list again between
 * two frames: 1 000 attractors take about 0.5 ms, and up to 20 ms where many reach across periodic axes.
 * Errors: NULL_ARGUMENT, BAD_COOKIE, BAD_VALUE and NOT_FINITE (which member of which attractor), OUT_OF_RANGE (a
 * position beyond the world's limit, or outside of the box along a periodic axis), OUT_OF_MEMORY. Not thread-safe with
 * any other call on the same world. */
THRONG_API throng_status throng_world_set_attractors(throng_world *world, const throng_attractors_def *def,
                                                     throng_error *error);

/* Returns the number of the world's attractors; 0 for NULL. Thread-safe between steps. */
THRONG_API uint32_t throng_world_attractor_count(const throng_world *world);

#ifdef __cplusplus
}
#endif

#endif
