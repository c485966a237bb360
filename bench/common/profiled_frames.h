/* profiled_frames.h: which frames of a run are timed and profiled, the same in all programs that step scenes.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_PROFILED_FRAMES_H
#define BENCH_PROFILED_FRAMES_H

#include <stdint.h>

#define WARM_UP_FRAMES 5u
#define PROFILED_FRAMES 300u

/* Returns how many frames at the beginning of a run of `frames` frames are not timed, because threads start in them and
 * memory is touched for the first time. They count as frames of the run. They are at most half of it, so that a short
 * run has a time, too. */
static inline uint32_t warm_up_frames(uint32_t frames) {
  return frames / 2 < WARM_UP_FRAMES ? frames / 2 : WARM_UP_FRAMES;
}

/* Returns how many frames after these are profiled. */
static inline uint32_t profiled_frames(uint32_t frames) {
  const uint32_t timed = frames - warm_up_frames(frames);
  return timed < PROFILED_FRAMES ? timed : PROFILED_FRAMES;
}

#endif
