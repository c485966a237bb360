/* tests/support/crowd_world.c: worlds filled from crowds, in one call or by a random history of calls.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/crowds.h"
#include "support/groups.h"

#include <stdlib.h>

throng_world_def crowd_world_def(const crowd *c, const crowd_world_options *options) {
  throng_world_def def = c->def;
  def.thread_count = 1;
  if (options == NULL) return def;
  def.isa = options->isa;
  if (options->threads != 0) def.thread_count = options->threads;
  if (options->jobs != NULL) def.jobs = *options->jobs;
  if (options->allocator != NULL) def.allocator = *options->allocator;
  def.capacity = options->capacity;
  def.profile = options->profile;
  if (options->trace != NULL) def.trace = *options->trace;
  return def;
}

/* Returns a definition of agents whose spans point into the structs from `agents` on. */
static throng_agents_def columns_of(const crowd *c, const crowd_agent *agents) {
  bool goals = false, perceptions = false, bodies = false, masses = false, speeds = false, periods = false;
  for (uint32_t i = 0; i < c->count; i++) {
    goals |= c->agents[i].goal.x == c->agents[i].goal.x;
    perceptions |= c->agents[i].perception == c->agents[i].perception;
    bodies |= c->agents[i].body == c->agents[i].body;
    masses |= c->agents[i].mass == c->agents[i].mass;
    speeds |= c->agents[i].max_speed == c->agents[i].max_speed;
    periods |= c->agents[i].period == c->agents[i].period;
  }
  throng_agents_def def = throng_default_agents_def();
  def.position = (throng_span){&agents->position, sizeof *agents};
  def.velocity = (throng_span){&agents->velocity, sizeof *agents};
  def.facing = (throng_span){&agents->facing, sizeof *agents};
  def.group = (throng_span){&agents->group, sizeof *agents};
  if (goals) def.goal = (throng_span){&agents->goal, sizeof *agents};
  if (perceptions) def.perception_radius = (throng_span){&agents->perception, sizeof *agents};
  if (bodies) def.body_radius = (throng_span){&agents->body, sizeof *agents};
  if (masses) def.mass = (throng_span){&agents->mass, sizeof *agents};
  if (speeds) def.max_speed = (throng_span){&agents->max_speed, sizeof *agents};
  if (periods) def.steer_period = (throng_span){&agents->period, sizeof *agents};
  return def;
}

/* Writes the path parameters. The column exists only if a group follows a path. */
static throng_status write_parameters(const crowd *c, throng_world *world, throng_error *error) {
  if (!crowd_follows(c)) return THRONG_OK;
  return throng_agents_write(world, THRONG_COLUMN_PATH_PARAMETER, NULL, c->count, &c->agents->path_parameter,
                             sizeof *c->agents, error);
}

/* Sets the groups. A target that is an agent needs that agent, so it becomes the goal until agents_are_there. */
static throng_status set_groups(const crowd *c, throng_world *world, bool agents_are_there, throng_error *error) {
  throng_status status = THRONG_OK;
  for (uint32_t g = 0; g < c->group_count && status == THRONG_OK; g++) {
    throng_group_def def = c->groups[g];
    for (uint32_t k = 0; k < def.behaviour_count && !agents_are_there; k++) {
      throng_behaviour *b = &def.behaviour[k];
      if (b->target.kind == THRONG_TARGET_AGENT) b->target.kind = THRONG_TARGET_GOAL;
      if (b->other.kind == THRONG_TARGET_AGENT) b->other.kind = THRONG_TARGET_GOAL;
    }
    status = throng_world_set_group(world, g, &def, error);
  }
  return status;
}

static throng_status add(const crowd *c, throng_world *world, const crowd_agent *agents, uint32_t count,
                         throng_error *error) {
  throng_agent_id *ids = malloc(((size_t)count + 1) * sizeof *ids);
  if (ids == NULL) abort();
  for (uint32_t i = 0; i < count; i++) ids[i] = agents[i].id;
  const throng_agents_def def = columns_of(c, agents);
  const throng_status status = throng_agents_add_with_ids(world, &def, count, ids, error);
  free(ids);
  return status;
}

