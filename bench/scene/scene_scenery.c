/* SPDX-License-Identifier: MIT */
#include "scene/scene_scenery.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "scene/scene.h"

#define MAX_LISTS 65536

/* Checks that `list` has at least `least` finite numbers, and that their number is a multiple of `step`. */
static bool check_numbers(const json_file *json, const cJSON *list, const char *path, int least, int step,
                          const char *allowed) {
  const cJSON *item;
  const int size = cJSON_GetArraySize(list);
  bool good = cJSON_IsArray(list) && size >= least && size % step == 0;
  cJSON_ArrayForEach(item, list) good = good && cJSON_IsNumber(item) && isfinite((float)item->valuedouble);
  return good || json_refuse(json, list, path, allowed);
}
static float number(const cJSON *list, int k) { return (float)cJSON_GetArrayItem(list, k)->valuedouble; }
static throng_vec3 point(const cJSON *list, int k) { return (throng_vec3){number(list, k), 0, number(list, k + 1)}; }
static throng_vec3 spatial_point(const cJSON *list, int k) {
  return (throng_vec3){number(list, k), number(list, k + 1), number(list, k + 2)};
}

/* Sets *lists to the value of `key`; NULL if the object has no such key. Checks that it is a list of at most MAX_LISTS
 * items. */
static bool check_lists(const json_file *json, const cJSON *object, const char *key, const char *path,
                        const cJSON **lists) {
  *lists = cJSON_GetObjectItemCaseSensitive(object, key);
  if (!*lists || (cJSON_IsArray(*lists) && cJSON_GetArraySize(*lists) <= MAX_LISTS)) return true;
  return json_refuse(json, *lists, path, "a list of up to 65536 lists of numbers");
}

/* Reads circles, or balls if scenery->balls is set. */
static bool read_circles(const json_file *json, const cJSON *lists, scene_scenery *scenery) {
  const bool balls = scenery->balls;
  const char *allowed = balls ? "[x, y, z, radius], the radius above 0" : "[x, z, radius], the radius above 0";
  const int numbers = balls ? 4 : 3;
  const size_t count = (size_t)cJSON_GetArraySize(lists);
  const cJSON *item;
  char path[64];
  scenery->centre = calloc(count + 1, sizeof *scenery->centre);
  scenery->radius = calloc(count + 1, sizeof *scenery->radius);
  if (!scenery->centre || !scenery->radius) return problem_set(json->problem, "%s: out of memory", json->file);
  cJSON_ArrayForEach(item, lists) {
    snprintf(path, sizeof path, "scenery.%s[%u]", balls ? "balls" : "circles", scenery->circle_count);
    if (!check_numbers(json, item, path, numbers, numbers, allowed)) return false;
    const float radius = number(item, numbers - 1);
    if (cJSON_GetArraySize(item) != numbers || !(radius > 0)) return json_refuse(json, item, path, allowed);
    scenery->centre[scenery->circle_count] = balls ? spatial_point(item, 0) : point(item, 0);
    scenery->radius[scenery->circle_count++] = radius;
  }
  return true;
}

/* Reads walls. Each list is a polyline; each of its segments is a wall. */
static bool read_walls(const json_file *json, const cJSON *lists, scene_scenery *scenery) {
  size_t count = 0;
  const cJSON *item;
  char path[64];
  uint32_t line = 0;
  cJSON_ArrayForEach(item, lists) count += (size_t)cJSON_GetArraySize(item) / 2;
  scenery->from = calloc(count + 1, sizeof *scenery->from);
  scenery->to = calloc(count + 1, sizeof *scenery->to);
  if (!scenery->from || !scenery->to) return problem_set(json->problem, "%s: out of memory", json->file);
  cJSON_ArrayForEach(item, lists) {
    snprintf(path, sizeof path, "scenery.walls[%u]", line++);
    if (!check_numbers(json, item, path, 4, 2, "[x, z, x, z, ...], at least two points")) return false;
    for (int k = 0; k + 3 < cJSON_GetArraySize(item); k += 2) {
      scenery->from[scenery->wall_count] = point(item, k);
      scenery->to[scenery->wall_count++] = point(item, k + 2);
    }
  }
  return true;
}

/* Reads pairs of vectors, six numbers per pair. */
static bool read_pairs(const json_file *json, const cJSON *lists, const char *key, const char *allowed,
                       throng_vec3 **first, throng_vec3 **second, uint32_t *pairs) {
  const size_t count = (size_t)cJSON_GetArraySize(lists);
  const cJSON *item;
  char path[64];
  *first = calloc(count + 1, sizeof **first);
  *second = calloc(count + 1, sizeof **second);
  if (!*first || !*second) return problem_set(json->problem, "%s: out of memory", json->file);
  cJSON_ArrayForEach(item, lists) {
    snprintf(path, sizeof path, "scenery.%s[%u]", key, *pairs);
    if (!check_numbers(json, item, path, 6, 6, allowed)) return false;
    if (cJSON_GetArraySize(item) != 6) return json_refuse(json, item, path, allowed);
    (*first)[*pairs] = spatial_point(item, 0);
    (*second)[(*pairs)++] = spatial_point(item, 3);
  }
  return true;
}

