/* Imitates the work of a game between two frames: throng-run's --busy and --sleep.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_HOST_WORK_H
#define BENCH_HOST_WORK_H

typedef struct host_work {
  float busy_ms, sleep_ms; /* milliseconds of work, then of sleep */
} host_work;

/* Works on 8 MB, which is more than the private caches of most cores hold, then sleeps. A signal to stop ends the
 * sleep. */
void host_work_do(const host_work *work);

#endif
