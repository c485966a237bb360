/* tests/reference/reference_scenery.h: what an agent feels of the scenery, from docs/ARITHMETIC.md "Scenery": every
 * shape in turn.
 * SPDX-License-Identifier: MIT */
#ifndef REFERENCE_SCENERY_H
#define REFERENCE_SCENERY_H

#include <throng/throng.h>

/* Who feels. */
typedef struct ref_feeler {
  throng_vec3 p, v;
  float body, limit; /* A */
  uint32_t id;
  bool spatial;
  float speed; /* S */
} ref_feeler;

throng_vec3 ref_avoid_obstacles(const throng_scenery_def *scenery, const ref_feeler *who,
                                const throng_avoid_obstacles *how);
/* fan[2]: angle and ray, as THRONG_COLUMN_FAN has them. */
throng_vec3 ref_avoid_walls(const throng_scenery_def *scenery, const ref_feeler *who, const throng_avoid_walls *how,
                            float dt, float fan[2]);
/* `dp`: from who hides to the target. */
throng_vec3 ref_hide(const throng_scenery_def *scenery, const ref_feeler *who, const throng_hide *how, throng_vec3 dp);
throng_vec3 ref_hug_walls(const throng_scenery_def *scenery, const ref_feeler *who, const throng_hug_walls *how);
/* The seconds that a target moves freely, at most `most`. */
float ref_free_time(const throng_scenery_def *scenery, throng_vec3 q, throng_vec3 u, bool spatial, float most);

#endif
