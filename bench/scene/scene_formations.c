/* scene_formations.c: reads a scene's formations, sets them in a world and fills their places.
 * SPDX-License-Identifier: MIT */
#include "scene/scene_formations.h"

#include <stdlib.h>

#include "scene/scene_list.h"
#include "scene/scene_paths.h"

static const json_field formation_fields[] = {{.name = "places", .kind = FIELD_OTHER}, {0}};

static bool read_place(const json_file *json, const cJSON *item, const char *path, bench_scene *scene, void *target) {
  (void)scene;
  return scene_read_point(item, target) || json_refuse(json, item, path, "three finite numbers [right, up, forward]");
}

static bool read_formation(const json_file *json, const cJSON *object, const char *path, bench_scene *scene,
                           void *target) {
  static const scene_list places = {
      "places", 1, THRONG_MAX_FORMATION_PLACES, "places [right, up, forward]", sizeof(throng_vec3), read_place};
  scene_formation *read = target;
  return fields_read(json, object, path, formation_fields, read) &&
         scene_read_list(json, object, path, &places, scene, (void **)&read->places, &read->count);
}

bool scene_read_formations(const json_file *json, bench_scene *scene) {
  static const scene_list formations = {"formations",  1, THRONG_MAX_FORMATIONS, NULL, sizeof(scene_formation),
                                        read_formation};
  return !cJSON_GetObjectItemCaseSensitive(json->root, "formations") ||
         scene_read_list(json, json->root, "", &formations, scene, (void **)&scene->formations,
                         &scene->formation_count);
}

void scene_release_formations(bench_scene *scene) {
  for (uint32_t k = 0; k < scene->formation_count; k++) free(scene->formations[k].places);
  free(scene->formations);
  scene->formations = NULL;
  scene->formation_count = 0;
}

bool scene_set_formations(throng_world *world, const bench_scene *scene, throng_error *error) {
  for (uint32_t k = 0; k < scene->formation_count; k++) {
    throng_formation_def def = throng_default_formation_def();
    def.places.data = scene->formations[k].places;
    def.count = scene->formations[k].count;
    if (throng_world_set_formation(world, k, &def, error) != THRONG_OK) return false;
  }
  return true;
}

bool scene_fill_formations(throng_world *world, const bench_scene *scene, uint32_t *left_over, throng_error *error) {
  throng_formation_fill fill;
  if (left_over) *left_over = 0;
  for (uint32_t g = 0; g < scene->group_count; g++) {
    throng_group_def def = scene->groups[g].def;
    const throng_behaviour *b = throng_group_def_find(&def, THRONG_BEHAVIOUR_FORMATION);
    if (!b || b->weight == 0) continue;
    if (throng_world_fill_formation(world, g, &fill, error) != THRONG_OK) return false;
    if (left_over) *left_over += fill.left_over;
  }
  return true;
}
