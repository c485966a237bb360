/* A scene's patterns of movement: lists of instructions, numbered from 0.
 * SPDX-License-Identifier: MIT */
#include "scene_patterns.h"

#include <stdio.h>
#include <stdlib.h>

#define SHARE(member)                                                                                                  \
  { .name = #member, .kind = FIELD_FLOAT, .offset = offsetof(throng_pattern_instruction, member), .min = -1, .max = 1 }
#define LIMIT(member, most)                                                                                            \
  { .name = #member, .kind = FIELD_FLOAT, .offset = offsetof(throng_pattern_instruction, member), .max = most }
static const json_field instruction_fields[] = {
    SHARE(right), SHARE(thrust), LIMIT(heading, 1e4), LIMIT(distance, 1e9), {0}};

static const json_field pattern_fields[] = {
    {.name = "loop", .kind = FIELD_BOOL, .offset = offsetof(scene_pattern, loop)},
    {.name = "instructions", .kind = FIELD_OTHER},
    {0},
};

static bool read_pattern(const json_file *json, const cJSON *object, const char *path, scene_pattern *target) {
  char where[64], allowed[64];
  if (!cJSON_IsObject(object)) return json_refuse(json, object, path, "an object { ... }");
  target->loop = true;
  if (!fields_read(json, object, path, pattern_fields, target)) return false;
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, "instructions"), *item;
  const int count = cJSON_GetArraySize(list);
  snprintf(where, sizeof where, "%s.instructions", path);
  snprintf(allowed, sizeof allowed, "a list of 1 to %u objects", THRONG_MAX_INSTRUCTIONS);
  if (!cJSON_IsArray(list) || count < 1 || count > (int)THRONG_MAX_INSTRUCTIONS)
    return json_refuse(json, list ? list : object, where, allowed);
  target->instructions = calloc((size_t)count, sizeof *target->instructions);
  if (!target->instructions) return problem_set(json->problem, "%s: out of memory", json->file);
  cJSON_ArrayForEach(item, list) {
    snprintf(where, sizeof where, "%s.instructions[%u]", path, target->count);
    if (!cJSON_IsObject(item)) return json_refuse(json, item, where, "an object { ... }");
    if (!fields_read(json, item, where, instruction_fields, &target->instructions[target->count++])) return false;
  }
  return true;
}

bool scene_read_patterns(const json_file *json, bench_scene *scene) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(json->root, "patterns"), *item;
  char allowed[64];
  if (!list) return true;
  snprintf(allowed, sizeof allowed, "a list of 1 to %u objects", THRONG_MAX_PATTERNS);
  const int count = cJSON_GetArraySize(list);
  if (!cJSON_IsArray(list) || count < 1 || count > (int)THRONG_MAX_PATTERNS)
    return json_refuse(json, list, "patterns", allowed);
  scene->patterns = calloc((size_t)count, sizeof *scene->patterns);
  if (!scene->patterns) return problem_set(json->problem, "%s: out of memory", json->file);
  cJSON_ArrayForEach(item, list) {
    char where[32];
    snprintf(where, sizeof where, "patterns[%u]", scene->pattern_count);
    if (!read_pattern(json, item, where, &scene->patterns[scene->pattern_count++])) return false;
  }
  return true;
}

void scene_release_patterns(bench_scene *scene) {
  for (uint32_t k = 0; k < scene->pattern_count; k++) free(scene->patterns[k].instructions);
  free(scene->patterns);
  scene->patterns = NULL;
  scene->pattern_count = 0;
}

bool scene_set_patterns(throng_world *world, const bench_scene *scene, throng_error *error) {
  for (uint32_t k = 0; k < scene->pattern_count; k++) {
    throng_pattern_def def = throng_default_pattern_def();
    def.instructions = scene->patterns[k].instructions;
    def.count = scene->patterns[k].count;
    def.loop = scene->patterns[k].loop;
    if (throng_world_set_pattern(world, k, &def, error) != THRONG_OK) return false;
  }
  return true;
}
