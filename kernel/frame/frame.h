/* frame.h: the parts of a frame, for those who run them by themselves (host_passes.c). SPDX-License-Identifier: MIT */
#ifndef THRONG_FRAME_H
#define THRONG_FRAME_H

#include "state.h"

/* What passes read in a frame of `dt` seconds; plans the torus of the next index. The world must be indexed. */
struct frame throng_frame_make(throng_world *world, float dt);
/* What one strip's agents want: every rule, and the blended acceleration. */
void throng_frame_steer_strip(const throng_world *world, const struct frame *frame, struct strip *strip,
                              struct lap *lap);
/* What the walk over neighbours reads beside the columns: who stands for others in dense crowds, and packed agents. */
void throng_frame_prepare_neighbours(throng_world *world, const struct frame *frame);
/* Both halves of a frame over all strips, or one; the back columns then hold where the agents will be. */
void throng_frame_run_strips(throng_world *world, const struct frame *frame, bool steer, bool move);
/* Whether dt may be a frame's. */
throng_status throng_frame_check_dt(float dt, throng_error *error);

#endif
