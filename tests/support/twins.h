/* tests/support/twins.h: a world with periodic axes, and its twin without them, whose scenery repeats beside the box.
 * An agent moves alike in both, until it is wrapped.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_TWINS_H
#define TEST_TWINS_H

#include "support/check.h"
#include "support/random.h"

#define TWINS_SIDE 20.0f /* of the box, which begins at 0 */
#define TWINS_MOST 60u   /* agents */

typedef struct twins {
  throng_world_def def; /* of `world` */
  throng_world *world, *open;
  throng_vec3 start[TWINS_MOST], velocity[TWINS_MOST];
  throng_agent_id ids[TWINS_MOST], open_ids[TWINS_MOST];
  uint32_t count;
  uint32_t wraps, stops; /* coordinates of all twins so far that were wrapped, and whose motion was stopped */
} twins;

bool twins_axis_is_periodic(const throng_world_def *def, int axis);
/* Creates the worlds without agents. The axes that are periodic in `def` are unbounded in the open world. */
void twins_make(twins *t, throng_world_def def, const throng_group_def *group);
/* Checks that both worlds answer alike whether a body fits at p. If p is free, an agent will start there. */
void twins_offer(twins *t, test_rng *rng, throng_vec3 p, throng_vec3 velocity);
/* Adds the agents, steps both worlds, compares them and destroys them. */
void twins_compare(twins *t, float dt, uint64_t seed);

#endif