/* throng_agents_def has no yaw rates. Writes them after adding, if any is not 0. */
static throng_status set_yaw_rates(const crowd *c, throng_world *world, throng_error *error) {
  bool spins = false;
  for (uint32_t i = 0; i < c->count; i++) spins |= c->agents[i].yaw_rate != 0.0f;
  if (!spins) return THRONG_OK;
  return throng_agents_write(world, THRONG_COLUMN_YAW_RATE, NULL, c->count, &c->agents->yaw_rate, sizeof *c->agents,
                             error);
}

void crowd_make_patient(crowd *c) {
  for (uint32_t i = 0; i < c->count; i++) c->agents[i].blocked_time = 0.0f;
}

static throng_status set_blocked_times(const crowd *c, throng_world *world, throng_error *error) {
  bool blocked = false;
  for (uint32_t i = 0; i < c->count; i++) blocked |= c->agents[i].blocked_time != 0.0f;
  if (!blocked) return THRONG_OK;
  return throng_agents_write(world, THRONG_COLUMN_BLOCKED_TIME, NULL, c->count, &c->agents->blocked_time,
                             sizeof *c->agents, error);
}

static throng_status set_kept(const crowd *c, throng_world *world, throng_error *error) {
  bool keeps = false;
  for (uint32_t i = 0; i < c->count; i++) keeps |= c->agents[i].kept.x == c->agents[i].kept.x;
  if (!keeps) return THRONG_OK;
  return throng_agents_write(world, THRONG_COLUMN_KEPT_ACCELERATION, NULL, c->count, &c->agents->kept,
                             sizeof *c->agents, error);
}

/* Writes the agents' own targets, which must exist. */
static throng_status set_targets(const crowd *c, throng_world *world, throng_error *error) {
  bool some = false;
  for (uint32_t i = 0; i < c->count; i++) some |= c->agents[i].target.index != 0;
  if (!some) return THRONG_OK;
  return throng_agents_write(world, THRONG_COLUMN_TARGET, NULL, c->count, &c->agents->target, sizeof *c->agents, error);
}

static throng_status set_fields(const crowd *c, throng_world *world, throng_error *error) {
  throng_status status = THRONG_OK;
  for (uint32_t k = 0; k < CROWD_MAX_FIELDS && status == THRONG_OK; k++) {
    throng_flow_field_def def = throng_default_flow_field_def();
    def.width = c->fields[k].width;
    def.height = c->fields[k].height;
    def.cell = c->fields[k].cell;
    def.origin.x = c->fields[k].origin_x;
    def.origin.z = c->fields[k].origin_z;
    def.vectors = c->fields[k].vectors;
    status = throng_world_set_flow_field(world, k, &def, error);
  }
  return status;
}

throng_status crowd_fill(const crowd *c, throng_world *world, throng_error *error) {
  crowd_set_paths(c, world);
  crowd_set_patterns(c, world);
  crowd_set_formations(c, world);
  crowd_set_attractors(c, world);
  crowd_set_zones(c, world);
  throng_status status = set_fields(c, world, error);
  if (status == THRONG_OK) status = set_groups(c, world, false, error);
  if (status == THRONG_OK) status = add(c, world, c->agents, c->count, error);
  if (status == THRONG_OK) status = write_parameters(c, world, error);
  if (status == THRONG_OK) status = crowd_write_instructions(c, world, error);
  if (status == THRONG_OK) status = crowd_write_own(c, world, error);
  if (status == THRONG_OK) status = crowd_write_places(c, world, error);
  if (status == THRONG_OK) status = set_groups(c, world, true, error);
  if (status == THRONG_OK) status = set_yaw_rates(c, world, error);
  if (status == THRONG_OK) status = set_targets(c, world, error);
  if (status == THRONG_OK) status = set_blocked_times(c, world, error);
  return status == THRONG_OK ? set_kept(c, world, error) : status;
}

/* Adds up to 40 extra agents at positions of the crowd's, with id indices above the crowd's. Returns how many; the
 * caller removes them by `ids`. */
