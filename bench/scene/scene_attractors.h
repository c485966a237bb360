/* scene_attractors.h: reads the attractors of a scene file.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_SCENE_ATTRACTORS_H
#define BENCH_SCENE_ATTRACTORS_H

#include "scene/fields.h"
#include "scene/scene.h"

/* Reads the key "attractors", if the scene has it. */
bool scene_read_attractors(const json_file *json, bench_scene *scene);
void scene_release_attractors(bench_scene *scene);
/* Sets the scene's attractors in a world. */
bool scene_set_attractors(throng_world *world, const bench_scene *scene, throng_error *error);

#endif
