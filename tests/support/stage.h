/* tests/support/stage.h: small worlds with a few agents, for tests that check each of them.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_STAGE_H
#define TEST_STAGE_H

#include "support/check.h"

/* Returns a group that wants no acceleration: the weights of all rules are 0, and max_speed is 1000 m/s. */
throng_group_def stage_idle_group(void);
/* Returns a group that avoids others reciprocally, wants to keep its velocity, and can change it at once. */
throng_group_def stage_avoiding_group(void);
/* Creates a one-threaded world with `group` as group 0. `def` may be NULL: the default definition. */
throng_world *stage_world(const throng_world_def *def, const throng_group_def *group);
/* Adds agents. `velocities` and `goals` may be NULL; `ids` receives their ids and may be NULL. */
void stage_add(throng_world *world, uint32_t count, const throng_vec3 *positions, const throng_vec3 *velocities,
               const throng_vec3 *goals, throng_agent_id *ids);
/* Only bad[2] may be blocked. Checks that adding agents at `bad` fails and adds none; adds agents at `good`; checks
 * that writing `bad` as their positions fails and changes nothing. */
void stage_refuses_blocked(throng_world *world, const throng_vec3 good[3], const throng_vec3 bad[3],
                           throng_agent_id ids[3]);
/* Checks that writing `values` to a column of the world's two agents fails with `status`, names `name`[1] and changes
 * nothing, and that so does adding two agents by `def`, whose span of the column has the same values. */
void stage_refuses_values(throng_world *world, const throng_agent_id ids[2], throng_column column, const char *name,
                          const float values[2], throng_agents_def def, throng_status status);
void stage_step(throng_world *world, float dt);
/* Steers by 0.1 s, and returns the acceleration of the agent. */
throng_vec3 stage_steered(throng_world *world, throng_agent_id id);
/* Steers `count` agents, at most 8, in a world of their own by 0.01 s. Returns the acceleration of the first. */
throng_vec3 stage_wanted_by_first(const throng_world_def *def, const throng_group_def *group, uint32_t count,
                                  const throng_vec3 *positions, const throng_vec3 *velocities);
throng_vec3 stage_read(const throng_world *world, throng_column column, throng_agent_id id);
void stage_write(throng_world *world, throng_column column, throng_agent_id id, throng_vec3 value);
/* Sets the agent's acceleration by throng_world_edit_accelerations. Call it after throng_world_steer. */
void stage_push(throng_world *world, throng_agent_id id, throng_vec3 value);
double stage_length(throng_vec3 v);
double stage_distance(throng_vec3 a, throng_vec3 b);

#endif
