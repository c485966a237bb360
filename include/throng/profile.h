/* throng/profile.h: where the time of a frame goes. Off by default (throng_world_def.profile); costs nothing when off.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_PROFILE_H
#define THRONG_PROFILE_H

#include "base.h"
#include "group.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sums since create or throng_world_reset_profile. Times in nanoseconds: the five parts of the steering strips are summed over workers
 * (so with two threads they grow twice as fast as the clock), the rest is the clock of the calling thread. */
typedef struct throng_profile {
  uint64_t frames;
  uint64_t agent_updates; /* agents times frames */
  uint64_t frame_ns;      /* whole steps, clock (of steer and integrate apart: the integrate alone) */
  uint64_t steer_ns;      /* the strips of all steps, clock: neighbours, behaviours, integrate, constrain, contact */
  uint64_t neighbours_ns; /* summed over workers */
  uint64_t behaviours_ns; /* summed over workers: goals, wander, blend */
  uint64_t integrate_ns;  /* summed over workers: velocity, position, facing, boundary, who changes cell */
  uint64_t constrain_ns;  /* summed over workers: cells */
  uint64_t contact_ns;    /* summed over workers: solid bodies */
  uint64_t index_ns;      /* check, histogram, scatter and sort, clock */
  uint64_t candidates_tested;  /* pairs (agent, candidate) tested one by one: those left once what no agent of a block, or of
                                  its quarter, can reach is culled; an agent that waits for a longer list counts as testing;
                                  each once, also where agents on one spot make a second walk necessary */
  uint64_t neighbours_found; /* pairs within the agent's perception radius, whatever rules, views and masks say; under a
                                  neighbour budget those who represent others count once */
} throng_profile;

/* Errors: NULL_ARGUMENT, UNSUPPORTED (the world does not profile). Thread-safe between steps. */
THRONG_API throng_status throng_world_get_profile(const throng_world *world, throng_profile *profile, throng_error *error);
THRONG_API throng_status throng_world_reset_profile(throng_world *world, throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
