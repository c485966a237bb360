/* page.c: see page.h. It reads and builds scenes with throng-run's code, so that a scene with the same number of agents
 * gives the same bits.
 * SPDX-License-Identifier: MIT */
#include "page.h"
#include "scene/scene_density.h"
#include "scene/scene_seen.h"

#include <throng/instances.h>

#include <math.h>
#include <stdlib.h>

#define NS_PER_MS 1e6

typedef struct page_state {
  bench_scene scene;
  bench_crowd crowd;
  throng_world *world;
  uint8_t *group_of; /* by id index */
  uint8_t *groups;   /* by slot */
  float *instances;  /* by slot */
  float *density;    /* by slot, as densities */
  uint8_t *densities;
  page_layout layout;
} page_state;

static page_state page;
static bench_problem problem;
static throng_view view;
static char text[1 << 20];

/* scene_load finds the page's text under this name, as it finds the built-in scenes of throng-run. */
static const char text_name[] = "scene";
const built_in_scene built_in_scenes[] = {{text_name, text}, {NULL, NULL}};

/* These functions replace those of text.c, because a page has no files. */
bool text_read_plain(bench_text *file, const char *name, size_t limit, bench_problem *why) {
  (void)file;
  (void)limit;
  return problem_set(why, "%s: a web page reads no files", name);
}

void text_release(bench_text *file) { (void)file; }

char *PAGE_EXPORT(page_text)(void) { return text; }
uint32_t PAGE_EXPORT(page_text_size)(void) { return sizeof text; }
const char *PAGE_EXPORT(page_problem)(void) { return problem.text; }

static void release(page_state *state) {
  throng_world_destroy(state->world);
  crowd_release(&state->crowd);
  scene_release(&state->scene);
  free(state->group_of);
  free(state->groups);
  free(state->instances);
  free(state->density);
  free(state->densities);
  *state = (page_state){0};
}

/* Creates the world with one thread, because a page has no more, and with a profile. */
static throng_world *build(const page_state *state) {
  return scene_build(&state->scene, &state->crowd, 1, THRONG_ISA_AUTO, true, &problem);
}

static bool make_lists(page_state *state) {
  const bench_crowd *crowd = &state->crowd;
  const uint32_t largest = crowd->count ? crowd->id[crowd->count - 1] : 0;
  state->group_of = malloc((size_t)largest + 1);
  state->groups = malloc((size_t)crowd->count + 1);
  state->instances = malloc(((size_t)crowd->count + 1) * throng_instance_bytes(THRONG_INSTANCE_ROWS_3X4));
  state->density = malloc(((size_t)crowd->count + 1) * sizeof *state->density);
  state->densities = malloc((size_t)crowd->count + 1);
  if (!state->group_of || !state->groups || !state->instances || !state->density || !state->densities)
    return problem_set(&problem, "out of memory for %u agents", crowd->count);
  for (uint32_t k = 0; k < crowd->count; k++) state->group_of[crowd->id[k]] = crowd->group[k];
  return true;
}

static bool load(page_state *state, uint32_t agents, uint32_t at_most) {
  bench_scene *scene = &state->scene;
  if (!scene_load(scene, text_name, &problem)) return false;
  scene->world.keep_previous_pose = true;
  if (agents == 0) agents = scene->agents < at_most ? scene->agents : at_most;
  if (!scene_fit(scene, agents, &problem) || !crowd_spawn(&state->crowd, scene, &problem)) return false;
  state->world = build(state);
  if (!state->world || !make_lists(state)) return false;
  state->layout = layout_of(scene, &state->crowd);
  return true;
}

bool PAGE_EXPORT(page_load)(uint32_t agents, uint32_t at_most) {
  page_state next = {0};
  text[sizeof text - 1] = 0;
  bool ok = load(&next, agents, at_most);
  release(ok ? &page : &next);
  if (ok) page = next;
  return ok;
}

bool PAGE_EXPORT(page_restart)(void) {
  throng_world *world = build(&page);
  if (!world) return false;
  throng_world_destroy(page.world);
  page.world = world;
  return true;
}

bool PAGE_EXPORT(page_step)(uint32_t frames) {
  throng_error error;
  for (uint32_t i = 0; i < frames; i++)
    if (!scene_set_periods(&page.scene, page.world, &error) ||
        throng_world_step(page.world, page.scene.dt, &error) != THRONG_OK)
      return problem_set(&problem, "%s: %s", throng_status_name(error.status), error.text);
  return true;
}

