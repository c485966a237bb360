/* frame/profile_internal.h: adds up the profile of a frame; does nothing in worlds without a profile.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_FRAME_PROFILE_INTERNAL_H
#define THRONG_KERNEL_FRAME_PROFILE_INTERNAL_H

#include "state.h"

/* Adds the workers' counts to the world's profile; profile_frame counts the frame too. */
void throng_profile_half_frame(throng_world *world, const struct frame *frame);
void throng_profile_frame(throng_world *world, const struct frame *frame);

#endif
