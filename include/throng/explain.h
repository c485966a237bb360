/* throng/explain.h: explains one agent's motion: what each rule and behaviour wanted in the last frame.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_EXPLAIN_H
#define THRONG_EXPLAIN_H

#include "group.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The maximum number of an agent's rules and behaviours. */
#define THRONG_MAX_CONTRIBUTIONS (5u + THRONG_MAX_BEHAVIOURS)

/* What one rule or behaviour wanted. */
typedef struct throng_contribution {
  const char *name;         /* "separation", "cohesion", "alignment", "avoidance", "attraction", or the name of the
                               behaviour's kind, such as "seek" */
  float weight;             /* from the group's definition; never 0 */
  uint32_t priority;        /* from the group's definition; THRONG_PRIORITIES for align, face and look, which the
                               combination leaves out */
  throng_vec3 acceleration; /* m/s^2, before it is multiplied by the weight */
  float yaw_acceleration;   /* rad/s^2, before it is multiplied by the weight; 0 except for behaviours that
                               turn a yaw, and in spatial worlds without `upright` */
} throng_contribution;

/* What an agent's rules and behaviours wanted, and its state at the beginning of the frame. */
typedef struct throng_explanation {
  throng_agent_id agent;
  uint64_t frame; /* throng_world_frame() when the frame began: the last frame in which the agent was due, if its
                     steer_period is above 1 ("Time slicing", group.h) */
  uint32_t group;
  throng_vec3 position, velocity; /* metres, m/s */
  throng_combine combine;         /* how the group combines its rules and behaviours */
  float max_acceleration;         /* m/s^2: limits each contribution and their blend; the group's, converted to the
                                     agent's mass, but not with steering_is_force, where the mass divides the blend;
                                     may be INFINITY */
  uint32_t count; /* number of contributions: rules and behaviours with a weight, in the order in which they are
                     added. Reciprocal avoidance is none: only `acceleration` shows it */
  throng_contribution contribution[THRONG_MAX_CONTRIBUTIONS];
  throng_vec3 acceleration; /* m/s^2: the blended result, divided by the mass, and limited by queue, pace, reciprocal
                               avoidance, actuation */
  float yaw_acceleration;   /* rad/s^2; as THRONG_COLUMN_YAW_ACCELERATION */
} throng_explanation;

/* Chooses one agent to watch. From the next frame on, throng_world_explain can explain that agent. An `agent` of {0}
 * means that no agent is watched, as in a new world; watching then takes no time. With a watched agent a frame takes
 * about a nanosecond longer per agent of the world. Watching changes no bit of any agent.
 * Errors: NULL_ARGUMENT, STALE_ID, FOREIGN_ID. Not thread-safe with any other call on the same world. */
THRONG_API throng_status throng_world_watch(throng_world *world, throng_agent_id agent, throng_error *error);

/* Explains the agent's motion in the last throng_world_step or throng_world_steer that succeeded and in which the agent
 * was due; throng_explanation.frame says which one that was.
 * Errors: NULL_ARGUMENT, STALE_ID, FOREIGN_ID, NOT_STEERED (the agent is not watched, or no frame has steered it since
 * throng_world_watch or since a snapshot was loaded; with a steer_period above 1 it was not due since).
 * Thread-safe between steps. */
THRONG_API throng_status throng_world_explain(const throng_world *world, throng_agent_id agent,
                                              throng_explanation *explanation, throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
