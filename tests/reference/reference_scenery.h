/* tests/reference/reference_scenery.h: the behaviours that react to scenery, as in docs/ARITHMETIC.md, "Scenery". Each
 * function tests every shape and returns the wanted acceleration.
 * SPDX-License-Identifier: MIT */
#ifndef REFERENCE_SCENERY_H
#define REFERENCE_SCENERY_H

#include <throng/throng.h>

/* The agent that is steered. */
typedef struct ref_feeler {
  throng_vec3 p, v;  /* position and velocity */
  float body, limit; /* body radius; maximum acceleration, A in ARITHMETIC.md */
  uint32_t id;       /* id index */
  bool spatial;
  float speed;                   /* maximum speed, S in ARITHMETIC.md */
  const throng_cells_def *cells; /* NULL: none */
  bool box;                      /* the world is a box from low to high */
  throng_vec3 low, high;
  bool repeats[2]; /* the map repeats along x and z */
} ref_feeler;

throng_vec3 ref_avoid_obstacles(const throng_scenery_def *scenery, const ref_feeler *who,
                                const throng_avoid_obstacles *how);
/* fan[2] has the angle and the ray of the fan, as in THRONG_COLUMN_FAN. It is read and written only with
 * THRONG_RAYS_FAN. */
throng_vec3 ref_avoid_walls(const throng_scenery_def *scenery, const ref_feeler *who, const throng_avoid_walls *how,
                            float dt, float fan[2]);
/* `dp` is the vector from the agent to the target that it hides from. */
throng_vec3 ref_hide(const throng_scenery_def *scenery, const ref_feeler *who, const throng_hide *how, throng_vec3 dp);
throng_vec3 ref_hug_walls(const throng_scenery_def *scenery, const ref_feeler *who, const throng_hug_walls *how);
/* A surface near an agent: its distance, and the direction from it. */
typedef struct ref_surface {
  float distance;
  throng_vec3 normal;
} ref_surface;
/* Writes the shapes within `reach`, at most `most`, in ascending order of their numbers, then the nearest blocked cell
 * and the other wall of an inner corner. Returns how many they are. */
uint32_t ref_surfaces(const throng_scenery_def *scenery, const ref_feeler *who, float reach, ref_surface *out,
                      uint32_t most);
/* Returns the time in seconds after which a target that starts at q with velocity u meets scenery; `most` if it meets
 * none before. */
float ref_free_time(const throng_scenery_def *scenery, throng_vec3 q, throng_vec3 u, bool spatial, float most);

#endif
