/* SPDX-License-Identifier: MIT */
#include "tracks/track_models.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/scene.h"

#define MAX_SPEED 1.4f /* m/s; each person has its own, but the behaviours need a finite one of the group */

/* Straight to the goal at the person's speed, through all others. */
static void make_straight(track_model *model) {
  throng_group_def *group = &model->group;
  group->max_speed = MAX_SPEED;
  group->max_acceleration = INFINITY;
  group->separation.weight = group->cohesion.weight = group->alignment.weight = 0;
  throng_group_def_add(group, THRONG_BEHAVIOUR_SEEK)->seek.time_to_target = model->dt;
}

/* The walkers' preset. Its factors are 1, because the recorded speeds are those of people whom the crowd has slowed
 * down already. Walkers do not slow down before the goal, because the recorded people walk on where the picture
 * ends. */
static void make_walkers(track_model *model) {
  throng_group_def *group = &model->group;
  model->world.contact_iterations = 6;
  *group = throng_walkers_group_def();
  for (uint32_t k = 0; k < group->pace.points; k++) group->pace.factor[k] = 1.0f;
  group->max_speed = MAX_SPEED;
  group->behaviour_count = 0;
  throng_group_def_add(group, THRONG_BEHAVIOUR_SEEK)->seek.time_to_target = 0.5f;
}

/* Walkers without a pace who avoid with all of their acceleration: the numbers of bench/validation/models.c. */
static void make_predicting(track_model *model) {
  make_walkers(model);
  throng_group_def *group = &model->group;
  group->pace.on = false;
  group->facing = THRONG_FACING_INSTANT;
  group->facing_speed = 0.1f;
  group->separation.weight = 0.5f;
  group->separation.radius = 0.8f;
  group->separation.strength = 0.5f;
  group->avoidance.weight = 1.0f;
  group->avoidance.horizon = 1.5f;
  group->avoidance.urgency = 0.0f;
}

/* As `predicting`, with reciprocal avoidance: the numbers of bench/validation/models.c. */
static void make_reciprocal(track_model *model) {
  make_predicting(model);
  throng_avoidance *avoidance = &model->group.avoidance;
  avoidance->form = THRONG_AVOIDANCE_RECIPROCAL;
  avoidance->radius = 1.25f;
  avoidance->margin = 0.02f;
}

static const struct {
  const char *name;
  void (*make)(track_model *model); /* `model` has the library's defaults, and a perception radius of 2.5 m */
} table[] = {{"straight", make_straight},
             {"predicting", make_predicting},
             {"reciprocal", make_reciprocal},
             {"walkers", make_walkers}};
#define TABLE_ROWS (sizeof table / sizeof table[0])
_Static_assert(TABLE_ROWS <= TRACK_MODELS_MAX, "all models fit");

static throng_world_def default_world(void) {
  throng_world_def world = throng_default_world_def();
  world.perception_radius = 2.5f;
  world.thread_count = 1;
  return world;
}

static bool is_scene(const char *name) {
  for (const built_in_scene *scene = built_in_scenes; scene->name; scene++)
    if (strcmp(scene->name, name) == 0) return true;
  return strpbrk(name, "./") != NULL;
}

static bool from_scene(track_model *model, const char *name, float dt, bench_problem *problem) {
  bench_scene scene;
  if (!scene_load(&scene, name, problem)) return false;
  const bool planar = scene.world.space == THRONG_SPACE_PLANAR;
  *model = (track_model){name, scene.world, scene.groups[0].def, dt};
  model->world.thread_count = 1;
  throng_world_def_set_boundary(&model->world, THRONG_BOUNDARY_UNBOUNDED);
  if (!planar)
    problem_set(problem, "option '--replay-model': value '%.60s', allowed is a planar scene: '%s' is spatial", name,
                scene.name);
  scene_release(&scene);
  return planar;
}

static bool refuse(const char *name, bench_problem *problem) {
  char list[200] = "";
  for (size_t k = 0; k < TABLE_ROWS; k++)
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s, ", table[k].name);
  return problem_set(problem, "option '--replay-model': value '%.60s', allowed %sa scene or its file", name, list);
}

bool track_models_find(track_model *models, uint32_t *count, const char *name, float dt, bench_problem *problem) {
  *count = 0;
  for (size_t k = 0; k < TABLE_ROWS; k++) {
    if (name && strcmp(name, table[k].name) != 0) continue;
    models[*count] = (track_model){table[k].name, default_world(), throng_default_group_def(), dt};
    table[k].make(&models[(*count)++]);
  }
  if (*count > 0) return true;
  if (!is_scene(name)) return refuse(name, problem);
  *count = 1;
  return from_scene(&models[0], name, dt, problem);
}
