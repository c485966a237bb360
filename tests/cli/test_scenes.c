/* tests/cli/test_scenes.c: the built-in scenes together show every kind of behaviour, every word of the groups' and the
 * behaviours' enumerations, and every update, law, space and boundary.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"

#include <stdio.h>
#include <string.h>

#include "scene/scene.h"

#define MOST_WORDS 16

/* What the scenes show. */
typedef struct shown_words {
  bool kind[THRONG_BEHAVIOUR_KINDS], space[2], boundary[3], update[3], law[3];
  bool rays[MOST_WORDS];                              /* of avoid_walls */
  bool word[THRONG_MAX_PARAMETERS * 32u][MOST_WORDS]; /* by the parameter of a group */
} shown_words;

/* Whether the rule that a parameter such as "separation.form" belongs to has a weight above 0; true for other
 * parameters. */
static bool is_on(const throng_group_def *def, const char *name) {
  const char *dot = strchr(name, '.');
  throng_parameter p;
  if (!dot) return true;
  for (uint32_t k = 0; throng_group_def_get_parameter(k, &p); k++)
    if (strncmp(p.name, name, (size_t)(dot - name) + 1) == 0 && strcmp(strchr(p.name, '.'), ".weight") == 0)
      return throng_group_def_get_value(def, &p) > 0;
  return true;
}

static void see_group(shown_words *shown, const throng_group_def *def) {
  throng_parameter p;
  for (uint32_t k = 0; throng_group_def_get_parameter(k, &p); k++)
    if (p.words && is_on(def, p.name)) shown->word[k][(uint32_t)throng_group_def_get_value(def, &p)] = true;
  for (uint32_t k = 0; k < def->behaviour_count; k++) {
    const throng_behaviour *behaviour = &def->behaviour[k];
    if (behaviour->weight == 0) continue;
    shown->kind[behaviour->kind] = true;
    if (behaviour->kind == THRONG_BEHAVIOUR_AVOID_WALLS) shown->rays[behaviour->avoid_walls.rays] = true;
  }
}

static void see_scene(shown_words *shown, const char *name) {
  bench_scene scene;
  bench_problem problem;
  if (!scene_load(&scene, name, &problem)) fail_msg("%s", problem.text);
  shown->space[scene.world.space] = true;
  shown->update[scene.world.update] = true;
  shown->law[scene.world.separation_law] = true;
  for (int axis = 0; axis < 3; axis++)
    if (scene_has_axis(&scene, axis)) shown->boundary[scene.world.boundary[axis]] = true;
  for (uint32_t k = 0; k < scene.group_count; k++) see_group(shown, &scene.groups[k].def);
  scene_release(&scene);
}

/* Prints what no scene shows, and returns how many of `count` values that are. */
static int missing(const bool *seen, uint32_t count, const char *what) {
  int lacking = 0;
  for (uint32_t k = 0; k < count; k++) {
    if (seen[k]) continue;
    lacking++;
    fprintf(stderr, "no scene has %s %u\n", what, k);
  }
  return lacking;
}

static void test_all_shown(void **state) {
  (void)state;
  static shown_words shown;
  const char *name;
  throng_parameter p;
  int lacking = 0;
  for (uint32_t k = 0; (name = scene_built_in_name(k)); k++) see_scene(&shown, name);
  shown.kind[THRONG_BEHAVIOUR_CALLBACK] = true; /* needs a function of a host */
  for (int kind = 0; kind < THRONG_BEHAVIOUR_KINDS; kind++) {
    if (shown.kind[kind]) continue;
    lacking++;
    fprintf(stderr, "no scene has %s\n", throng_behaviour_name((throng_behaviour_kind)kind));
  }
  for (uint32_t k = 0; throng_group_def_get_parameter(k, &p); k++)
    for (uint32_t word = 0; p.words && p.words[word]; word++) {
      if (shown.word[k][word] || strcmp(p.name, "when_target_lost") == 0) continue; /* no scene removes targets */
      if (strcmp(p.name, "own_weight") == 0) continue; /* scenes give single agents no weights */
      lacking++;
      fprintf(stderr, "no scene has %s %s\n", p.name, p.words[word]);
    }
  lacking += missing(shown.rays, THRONG_RAYS_FAN + 1, "rays");
  lacking += missing(shown.space, 2, "space") + missing(shown.boundary, 3, "boundary") +
             missing(shown.update, 3, "update") + missing(shown.law, 3, "separation_law");
  assert_int_equal(lacking, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_shown)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
