/* The paths of a scene file.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_SCENE_PATHS_H
#define BENCH_SCENE_PATHS_H

#include "scene/fields.h"
#include "scene/scene.h"

/* [x, y, z], finite */
bool scene_read_point(const cJSON *item, throng_vec3 *point);

/* Reads the key "paths" of the scene, if it is there. */
bool scene_read_paths(const json_file *json, bench_scene *scene);
void scene_release_paths(bench_scene *scene);
/* Gives the scene's paths to a world. */
bool scene_set_paths(throng_world *world, const bench_scene *scene, throng_error *error);

#endif