bool scenery_read(const json_file *json, const cJSON *object, scene_scenery *scenery) {
  static const json_field fields[] = {{.name = "circles", .kind = FIELD_OTHER}, {.name = "balls", .kind = FIELD_OTHER},
                                      {.name = "walls", .kind = FIELD_OTHER},   {.name = "boxes", .kind = FIELD_OTHER},
                                      {.name = "planes", .kind = FIELD_OTHER},  {0}};
  const cJSON *circles, *balls, *walls, *boxes, *planes;
  scenery->balls = cJSON_GetObjectItemCaseSensitive(object, "balls") != NULL;
  return fields_read(json, object, "scenery", fields, scenery) &&
         check_lists(json, object, "circles", "scenery.circles", &circles) &&
         check_lists(json, object, "balls", "scenery.balls", &balls) &&
         check_lists(json, object, "walls", "scenery.walls", &walls) &&
         check_lists(json, object, "boxes", "scenery.boxes", &boxes) &&
         check_lists(json, object, "planes", "scenery.planes", &planes) &&
         read_circles(json, balls ? balls : circles, scenery) && read_walls(json, walls, scenery) &&
         read_pairs(json, boxes, "boxes", "[x, y, z, x, y, z], the minimum and the maximum corner", &scenery->box_min,
                    &scenery->box_max, &scenery->box_count) &&
         read_pairs(json, planes, "planes", "[x, y, z, x, y, z], a point and the normal", &scenery->point,
                    &scenery->normal, &scenery->plane_count);
}

void scenery_release(scene_scenery *scenery) {
  free(scenery->centre);
  free(scenery->radius);
  free(scenery->from);
  free(scenery->to);
  free(scenery->box_min);
  free(scenery->box_max);
  free(scenery->point);
  free(scenery->normal);
  *scenery = (scene_scenery){0};
}

throng_scenery_def scenery_def(const scene_scenery *scenery) {
  throng_scenery_def def = throng_default_scenery_def();
  def.obstacle_centre.data = scenery->centre;
  def.obstacle_radius.data = scenery->radius;
  def.obstacle_count = scenery->circle_count;
  def.wall_from.data = scenery->from;
  def.wall_to.data = scenery->to;
  def.wall_count = scenery->wall_count;
  def.box_min.data = scenery->box_min;
  def.box_max.data = scenery->box_max;
  def.box_count = scenery->box_count;
  def.plane_point.data = scenery->point;
  def.plane_normal.data = scenery->normal;
  def.plane_count = scenery->plane_count;
  return def;
}

/* Returns how far q is outside [low, high]; 0 inside. */
static double outside(float low, float high, double q) { return fmax(fmax((double)low - q, q - (double)high), 0); }

static bool solids_are_clear(const scene_scenery *scenery, double x, double y, double z, double distance) {
  for (uint32_t k = 0; k < scenery->box_count; k++) {
    const throng_vec3 *low = &scenery->box_min[k], *high = &scenery->box_max[k];
    const double dx = outside(low->x, high->x, x), dy = outside(low->y, high->y, y), dz = outside(low->z, high->z, z);
    if (dx * dx + dy * dy + dz * dz <= distance * distance) return false;
  }
  for (uint32_t k = 0; k < scenery->plane_count; k++) {
    const throng_vec3 *p = &scenery->point[k], *n = &scenery->normal[k];
    const double nx = (double)n->x, ny = (double)n->y, nz = (double)n->z;
    const double above = (x - (double)p->x) * nx + (y - (double)p->y) * ny + (z - (double)p->z) * nz;
    if (above <= distance * sqrt(nx * nx + ny * ny + nz * nz)) return false;
  }
  return true;
}

bool scenery_is_clear(const scene_scenery *scenery, double x, double y, double z, double distance) {
  for (uint32_t k = 0; k < scenery->circle_count; k++) {
    const double dx = x - (double)scenery->centre[k].x, dz = z - (double)scenery->centre[k].z;
    const double dy = scenery->balls ? y - (double)scenery->centre[k].y : 0;
    const double reach = (double)scenery->radius[k] + distance;
    if (dx * dx + dy * dy + dz * dz < reach * reach) return false;
  }
  for (uint32_t k = 0; k < scenery->wall_count; k++) {
    const double ax = (double)scenery->from[k].x, az = (double)scenery->from[k].z;
    const double ex = (double)scenery->to[k].x - ax, ez = (double)scenery->to[k].z - az;
    double t = ((x - ax) * ex + (z - az) * ez) / (ex * ex + ez * ez);
    t = t > 0 ? (t < 1 ? t : 1) : 0;
    const double dx = x - (ax + ex * t), dz = z - (az + ez * t);
    if (dx * dx + dz * dz < distance * distance) return false;
  }
  return solids_are_clear(scenery, x, y, z, distance);
}

throng_cells_def scene_cells_def(const scene_cells *cells) {
  throng_cells_def def = throng_default_cells_def();
  def.width = cells->width;
  def.height = cells->height;
  def.cell = cells->cell;
  def.origin.x = cells->origin_x;
  def.origin.z = cells->origin_z;
  def.blocked = cells->blocked;
  return def;
}
