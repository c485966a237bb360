/* scene_patterns.c: reads a scene's patterns of movement, each a list of instructions, and sets them in a world.
 * SPDX-License-Identifier: MIT */
#include "scene/scene_patterns.h"

#include <stdlib.h>

#include "scene/scene_list.h"

#define RANGE(member, most)                                                                                            \
  {                                                                                                                    \
    .name = #member, .kind = FIELD_FLOAT, .offset = offsetof(throng_pattern_instruction, member), .min = -(most),      \
    .max = most                                                                                                        \
  }
#define SHARE(member)                                                                                                  \
  { .name = #member, .kind = FIELD_FLOAT, .offset = offsetof(throng_pattern_instruction, member), .min = -1, .max = 1 }
#define LIMIT(member, most)                                                                                            \
  { .name = #member, .kind = FIELD_FLOAT, .offset = offsetof(throng_pattern_instruction, member), .max = most }
static const json_field instruction_fields[] = {SHARE(right),         SHARE(thrust),    LIMIT(heading, 1e4),
                                                LIMIT(distance, 1e9), RANGE(cue, 1e9),  RANGE(turn, 3.1415928),
                                                RANGE(step, 1e9),     LIMIT(wait, 1e9), {0}};

static const json_field pattern_fields[] = {
    {.name = "loop", .kind = FIELD_BOOL, .offset = offsetof(scene_pattern, loop)},
    {.name = "stands", .kind = FIELD_BOOL, .offset = offsetof(scene_pattern, stands)},
    {.name = "instructions", .kind = FIELD_OTHER},
    {0},
};

static bool read_instruction(const json_file *json, const cJSON *object, const char *path, bench_scene *scene,
                             void *target) {
  (void)scene;
  return fields_read(json, object, path, instruction_fields, target);
}

static bool read_pattern(const json_file *json, const cJSON *object, const char *path, bench_scene *scene,
                         void *target) {
  static const scene_list instructions = {
      "instructions", 1, THRONG_MAX_INSTRUCTIONS, NULL, sizeof(throng_pattern_instruction), read_instruction};
  scene_pattern *read = target;
  read->loop = true;
  return fields_read(json, object, path, pattern_fields, read) &&
         scene_read_list(json, object, path, &instructions, scene, (void **)&read->instructions, &read->count);
}

bool scene_read_patterns(const json_file *json, bench_scene *scene) {
  static const scene_list patterns = {"patterns", 1, THRONG_MAX_PATTERNS, NULL, sizeof(scene_pattern), read_pattern};
  return !cJSON_GetObjectItemCaseSensitive(json->root, "patterns") ||
         scene_read_list(json, json->root, "", &patterns, scene, (void **)&scene->patterns, &scene->pattern_count);
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
    def.stands = scene->patterns[k].stands;
    if (throng_world_set_pattern(world, k, &def, error) != THRONG_OK) return false;
  }
  return true;
}
