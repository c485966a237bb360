/* Circles and walls of a planar scene, balls, boxes and planes of a spatial one.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_SCENE_SCENERY_H
#define BENCH_SCENE_SCENERY_H

#include <stdbool.h>
#include <throng/throng.h>

#include "scene/fields.h"

/* As throng_scenery_def has them. */
typedef struct scene_scenery {
  uint32_t circle_count, wall_count, box_count, plane_count;
  bool balls; /* the circles are balls: their centres have a y */
  throng_vec3 *centre, *from, *to;
  throng_vec3 *box_min, *box_max, *point, *normal;
  float *radius;
} scene_scenery;

/* The "scenery" object of a scene file. The library says which shapes a space has. What was read of it on failure is released with the scene. */
bool scenery_read(const json_file *json, const cJSON *object, scene_scenery *scenery);
void scenery_release(scene_scenery *scenery);
throng_scenery_def scenery_def(const scene_scenery *scenery);
/* Whether the point is at least `distance` metres away from every shape, and not in one. */
bool scenery_is_clear(const scene_scenery *scenery, double x, double y, double z, double distance);

#endif
