/* What single frames took: however many, in the same memory.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_FRAME_TIMES_H
#define BENCH_FRAME_TIMES_H

#include <stdint.h>

#define FRAME_TIME_OCTAVES 44u /* from a nanosecond to some hours; what lies outside counts as the nearest inside */
#define FRAME_TIME_BINS 128u   /* in each: a time is known to 1 part in 128 */

typedef struct frame_times {
  uint64_t frames, of_bin[FRAME_TIME_OCTAVES * FRAME_TIME_BINS];
  double most; /* seconds: the longest frame's */
} frame_times;

void frame_times_add(frame_times *times, double seconds);
/* Seconds within which so many of 100 frames were done (0 to 100, at least one frame): too long by less than a bin is wide; of 100
 * the longest, as it is. 0 of no frames. */
double frame_times_percentile(const frame_times *times, uint32_t percent);

#endif
