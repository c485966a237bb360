/* scene_attractors.c: reads a scene's attractors, and sets them in a world.
 * SPDX-License-Identifier: MIT */
#include "scene/scene_attractors.h"

#include <float.h>
#include <stdlib.h>

#include "scene/scene_list.h"

#define AT(member) .name = #member, .offset = offsetof(throng_attractor, member)
static const char *const law_names[] = {"linear", "inverse_square", NULL};
static const json_field attractor_fields[] = {
    {AT(position), .kind = FIELD_VEC3},
    {AT(strength), .kind = FIELD_FLOAT, .min = -1e9, .max = 1e9},
    {AT(radius), .kind = FIELD_FLOAT, .max = (double)FLT_MAX, .above_min = true},
    {AT(least_distance), .kind = FIELD_FLOAT, .min = 1e-3, .max = 1e9},
    {AT(law), .kind = FIELD_CHOICE, .choices = law_names},
    {AT(mask), .kind = FIELD_LAYERS},
    {0},
};

static bool read_attractor(const json_file *json, const cJSON *object, const char *path, bench_scene *scene,
                           void *target) {
  (void)scene;
  *(throng_attractor *)target = throng_default_attractor();
  return fields_read(json, object, path, attractor_fields, target);
}

bool scene_read_attractors(const json_file *json, bench_scene *scene) {
  static const scene_list attractors = {"attractors",  1, THRONG_MAX_ATTRACTORS, NULL, sizeof(throng_attractor),
                                        read_attractor};
  return !cJSON_GetObjectItemCaseSensitive(json->root, "attractors") ||
         scene_read_list(json, json->root, "", &attractors, scene, (void **)&scene->attractors.list,
                         &scene->attractors.count);
}

void scene_release_attractors(bench_scene *scene) {
  free(scene->attractors.list);
  scene->attractors = (scene_attractors){0};
}

bool scene_set_attractors(throng_world *world, const bench_scene *scene, throng_error *error) {
  throng_attractors_def def = throng_default_attractors_def();
  def.attractors = scene->attractors.list;
  def.count = scene->attractors.count;
  return throng_world_set_attractors(world, &def, error) == THRONG_OK;
}
