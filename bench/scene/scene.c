/* scene.c: reads and checks scene files.
 * SPDX-License-Identifier: MIT */
#include "scene/scene.h"
#include "scene/scene_attractors.h"
#include "scene/scene_fields.h"
#include "scene/scene_formations.h"
#include "scene/scene_groups.h"
#include "scene/scene_list.h"
#include "scene/scene_paths.h"
#include "scene/scene_patterns.h"
#include "scene/scene_zones.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SCENE_BYTES ((size_t)16 << 20)
#define MAX_LIST 65536u /* spawns and obstacles */

static const char *const space_names[] = {"planar", "spatial", NULL};
static const char *const boundary_names[] = {"unbounded", "box", "periodic", NULL};
static const char *const law_names[] = {"inverse", "linear", "inverse_square", NULL};
static const char *const update_names[] = {"semi_implicit", "explicit", "ballistic", NULL};
static const char *const region_names[] = {"box", "disc", "clumps", NULL};
static const char *const goal_names[] = {"none", "point", "opposite", "offset", "region", NULL};
static const char *const obstacle_names[] = {"circle", "box", NULL};

/* A row of a table: member `m` of the struct `s`; the key is the member's name. */
#define AT(s, m) .name = #m, .offset = offsetof(s, m)
#define NUMBER .kind = FIELD_FLOAT
#define FROM_0 NUMBER, .min = 0, .max = (double)FLT_MAX
#define ABOVE_0 FROM_0, .above_min = true
#define OBJECT(table) .kind = FIELD_OBJECT, .fields = (table)
#define CHOICE(names) .kind = FIELD_CHOICE, .choices = (names)
#define OTHER(key) .name = (key), .kind = FIELD_OTHER

static const json_field world_fields[] = {
    {AT(throng_world_def, space), CHOICE(space_names)},
    {AT(throng_world_def, boundary), .kind = FIELD_AXES, .choices = boundary_names},
    {AT(throng_world_def, box_min), .kind = FIELD_VEC3},
    {AT(throng_world_def, box_max), .kind = FIELD_VEC3},
    {AT(throng_world_def, perception_radius), NUMBER, .min = 1e-3, .max = 1e6},
    {AT(throng_world_def, neighbour_budget), .kind = FIELD_UINT, .min = 0, .max = 16777216},
    {AT(throng_world_def, contact_iterations), .kind = FIELD_UINT, .min = 1, .max = 16},
    {AT(throng_world_def, separation_law), CHOICE(law_names)},
    {AT(throng_world_def, update), CHOICE(update_names)},
    {0},
};

static const json_field box_region_fields[] = {
    {AT(scene_region, shape), CHOICE(region_names)},
    {AT(scene_region, min), .kind = FIELD_VEC3},
    {AT(scene_region, max), .kind = FIELD_VEC3},
    {0},
};
static const json_field disc_region_fields[] = {
    {AT(scene_region, shape), CHOICE(region_names)},
    {AT(scene_region, centre), .kind = FIELD_VEC3},
    {AT(scene_region, radius), FROM_0},
    {AT(scene_region, inner_radius), FROM_0},
    {AT(scene_region, even), .kind = FIELD_BOOL},
    {0},
};
static const json_field clumps_region_fields[] = {
    {AT(scene_region, shape), CHOICE(region_names)},
    {AT(scene_region, min), .kind = FIELD_VEC3},
    {AT(scene_region, max), .kind = FIELD_VEC3},
    {AT(scene_region, radius), FROM_0},
    {AT(scene_region, clumps), .kind = FIELD_UINT, .min = 1, .max = 1e9},
    {0},
};
static const json_field *const region_tables[] = {box_region_fields, disc_region_fields, clumps_region_fields};

static const json_field point_goal_fields[] = {
    {AT(scene_goal, kind), CHOICE(goal_names)},
    {AT(scene_goal, point), .kind = FIELD_VEC3},
    {0},
};
static const json_field region_goal_fields[] = {
    {AT(scene_goal, kind), CHOICE(goal_names)},
    {OTHER("region")},
    {0},
};
static const json_field *const goal_tables[] = {point_goal_fields, point_goal_fields, point_goal_fields,
                                                point_goal_fields, region_goal_fields};

static const json_field velocity_fields[] = {
    {AT(scene_velocity, min), .kind = FIELD_VEC3},
    {AT(scene_velocity, max), .kind = FIELD_VEC3},
    {AT(scene_velocity, toward_goal), FROM_0},
    {0},
};

