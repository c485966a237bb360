/* scene_seen.h: the periods of agents by the distance from which they are seen.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_SCENE_SEEN_H
#define BENCH_SCENE_SEEN_H

#include "scene/scene.h"

/* Sets the periods of all agents by their distances from scene->seen.from, in one of 16 frames. Does nothing in the
 * other frames, and in scenes that are seen from nowhere. Call it before each step. */
bool scene_set_periods(const bench_scene *scene, throng_world *world, throng_error *error);
/* Returns 0, 1, 2 or 3 for the period 1, 2, 4 or 8 of an agent at p; 0 in scenes that are seen from nowhere. */
uint32_t scene_period_level(const bench_scene *scene, throng_vec3 p);

#endif
