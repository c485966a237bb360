/* scene_patterns.h: reads the patterns of movement of a scene file.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_SCENE_PATTERNS_H
#define BENCH_SCENE_PATTERNS_H

#include "scene/fields.h"
#include "scene/scene.h"

/* Reads the key "patterns", if the scene has it. */
bool scene_read_patterns(const json_file *json, bench_scene *scene);
void scene_release_patterns(bench_scene *scene);
/* Sets the scene's patterns in a world. */
bool scene_set_patterns(throng_world *world, const bench_scene *scene, throng_error *error);

#endif
