/* SPDX-License-Identifier: MIT */
#include "runner/frame_times.h"

#include <math.h>

#define LEAST_EXPONENT (-30) /* 2^-30 s: about a nanosecond */
#define BINS (FRAME_TIME_OCTAVES * FRAME_TIME_BINS)

static uint32_t bin_of(double seconds) {
  if (seconds <= 0) return 0;
  int exponent;
  const double fraction = frexp(seconds, &exponent); /* 1/2 to 1 */
  const double bin = (exponent - 1 - LEAST_EXPONENT + (2 * fraction - 1)) * FRAME_TIME_BINS;
  return bin >= BINS ? BINS - 1 : bin > 0 ? (uint32_t)bin : 0;
}

/* Returns the upper limit of a bin in seconds. */
static double end_of(uint32_t bin) {
  const uint32_t octave = (bin + 1) / FRAME_TIME_BINS, part = (bin + 1) % FRAME_TIME_BINS;
  return ldexp(1 + (double)part / FRAME_TIME_BINS, (int)octave + LEAST_EXPONENT);
}

void frame_times_add(frame_times *times, double seconds) {
  times->frames++;
  times->of_bin[bin_of(seconds)]++;
  if (seconds > times->most) times->most = seconds;
}

double frame_times_percentile(const frame_times *times, uint32_t percent) {
  const uint64_t wanted = times->frames * percent;
  uint64_t frames = 0;
  for (uint32_t bin = 0; bin < BINS; bin++) {
    frames += times->of_bin[bin];
    if (frames < times->frames && frames > 0 && 100 * frames >= wanted) return end_of(bin);
  }
  return times->most; /* the longest frame is known exactly */
}
