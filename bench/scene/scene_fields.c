/* SPDX-License-Identifier: MIT */
#include "scene/scene_fields.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "scene/scene_zones.h"

static const json_field field_fields[] = {
    {.name = "goals", .kind = FIELD_OTHER},
    {.name = "zone_layers", .kind = FIELD_LAYERS, .offset = offsetof(scene_field, zone_layers)},
    {0},
};
static const json_field goal_fields[] = {
    {.name = "point", .kind = FIELD_VEC3, .offset = offsetof(scene_field_goal, point)},
    {.name = "radius", .kind = FIELD_FLOAT, .offset = offsetof(scene_field_goal, radius), .max = 1e9},
    {0},
};

/* Returns the list of 1 to `most` objects at `key`; NULL with a problem if there is none. `path` is for the message. */
static const cJSON *get_list(const json_file *json, const cJSON *object, const char *key, const char *path,
                             uint32_t most) {
  char allowed[64];
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, key), *item;
  snprintf(allowed, sizeof allowed, "a list of 1 to %u objects", most);
  bool good = cJSON_IsArray(list) && cJSON_GetArraySize(list) >= 1 && cJSON_GetArraySize(list) <= (int)most;
  cJSON_ArrayForEach(item, list) good = good && cJSON_IsObject(item);
  if (good) return list;
  json_refuse(json, list ? list : object, path, allowed);
  return NULL;
}

static bool read_field(const json_file *json, const cJSON *object, const char *path, scene_field *field) {
  char where[96];
  field->zone_layers = THRONG_ALL_LAYERS;
  if (!fields_read(json, object, path, field_fields, field)) return false;
  snprintf(where, sizeof where, "%s.goals", path);
  const cJSON *goals = get_list(json, object, "goals", where, SCENE_MAX_FIELD_GOALS), *goal;
  if (!goals) return false;
  cJSON_ArrayForEach(goal, goals) {
    snprintf(where, sizeof where, "%s.goals[%u]", path, field->goal_count);
    if (!fields_read(json, goal, where, goal_fields, &field->goals[field->goal_count++])) return false;
  }
  return true;
}

bool scene_read_fields(const json_file *json, bench_scene *scene) {
  if (!cJSON_GetObjectItemCaseSensitive(json->root, "flow_fields")) return true;
  const cJSON *list = get_list(json, json->root, "flow_fields", "flow_fields", THRONG_MAX_FLOW_FIELDS), *item;
  if (!list) return false;
  scene->fields = calloc((size_t)cJSON_GetArraySize(list), sizeof *scene->fields);
  if (!scene->fields) return problem_set(json->problem, "%s: out of memory", json->file);
  cJSON_ArrayForEach(item, list) {
    char where[64];
    snprintf(where, sizeof where, "flow_fields[%u]", scene->field_count);
    if (!read_field(json, item, where, &scene->fields[scene->field_count++])) return false;
  }
  return true;
}

/* Moves a goal from the box of `def` to the nearest free cell of a map. */
static void move_goal(scene_field_goal *goal, const throng_world_def *def, const scene_cells *cells) {
  const double across = ((double)goal->point.x - (double)def->box_min.x) / (double)(def->box_max.x - def->box_min.x);
  const double down = ((double)goal->point.z - (double)def->box_min.z) / (double)(def->box_max.z - def->box_min.z);
  double nearest = INFINITY;
  for (uint32_t k = 0; k < cells->free_count; k++) {
    const double i = cells->free[k] % cells->width + 0.5, j = cells->free[k] / cells->width + 0.5;
    const double dx = i - across * cells->width, dz = j - down * cells->height;
    if (dx * dx + dz * dz >= nearest) continue;
    nearest = dx * dx + dz * dz;
    goal->point.x = (float)((double)cells->origin_x + i * (double)cells->cell);
    goal->point.z = (float)((double)cells->origin_z + j * (double)cells->cell);
  }
}

void scene_move_goals(bench_scene *scene, const scene_cells *cells) {
  for (uint32_t f = 0; f < scene->field_count; f++)
    for (uint32_t g = 0; g < scene->fields[f].goal_count; g++)
      move_goal(&scene->fields[f].goals[g], &scene->world, cells);
}

/* Memory for fields that are computed at once: as many as the world has threads. */
typedef struct field_batch {
  uint32_t size;                                    /* fields at once */
  size_t cells;                                     /* of the map */
  float *vectors, *distance;                        /* [size][2 * cells], [size][cells] */
  float *cost;                                      /* [size][cells], if the scene has zones */
  throng_cells_def *map;                            /* [size] */
  throng_flow_request *request;                     /* [size] */
  throng_flow_goal (*goals)[SCENE_MAX_FIELD_GOALS]; /* [size] */
} field_batch;

static void batch_release(field_batch *batch) {
  free(batch->vectors);
  free(batch->distance);
  free(batch->cost);
  free(batch->map);
  free(batch->request);
  free(batch->goals);
}

static bool batch_create(field_batch *batch, const throng_world *world, const bench_scene *scene, throng_error *error) {
  const uint32_t threads = throng_world_get_def(world).thread_count;
  const size_t cells = (size_t)scene->cells.width * scene->cells.height;
  const size_t size = threads < scene->field_count ? threads : scene->field_count;
  *batch = (field_batch){.size = (uint32_t)size, .cells = cells};
  batch->vectors = malloc((2 * cells * size + 1) * sizeof *batch->vectors);
  batch->distance = malloc((cells * size + 1) * sizeof *batch->distance);
  batch->cost = scene_has_zones(scene) ? malloc((cells * size + 1) * sizeof *batch->cost) : NULL;
  batch->map = malloc((size + 1) * sizeof *batch->map);
  batch->request = malloc((size + 1) * sizeof *batch->request);
  batch->goals = malloc((size + 1) * sizeof *batch->goals);
  if (batch->vectors && batch->distance && (batch->cost || !scene_has_zones(scene)) && batch->map && batch->request &&
      batch->goals)
    return true;
  batch_release(batch);
  *error = (throng_error){.status = THRONG_ERROR_OUT_OF_MEMORY, .text = "no memory for the flow fields"};
  return false;
}

