/* tests/support/jobs.h: a job system that does the most unusual things that the interface allows: random ranges in
 * random order, several threads, and unusual floating-point environments in them.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_JOBS_H
#define TEST_JOBS_H

#include <throng/throng.h>

#include "support/floats.h"
#include "support/random.h"

typedef struct test_jobs {
  uint32_t worker_count;
  bool threaded;              /* true: worker_count threads, at most 16; false: serially, with random worker numbers */
  fp_environment environment; /* the workers' floating-point environment */
  test_rng rng;
  uint64_t jobs, pieces; /* numbers of jobs and of ranges so far */
  uint64_t broken;       /* ranges whose task changed the worker's environment */
} test_jobs;

throng_job_system test_job_system(test_jobs *jobs);

#endif
