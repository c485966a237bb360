/* cpu_clock.h: the CPU time of this process. On a shared machine it tells what a rank works, and wall time does not.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_MPI_CPU_CLOCK_H
#define THRONG_KERNEL_MPI_CPU_CLOCK_H

#include <time.h>

static inline double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
