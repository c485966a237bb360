/* SPDX-License-Identifier: MIT */
#include "runner/host_work.h"

#include <stddef.h>

#include "common/clock.h"
#include "common/stop.h"

#define MEMORY_BYTES ((size_t)8 << 20)
#define LINE_BYTES 64u
#define LINES_A_LOOK 256u /* cache lines between two readings of the clock */

/* Writes to every cache line of 8 MB, again and again, for `seconds`. */
static void be_busy(double seconds) {
  static volatile unsigned char memory[MEMORY_BYTES];
  static size_t at;
  const double end = clock_seconds() + seconds;
  while (clock_seconds() < end)
    for (unsigned k = 0; k < LINES_A_LOOK; k++, at = (at + LINE_BYTES) % MEMORY_BYTES) memory[at]++;
}

void host_work_do(const host_work *work) {
  if (work->busy_ms > 0) be_busy(1e-3 * (double)work->busy_ms);
  if (work->sleep_ms <= 0 || stop_wanted()) return;
  const double seconds = 1e-3 * (double)work->sleep_ms;
  const time_t whole = (time_t)seconds;
  nanosleep(&(struct timespec){whole, (long)(1e9 * (seconds - (double)whole))}, NULL);
}
