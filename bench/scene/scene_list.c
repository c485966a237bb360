/* SPDX-License-Identifier: MIT */
#include "scene/scene_list.h"

#include <stdio.h>
#include <stdlib.h>

bool scene_read_list(const json_file *json, const cJSON *object, const char *path, const scene_list *kind,
                     bench_scene *scene, void **items, uint32_t *count) {
  char list_path[64], where[80], allowed[80];
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, kind->key), *item;
  const int size = cJSON_GetArraySize(list);
  snprintf(list_path, sizeof list_path, "%s%s%s", path, *path ? "." : "", kind->key);
  snprintf(allowed, sizeof allowed, "a list of %u to %u %s", kind->least, kind->most,
           kind->what ? kind->what : "objects");
  if (!cJSON_IsArray(list) || size < (int)kind->least || size > (int)kind->most)
    return json_refuse(json, list ? list : object, list_path, allowed);
  *items = calloc((size_t)size, kind->size);
  if (!*items) return problem_set(json->problem, "%s: out of memory", json->file);
  *count = (uint32_t)size;
  char *target = *items;
  uint32_t index = 0;
  cJSON_ArrayForEach(item, list) {
    snprintf(where, sizeof where, "%s[%u]", list_path, index++);
    if (!kind->what && !cJSON_IsObject(item)) return json_refuse(json, item, where, "an object { ... }");
    if (!kind->read(json, item, where, scene, target)) return false;
    target += kind->size;
  }
  return true;
}
