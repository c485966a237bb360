/* Reads a group of a scene file. Its fields are the parameters that throng_group_def_get_parameter describes; the
 * parameters of a rule form an object.
 * SPDX-License-Identifier: MIT */
#include "scene/scene_groups.h"
#include "scene/scene_behaviours.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The fields of a group that the library does not describe, or that this file reads in another way. */
static const json_field own_fields[] = {
    {.name = "name", .kind = FIELD_NAME, .offset = offsetof(scene_group, name)},
    {.name = "colour", .kind = FIELD_COLOUR, .offset = offsetof(scene_group, colour)},
    {.name = "target_group",
     .kind = FIELD_UINT,
     .offset = offsetof(scene_group, target_group),
     .max = THRONG_MAX_GROUPS - 1},
    {.name = "behaviours", .kind = FIELD_OTHER},
    {.name = "combine_chance", .kind = FIELD_OTHER},
    {.name = "preset", .kind = FIELD_OTHER},
};
#define OWN_FIELDS (sizeof own_fields / sizeof own_fields[0])

/* The table of a group's fields. The parameters of a rule, such as separation.radius, are in the rule's own table. */
typedef struct group_table {
  json_field *fields;             /* the table of the group, then the tables of the rules */
  char (*rules)[FIELD_NAME_SIZE]; /* the names of the rules */
} group_table;

static void release_table(group_table *table) {
  free(table->fields);
  free(table->rules);
}

static bool make_table(group_table *table) {
  throng_parameter p;
  uint32_t count = 0;
  while (throng_group_def_get_parameter(count, &p)) count++;
  /* The maximum: if each parameter were the only one of its rule, each rule would need a field and the end of its
   * table. */
  table->fields = calloc(OWN_FIELDS + count + 1 + 2 * (size_t)count, sizeof *table->fields);
  table->rules = calloc(count, sizeof *table->rules);
  if (!table->fields || !table->rules) return false;
  memcpy(table->fields, own_fields, sizeof own_fields);
  json_field *field = table->fields + OWN_FIELDS, *inner = table->fields + OWN_FIELDS + count;
  const char *rule = "";
  uint32_t rules = 0;
  for (uint32_t k = 0; throng_group_def_get_parameter(k, &p); k++) {
    const size_t prefix = strcspn(p.name, ".["), at = offsetof(scene_group, def);
    if (p.name[prefix] == '[') continue; /* combine_chance, which read_chances reads */
    if (p.name[prefix] == 0) {
      *field++ = field_of_parameter(&p, p.name, at);
      continue;
    }
    if (strlen(rule) != prefix || strncmp(rule, p.name, prefix) != 0) { /* the first parameter of a rule */
      snprintf(table->rules[rules], sizeof *table->rules, "%.*s", (int)prefix, p.name);
      rule = table->rules[rules++];
      inner++; /* past the end of the table before */
      *field++ = (json_field){.name = rule, .kind = FIELD_OBJECT, .fields = inner};
    }
    *inner++ = field_of_parameter(&p, p.name + prefix + 1, at);
  }
  return true;
}

/* Reads preset: the definition with which a group starts. */
static bool read_preset(const json_file *json, const cJSON *object, const char *path, throng_group_def *def) {
  static const struct {
    const char *name;
    throng_group_def (*make)(void);
  } presets[] = {{"flock", throng_flock_group_def},
                 {"school", throng_school_group_def},
                 {"walkers", throng_walkers_group_def},
                 {"vehicles", throng_vehicles_group_def}};
  const cJSON *name = cJSON_GetObjectItemCaseSensitive(object, "preset");
  *def = throng_default_group_def();
  if (!name) return true;
  for (size_t k = 0; k < sizeof presets / sizeof presets[0]; k++) {
    if (!cJSON_IsString(name) || strcmp(name->valuestring, presets[k].name) != 0) continue;
    *def = presets[k].make();
    return true;
  }
  char where[128];
  snprintf(where, sizeof where, "%s.preset", path);
  return json_refuse(json, name, where, "flock, school, walkers, vehicles");
}

/* Reads combine_chance: a list of numbers for the priorities 0, 1, ... Priorities beyond the end of the list keep their
 * defaults. */
static bool read_chances(const json_file *json, const cJSON *object, const char *path, throng_group_def *def) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, "combine_chance"), *item;
  if (!list) return true;
  char where[128];
  snprintf(where, sizeof where, "%s.combine_chance", path);
  uint32_t k = 0;
  bool good = cJSON_IsArray(list) && cJSON_GetArraySize(list) <= (int)THRONG_PRIORITIES;
  cJSON_ArrayForEach(item, list) {
    good = good && cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble <= 1;
    if (good) def->combine_chance[k++] = (float)item->valuedouble;
  }
  return good || json_refuse(json, list, where, "a list of up to 8 numbers from 0 to 1");
}

/* The largest radius of a group, the world's perception radius, and the unit of both. */
typedef struct radius_limit {
  float most;
  const char *unit;
} radius_limit;

static radius_limit limit_of(const throng_group_def *def, float perception) {
  if (!def->radii_in_bodies) return (radius_limit){perception, ""};
  return (radius_limit){perception / (2.0f * def->body_radius), " body lengths"};
}

/* Refuses a radius that is larger than the world's perception radius. `rule`: the key of the object that has it, or
 * NULL. */
static bool check_radius(const json_file *json, const cJSON *object, const char *path, const char *rule,
                         const char *key, float radius, radius_limit limit) {
  char where[160], allowed[96];
  if (radius <= limit.most) return true;
  snprintf(where, sizeof where, "%s%s%s.%s", path, rule ? "." : "", rule ? rule : "", key);
  snprintf(allowed, sizeof allowed, "at most the world's perception_radius %.9g%s", (double)limit.most, limit.unit);
  if (rule) object = cJSON_GetObjectItemCaseSensitive(object, rule);
  return json_refuse(json, cJSON_GetObjectItemCaseSensitive(object, key), where, allowed);
}

bool scene_read_group(const json_file *json, const cJSON *object, const char *path, bench_scene *scene, void *target) {
  scene_group *group = target;
  group_table table;
  *group = (scene_group){.colour = SCENE_NO_COLOUR, .target_group = SCENE_NO_GROUP};
  if (!read_preset(json, object, path, &group->def)) return false;
  const bool made = make_table(&table), good = made && fields_read(json, object, path, table.fields, group);
  release_table(&table);
  if (!made) return problem_set(json->problem, "%s: out of memory", json->file);
  const throng_group_def *def = &group->def;
  const radius_limit most = limit_of(def, scene->world.perception_radius);
  return good && check_radius(json, object, path, NULL, "perception_radius", def->perception_radius, most) &&
         check_radius(json, object, path, "separation", "radius", def->separation.radius, most) &&
         check_radius(json, object, path, "cohesion", "radius", def->cohesion.radius, most) &&
         check_radius(json, object, path, "alignment", "radius", def->alignment.radius, most) &&
         check_radius(json, object, path, "attraction", "radius", def->attraction.radius, most) &&
         read_chances(json, object, path, &group->def) && scene_read_behaviours(json, object, path, &group->def);
}
