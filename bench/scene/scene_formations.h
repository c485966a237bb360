/* The formations of a scene file.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_SCENE_FORMATIONS_H
#define BENCH_SCENE_FORMATIONS_H

#include "scene/fields.h"
#include "scene/scene.h"

/* Reads the key "formations" of the scene, if it is there. */
bool scene_read_formations(const json_file *json, bench_scene *scene);
void scene_release_formations(bench_scene *scene);
/* Gives the scene's formations to a world; and, with the agents there, a place to each of those who keep one. */
bool scene_set_formations(throng_world *world, const bench_scene *scene, throng_error *error);
/* `left_over`, or NULL: how many of them have no place. Asking again changes nothing. */
bool scene_fill_formations(throng_world *world, const bench_scene *scene, uint32_t *left_over, throng_error *error);

#endif
