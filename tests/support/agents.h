/* tests/support/agents.h: a one-threaded world, and a function that adds one agent to it.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_TESTS_SUPPORT_AGENTS_H
#define THRONG_TESTS_SUPPORT_AGENTS_H

#include "support/check.h"

/* Creates a world; `number` becomes the `world` part of its agents' ids. */
static inline throng_world *new_world(throng_space space, uint16_t number) {
  throng_world_def def = throng_default_world_def();
  throng_world *world = NULL;
  throng_error error;
  def.space = space;
  def.thread_count = 1;
  def.id_world = number;
  require_ok(throng_world_create(&def, &world, &error), &error);
  return world;
}

static inline throng_agent_id add_one(throng_world *world, float x, float z) {
  const throng_vec3 p = {x, 0.0f, z};
  throng_agents_def def = throng_default_agents_def();
  def.position = (throng_span){&p, 0};
  throng_agent_id id;
  throng_error error;
  require_ok(throng_agents_add(world, &def, 1, &id, &error), &error);
  return id;
}

#endif
