/* throng/callback.h: a caller's own behaviour, called with blocks of agents while they are steered.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_CALLBACK_H
#define THRONG_CALLBACK_H

#include "group.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many callbacks a world can have. */
#define THRONG_MAX_CALLBACKS 8u

/* `count` agents, 1 to 256, as they are at the frame's beginning: element k of every array belongs to one agent. Arrays that
 * the world does not have are NULL, as in throng_view. What is not const is to be written. */
typedef struct throng_block {
  uint32_t count;
  uint64_t frame; /* throng_world_frame() */
  float dt;       /* seconds */
  const uint32_t *id_index;
  const uint8_t *group;
  const uint8_t *wanted; /* 1: the agent's group has this callback in its list; what is written of the others is not looked at */
  const float *position_x, *position_y, *position_z;             /* metres */
  const float *velocity_x, *velocity_y, *velocity_z;             /* m/s */
  const float *yaw;                                              /* radians; planar */
  const float *facing_x, *facing_y, *facing_z;                   /* spatial */
  const float *goal_x, *goal_y, *goal_z;                         /* metres; NaN x: none. NULL: nobody has one */
  float *acceleration_x, *acceleration_y, *acceleration_z;       /* m/s^2, 0 when called; y is NULL in planar worlds */
} throng_block;

/* Called by the workers at once, each time with other agents: it may write to the block's accelerations alone, and to memory
 * of its own where that is safe from many threads. It may ask throng_query_..., and read agents of the same world through
 * throng_agents_read, as they were at the frame's beginning; it must not call anything that changes the world, throw, or
 * change the floating-point environment, which is round-to-nearest with denormals.
 * The bits of a frame stay the same for any number of threads if what it writes of an agent depends on that agent and the
 * world alone, and not on which agents share its block. Accelerations beyond 1e18 m/s^2 along an axis count as
 * that; then they are clipped to max_acceleration, like every behaviour's. One that is not a number or infinite fails
 * throng_world_step or throng_world_steer (NOT_FINITE, with the agent of the smallest id), and nothing has happened. */
typedef void throng_callback(const throng_block *block, void *context);

/* Sets callback `number`, 0 to 7, of the world, or takes it away (NULL). Groups call it by a behaviour of kind
 * THRONG_BEHAVIOUR_CALLBACK; while there is none of that number, that behaviour gives no acceleration.
 * Errors: NULL_ARGUMENT, BAD_VALUE. Not thread-safe with any other call on the same world. */
THRONG_API throng_status throng_world_set_callback(throng_world *world, uint32_t number, throng_callback *callback,
                                                   void *context, throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