static const json_field spawn_fields[] = {
    {AT(scene_spawn, group), .kind = FIELD_UINT, .max = THRONG_MAX_GROUPS - 1},
    {AT(scene_spawn, share), ABOVE_0},
    {AT(scene_spawn, mass), ABOVE_0},
    {AT(scene_spawn, max_speed), NUMBER, .min = 0, .max = 1e9},
    {AT(scene_spawn, max_speed_deviation), NUMBER, .min = 0, .max = 1e9},
    {AT(scene_spawn, velocity), OBJECT(velocity_fields)},
    {OTHER("region")},
    {OTHER("goal")},
    {0},
};

static const json_field circle_fields[] = {
    {AT(scene_obstacle, shape), CHOICE(obstacle_names)},
    {AT(scene_obstacle, centre), .kind = FIELD_VEC3},
    {AT(scene_obstacle, radius), ABOVE_0},
    {0},
};
static const json_field box_obstacle_fields[] = {
    {AT(scene_obstacle, shape), CHOICE(obstacle_names)},
    {AT(scene_obstacle, min), .kind = FIELD_VEC3},
    {AT(scene_obstacle, max), .kind = FIELD_VEC3},
    {0},
};
static const json_field *const obstacle_tables[] = {circle_fields, box_obstacle_fields};

static const json_field obstacles_fields[] = {
    {.name = "cell", .offset = offsetof(bench_scene, obstacle_cell), NUMBER, .min = 1e-3, .max = 1e6},
    {OTHER("shapes")},
    {0},
};

static const json_field seen_fields[] = {
    {AT(scene_seen, from), .kind = FIELD_VEC3},
    {AT(scene_seen, distances), .kind = FIELD_VEC3},
    {0},
};

static const json_field scene_fields[] = {
    {AT(bench_scene, name), .kind = FIELD_NAME},
    {AT(bench_scene, agents), .kind = FIELD_UINT, .max = SCENE_MAX_AGENTS},
    {AT(bench_scene, frames), .kind = FIELD_UINT, .max = SCENE_MAX_FRAMES},
    {AT(bench_scene, dt), NUMBER, .min = 0, .max = 1},
    {AT(bench_scene, seed), .kind = FIELD_UINT64, .max = (double)SCENE_MAX_SEED},
    {AT(bench_scene, keep_density), .kind = FIELD_BOOL},
    {AT(bench_scene, world), OBJECT(world_fields)},
    {AT(bench_scene, seen), OBJECT(seen_fields)},
    {OTHER("groups")},
    {OTHER("spawns")},
    {OTHER("obstacles")},
    {OTHER("flow_fields")},
    {OTHER("scenery")},
    {OTHER("paths")},
    {OTHER("patterns")},
    {OTHER("formations")},
    {OTHER("attractors")},
    {OTHER("speed_zones")},
    {OTHER("speed_raster")},
    {0},
};

static const cJSON *get(const cJSON *object, const char *key) { return cJSON_GetObjectItemCaseSensitive(object, key); }

/* Reads an object whose first field chooses which of `tables` describes the other fields. */
static bool read_variant(const json_file *json, const cJSON *object, const char *path, const json_field *const *tables,
                         void *target) {
  if (!cJSON_IsObject(object)) return json_refuse(json, object, path, "an object { ... }");
  const json_field *kind = &tables[0][0];
  const cJSON *value = get(object, kind->name);
  uint32_t chosen = 0;
  if (value && cJSON_IsString(value))
    for (uint32_t i = 0; kind->choices[i]; i++)
      if (strcmp(kind->choices[i], value->valuestring) == 0) chosen = i;
  return fields_read(json, object, path, tables[chosen], target);
}

static bool has_volume(throng_vec3 min, throng_vec3 max) { return min.x <= max.x && min.y <= max.y && min.z <= max.z; }

static bool read_region(const json_file *json, const cJSON *object, const char *path, scene_region *region) {
  region->clumps = 1;
  if (!read_variant(json, object, path, region_tables, region)) return false;
  char where[128];
  if (!has_volume(region->min, region->max)) {
    snprintf(where, sizeof where, "%s.max", path);
    return json_refuse(json, get(object, get(object, "max") ? "max" : "min"), where, "at least min on each axis");
  }
  if (region->inner_radius > region->radius) {
    snprintf(where, sizeof where, "%s.inner_radius", path);
    return json_refuse(json, get(object, "inner_radius"), where, "at most radius");
  }
  return true;
}

