/* tests/support/stage.h: small worlds made by hand, for tests that watch a few agents.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_STAGE_H
#define TEST_STAGE_H

#include "support/check.h"

/* A group that wants nothing: every rule off, limits out of the way. */
throng_group_def stage_idle_group(void);
/* A one-threaded world with `group` as group 0. */
throng_world *stage_world(const throng_world_def *def, const throng_group_def *group);
/* Adds agents; velocities, goals may be NULL. The ids go to ids[count], or nowhere. */
void stage_add(throng_world *world, uint32_t count, const throng_vec3 *positions, const throng_vec3 *velocities,
               const throng_vec3 *goals, throng_agent_id *ids);
/* Of three places only the last of `bad` is blocked: neither adding nor writing them does anything; the `good` ones
 * are added. */
void stage_refuses_blocked(throng_world *world, const throng_vec3 good[3], const throng_vec3 bad[3],
                           throng_agent_id ids[3]);
void stage_step(throng_world *world, float dt);
throng_vec3 stage_read(const throng_world *world, throng_column column, throng_agent_id id);
void stage_write(throng_world *world, throng_column column, throng_agent_id id, throng_vec3 value);
/* After throng_world_steer: the agent's acceleration is `value`, by the edit view. */
void stage_push(throng_world *world, throng_agent_id id, throng_vec3 value);
double stage_length(throng_vec3 v);
double stage_distance(throng_vec3 a, throng_vec3 b);

#endif
