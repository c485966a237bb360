/* throng/formation.h: places in the local coordinates of a moving target, which the agents of a group keep
 * (THRONG_BEHAVIOUR_FORMATION, throng/behaviour.h). A formation is a list of places, numbered from 0. An agent's place
 * is its THRONG_COLUMN_FORMATION_PLACE (throng/agents.h). throng_world_fill_formation assigns places, or the caller
 * writes them.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_FORMATION_H
#define THRONG_FORMATION_H

#include "agents.h"
#include "base.h"
#include "group.h"

#ifdef __cplusplus
extern "C" {
#endif

#define THRONG_MAX_FORMATIONS 64u         /* of a world: indices 0 to 63 */
#define THRONG_MAX_FORMATION_PLACES 4096u /* of a formation */

/* The places of a formation. */
typedef struct throng_formation_def {
  throng_span places; /* `count` times 3 floats, (right, up, forward) of the target: metres, -1e9 to 1e9; at
                         most half of the shortest periodic side. up is ignored in planar worlds. Copied */
  uint32_t count;     /* 1 to 4096. Places may be equal */
  uint32_t cookie;    /* set by throng_default_formation_def; do not touch */
} throng_formation_def;

/* Thread-safe. */
THRONG_API throng_formation_def throng_default_formation_def(void);

/* Sets one of the world's formations, 0 to 63, or removes it (def == NULL): the behaviour then gives no
 * acceleration. Agents keep their place numbers; a number past the last place counts as none.
 * throng_world_shift_origin does not change places.
 * Errors: NULL_ARGUMENT, BAD_COOKIE, BAD_VALUE (index, count, a place too far out), NOT_FINITE, OUT_OF_MEMORY. Not
 * thread-safe with any other call on the same world. */
THRONG_API throng_status throng_world_set_formation(throng_world *world, uint32_t index,
                                                    const throng_formation_def *def, throng_error *error);

/* Returns the number of a formation's places; 0 if there is no such formation. Thread-safe between steps. */
THRONG_API uint32_t throng_world_formation_place_count(const throng_world *world, uint32_t index);

/* The result of throng_world_fill_formation. */
typedef struct throng_formation_fill {
  uint32_t placed;      /* agents that got a place in this call */
  uint32_t open_places; /* places without an agent of the group; with THRONG_TARGET_OWN summed over the leaders */
  uint32_t left_over;   /* agents of the group without a place: the behaviour gives them no acceleration */
} throng_formation_fill;

/* Assigns places to the agents of a group, in the formation that the group's behaviour names. An agent with a place
 * keeps it. Other agents get open places. The agent and the open place with the smallest distance from each other are
 * assigned first, then the pair with the next distance, and so on. On a tie the smallest place number comes first, then
 * the smallest id index. The distance is from the agent to the place's present position, by the minimum image. Agents
 * without the behaviour's target (no goal, or a removed leader) get no place. With THRONG_TARGET_OWN each leader has a
 * formation of its own: the agents with this target fill its places. So one group can have any number of squads.
 *   Places change only by this call and by writing THRONG_COLUMN_FORMATION_PLACE. Until the next call, a removed
 * agent's place stays open and a new agent has no place. To assign all places again, write NaN to the column first.
 * `fill` may be NULL. The call takes time proportional to agents * places; if the same agents are nearest to many
 * places, up to places / 64 times as long. 400 agents and 400 places take about 10 ms, 1 000 and 1 000 about 0.1 s.
 * Errors: NULL_ARGUMENT, NO_GROUP, BAD_VALUE (the group has no formation behaviour, or the world no such formation),
 * OUT_OF_MEMORY. Not thread-safe with any other call on the same world. */
THRONG_API throng_status throng_world_fill_formation(throng_world *world, uint32_t group, throng_formation_fill *fill,
                                                     throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
