/* tests/promises/golden_jobs.h: a job system for the golden scenes that cuts work into random ranges and runs them in
 * random order with random worker numbers. It runs them one after another, so that it works on targets without threads;
 * support/jobs.h has one with threads.
 * SPDX-License-Identifier: MIT */
#ifndef GOLDEN_JOBS_H
#define GOLDEN_JOBS_H

#include <throng/throng.h>

typedef struct golden_jobs {
  uint64_t random; /* the generator's state; starts as the seed */
  uint32_t worker_count;
} golden_jobs;

/* Returns the job system. `jobs` must outlive the worlds that use it. */
throng_job_system golden_job_system(golden_jobs *jobs);

#endif
