/* throng/callback.h: the host's own behaviours: functions that a frame calls with blocks of agents.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_CALLBACK_H
#define THRONG_CALLBACK_H

#include "group.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The maximum number of a world's callbacks. */
#define THRONG_MAX_CALLBACKS 8u

/* A callback block: `count` agents, 1 to 256, in their state at the beginning of the frame. Element k of every array
 * belongs to one agent. An array that the world does not have is NULL, as in throng_view. The callback writes the
 * arrays that are not const. All values are in throng's axes and metres, even if the host has other axes
 * (throng_world_def.axes). */
typedef struct throng_block {
  uint32_t count;
  uint64_t frame; /* throng_world_frame() */
  float dt;       /* seconds */
  const uint32_t *id_index;
  const uint8_t *group;
  const uint8_t
      *wanted; /* 1: the agent's group has this callback as the behaviour that is computed; 0: the agent's acceleration
                  is ignored */
  const float *position_x, *position_y, *position_z; /* metres */
  const float *velocity_x, *velocity_y, *velocity_z; /* m/s */
  const float *yaw;                                  /* radians; planar */
  const float *facing_x, *facing_y, *facing_z;       /* spatial */
  const float *goal_x, *goal_y, *goal_z; /* metres; x is NaN if the agent has none; NULL if no agent has one */
  float *acceleration_x, *acceleration_y, *acceleration_z; /* m/s^2, 0 when called; y is NULL in planar worlds */
} throng_block;

/* The host's function. Several workers call it at the same time, each with different agents.
 *   It may write the block's accelerations, and memory of its own if that is safe from several threads. It may call
 * throng_world_query_... and throng_agents_read on the same world; both return the state at the beginning of the frame,
 * as do the other functions with a const world. Functions that change the world return BUSY and do nothing. It must not
 * throw or change the floating-point environment (round to nearest, denormals on). A frame has the same bits for any
 * number of threads if an agent's acceleration depends on that agent and the world, and not on the other agents of its
 * block. Each component of an acceleration is limited to +-1e18 m/s^2; the vector is then clipped to max_acceleration,
 * as for every behaviour. If one is NaN or infinite, throng_world_step or throng_world_steer fails with NOT_FINITE,
 * names the agent with the smallest id index, and leaves the world as it was. */
typedef void throng_callback(const throng_block *block, void *context);

/* Sets one of the world's callbacks, 0 to 7, or removes it (NULL). Groups call it by a behaviour of kind
 * THRONG_BEHAVIOUR_CALLBACK. Without the callback, that behaviour gives no acceleration.
 * Errors: NULL_ARGUMENT, BAD_VALUE. Not thread-safe with any other call on the same world. */
THRONG_API throng_status throng_world_set_callback(throng_world *world, uint32_t index, throng_callback *callback,
                                                   void *context, throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
