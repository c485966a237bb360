/* throng/formation.h: places fixed in a moving frame, for a group to keep (THRONG_BEHAVIOUR_FORMATION, throng/behaviour.h).
 * A formation is a list of places, numbered from 0. Which place an agent has is its THRONG_COLUMN_FORMATION_PLACE (throng/agents.h): dealt
 * out here, the nearest first, or written by the caller.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_FORMATION_H
#define THRONG_FORMATION_H

#include "agents.h"
#include "base.h"
#include "group.h"

#ifdef __cplusplus
extern "C" {
#endif

#define THRONG_MAX_FORMATIONS 64u        /* of a world: numbers 0 to 63 */
#define THRONG_MAX_FORMATION_PLACES 4096u /* of a formation */

/* The places of a formation. */
typedef struct throng_formation_def {
  throng_span places; /* `count` times 3 floats, (right, up, forward) of the frame: metres, -1e9 to 1e9, in periodic worlds at
                        most half the box's shortest side either way; up is ignored in planar worlds. Copied */
  uint32_t count;    /* 1 to 4096 */
  uint32_t cookie;   /* set by throng_default_formation_def; do not touch */
} throng_formation_def;

/* Thread-safe. */
THRONG_API throng_formation_def throng_default_formation_def(void);

/* Sets the world's formation of that number, or takes it away (def == NULL): who keeps it is left alone from then on. Agents
 * keep their place numbers; one past the last counts as none. Places move with their frame, so that throng_world_shift_origin
 * does not concern them.
 * Errors: NULL_ARGUMENT, BAD_COOKIE, BAD_VALUE (number, count, a place too far out), NOT_FINITE, OUT_OF_MEMORY. Not thread-safe
 * with any other call on the same world. */
THRONG_API throng_status throng_world_set_formation(throng_world *world, uint32_t number,
                                                    const throng_formation_def *def, throng_error *error);

/* How many places a formation has; 0 where there is none. Thread-safe between steps. */
THRONG_API uint32_t throng_world_formation_place_count(const throng_world *world, uint32_t number);

/* What a call of throng_world_fill_formation leaves. */
typedef struct throng_formation_fill {
  uint32_t placed;     /* agents that it gave a place */
  uint32_t open_places; /* places that no agent of the group has */
  uint32_t left_over;  /* agents of the group without a place: the behaviour leaves them alone */
} throng_formation_fill;

/* Gives the agents of a group places of the formation that its definition's behaviour names. Agents that have one keep it. Of the
 * others and the open places the nearest two come together, then the nearest of the rest, and so on; of equally near ones the
 * smallest place, then the smallest id index. Distances are from the agent to the place's place in the frame of the behaviour's
 * target, the short way round. Agents without that target (no goal, a removed leader) get none. Nothing happens by itself: a
 * removed agent's place is open, and a new agent has none, until the next call; write NaN to THRONG_COLUMN_FORMATION_PLACE first to deal
 * all anew. `fill` may be NULL.
 * It takes agents * places steps and, where the same agents are nearest to many places, up to places / 64 times that: 400 agents
 * into 400 places take about 10 ms, 1 000 into 1 000 about 0.1 s.
 * Errors: NULL_ARGUMENT, NO_GROUP, BAD_VALUE (the group keeps no formation, or one that the world does not have), OUT_OF_MEMORY.
 * Not thread-safe with any other call on the same world. */
THRONG_API throng_status throng_world_fill_formation(throng_world *world, uint32_t group, throng_formation_fill *fill,
                                                     throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
