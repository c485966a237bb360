/* scene_paths.c: reads a scene's paths, a list of polylines, and sets them in a world.
 * SPDX-License-Identifier: MIT */
#include "scene/scene_paths.h"

#include <math.h>
#include <stdlib.h>

#include "scene/scene_list.h"

static const json_field path_fields[] = {
    {.name = "closed", .kind = FIELD_BOOL, .offset = offsetof(scene_path, closed)},
    {.name = "points", .kind = FIELD_OTHER},
    {0},
};

bool scene_read_point(const cJSON *item, throng_vec3 *point) {
  float *const values[3] = {&point->x, &point->y, &point->z};
  if (!cJSON_IsArray(item) || cJSON_GetArraySize(item) != 3) return false;
  for (int c = 0; c < 3; c++) {
    const cJSON *number = cJSON_GetArrayItem(item, c);
    if (!cJSON_IsNumber(number)) return false;
    *values[c] = (float)number->valuedouble;
    if (!isfinite(*values[c])) return false;
  }
  return true;
}

static bool read_path_point(const json_file *json, const cJSON *item, const char *path, bench_scene *scene,
                            void *target) {
  (void)scene;
  return scene_read_point(item, target) || json_refuse(json, item, path, "three finite numbers [x, y, z]");
}

static bool read_path(const json_file *json, const cJSON *object, const char *path, bench_scene *scene, void *target) {
  static const scene_list points = {"points",       2, THRONG_MAX_PATH_POINTS, "points [x, y, z]", sizeof(throng_vec3),
                                    read_path_point};
  scene_path *read = target;
  return fields_read(json, object, path, path_fields, read) &&
         scene_read_list(json, object, path, &points, scene, (void **)&read->points, &read->count);
}

bool scene_read_paths(const json_file *json, bench_scene *scene) {
  static const scene_list paths = {"paths", 1, THRONG_MAX_PATHS, NULL, sizeof(scene_path), read_path};
  return !cJSON_GetObjectItemCaseSensitive(json->root, "paths") ||
         scene_read_list(json, json->root, "", &paths, scene, (void **)&scene->paths, &scene->path_count);
}

void scene_release_paths(bench_scene *scene) {
  for (uint32_t k = 0; k < scene->path_count; k++) free(scene->paths[k].points);
  free(scene->paths);
  scene->paths = NULL;
  scene->path_count = 0;
}

bool scene_set_paths(throng_world *world, const bench_scene *scene, throng_error *error) {
  for (uint32_t k = 0; k < scene->path_count; k++) {
    throng_path_def def = throng_default_path_def();
    def.points.data = scene->paths[k].points;
    def.count = scene->paths[k].count;
    def.closed = scene->paths[k].closed;
    if (throng_world_set_path(world, k, &def, error) != THRONG_OK) return false;
  }
  return true;
}
