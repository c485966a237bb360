/* What a host does between two frames, for throng-run's --busy and --sleep.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_HOST_WORK_H
#define BENCH_HOST_WORK_H

typedef struct host_work {
  float busy_ms, sleep_ms; /* one after the other */
} host_work;

/* Works on 8 MB of its own, more than most cores' own caches hold, and sleeps; a signal to stop cuts the sleep short. */
void host_work_do(const host_work *work);

#endif
