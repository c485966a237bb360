/* tests/support/jobs.h: a host's job system, as unkind as the contract allows: random cuts, random order, several
 * threads, and hostile floating-point environments in them.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_JOBS_H
#define TEST_JOBS_H

#include <throng/throng.h>

#include "support/floats.h"
#include "support/random.h"

typedef struct test_jobs {
  uint32_t worker_count;
  bool threaded;              /* real threads; else one after the other, on changing workers */
  fp_environment environment; /* that the workers run in */
  test_rng rng;
  uint64_t jobs, pieces; /* how many there were */
  uint64_t broken;       /* pieces after which a worker's environment was not what it was before */
} test_jobs;

throng_job_system test_job_system(test_jobs *jobs);

#endif
