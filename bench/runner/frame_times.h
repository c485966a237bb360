/* A histogram of frame times. Its memory does not grow with the number of frames.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_FRAME_TIMES_H
#define BENCH_FRAME_TIMES_H

#include <stdint.h>

#define FRAME_TIME_OCTAVES 44u /* from a nanosecond to some hours; other times count as the nearest of these */
#define FRAME_TIME_BINS 128u   /* per octave: a time is known to 1 part in 128 */

typedef struct frame_times {
  uint64_t frames, of_bin[FRAME_TIME_OCTAVES * FRAME_TIME_BINS];
  double most; /* seconds of the longest frame */
} frame_times;

void frame_times_add(frame_times *times, double seconds);
/* The percentile of frame times, in seconds: too long by less than the width of a bin. 100 gives the longest frame
 * exactly. 0 if there are no frames. */
double frame_times_percentile(const frame_times *times, uint32_t percent);

#endif
