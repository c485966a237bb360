/* scene_zones.c: reads a scene's speed zones, and sets them in a world.
 * SPDX-License-Identifier: MIT */
#include "scene/scene_zones.h"

#include <float.h>
#include <stdlib.h>

#include "scene/scene_list.h"

#define AT(member) .name = #member, .offset = offsetof(throng_speed_zone, member)
#define SIZE .kind = FIELD_FLOAT, .max = (double)FLT_MAX, .above_min = true
static const char *const shape_names[] = {"circle", "rectangle", NULL};
static const json_field zone_fields[] = {
    {AT(centre), .kind = FIELD_VEC3},
    {AT(shape), .kind = FIELD_CHOICE, .choices = shape_names},
    {AT(radius), SIZE},
    {AT(width), SIZE},
    {AT(length), SIZE},
    {AT(yaw), .kind = FIELD_FLOAT, .min = -3.1415928, .max = 3.1415928},
    {AT(height), SIZE, .infinite = true},
    {AT(factor), .kind = FIELD_FLOAT, .max = 4.0, .above_min = true},
    {AT(mask), .kind = FIELD_LAYERS},
    {0},
};

static bool read_zone(const json_file *json, const cJSON *object, const char *path, bench_scene *scene, void *target) {
  (void)scene;
  *(throng_speed_zone *)target = throng_default_speed_zone();
  return fields_read(json, object, path, zone_fields, target);
}

bool scene_read_zones(const json_file *json, bench_scene *scene) {
  static const scene_list zones = {"speed_zones", 1, THRONG_MAX_SPEED_ZONES, NULL, sizeof(throng_speed_zone),
                                   read_zone};
  return !cJSON_GetObjectItemCaseSensitive(json->root, "speed_zones") ||
         scene_read_list(json, json->root, "", &zones, scene, (void **)&scene->zones.list, &scene->zones.count);
}

void scene_release_zones(bench_scene *scene) {
  free(scene->zones.list);
  scene->zones = (scene_zones){0};
}

bool scene_set_zones(throng_world *world, const bench_scene *scene, throng_error *error) {
  throng_speed_zones_def def = throng_default_speed_zones_def();
  def.zones = scene->zones.list;
  def.count = scene->zones.count;
  return throng_world_set_speed_zones(world, &def, error) == THRONG_OK;
}
