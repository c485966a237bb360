/* scene_list.h: reads a list of a scene file into an array.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_SCENE_LIST_H
#define BENCH_SCENE_LIST_H

#include "scene/fields.h"
#include "scene/scene.h"

/* A function that reads one item of a list into `target`, a zeroed element of the array. `path` is the item's path in
 * messages. */
typedef bool scene_read_item(const json_file *json, const cJSON *item, const char *path, bench_scene *scene,
                             void *target);

typedef struct scene_list {
  const char *key;
  uint32_t least, most;  /* minimum and maximum number of items */
  const char *what;      /* names the items in messages; NULL: every item must be an object, which is checked */
  size_t size;           /* bytes of an element of the array */
  scene_read_item *read; /* called for each item */
} scene_list;

/* Reads the list at the key kind->key of `object` into a new array. `path` is the object's path in messages; "" for the
 * whole scene. *items and *count are set before the first item is read, so that scene_release can free the array if an
 * item is refused. */
bool scene_read_list(const json_file *json, const cJSON *object, const char *path, const scene_list *kind,
                     bench_scene *scene, void **items, uint32_t *count);

#endif
