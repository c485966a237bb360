/* scene_scenery.h: reads the shapes of a scene: circles and walls if it is planar, balls, boxes and planes if it is
 * spatial.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_SCENE_SCENERY_H
#define BENCH_SCENE_SCENERY_H

#include <stdbool.h>
#include <throng/throng.h>

#include "scene/fields.h"

/* The shapes, with the meanings of throng_scenery_def. */
typedef struct scene_scenery {
  uint32_t circle_count, wall_count, box_count, plane_count;
  bool balls; /* the circles are balls, whose centres have a y */
  throng_vec3 *centre, *from, *to;
  throng_vec3 *box_min, *box_max, *point, *normal;
  float *radius;
} scene_scenery;

/* Reads the "scenery" object of a scene file. The caller and the library check which shapes a planar or spatial world
 * may have. On failure scene_release frees what was read. */
bool scenery_read(const json_file *json, const cJSON *object, scene_scenery *scenery);
void scenery_release(scene_scenery *scenery);
throng_scenery_def scenery_def(const scene_scenery *scenery);
/* Whether the point is in no shape and at least `distance` metres from every shape. */
bool scenery_is_clear(const scene_scenery *scenery, double x, double y, double z, double distance);

#endif
