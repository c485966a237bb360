/* profile.h: the clocks of a frame; nothing where the world does not profile. SPDX-License-Identifier: MIT */
#ifndef THRONG_PROFILE_INTERNAL_H
#define THRONG_PROFILE_INTERNAL_H

#include "state.h"

/* A monotonic clock in nanoseconds. */
uint64_t throng_profile_clock(void);

static inline uint64_t profile_start(const struct frame *frame) { return frame->profile ? throng_profile_clock() : 0; }
/* Adds the time since *time to *sum, and sets *time to now. */
static inline void profile_add(const struct frame *frame, uint64_t *sum, uint64_t *time) {
  if (!frame->profile) return;
  uint64_t now = throng_profile_clock();
  *sum += now - *time;
  *time = now;
}
/* Adds the workers' counts to the world's profile; profile_frame counts the frame and its time too. */
void throng_profile_half_frame(throng_world *world, const struct frame *frame);
void throng_profile_frame(throng_world *world, const struct frame *frame, uint64_t begin);

#endif
