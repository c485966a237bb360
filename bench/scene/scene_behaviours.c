/* scene_behaviours.c: see scene_behaviours.h. throng_behaviour_name and throng_behaviour_get_parameter give the kinds
 * and their parameters.
 * SPDX-License-Identifier: MIT */
#include "scene/scene_behaviours.h"

#include <float.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const char *const target_names[] = {"goal", "point", "agent", "own", NULL};

static const json_field target_fields[] = {
    {.name = "kind", .kind = FIELD_CHOICE, .offset = offsetof(throng_target, kind), .choices = target_names},
    {.name = "point", .kind = FIELD_VEC3, .offset = offsetof(throng_target, point)},
    {.name = "agent",
     .kind = FIELD_UINT,
     .offset = offsetof(throng_target, agent) + offsetof(throng_agent_id, index),
     .min = 1,
     .max = 2147483646},
    {0},
};

/* The fields of a behaviour of one kind: first the COMMON fields that every behaviour has, then the parameters of the
 * kind. */
#define COMMON 5
typedef struct behaviour_table {
  const char *kind_names[THRONG_BEHAVIOUR_KINDS + 1];
  json_field fields[COMMON + THRONG_MAX_PARAMETERS + 1];
} behaviour_table;

static void make_table(behaviour_table *table, throng_behaviour_kind kind) {
  *table = (behaviour_table){
      .fields = {
          {.name = "kind", .kind = FIELD_CHOICE, .offset = offsetof(throng_behaviour, kind)},
          {.name = "weight",
           .kind = FIELD_FLOAT,
           .offset = offsetof(throng_behaviour, weight),
           .min = -(double)FLT_MAX,
           .max = (double)FLT_MAX},
          {.name = "priority",
           .kind = FIELD_UINT,
           .offset = offsetof(throng_behaviour, priority),
           .max = THRONG_PRIORITIES - 1},
          {.name = "target",
           .kind = FIELD_OBJECT,
           .offset = offsetof(throng_behaviour, target),
           .fields = target_fields},
          {.name = "other", .kind = FIELD_OBJECT, .offset = offsetof(throng_behaviour, other), .fields = target_fields},
      }};
  for (int k = 0; k < THRONG_BEHAVIOUR_KINDS; k++)
    table->kind_names[k] = throng_behaviour_name((throng_behaviour_kind)k);
  table->fields[0].choices = table->kind_names;
  throng_parameter p;
  for (uint32_t k = 0; throng_behaviour_get_parameter(kind, k, &p); k++)
    table->fields[COMMON + k] = field_of_parameter(&p, p.name, 0);
}

static bool read_behaviour(const json_file *json, const cJSON *object, const char *path, throng_behaviour *behaviour) {
  behaviour_table table;
  make_table(&table, THRONG_BEHAVIOUR_SEEK);
  const cJSON *name = cJSON_GetObjectItemCaseSensitive(object, "kind");
  uint32_t kind = 0;
  while (cJSON_IsString(name) && kind < THRONG_BEHAVIOUR_KINDS &&
         strcmp(name->valuestring, table.kind_names[kind]) != 0)
    kind++;
  if (!cJSON_IsString(name) || kind == THRONG_BEHAVIOUR_KINDS) {
    char where[160], allowed[512] = "";
    size_t length = 0;
    snprintf(where, sizeof where, "%s.kind", path);
    for (uint32_t k = 0; k < THRONG_BEHAVIOUR_KINDS && length < sizeof allowed; k++)
      length += (size_t)snprintf(allowed + length, sizeof allowed - length, "%s%s", k ? ", " : "", table.kind_names[k]);
    return json_refuse(json, name ? name : object, where, allowed);
  }
  make_table(&table, (throng_behaviour_kind)kind);
  *behaviour = throng_default_behaviour((throng_behaviour_kind)kind);
  behaviour->target.agent.generation = behaviour->other.agent.generation = 1;
  return fields_read(json, object, path, table.fields, behaviour);
}

bool scene_read_behaviours(const json_file *json, const cJSON *group, const char *path, throng_group_def *def) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(group, "behaviours"), *item;
  if (!list) return true;
  char where[128], allowed[64];
  snprintf(where, sizeof where, "%s.behaviours", path);
  snprintf(allowed, sizeof allowed, "a list of up to %u objects", THRONG_MAX_BEHAVIOURS);
  if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) > (int)THRONG_MAX_BEHAVIOURS)
    return json_refuse(json, list, where, allowed);
  def->behaviour_count = 0; /* the list replaces a preset's behaviours */
  cJSON_ArrayForEach(item, list) {
    snprintf(where, sizeof where, "%s.behaviours[%u]", path, def->behaviour_count);
    if (!cJSON_IsObject(item)) return json_refuse(json, item, where, "an object { ... }");
    if (!read_behaviour(json, item, where, &def->behaviour[def->behaviour_count])) return false;
    def->behaviour_count++;
  }
  return true;
}
