/* A histogram of frame times. Its memory does not grow with the number of frames.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_FRAME_TIMES_H
#define BENCH_FRAME_TIMES_H

#include <stdint.h>

#define FRAME_TIME_OCTAVES 44u /* from a nanosecond to some hours; the end bins also count shorter and longer times */
#define FRAME_TIME_BINS 1024u  /* per octave: a bin is at most 1/1024 of its time wide; bench/compare needs that */

typedef struct frame_times {
  uint64_t frames, of_bin[FRAME_TIME_OCTAVES * FRAME_TIME_BINS];
  double most; /* seconds of the longest frame */
} frame_times;

void frame_times_add(frame_times *times, double seconds);
/* Returns a percentile of the frame times in seconds. The result is too long by less than the width of a bin; for the
 * 100th percentile it is exact. Returns 0 if there are no frames. */
double frame_times_percentile(const frame_times *times, uint32_t percent);

#endif
