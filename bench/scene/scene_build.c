/* SPDX-License-Identifier: MIT */
#include "scene/scene_attractors.h"
#include "scene/scene_fields.h"
#include "scene/scene_formations.h"
#include "scene/scene_paths.h"
#include "scene/scene_patterns.h"
#include "scene/scene_seen.h"
#include "scene/scene_zones.h"

#include <stdlib.h>

static bool refuse(const bench_scene *scene, const throng_error *error, bench_problem *problem) {
  return problem_set(problem, "%s: %s: %s", scene->file, throng_status_name(error->status), error->text);
}

/* Writes the agents' own targets; they must exist. */
static bool set_targets(throng_world *world, const bench_crowd *crowd, const throng_agent_id *ids,
                        throng_error *error) {
  throng_agent_id *targets = calloc(crowd->count ? crowd->count : 1, sizeof *targets);
  if (!targets) {
    *error = (throng_error){.status = THRONG_ERROR_OUT_OF_MEMORY, .text = "no memory for the targets"};
    return false;
  }
  for (uint32_t k = 0; k < crowd->count; k++)
    if (crowd->target[k]) targets[k] = (throng_agent_id){.index = crowd->target[k], .generation = 1};
  const bool ok = throng_agents_write(world, THRONG_COLUMN_TARGET, ids, crowd->count, targets, 0, error) == THRONG_OK;
  free(targets);
  return ok;
}

static bool add_agents(throng_world *world, const bench_crowd *crowd, throng_error *error) {
  throng_agent_id *ids = malloc((crowd->count ? crowd->count : 1) * sizeof *ids);
  if (!ids) {
    *error = (throng_error){.status = THRONG_ERROR_OUT_OF_MEMORY, .text = "no memory for the ids"};
    return false;
  }
  for (uint32_t k = 0; k < crowd->count; k++) ids[k] = (throng_agent_id){.index = crowd->id[k], .generation = 1};
  throng_agents_def def = throng_default_agents_def();
  def.position.data = crowd->position;
  def.velocity.data = crowd->velocity;
  def.group.data = crowd->group;
  def.goal.data = crowd->goal;
  def.mass.data = crowd->mass;
  def.max_speed.data = crowd->max_speed;
  bool ok = throng_agents_reserve(world, crowd->count, error) == THRONG_OK &&
            throng_agents_add_with_ids(world, &def, crowd->count, ids, error) == THRONG_OK &&
            (!crowd->target || set_targets(world, crowd, ids, error));
  free(ids);
  return ok;
}

/* Sets all groups. It is called twice: before the agents are added, because agents need their groups, and after that,
 * because a behaviour whose target is an agent needs that agent. The first time (with_agents is false) such targets are
 * replaced by goals. */
static bool set_groups(throng_world *world, const bench_scene *scene, bool with_agents, throng_error *error) {
  for (uint32_t i = 0; i < scene->group_count; i++) {
    throng_group_def def = scene->groups[i].def;
    for (uint32_t k = 0; k < def.behaviour_count && !with_agents; k++) {
      throng_behaviour *b = &def.behaviour[k];
      if (b->target.kind == THRONG_TARGET_AGENT) b->target.kind = THRONG_TARGET_GOAL;
      if (b->other.kind == THRONG_TARGET_AGENT) b->other.kind = THRONG_TARGET_GOAL;
    }
    if (throng_world_set_group(world, i, &def, error) != THRONG_OK) return false;
  }
  return true;
}

/* Sets guides, groups, cells and scenery in a new world, adds the agents, and indexes the world. */
static bool furnish(throng_world *world, const bench_scene *scene, const bench_crowd *crowd, throng_error *error) {
  if (!scene_set_paths(world, scene, error) || !scene_set_patterns(world, scene, error)) return false;
  if (!scene_set_formations(world, scene, error) || !scene_set_attractors(world, scene, error)) return false;
  if (!scene_set_zones(world, scene, error) || !set_groups(world, scene, false, error)) return false;
  if (scene->cells.width) {
    const throng_cells_def cells = scene_cells_def(&scene->cells);
    if (throng_world_set_cells(world, &cells, error) != THRONG_OK) return false;
  }
  if (scene->field_count && !scene_set_fields(world, scene, error)) return false;
  const throng_scenery_def scenery = scenery_def(&scene->scenery);
  if (scenery.obstacle_count + scenery.wall_count + scenery.box_count + scenery.plane_count > 0) {
    if (throng_world_set_scenery(world, &scenery, error) != THRONG_OK) return false;
  }
  if (crowd && !(add_agents(world, crowd, error) && set_groups(world, scene, true, error) &&
                 scene_fill_formations(world, scene, NULL, error) && scene_set_periods(scene, world, error)))
    return false;
  return throng_world_index(world, error) == THRONG_OK;
}

throng_world *scene_build(const bench_scene *scene, const bench_crowd *crowd, uint32_t threads, throng_isa isa,
                          bool profile, bench_problem *problem) {
  throng_world_def def = scene->world;
  throng_world *world = NULL;
  throng_error error;
  def.seed = scene->seed;
  def.thread_count = threads;
  def.isa = isa;
  def.profile = profile;
  if (throng_world_create(&def, &world, &error) == THRONG_OK && furnish(world, scene, crowd, &error)) return world;
  throng_world_destroy(world);
  refuse(scene, &error, problem);
  return NULL;
}
