/* The patterns of movement of a scene file.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_SCENE_PATTERNS_H
#define BENCH_SCENE_PATTERNS_H

#include "scene/fields.h"
#include "scene/scene.h"

/* Reads the key "patterns" of the scene, if it is there. */
bool scene_read_patterns(const json_file *json, bench_scene *scene);
void scene_release_patterns(bench_scene *scene);
/* Gives the scene's patterns to a world. */
bool scene_set_patterns(throng_world *world, const bench_scene *scene, throng_error *error);

#endif