/* Computes the scene's fields from `first` on, up to batch->size of them. Returns how many; 0 with an error. */
static uint32_t batch_compute(field_batch *batch, throng_world *world, const bench_scene *scene, uint32_t first,
                              throng_error *error) {
  const uint32_t left = scene->field_count - first, count = left < batch->size ? left : batch->size;
  for (uint32_t k = 0; k < count; k++) {
    const scene_field *field = &scene->fields[first + k];
    for (uint32_t g = 0; g < field->goal_count; g++)
      batch->goals[k][g] = (throng_flow_goal){field->goals[g].point, field->goals[g].radius};
    batch->map[k] = scene_cells_def(&scene->cells);
    if (batch->cost) {
      float *cost = batch->cost + batch->cells * k;
      if (throng_world_compute_zone_costs(world, &batch->map[k], field->zone_layers, cost, error) != THRONG_OK)
        return 0;
      batch->map[k].cost = cost;
    }
    batch->request[k] =
        (throng_flow_request){&batch->map[k], batch->goals[k], field->goal_count, batch->vectors + 2 * batch->cells * k,
                              batch->distance + batch->cells * k};
  }
  return throng_world_compute_flow_fields(world, batch->request, count, NULL, error) == THRONG_OK ? count : 0;
}

bool scene_set_fields(throng_world *world, const bench_scene *scene, throng_error *error) {
  field_batch batch;
  if (!batch_create(&batch, world, scene, error)) return false;
  bool ok = true;
  for (uint32_t f = 0, count; f < scene->field_count && ok; f += count) {
    count = batch_compute(&batch, world, scene, f, error);
    ok = count > 0;
    for (uint32_t k = 0; k < count && ok; k++) {
      throng_flow_field_def def = throng_default_flow_field_def();
      def.width = scene->cells.width;
      def.height = scene->cells.height;
      def.cell = scene->cells.cell;
      def.origin.x = scene->cells.origin_x;
      def.origin.z = scene->cells.origin_z;
      def.vectors = batch.request[k].vectors;
      ok = throng_world_set_flow_field(world, f + k, &def, error) == THRONG_OK;
    }
  }
  batch_release(&batch);
  return ok;
}

/* Returns the index of the flow field that a group follows; scene->field_count if it follows none. */
static uint32_t followed(const bench_scene *scene, uint32_t group) {
  throng_group_def def = scene->groups[group].def;
  const throng_behaviour *follow = throng_group_def_find(&def, THRONG_BEHAVIOUR_FOLLOW_FIELD);
  if (!follow || follow->weight == 0 || follow->follow_field.index >= scene->field_count) return scene->field_count;
  return follow->follow_field.index;
}

/* Returns the index of the cell that has point p, or of the nearest cell. */
static uint32_t cell_of(const scene_cells *cells, throng_vec3 p) {
  const double i = floor(((double)p.x - (double)cells->origin_x) / (double)cells->cell),
               j = floor(((double)p.z - (double)cells->origin_z) / (double)cells->cell);
  const uint32_t column = i < 0              ? 0
                          : i < cells->width ? (uint32_t)i
                                             : cells->width - 1,
                 row = j < 0               ? 0
                       : j < cells->height ? (uint32_t)j
                                           : cells->height - 1;
  return row * cells->width + column;
}

bool scene_ways(throng_world *world, const bench_scene *scene, const bench_crowd *crowd, float *way,
                bench_problem *problem) {
  field_batch batch;
  throng_error error;
  if (!batch_create(&batch, world, scene, &error)) return problem_set(problem, "%s", error.text);
  for (uint32_t k = 0; k < crowd->count; k++) way[k] = NAN;
  for (uint32_t f = 0, count; f < scene->field_count; f += count) {
    count = batch_compute(&batch, world, scene, f, &error);
    if (count == 0) {
      batch_release(&batch);
      return problem_set(problem, "%s: flow_fields from %u on: %s", scene->file, f, error.text);
    }
    for (uint32_t k = 0; k < crowd->count; k++) {
      const uint32_t field = followed(scene, crowd->group[k]);
      if (field >= f && field < f + count)
        way[k] = batch.request[field - f].distance[cell_of(&scene->cells, crowd->position[k])];
    }
  }
  batch_release(&batch);
  return true;
}

scene_arrivals scene_count_arrivals(const bench_scene *scene, const bench_crowd *crowd, const float *before,
                                    const float *way) {
  scene_arrivals arrivals = {0};
  for (uint32_t k = 0; k < crowd->count; k++) {
    const throng_vec3 v = crowd->velocity[k];
    if (isnan(way[k])) continue;
    if (way[k] <= ARRIVED_METRES) {
      arrivals.arrived++;
      arrivals.speed += sqrt((double)(v.x * v.x + v.z * v.z)) / (double)scene->groups[crowd->group[k]].def.max_speed;
    } else if (way[k] == INFINITY) {
      arrivals.no_way++;
    } else if (way[k] > before[k] - 1.0f) {
      arrivals.stuck++;
    } else {
      arrivals.walking++;
    }
  }
  if (arrivals.arrived) arrivals.speed /= arrivals.arrived;
  return arrivals;
}
