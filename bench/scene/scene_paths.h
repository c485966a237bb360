/* scene_paths.h: reads the paths of a scene file.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_SCENE_PATHS_H
#define BENCH_SCENE_PATHS_H

#include "scene/fields.h"
#include "scene/scene.h"

/* Reads [x, y, z]. Returns false if `item` is not a list of three finite numbers. */
bool scene_read_point(const cJSON *item, throng_vec3 *point);

/* Reads the key "paths", if the scene has it. */
bool scene_read_paths(const json_file *json, bench_scene *scene);
void scene_release_paths(bench_scene *scene);
/* Sets the scene's paths in a world. */
bool scene_set_paths(throng_world *world, const bench_scene *scene, throng_error *error);

#endif
