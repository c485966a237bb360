/* explain.c: see explain_internal.h. SPDX-License-Identifier: MIT */
#include "frame/explain_internal.h"

#include <math.h>
#include <string.h>

#include "agents/lookup.h"
#include "base/float_environment.h"
#include "passes/own.h"
#include "state.h"

#define NO_SLOT UINT32_MAX

static throng_status watch_inner(throng_world *world, throng_agent_id agent, throng_error *error) {
  if (agent.index != 0) TRY(throng_lookup_check_id(world, agent, "agent", error));
  memset(&world->watch, 0, sizeof world->watch);
  world->watch.agent = agent;
  return THRONG_OK;
}

throng_status throng_world_watch(throng_world *world, throng_agent_id agent, throng_error *error) {
  RETURN_ALONE(world, error, watch_inner(world, agent, error));
}

static void give_explanation(const struct space *space, throng_explanation *e) {
  const throng_axes *axes = space->axes;
  e->position = axes_give_point(axes, e->position);
  float p[3] = {e->position.x, e->position.y, e->position.z};
  space_hold_host(space, false, p);
  e->position = (throng_vec3){p[0], p[1], p[2]};
  e->velocity = axes_give_point(axes, e->velocity);
  e->max_acceleration = axes_give_length(axes, e->max_acceleration);
  e->acceleration = axes_give_point(axes, e->acceleration);
  e->yaw_acceleration = throng_axes_turn(axes, e->yaw_acceleration);
  for (uint32_t k = 0; k < e->count; k++) {
    throng_contribution *c = &e->contribution[k];
    c->acceleration = axes_give_point(axes, c->acceleration);
    c->yaw_acceleration = throng_axes_turn(axes, c->yaw_acceleration);
  }
}

static OUT_OF_LINE throng_status explain_inner(const throng_world *world, throng_agent_id agent,
                                               throng_explanation *explanation, throng_error *error) {
  REQUIRE_POINTER(world, error);
  REQUIRE_POINTER(explanation, error);
  TRY(throng_lookup_check_id(world, agent, "agent", error));
  if (world->watch.last.agent.index != agent.index || world->watch.last.agent.generation != agent.generation) {
    return throng_fail_agent(error, THRONG_ERROR_NOT_STEERED, agent,
                             "agent %u has not been steered since throng_world_watch", agent.index);
  }
  *explanation = world->watch.last;
  if (world->space.axes) give_explanation(&world->space, explanation);
  return THRONG_OK;
}

throng_status throng_world_explain(const throng_world *world, throng_agent_id agent, throng_explanation *explanation,
                                   throng_error *error) {
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status, explain_inner(world, agent, explanation, error));
}

void throng_explain_begin(throng_world *world) {
  struct watch *watch = &world->watch;
  watch->slot = NO_SLOT;
  watch->due = false;
  if (watch->agent.index == 0 || !throng_agents_is_valid(world, watch->agent)) return;
  if (!throng_lookup_is_own(world, watch->agent.index)) return;
  watch->slot = throng_lookup_slot(world, watch->agent);
  memset(&watch->now, 0, sizeof watch->now);
  watch->now.agent = watch->agent;
  watch->now.frame = world->frame;
}

static throng_vec3 column_vector(float *const column[3], uint32_t slot) {
  return (throng_vec3){column[0][slot], column[1] ? column[1][slot] : 0.0f, column[2][slot]};
}

static const char *rule_name(const throng_group_def *def, int rule) {
  static const char *const names[] = {"separation", "cohesion", "alignment", "avoidance", "attraction"};
  if (rule < RULE_LIST) return names[rule];
  const uint32_t k = (uint32_t)(rule - RULE_LIST);
  const throng_behaviour *b = &def->behaviour[k];
  return k < def->behaviour_count && b->weight != 0.0f ? throng_behaviour_name(b->kind) : "brake";
}

void throng_explain_strip(struct watch *watch, const throng_world *world, const struct frame *frame,
                          const struct strip *strip) {
  if (watch->slot < strip->begin || watch->slot >= strip->end) return;
  const uint32_t k = watch->slot - strip->begin;
  if (frame->groups->features & FEATURE_SLICED && !(strip->due[k] & DUE)) return; /* the last explanation stays */
  watch->due = true;
  const uint32_t group = meta_group(world->agents.front.meta[watch->slot]);
  const bool spatial = world->space.spatial;
  const throng_group_def *def = &world->group[group];
  throng_explanation *now = &watch->now;
  now->group = group;
  now->position = column_vector(world->agents.front.f + COLUMN_POSITION_X, watch->slot);
  now->velocity = column_vector(world->agents.front.f + COLUMN_VELOCITY_X, watch->slot);
  now->combine = def->combine;
  now->max_acceleration = def->max_acceleration;
  if (now->max_acceleration < INFINITY) {
    now->max_acceleration = wanted_limit_of(frame, watch->slot);
  }
  const float *weights = world->agents.front.f[COLUMN_WEIGHT], own = weights ? weights[watch->slot] : NAN;
  for (int rule = 0; rule < RULE_COUNT; rule++) {
    float weight = group_row(frame->groups, PARAM_WEIGHT + rule)[group];
    if (weight == 0.0f) continue;
    if (own == own && group_row(frame->groups, PARAM_OWN_WEIGHT)[group] == (float)rule) weight = own;
    throng_contribution *c = &now->contribution[now->count++];
    memcpy(&c->priority, &group_row(frame->groups, PARAM_PRIORITY + rule)[group], sizeof c->priority);
    c->name = rule_name(def, rule);
    c->weight = weight;
    const float(*a)[STRIP_CAPACITY] = strip->rule[rule];
    c->acceleration = (throng_vec3){a[0][k], spatial ? a[1][k] : 0.0f, a[2][k]};
    const bool aligns = rule == RULE_ALIGNMENT && group_row(frame->groups, PARAM_ALIGN_TURN)[group] > 0.0f;
    if (aligns || (rule >= RULE_LIST && frame->groups->entry[rule - RULE_LIST].turns)) {
      const int turn = aligns ? (int)TURN_OF_ALIGNMENT : rule - RULE_LIST;
      c->yaw_acceleration = !spatial ? a[1][k] : def->upright ? strip->turn[turn][0][k] : 0.0f;
    }
  }
  float *const *a = strip->acceleration;
  now->acceleration = (throng_vec3){a[0][k], spatial ? a[1][k] : 0.0f, a[2][k]};
  if (frame->groups->features & FEATURE_STEERED_YAW) {
    now->yaw_acceleration = spatial ? strip->turning[TURNING_YAW][k] : a[1][k];
  }
}

void throng_explain_end(struct watch *watch) {
  if (watch->due) watch->last = watch->now;
}
