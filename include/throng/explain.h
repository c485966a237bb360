/* throng/explain.h: why does an agent move as it does? What each of its rules wanted in the last frame.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_EXPLAIN_H
#define THRONG_EXPLAIN_H

#include "group.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many rules and behaviours one agent can have. */
#define THRONG_MAX_CONTRIBUTIONS (5u + THRONG_MAX_BEHAVIOURS)

/* One rule's wish. */
typedef struct throng_contribution {
  const char *name;         /* "separation", "cohesion", "alignment", "avoidance", "attraction", or the behaviour's:
                               "seek" */
  float weight;             /* as the group has it; never 0 */
  uint32_t priority;        /* likewise; THRONG_PRIORITIES, none, of align, face and look */
  throng_vec3 acceleration; /* m/s^2, before its weight */
  float yaw_acceleration;   /* rad/s^2, likewise; of behaviours that turn */
} throng_contribution;

/* What an agent wanted, from its state at the beginning of the frame. */
typedef struct throng_explanation {
  throng_agent_id agent;
  uint64_t frame; /* throng_world_frame() when the frame began */
  uint32_t group;
  throng_vec3 position, velocity; /* metres, m/s */
  throng_combine combine;         /* how the group combines its rules */
  float max_acceleration;         /* m/s^2, which limits the result: the agent's, by its mass */
  uint32_t count;                 /* of contributions: the group's rules with a weight, in the order of addition */
  throng_contribution contribution[THRONG_MAX_CONTRIBUTIONS];
  throng_vec3 acceleration; /* m/s^2, what they became together; in a queue, what it leaves of that; of a vehicle, what
                               it can do of that */
  float yaw_acceleration;   /* rad/s^2; 0 unless the yaw is steered */
} throng_explanation;

/* Chooses the agent whose frames are explained from now on; {0} chooses nobody (the default, which costs nothing). Watching
 * takes about a nanosecond an agent of the world and frame, to find the agent. No bit of the agents depends on it.
 * Errors: NULL_ARGUMENT, STALE_ID, FOREIGN_ID. Not thread-safe with any other call on the same world. */
THRONG_API throng_status throng_world_watch(throng_world *world, throng_agent_id agent, throng_error *error);

/* The explanation of the last frame that was steered (throng_world_step or throng_world_steer) and did not fail.
 * Errors: NULL_ARGUMENT, STALE_ID, FOREIGN_ID, NOT_STEERED (no such frame since it is watched, or another agent is).
 * Thread-safe between steps. */
THRONG_API throng_status throng_world_explain(const throng_world *world, throng_agent_id agent,
                                              throng_explanation *explanation, throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