static uint32_t add_strangers(const crowd *c, throng_world *world, test_rng *rng, throng_agent_id *ids) {
  const uint32_t beyond = c->count == 0 ? 1 : c->agents[c->count - 1].id.index + 1;
  uint32_t count = 0;
  for (uint32_t i = 0; i < c->count && count < 40; i += 1 + rng_below(rng, 4)) {
    crowd_agent stranger = c->agents[i];
    stranger.id = (throng_agent_id){beyond + count, 1, c->def.id_world};
    stranger.goal = stranger.position;
    throng_agents_def def = columns_of(c, &stranger);
    def.goal = (throng_span){&stranger.goal, 0};
    ids[count] = stranger.id;
    throng_error error;
    require_ok(throng_agents_add_with_ids(world, &def, 1, &ids[count], &error), &error);
    count++;
  }
  return count;
}

static void fill_by_history(const crowd *c, throng_world *world, uint64_t history) {
  test_rng rng = rng_from(history);
  throng_error error;
  uint32_t *order = malloc(((size_t)c->count + 1) * sizeof *order);
  if (order == NULL) abort();
  rng_shuffle(&rng, order, c->count);
  throng_agent_id strangers[40];
  const uint32_t strange = add_strangers(c, world, &rng, strangers);
  const uint32_t half = c->count / 2;
  for (uint32_t k = 0; k < half; k++) require_ok(add(c, world, &c->agents[order[k]], 1, &error), &error);
  if (rng_chance(&rng, 0.5f)) require_ok(throng_world_index(world, &error), &error);
  require_ok(throng_agents_remove(world, strangers, strange, &error), &error);
  for (uint32_t k = half; k < c->count; k++) require_ok(add(c, world, &c->agents[order[k]], 1, &error), &error);
  /* Remove one agent and add it again with its old id. */
  if (c->count > 0) {
    require_ok(throng_agents_remove(world, &c->agents[order[0]].id, 1, &error), &error);
    require_ok(add(c, world, &c->agents[order[0]], 1, &error), &error);
  }
  free(order);
}

throng_world *crowd_world(const crowd *c, const crowd_world_options *options) {
  const throng_world_def def = crowd_world_def(c, options);
  throng_world *world = NULL;
  throng_error error;
  require_ok(throng_world_create(&def, &world, &error), &error);
  if (options != NULL && options->history != 0) {
    require_ok(set_fields(c, world, &error), &error);
    require_ok(set_groups(c, world, false, &error), &error);
    fill_by_history(c, world, options->history);
    require_ok(write_parameters(c, world, &error), &error);
    require_ok(crowd_write_instructions(c, world, &error), &error);
    require_ok(crowd_write_own(c, world, &error), &error);
    require_ok(crowd_write_places(c, world, &error), &error);
    crowd_set_paths(c, world);
    crowd_set_patterns(c, world);
    crowd_set_formations(c, world);
    crowd_set_attractors(c, world);
    crowd_set_zones(c, world);
    require_ok(set_groups(c, world, true, &error), &error);
    require_ok(set_yaw_rates(c, world, &error), &error);
    require_ok(set_targets(c, world, &error), &error);
    require_ok(set_blocked_times(c, world, &error), &error);
    require_ok(set_kept(c, world, &error), &error);
  } else {
    require_ok(crowd_fill(c, world, &error), &error);
  }
  return world;
}

void crowd_import(crowd *c, const throng_world *world) {
  throng_error error;
  const size_t stride = sizeof *c->agents;
  bool wanders = false;
  for (uint32_t g = 0; g < c->group_count; g++) wanders |= group_wants(&c->groups[g], THRONG_BEHAVIOUR_WANDER);
  if (c->count == 0) return;
  require_ok(throng_agents_read(world, THRONG_COLUMN_FACING, NULL, c->count, &c->agents->facing, stride, &error),
             &error);
  if (wanders)
    require_ok(throng_agents_read(world, THRONG_COLUMN_WANDER, NULL, c->count, &c->agents->wander, stride, &error),
               &error);
}
