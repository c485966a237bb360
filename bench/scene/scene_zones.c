/* scene_zones.c: reads a scene's speed zones and its raster, and sets them in a world.
 * SPDX-License-Identifier: MIT */
#include "scene/scene_zones.h"

#include <float.h>
#include <stdio.h>
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

#define MAX_SIDE 16384
#define AT_RASTER(member) .name = #member, .offset = offsetof(throng_speed_raster, member)
static const json_field raster_fields[] = {
    {AT_RASTER(cell), .kind = FIELD_FLOAT, .min = 1e-3, .max = 1e6},
    {AT_RASTER(origin), .kind = FIELD_VEC3},
    {AT_RASTER(mask), .kind = FIELD_LAYERS},
    {.name = "rows", .kind = FIELD_OTHER},
    {0},
};

/* Reads one row of factors; the first row says how many. */
static bool read_row(const json_file *json, const cJSON *row, uint32_t j, scene_zones *zones) {
  char path[48];
  uint32_t i = 0;
  const cJSON *value;
  snprintf(path, sizeof path, "speed_raster.rows[%u]", j);
  if (!cJSON_IsArray(row) || cJSON_GetArraySize(row) != (int)zones->raster.width)
    return json_refuse(json, row, path, "a list of as many numbers as the first row has, 1 to 16384");
  cJSON_ArrayForEach(value, row) {
    const float factor = (float)value->valuedouble;
    if (!cJSON_IsNumber(value) || !(factor >= FLT_MIN && factor <= 4.0f))
      return json_refuse(json, value, path, "numbers above 0, to 4");
    zones->factor[(size_t)j * zones->raster.width + i++] = factor;
  }
  return true;
}

static bool read_rows(const json_file *json, const cJSON *object, scene_zones *zones) {
  const cJSON *rows = cJSON_GetObjectItemCaseSensitive(object, "rows"), *row;
  const int height = cJSON_IsArray(rows) ? cJSON_GetArraySize(rows) : 0;
  const int width = height > 0 && cJSON_IsArray(rows->child) ? cJSON_GetArraySize(rows->child) : 0;
  if (height < 1 || height > MAX_SIDE || width < 1 || width > MAX_SIDE)
    return json_refuse(json, rows ? rows : object, "speed_raster.rows", "1 to 16384 lists of 1 to 16384 numbers");
  zones->raster.width = (uint32_t)width;
  zones->raster.height = (uint32_t)height;
  zones->factor = malloc((size_t)width * (size_t)height * sizeof *zones->factor);
  if (!zones->factor) return problem_at(json->problem, json->file, 1, "field 'speed_raster.rows': no memory");
  zones->raster.factor = zones->factor;
  uint32_t j = 0;
  cJSON_ArrayForEach(row, rows) {
    if (!read_row(json, row, j++, zones)) return false;
  }
  return true;
}

static bool read_raster(const json_file *json, scene_zones *zones) {
  const cJSON *object = cJSON_GetObjectItemCaseSensitive(json->root, "speed_raster");
  zones->raster = throng_default_speed_zones_def().raster;
  if (!object) return true;
  if (!cJSON_IsObject(object)) return json_refuse(json, object, "speed_raster", "an object { ... }");
  return fields_read(json, object, "speed_raster", raster_fields, &zones->raster) && read_rows(json, object, zones);
}

bool scene_read_zones(const json_file *json, bench_scene *scene) {
  static const scene_list zones = {"speed_zones", 1, THRONG_MAX_SPEED_ZONES, NULL, sizeof(throng_speed_zone),
                                   read_zone};
  if (!read_raster(json, &scene->zones)) return false;
  return !cJSON_GetObjectItemCaseSensitive(json->root, "speed_zones") ||
         scene_read_list(json, json->root, "", &zones, scene, (void **)&scene->zones.list, &scene->zones.count);
}

void scene_release_zones(bench_scene *scene) {
  free(scene->zones.list);
  free(scene->zones.factor);
  scene->zones = (scene_zones){0};
}

bool scene_has_zones(const bench_scene *scene) { return scene->zones.count > 0 || scene->zones.factor; }

bool scene_set_zones(throng_world *world, const bench_scene *scene, throng_error *error) {
  throng_speed_zones_def def = throng_default_speed_zones_def();
  def.zones = scene->zones.list;
  def.count = scene->zones.count;
  def.raster = scene->zones.raster;
  return throng_world_set_speed_zones(world, &def, error) == THRONG_OK;
}
