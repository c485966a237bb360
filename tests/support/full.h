/* tests/support/full.h: a small world with one object of each kind, for tests of calls that change a world.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_FULL_H
#define TEST_FULL_H

#include "support/check.h"

#define FULL_AGENTS 60u
#define FULL_NUMBER 3u /* index of its path, pattern, formation, flow field and callback */
/* Side of its box in metres, from 0. Agents are placed between 8 and 24 m; scenery and blocked cells are beyond 36 m
 * (the floor plane is at 0). */
#define FULL_SIDE 64.0f
#define FULL_WORLD_ID 7u /* throng_world_def.id_world */

/* Returns a definition with R = 2 m, one thread and a box. The test may change it before it creates the world. */
throng_world_def full_def(throng_space space);
/* Converts the definition's box from throng's axes to the axes of the definition. */
void full_box_in_host(throng_world_def *def);
/* Creates a world with all objects and FULL_AGENTS agents, and steps it 3 times. Group 0 is a flock. Group 1 wanders,
 * follows the path and the flow field, keeps the formation and uses the callback. Group 2 heeds the attractors, and
 * steers its yaw and plays the pattern in planar worlds. Periodic worlds get no scenery; only planar ones get cells.
 * `ids` may be NULL. */
throng_world *full_world(const throng_world_def *def, throng_agent_id ids[FULL_AGENTS]);
/* Creates the same world without agents, at frame 0. */
throng_world *full_empty_world(const throng_world_def *def);

/* The definitions that the world is filled with, for tests that set them again. Their arrays are static and some are
 * thread-local: valid until the same thread calls the function again. */
throng_group_def full_group(const throng_world_def *def, uint32_t group);
/* Fails the test if `count` is above FULL_AGENTS. Sets position, velocity, goal, group, radii and mass. */
throng_agents_def full_agents(uint32_t count);
throng_cells_def full_cells(void);
throng_scenery_def full_scenery(throng_space space);
throng_flow_field_def full_field(void);
throng_path_def full_path(void);
throng_pattern_def full_pattern(void);
throng_formation_def full_formation(void);
throng_attractors_def full_attractors(void);
throng_speed_zones_def full_zones(void);
void full_callback(const throng_block *block, void *context);

#endif
