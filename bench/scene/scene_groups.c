/* Reads a group of a scene file. Its fields are the parameters that throng_group_def_get_parameter describes; the
 * parameters of a rule form an object.
 * SPDX-License-Identifier: MIT */
#include "scene/scene_behaviours.h"
#include "scene/scene_groups.h"

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
  char (*names)[FIELD_NAME_SIZE]; /* the names of the rules, and of their arrays */
} group_table;

static void release_table(group_table *table) {
  free(table->fields);
  free(table->names);
}

/* Stores the first `length` characters of a text as name k. */
static const char *name_in(const group_table *table, uint32_t k, const char *text, size_t length) {
  snprintf(table->names[k], sizeof *table->names, "%.*s", (int)length, text);
  return table->names[k];
}

static bool make_table(group_table *table) {
  throng_parameter p;
  uint32_t count = 0;
  while (throng_group_def_get_parameter(count, &p)) count++;
  /* The maximum: if each parameter were the only one of its rule, each rule would need a field and the end of its
   * table. */
  table->fields = calloc(OWN_FIELDS + count + 1 + 2 * (size_t)count, sizeof *table->fields);
  table->names = calloc(2 * (size_t)count, sizeof *table->names);
  if (!table->fields || !table->names) return false;
  memcpy(table->fields, own_fields, sizeof own_fields);
  json_field *field = table->fields + OWN_FIELDS, *inner = table->fields + OWN_FIELDS + count;
  const char *rule = "";
  uint32_t names = 0;
  for (uint32_t k = 0; throng_group_def_get_parameter(k, &p); k++) {
    const size_t prefix = strcspn(p.name, ".["), at = offsetof(scene_group, def);
    if (p.name[prefix] == '[') continue; /* combine_chance, which read_list reads */
    if (p.name[prefix] == 0) {
      *field++ = field_of_parameter(&p, p.name, at);
      continue;
    }
    if (strlen(rule) != prefix || strncmp(rule, p.name, prefix) != 0) { /* the first parameter of a rule */
      rule = name_in(table, names++, p.name, prefix);
      inner++; /* past the end of the table before */
      *field++ = (json_field){.name = rule, .kind = FIELD_OBJECT, .fields = inner};
    }
    const char *member = p.name + prefix + 1, *element = strchr(member, '[');
    if (!element) {
      *inner++ = field_of_parameter(&p, member, at);
    } else if (strcmp(element, "[0]") == 0) { /* an array, which read_list reads */
      *inner++ = (json_field){.name = name_in(table, names++, member, strlen(member) - 3), .kind = FIELD_OTHER};
    }
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
                 {"vehicles", throng_vehicles_group_def},
                 {"moved", throng_moved_group_def}};
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

/* Reads a list of numbers from 0 to `highest`, at least `least` of them, to to[most]. Elements past the end of the list
 * keep their values. Returns false after a problem. *count: the number of elements; 0 without the key. */
static bool read_list(const json_file *json, const cJSON *object, const char *path, const char *key, float *to,
                      int least, int most, double highest, uint32_t *count) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, key), *item;
  *count = 0;
  if (!list) return true;
  char where[128], allowed[96];
  snprintf(where, sizeof where, "%s.%s", path, key);
  snprintf(allowed, sizeof allowed, "a list of %d to %d numbers from 0 to %g", least, most, highest);
  bool good = cJSON_IsArray(list) && cJSON_GetArraySize(list) >= least && cJSON_GetArraySize(list) <= most;
  cJSON_ArrayForEach(item, list) {
    good = good && cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble <= highest;
    if (good) to[(*count)++] = (float)item->valuedouble;
  }
  return good || json_refuse(json, list, where, allowed);
}

/* Reads the table of a pace. */
static bool read_pace(const json_file *json, const cJSON *object, const char *path, throng_pace *pace) {
  const cJSON *inner = cJSON_GetObjectItemCaseSensitive(object, "pace");
  char where[128];
  uint32_t densities, factors;
  snprintf(where, sizeof where, "%s.pace", path);
  if (!read_list(json, inner, where, "density", pace->density, 2, THRONG_PACE_POINTS, 1e9, &densities)) return false;
  if (!read_list(json, inner, where, "factor", pace->factor, 2, THRONG_PACE_POINTS, 1, &factors)) return false;
  if (densities != factors) return json_refuse(json, inner, where, "density and factor of the same length");
  if (densities > 0) pace->points = densities;
  for (uint32_t k = 1; k < densities; k++) {
    if (pace->density[k] > pace->density[k - 1]) continue;
    return json_refuse(json, cJSON_GetObjectItemCaseSensitive(inner, "density"), where, "ascending densities");
  }
  return true;
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
  throng_group_def *def = &group->def;
  uint32_t chances;
  const radius_limit most = limit_of(def, scene->world.perception_radius);
  return good && check_radius(json, object, path, NULL, "perception_radius", def->perception_radius, most) &&
         check_radius(json, object, path, "separation", "radius", def->separation.radius, most) &&
         check_radius(json, object, path, "cohesion", "radius", def->cohesion.radius, most) &&
         check_radius(json, object, path, "alignment", "radius", def->alignment.radius, most) &&
         check_radius(json, object, path, "attraction", "radius", def->attraction.radius, most) &&
         (!def->pace.on || check_radius(json, object, path, "pace", "radius", def->pace.radius,
                                        (radius_limit){scene->world.perception_radius, ""})) &&
         read_pace(json, object, path, &def->pace) &&
         read_list(json, object, path, "combine_chance", def->combine_chance, 0, THRONG_PRIORITIES, 1, &chances) &&
         scene_read_behaviours(json, object, path, def);
}