static bool read_spawn(const json_file *json, const cJSON *object, const char *path, bench_scene *scene, void *target) {
  scene_spawn *spawn = target;
  spawn->share = 1;
  spawn->mass = spawn->max_speed = NAN;
  if (!fields_read(json, object, path, spawn_fields, spawn)) return false;
  char where[128], allowed[64];
  if (spawn->group >= scene->group_count) {
    snprintf(where, sizeof where, "%s.group", path);
    snprintf(allowed, sizeof allowed, "a group of this scene, 0 to %u", scene->group_count - 1);
    return json_refuse(json, get(object, "group"), where, allowed);
  }
  if (spawn->max_speed_deviation > 0 && !(spawn->max_speed_deviation <= 0.288f * spawn->max_speed)) {
    snprintf(where, sizeof where, "%s.max_speed_deviation", path);
    return json_refuse(json, get(object, "max_speed_deviation"), where, "at most 0.288 of a given max_speed");
  }
  if (!has_volume(spawn->velocity.min, spawn->velocity.max)) {
    snprintf(where, sizeof where, "%s.velocity", path);
    return json_refuse(json, get(object, "velocity"), where, "min at most max on each axis");
  }
  const cJSON *region = get(object, "region"), *goal = get(object, "goal");
  snprintf(where, sizeof where, "%s.region", path);
  if (!region) return json_refuse(json, object, path, "an object with a 'region'");
  if (!read_region(json, region, where, &spawn->region)) return false;
  if (!goal) return true;
  snprintf(where, sizeof where, "%s.goal", path);
  if (!read_variant(json, goal, where, goal_tables, &spawn->goal)) return false;
  if (spawn->goal.kind != GOAL_REGION) return true;
  if (!get(goal, "region")) return json_refuse(json, goal, where, "an object with a 'region'");
  snprintf(where, sizeof where, "%s.goal.region", path);
  return read_region(json, get(goal, "region"), where, &spawn->goal.region);
}

static bool read_obstacle(const json_file *json, const cJSON *object, const char *path, bench_scene *scene,
                          void *target) {
  (void)scene;
  scene_obstacle *obstacle = target;
  if (!read_variant(json, object, path, obstacle_tables, obstacle)) return false;
  if (has_volume(obstacle->min, obstacle->max)) return true;
  return json_refuse(json, object, path, "max at least min on each axis");
}

static bool read_obstacles(const json_file *json, bench_scene *scene) {
  static const scene_list shapes = {"shapes", 1, MAX_LIST, NULL, sizeof(scene_obstacle), read_obstacle};
  const cJSON *object = get(json->root, "obstacles");
  if (!object) return true;
  if (!cJSON_IsObject(object)) return json_refuse(json, object, "obstacles", "an object { ... }");
  if (!fields_read(json, object, "obstacles", obstacles_fields, scene)) return false;
  if (scene->world.space != THRONG_SPACE_PLANAR || scene_is_open(scene) || scene_wraps(scene))
    return json_refuse(json, object, "obstacles", "only where the world is a planar box");
  if (!get(object, "shapes")) return json_refuse(json, object, "obstacles", "an object with 'shapes'");
  return scene_read_list(json, object, "obstacles", &shapes, scene, (void **)&scene->obstacles, &scene->obstacle_count);
}

static bool read_scenery(const json_file *json, bench_scene *scene) {
  const cJSON *object = get(json->root, "scenery");
  if (!object) return true;
  if (!cJSON_IsObject(object)) return json_refuse(json, object, "scenery", "an object { ... }");
  if (scene->keep_density) return json_refuse(json, object, "scenery", "only without keep_density");
  if (scene->world.space == THRONG_SPACE_SPATIAL && get(object, "circles"))
    return json_refuse(json, get(object, "circles"), "scenery.circles", "only in planar worlds");
  if (scene->world.space == THRONG_SPACE_PLANAR && get(object, "balls"))
    return json_refuse(json, get(object, "balls"), "scenery.balls", "only in spatial worlds");
  if (!scenery_read(json, object, &scene->scenery)) return false;
  for (uint32_t k = 0; k < scene->scenery.wall_count; k++) { /* the short way, as in the world */
    const throng_vec3 *from = &scene->scenery.from[k];
    throng_vec3 *to = &scene->scenery.to[k];
    to->x = (float)((double)from->x + scene_way_along(scene, 0, (double)from->x, (double)to->x));
    to->z = (float)((double)from->z + scene_way_along(scene, 2, (double)from->z, (double)to->z));
  }
  return true;
}

static bool check_box(const json_file *json, const bench_scene *scene) {
  const throng_world_def *def = &scene->world;
  const cJSON *world = get(json->root, "world");
  const float *min = &def->box_min.x, *max = &def->box_max.x;
  for (int axis = 0; axis < 3; axis++) {
    if (!scene_has_axis(scene, axis) || def->boundary[axis] == THRONG_BOUNDARY_UNBOUNDED) continue;
    if (!(min[axis] < max[axis]))
      return json_refuse(json, get(world, "box_max") ? get(world, "box_max") : world, "world.box_max",
                         "above box_min on each axis of the space");
  }
  return true;
}

