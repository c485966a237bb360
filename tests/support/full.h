/* tests/support/full.h: a small world that has one of everything, for tests of what calls do to a world.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_FULL_H
#define TEST_FULL_H

#include "support/check.h"

#define FULL_AGENTS 60u
#define FULL_NUMBER 3u /* of its path, pattern, formation, flow field and callback */
#define FULL_SIDE                                                                                                      \
  64.0f /* metres: its box, from the origin; agents stand from 8 to 24 m, what is in the way beyond 36 m */
#define FULL_WORLD_ID 7u /* throng_world_def.id_world */

/* R = 2 m, one thread, boxed; change what the test is about. */
throng_world_def full_def(throng_space space);
/* Converts a box in throng's axes to the axes of the definition. */
void full_box_in_host(throng_world_def *def);
/* Agents of groups 0 to 2: a flock; wanderers that follow path and field, keep the formation and call the callback;
 * and in planar worlds spinning ones that play the pattern. Cells and scenery where the world may have them. `ids`
 * may be NULL. */
throng_world *full_world(const throng_world_def *def, throng_agent_id ids[FULL_AGENTS]);
/* The same without agents and frames. */
throng_world *full_empty_world(const throng_world_def *def);

/* What it is filled with, for calls that set it anew. The arrays are static, each thread's own. */
throng_group_def full_group(const throng_world_def *def, uint32_t group);
throng_agents_def
full_agents(uint32_t count); /* up to FULL_AGENTS, with every column that does not need another group */
throng_cells_def full_cells(void);
throng_scenery_def full_scenery(throng_space space);
throng_flow_field_def full_field(void);
throng_path_def full_path(void);
throng_pattern_def full_pattern(void);
throng_formation_def full_formation(void);
void full_callback(const throng_block *block, void *context);

#endif
