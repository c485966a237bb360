/* A scene's paths: a list of polylines, numbered from 0.
 * SPDX-License-Identifier: MIT */
#include "scene_paths.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

static bool read_path(const json_file *json, const cJSON *object, const char *path, scene_path *target) {
  char where[64], allowed[64];
  if (!cJSON_IsObject(object)) return json_refuse(json, object, path, "an object { ... }");
  if (!fields_read(json, object, path, path_fields, target)) return false;
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, "points"), *item;
  const int count = cJSON_GetArraySize(list);
  snprintf(where, sizeof where, "%s.points", path);
  snprintf(allowed, sizeof allowed, "a list of 2 to %u points [x, y, z]", THRONG_MAX_PATH_POINTS);
  if (!cJSON_IsArray(list) || count < 2 || count > (int)THRONG_MAX_PATH_POINTS)
    return json_refuse(json, list ? list : object, where, allowed);
  target->points = calloc((size_t)count, sizeof *target->points);
  if (!target->points) return problem_set(json->problem, "%s: out of memory", json->file);
  cJSON_ArrayForEach(item, list) {
    snprintf(where, sizeof where, "%s.points[%u]", path, target->count);
    if (!scene_read_point(item, &target->points[target->count++]))
      return json_refuse(json, item, where, "three finite numbers [x, y, z]");
  }
  return true;
}

bool scene_read_paths(const json_file *json, bench_scene *scene) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(json->root, "paths"), *item;
  char allowed[64];
  if (!list) return true;
  snprintf(allowed, sizeof allowed, "a list of 1 to %u objects", THRONG_MAX_PATHS);
  const int count = cJSON_GetArraySize(list);
  if (!cJSON_IsArray(list) || count < 1 || count > (int)THRONG_MAX_PATHS)
    return json_refuse(json, list, "paths", allowed);
  scene->paths = calloc((size_t)count, sizeof *scene->paths);
  if (!scene->paths) return problem_set(json->problem, "%s: out of memory", json->file);
  cJSON_ArrayForEach(item, list) {
    char where[32];
    snprintf(where, sizeof where, "paths[%u]", scene->path_count);
    if (!read_path(json, item, where, &scene->paths[scene->path_count++])) return false;
  }
  return true;
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
