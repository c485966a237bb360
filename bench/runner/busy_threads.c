/* SPDX-License-Identifier: MIT */
#include "runner/busy_threads.h"

#include <pthread.h>
#include <stdatomic.h>

static pthread_t thread[MAX_BUSY_THREADS];
static uint32_t started;
static _Atomic bool quit;

static void *compute(void *context) {
  volatile uint64_t number = 1;
  while (!atomic_load_explicit(&quit, memory_order_relaxed))
    for (int k = 0; k < 1000; k++) number = number * 6364136223846793005u + 1442695040888963407u;
  return context;
}

bool busy_threads_start(uint32_t count, bench_problem *problem) {
  for (; started < count; started++)
    if (pthread_create(&thread[started], NULL, compute, NULL) != 0)
      return problem_set(problem, "option '--busy-threads': only %u threads could be started", started);
  return true;
}

void busy_threads_stop(void) {
  atomic_store(&quit, true);
  while (started > 0) pthread_join(thread[--started], NULL);
}
