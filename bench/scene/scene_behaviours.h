/* scene_behaviours.h: reads a group's list of behaviours from a scene file.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_SCENE_BEHAVIOURS_H
#define BENCH_SCENE_BEHAVIOURS_H

#include <throng/throng.h>

#include "scene/fields.h"

/* Reads the key "behaviours" of a group's object into the definition, if the object has it. */
bool scene_read_behaviours(const json_file *json, const cJSON *group, const char *path, throng_group_def *def);

#endif
