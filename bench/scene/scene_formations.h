/* scene_formations.h: reads the formations of a scene file.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_SCENE_FORMATIONS_H
#define BENCH_SCENE_FORMATIONS_H

#include "scene/fields.h"
#include "scene/scene.h"

/* Reads the key "formations", if the scene has it. */
bool scene_read_formations(const json_file *json, bench_scene *scene);
void scene_release_formations(bench_scene *scene);
/* Sets the scene's formations in a world. */
bool scene_set_formations(throng_world *world, const bench_scene *scene, throng_error *error);
/* Gives places to the agents of each group that keeps a formation. *left_over: how many of these agents have no place;
 * may be NULL. A second call changes nothing. */
bool scene_fill_formations(throng_world *world, const bench_scene *scene, uint32_t *left_over, throng_error *error);

#endif
