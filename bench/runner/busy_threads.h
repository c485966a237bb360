/* Threads that keep cores busy beside the run, as those of a game do: throng-run's --busy-threads.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_BUSY_THREADS_H
#define BENCH_BUSY_THREADS_H

#include <stdint.h>

#include "common/problem.h"

#define MAX_BUSY_THREADS 256u

/* Starts `count` threads that compute until busy_threads_stop. */
bool busy_threads_start(uint32_t count, bench_problem *problem);
void busy_threads_stop(void);

#endif