uint32_t PAGE_EXPORT(page_agents)(void) { return throng_agents_count(page.world); }
double PAGE_EXPORT(page_frame)(void) { return (double)throng_world_frame(page.world); }
uint64_t PAGE_EXPORT(page_hash)(void) { return throng_world_hash(page.world, 0); }
const page_layout *PAGE_EXPORT(page_get_layout)(void) { return &page.layout; }

/* kernel.mjs reads these members one after another, each of 4 bytes. */
_Static_assert(offsetof(throng_view, id_index) == 8 && offsetof(throng_view, meta) == 12 &&
                   offsetof(throng_view, position_x) == 16 && offsetof(throng_view, velocity_x) == 28 &&
                   offsetof(throng_view, yaw) == 40 && offsetof(throng_view, facing_x) == 44,
               "view() of kernel.mjs reads throng_view in another order");

const throng_view *PAGE_EXPORT(page_view)(void) {
  throng_world_view(page.world, &view, NULL);
  return &view;
}

const float *PAGE_EXPORT(page_instances)(float alpha) {
  throng_error error;
  throng_instances_def def = throng_default_instances_def();
  def.form = THRONG_INSTANCE_ROWS_3X4;
  def.alpha = alpha;
  if (throng_agents_read_instances(page.world, &def, page_agents(), page.instances, &error) == THRONG_OK)
    return page.instances;
  problem_set(&problem, "%s: %s", throng_status_name(error.status), error.text);
  return NULL;
}

const uint8_t *PAGE_EXPORT(page_groups)(void) {
  const throng_view *now = page_view();
  for (uint32_t k = 0; k < now->count; k++) page.groups[k] = page.group_of[now->id_index[k]];
  return page.groups;
}

const uint8_t *PAGE_EXPORT(page_density)(void) {
  const throng_view *now = page_view();
  if (!scene_density(&page.scene, now->position_x, now->position_y, now->position_z, now->count, page.density))
    return NULL;
  for (uint32_t k = 0; k < now->count; k++) page.densities[k] = (uint8_t)(255 * page.density[k] / DENSITY_MOST);
  return page.densities;
}

const double *PAGE_EXPORT(page_profile)(void) {
  static double measures[PAGE_MEASURES];
  throng_profile sums = {0};
  throng_world_get_profile(page.world, &sums, NULL);
  throng_world_reset_profile(page.world, NULL);
  const double frames = NS_PER_MS * fmax((double)sums.frames, 1), updates = fmax((double)sums.agent_updates, 1);
  measures[PAGE_NEIGHBOURS] = (double)sums.neighbours_ns / frames;
  measures[PAGE_BEHAVIOURS] = (double)sums.behaviours_ns / frames;
  measures[PAGE_INTEGRATE] = (double)sums.integrate_ns / frames;
  measures[PAGE_CONSTRAIN] = (double)(sums.constrain_ns + sums.contact_ns) / frames;
  measures[PAGE_INDEX] = (double)sums.index_ns / frames;
  measures[PAGE_NEIGHBOURS_EACH] = (double)sums.neighbours_found / updates;
  return measures;
}

const char *PAGE_EXPORT(page_group_name)(uint32_t group) { return page.scene.groups[group].name; }
float PAGE_EXPORT(page_group_body)(uint32_t group) {
  const throng_group_def *def = &page.scene.groups[group].def;
  return scene_group_has_body(def) ? def->body_radius : 0;
}
uint32_t PAGE_EXPORT(page_group_colour)(uint32_t group) { return page.scene.groups[group].colour; }

static float *find_parameter(throng_group_def *def, page_parameter parameter) {
  switch (parameter) {
  case PAGE_SEPARATION:
    return &def->separation.weight;
  case PAGE_COHESION:
    return &def->cohesion.weight;
  case PAGE_ALIGNMENT:
    return &def->alignment.weight;
  case PAGE_AVOIDANCE:
    return &def->avoidance.weight;
  case PAGE_MAX_SPEED:
    return &def->max_speed;
  case PAGE_PERCEPTION_RADIUS:
    return &def->perception_radius;
  default:
    return &def->field_of_view;
  }
}

float PAGE_EXPORT(page_get)(uint32_t group, page_parameter parameter) {
  float value = *find_parameter(&page.scene.groups[group].def, parameter);
  return parameter == PAGE_PERCEPTION_RADIUS && value == 0 ? page.scene.world.perception_radius : value;
}

bool PAGE_EXPORT(page_set)(uint32_t group, page_parameter parameter, float value) {
  throng_error error;
  throng_group_def def = page.scene.groups[group].def;
  *find_parameter(&def, parameter) = value;
  if (throng_world_set_group(page.world, group, &def, &error) != THRONG_OK)
    return problem_set(&problem, "%s: %s", throng_status_name(error.status), error.text);
  page.scene.groups[group].def = def;
  return true;
}
