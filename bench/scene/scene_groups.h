/* Reads the groups of a scene file.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_SCENE_GROUPS_H
#define BENCH_SCENE_GROUPS_H

#include "scene/scene.h"

/* Reads one item of the list "groups" into `target`, a scene_group. */
bool scene_read_group(const json_file *json, const cJSON *object, const char *path, bench_scene *scene, void *target);

#endif
