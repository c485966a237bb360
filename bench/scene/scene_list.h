/* A list of a scene file into an array.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_SCENE_LIST_H
#define BENCH_SCENE_LIST_H

#include "scene/fields.h"
#include "scene/scene.h"

/* Reads one item of a list; what `target` points at is one of the array, all zero. */
typedef bool scene_read_item(const json_file *json, const cJSON *item, const char *path, bench_scene *scene,
                             void *target);

typedef struct scene_list {
  const char *key;
  uint32_t least, most; /* items */
  const char *what;     /* what the items are, as an error names them; NULL: objects, which read need not check */
  size_t size;          /* of what an item is read into */
  scene_read_item *read;
} scene_list;

/* Reads the list of `object` into a new array; `path` is the object's, "" for the scene. *items and *count are set for
 * all the items before the first is read: what they hold on failure is released with the scene. */
bool scene_read_list(const json_file *json, const cJSON *object, const char *path, const scene_list *kind,
                     bench_scene *scene, void **items, uint32_t *count);

#endif
