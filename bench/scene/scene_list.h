/* scene_list.h: reads a list of a scene file into an array.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_SCENE_LIST_H
#define BENCH_SCENE_LIST_H

#include "scene/fields.h"
#include "scene/scene.h"

/* Reads one item of a list into `target`, an element of the array, which is zeroed. */
typedef bool scene_read_item(const json_file *json, const cJSON *item, const char *path, bench_scene *scene,
                             void *target);

typedef struct scene_list {
  const char *key;
  uint32_t least, most; /* items */
  const char *what;     /* the kind of item, for errors; NULL: items are objects, and the list checks that */
  size_t size;          /* of what an item is read into */
  scene_read_item *read;
} scene_list;

/* Reads the list of `object` into a new array. `path` is the path of the object, "" for the scene. *items and *count
 * are set before the first item is read; on failure they are released with the scene. */
bool scene_read_list(const json_file *json, const cJSON *object, const char *path, const scene_list *kind,
                     bench_scene *scene, void **items, uint32_t *count);

#endif
