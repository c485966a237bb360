/* tests/promises/golden_jobs.h: an unkind job system for the golden scenes: random cuts, in random order, on random
 * workers. One after the other, so that it runs where there are no threads; support/jobs.h has real ones.
 * SPDX-License-Identifier: MIT */
#ifndef GOLDEN_JOBS_H
#define GOLDEN_JOBS_H

#include <throng/throng.h>

typedef struct golden_jobs {
  uint64_t random; /* the seed, and what became of it */
  uint32_t worker_count;
} golden_jobs;

/* `jobs` must outlive the worlds that use it. */
throng_job_system golden_job_system(golden_jobs *jobs);

#endif
