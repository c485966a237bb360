/* scene_zones.h: reads the speed zones of a scene file.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_SCENE_ZONES_H
#define BENCH_SCENE_ZONES_H

#include "scene/fields.h"
#include "scene/scene.h"

/* Reads the keys "speed_zones" and "speed_raster", if the scene has them. */
bool scene_read_zones(const json_file *json, bench_scene *scene);
void scene_release_zones(bench_scene *scene);
/* Whether the scene has zones or a raster. */
bool scene_has_zones(const bench_scene *scene);
/* Sets the scene's speed zones and raster in a world. */
bool scene_set_zones(throng_world *world, const bench_scene *scene, throng_error *error);

#endif
