/* A scene's formations: a list of lists of slots, numbered from 0.
 * SPDX-License-Identifier: MIT */
#include "scene_formations.h"

#include <stdio.h>
#include <stdlib.h>

#include "scene_paths.h"

static const json_field formation_fields[] = {{.name = "slots", .kind = FIELD_OTHER}, {0}};

static bool read_formation(const json_file *json, const cJSON *object, const char *path, scene_formation *target) {
  char where[64], allowed[80];
  if (!cJSON_IsObject(object)) return json_refuse(json, object, path, "an object { ... }");
  if (!fields_read(json, object, path, formation_fields, target)) return false;
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, "slots"), *item;
  const int count = cJSON_GetArraySize(list);
  snprintf(where, sizeof where, "%s.slots", path);
  snprintf(allowed, sizeof allowed, "a list of 1 to %u slots [right, up, forward]", THRONG_MAX_FORMATION_SLOTS);
  if (!cJSON_IsArray(list) || count < 1 || count > (int)THRONG_MAX_FORMATION_SLOTS)
    return json_refuse(json, list ? list : object, where, allowed);
  target->slots = calloc((size_t)count, sizeof *target->slots);
  if (!target->slots) return problem_set(json->problem, "%s: out of memory", json->file);
  cJSON_ArrayForEach(item, list) {
    snprintf(where, sizeof where, "%s.slots[%u]", path, target->count);
    if (!scene_read_point(item, &target->slots[target->count++]))
      return json_refuse(json, item, where, "three finite numbers [right, up, forward]");
  }
  return true;
}

bool scene_read_formations(const json_file *json, bench_scene *scene) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(json->root, "formations"), *item;
  char allowed[64];
  if (!list) return true;
  snprintf(allowed, sizeof allowed, "a list of 1 to %u objects", THRONG_MAX_FORMATIONS);
  const int count = cJSON_GetArraySize(list);
  if (!cJSON_IsArray(list) || count < 1 || count > (int)THRONG_MAX_FORMATIONS)
    return json_refuse(json, list, "formations", allowed);
  scene->formations = calloc((size_t)count, sizeof *scene->formations);
  if (!scene->formations) return problem_set(json->problem, "%s: out of memory", json->file);
  cJSON_ArrayForEach(item, list) {
    char where[32];
    snprintf(where, sizeof where, "formations[%u]", scene->formation_count);
    if (!read_formation(json, item, where, &scene->formations[scene->formation_count++])) return false;
  }
  return true;
}

void scene_release_formations(bench_scene *scene) {
  for (uint32_t k = 0; k < scene->formation_count; k++) free(scene->formations[k].slots);
  free(scene->formations);
  scene->formations = NULL;
  scene->formation_count = 0;
}

bool scene_set_formations(throng_world *world, const bench_scene *scene, throng_error *error) {
  for (uint32_t k = 0; k < scene->formation_count; k++) {
    throng_formation_def def = throng_default_formation_def();
    def.slots.data = scene->formations[k].slots;
    def.count = scene->formations[k].count;
    if (throng_world_set_formation(world, k, &def, error) != THRONG_OK) return false;
  }
  return true;
}

bool scene_fill_formations(throng_world *world, const bench_scene *scene, throng_error *error) {
  for (uint32_t g = 0; g < scene->group_count; g++) {
    throng_group_def def = scene->groups[g].def;
    const throng_behaviour *b = throng_group_def_find(&def, THRONG_BEHAVIOUR_FORMATION);
    if (!b || b->weight == 0) continue;
    if (throng_world_fill_formation(world, g, NULL, error) != THRONG_OK) return false;
  }
  return true;
}