static bool check_target_groups(const json_file *json, const bench_scene *scene) {
  for (uint32_t g = 0; g < scene->group_count; g++) {
    const uint32_t target = scene->groups[g].target_group;
    if (target == SCENE_NO_GROUP || target < scene->group_count) continue;
    char where[64], allowed[64];
    snprintf(where, sizeof where, "groups[%u].target_group", g);
    snprintf(allowed, sizeof allowed, "a group of this scene, 0 to %u", scene->group_count - 1);
    const cJSON *group = cJSON_GetArrayItem(get(json->root, "groups"), (int)g);
    return json_refuse(json, get(group, "target_group"), where, allowed);
  }
  return true;
}

static bool read_scene(const json_file *json, bench_scene *scene) {
  static const scene_list group_list = {"groups", 1, THRONG_MAX_GROUPS, NULL, sizeof(scene_group), scene_read_group};
  static const scene_list spawn_list = {"spawns", 1, MAX_LIST, NULL, sizeof(scene_spawn), read_spawn};
  if (!fields_read(json, json->root, "", scene_fields, scene) || !check_box(json, scene)) return false;
  const cJSON *groups = get(json->root, "groups"), *spawns = get(json->root, "spawns");
  if (!groups || !spawns)
    return problem_at(json->problem, json->file, 1, "field '%s': missing, allowed a list of objects",
                      groups ? "spawns" : "groups");
  return scene_read_list(json, json->root, "", &group_list, scene, (void **)&scene->groups, &scene->group_count) &&
         check_target_groups(json, scene) &&
         scene_read_list(json, json->root, "", &spawn_list, scene, (void **)&scene->spawns, &scene->spawn_count) &&
         read_obstacles(json, scene) && read_scenery(json, scene) && scene_read_fields(json, scene) &&
         scene_read_paths(json, scene) && scene_read_patterns(json, scene) && scene_read_formations(json, scene) &&
         scene_read_attractors(json, scene) && scene_read_zones(json, scene);
}

/* Names a scene after its file, without folder and extension. The field "name" of the file, read later, replaces this
 * name. */
static void name_after(bench_scene *scene, const char *file) {
  const char *slash = strrchr(file, '/');
  const char *begin = slash ? slash + 1 : file;
  snprintf(scene->name, sizeof scene->name, "%.*s", (int)strcspn(begin, "."), begin);
  for (char *c = scene->name; *c; c++)
    if (*c < 0x20 || *c > 0x7E) *c = '_';
}

static bool read_text(bench_scene *scene, const char *data, size_t size, bench_problem *problem) {
  json_file json = {.file = scene->file, .data = data, .problem = problem};
  if (!json_parse(&json, size)) return false;
  bool ok = read_scene(&json, scene);
  json_release(&json);
  return ok;
}

const char *scene_built_in_name(uint32_t k) { return built_in_scenes[k].name; }

static const built_in_scene *find_built_in(const char *name) {
  for (const built_in_scene *scene = built_in_scenes; scene->name; scene++)
    if (strcmp(scene->name, name) == 0) return scene;
  return NULL;
}

/* Refuses a name that is neither a built-in scene nor looks like a file. The problem lists the built-in scenes. */
static bool refuse_name(const char *name, bench_problem *problem) {
  char list[300] = "";
  size_t length = 0;
  for (const built_in_scene *scene = built_in_scenes; scene->name && length < sizeof list; scene++)
    length += (size_t)snprintf(list + length, sizeof list - length, " %s", scene->name);
  return problem_set(problem, "option '--scene': value '%.60s', allowed a file or one of%s", name, list);
}

bool scene_load(bench_scene *scene, const char *name, bench_problem *problem) {
  *scene = (bench_scene){.file = name,
                         .agents = 50000,
                         .frames = 300,
                         .dt = 1.0f / 60,
                         .seed = 1,
                         .world = throng_default_world_def(),
                         .obstacle_cell = 0.25f};
  name_after(scene, name);
  const built_in_scene *built_in = find_built_in(name);
  bool ok;
  if (built_in) {
    ok = read_text(scene, built_in->json, strlen(built_in->json), problem);
  } else if (!strpbrk(name, "./")) {
    ok = refuse_name(name, problem);
  } else {
    bench_text text;
    ok = text_read_plain(&text, name, MAX_SCENE_BYTES, problem);
    if (ok) {
      ok = read_text(scene, text.data, text.size, problem);
      text_release(&text);
    }
  }
  if (!ok) scene_release(scene);
  return ok;
}

void scene_release(bench_scene *scene) {
  free(scene->groups);
  free(scene->spawns);
  free(scene->obstacles);
  free(scene->fields);
  scene_release_paths(scene);
  scene_release_patterns(scene);
  scene_release_formations(scene);
  scene_release_attractors(scene);
  scene_release_zones(scene);
  scene_cells_release(&scene->cells);
  scenery_release(&scene->scenery);
  scene->groups = NULL;
  scene->spawns = NULL;
  scene->obstacles = NULL;
  scene->fields = NULL;
}
