/* throng/profile.h: measures how long each part of a frame takes. Off by default (throng_world_def.profile); it then
 * costs nothing.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_PROFILE_H
#define THRONG_PROFILE_H

#include "base.h"
#include "group.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sums since throng_world_create or throng_world_reset_profile. Times are in nanoseconds. "Elapsed" is time on the
 * calling thread's clock. "Summed" adds up the times of all workers: with two threads it grows twice as fast. */
typedef struct throng_profile {
  uint64_t frames;
  uint64_t agent_updates;     /* agents times frames. No number here counts ghosts (throng/piece.h) */
  uint64_t frame_ns;          /* elapsed: whole steps; with separate steer and integrate, only integrate */
  uint64_t steer_ns;          /* elapsed: the strips of all steps, which contain the next five */
  uint64_t neighbours_ns;     /* summed: rules over neighbours */
  uint64_t behaviours_ns;     /* summed: behaviours and blend */
  uint64_t integrate_ns;      /* summed: velocity, position, facing, boundary, list of movers */
  uint64_t constrain_ns;      /* summed: scenery and scenery cells */
  uint64_t contact_ns;        /* summed: solid bodies */
  uint64_t index_ns;          /* elapsed: checks and the sort into grid order */
  uint64_t candidates_tested; /* pairs (agent, candidate) that the neighbour walk tested, after culling. If a block has
                                 several lists, each of its agents counts as many candidates as the longest list has. A
                                 second walk for coincident agents is not counted */
  uint64_t neighbours_found;  /* pairs within the agent's perception radius, whatever rules, views and masks say. A
                                 representative counts once. With a steer_period above 1 both numbers are those of
                                 the agents that were walked: those that were due, and some others */
  uint64_t lost_moves;        /* moves of one agent in one frame that rounded to 0: the agent had a velocity, but its
                                 move was too short to reach the next float of its position, because floats are far
                                 apart so far from the origin. An agent that comes to rest may count in its last
                                 frames */
} throng_profile;

/* throng_world_get_profile copies the sums to *profile; throng_world_reset_profile sets them to 0.
 * Errors: NULL_ARGUMENT, UNSUPPORTED (the world has no profile). throng_world_get_profile is thread-safe between steps;
 * throng_world_reset_profile is not thread-safe with any other call on the same world. */
THRONG_API throng_status throng_world_get_profile(const throng_world *world, throng_profile *profile,
                                                  throng_error *error);
THRONG_API throng_status throng_world_reset_profile(throng_world *world, throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
