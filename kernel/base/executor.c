/* executor.c: see executor.h. SPDX-License-Identifier: MIT */
#include "base/executor.h"
#include "base/assertion.h"

#ifdef THRONG_OPENMP
#include <omp.h>
#if defined(__unix__) || defined(__APPLE__)
#define FORKS
#include <pthread.h>
#endif
#endif

#include "base/float_environment.h"

/* A child process made by fork inherits OpenMP's data about its threads, but not the threads. It would wait for them
 * for ever. This is the only global state of the library, because OpenMP's threads belong to the process. */
#ifdef FORKS
enum threads { THREADS_NONE, THREADS_STARTED, THREADS_LOST };
static _Atomic int threads;

static void in_child(void) { atomic_store(&threads, THREADS_LOST); }

/* Called before OpenMP may start threads. */
static void note_threads(void) {
  int none = THREADS_NONE;
  if (atomic_load_explicit(&threads, memory_order_relaxed) != THREADS_NONE) return;
  if (atomic_compare_exchange_strong(&threads, &none, THREADS_STARTED)) pthread_atfork(NULL, NULL, in_child);
}

bool throng_executor_lost_threads(void) { return atomic_load_explicit(&threads, memory_order_relaxed) == THREADS_LOST; }
#else
#ifdef THRONG_OPENMP
static void note_threads(void) {}
#endif
bool throng_executor_lost_threads(void) { return false; }
#endif

void throng_executor_init(struct executor *executor, uint32_t thread_count, const throng_job_system *jobs) {
  executor->jobs = *jobs;
  if (jobs->enqueue) {
    executor->workers = executor->team = jobs->worker_count;
    return;
  }
  executor->team = 1;
  executor->workers = 1;
#ifdef THRONG_OPENMP
  executor->workers = thread_count ? thread_count : (uint32_t)omp_get_num_procs();
  if (executor->workers > EXECUTOR_MAX_WORKERS) executor->workers = EXECUTOR_MAX_WORKERS;
  if (throng_executor_lost_threads()) executor->workers = 1;
#else
  (void)thread_count;
#endif
}

#define TEAM_AGENTS 256u /* minimum of agents per thread of the team */

void throng_executor_fit(struct executor *executor, uint64_t agents) {
  if (executor->jobs.enqueue) return;
  const uint64_t wanted = agents / TEAM_AGENTS + 1;
  const uint32_t team = wanted < executor->workers ? (uint32_t)wanted : executor->workers;
  if (team > executor->team || team <= executor->team / 2) executor->team = team;
}

/* A task with its context, for the host's threads. */
struct guarded_task {
  throng_task *task;
  void *context;
};

static void run_guarded(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  const struct guarded_task *guarded = context;
  struct float_environment saved = float_environment_enter();
  guarded->task(begin, end, worker, guarded->context);
  float_environment_leave(saved);
}

#ifdef THRONG_OPENMP
/* Takes the next task of a worker's range, from its front or its back; false if none is left. */
static bool take_piece(struct executor_share *share, bool front, uint32_t *piece) {
  uint64_t pieces = atomic_load_explicit(&share->pieces, memory_order_relaxed);
  for (;;) {
    uint32_t first = (uint32_t)pieces, end = (uint32_t)(pieces >> 32);
    if (first == end) return false;
    *piece = front ? first : end - 1;
    uint64_t left = front ? pieces + 1 : pieces - ((uint64_t)1 << 32);
    if (atomic_compare_exchange_weak_explicit(&share->pieces, &pieces, left, memory_order_relaxed,
                                              memory_order_relaxed))
      return true;
  }
}

/* Returns the number of the first of `pieces` tasks, of `grain` items each, whose first agent is `agent` or a later
 * one. */
static uint32_t piece_from(uint32_t pieces, uint32_t grain, const uint32_t *first_agent, uint32_t agent) {
  uint32_t low = 0, high = pieces;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (first_agent[middle * grain] < agent) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

static void cut_shares(const struct executor *executor, uint32_t pieces, uint32_t grain, const uint32_t *first_agent) {
  ASSERT_ALONE(executor->team >= 1 && executor->team <= executor->workers);
  ASSERT_ALONE(!first_agent || executor->shares[0].agent == 0);
  struct executor_share *share = executor->shares;
  const uint32_t team = executor->team;
  uint64_t first = 0;
  for (uint32_t k = 0; k < team; k++) {
    uint64_t end = (uint64_t)pieces * (k + 1) / team;
    if (first_agent && k + 1 < team) end = piece_from(pieces, grain, first_agent, share[k + 1].agent);
    ASSERT_ALONE(first <= end && end <= pieces);
    atomic_store_explicit(&share[k].pieces, end << 32 | first, memory_order_relaxed);
    first = end;
  }
}

/* Uses the whole team even for a few tasks: with a smaller team libgomp would end the other threads, and start new ones
 * later. */
static void run_openmp(const struct executor *executor, uint32_t count, uint32_t grain, throng_task *task,
                       const uint32_t *first_agent, void *context) {
  const uint32_t team = executor->team;
  cut_shares(executor, (uint32_t)(((uint64_t)count + grain - 1) / grain), grain, first_agent);
#pragma omp parallel num_threads((int)team)
  {
    struct float_environment saved = float_environment_enter();
    uint32_t worker = (uint32_t)omp_get_thread_num(), piece;
    for (uint32_t k = 0; k < team; k++) {
      struct executor_share *share = &executor->shares[(worker + k) % team];
      while (take_piece(share, k == 0, &piece)) {
        uint32_t begin = piece * grain;
        task(begin, count - begin < grain ? count : begin + grain, worker, context);
      }
    }
    float_environment_leave(saved);
  }
}
#endif

void throng_executor_run(const struct executor *executor, uint32_t count, uint32_t grain, throng_task *task,
                         const uint32_t *first_agent, void *context) {
  ASSERT_ALONE(executor->team >= 1 && executor->team <= executor->workers);
  if (count == 0) return;
  if (grain == 0) grain = 1;
  struct guarded_task guarded = {task, context};
  const bool parallel = executor->team > 1 && count > grain;
  if (parallel && executor->jobs.enqueue) {
    void *job = executor->jobs.enqueue(run_guarded, count, grain, &guarded, executor->jobs.context);
    executor->jobs.finish(job, executor->jobs.context);
    return;
  }
#ifdef THRONG_OPENMP
  /* Inside the host's own parallel region, run serially: a nested team would have more threads than cores. */
  if (parallel && !omp_in_parallel() && !throng_executor_lost_threads()) {
    note_threads();
    run_openmp(executor, count, grain, task, first_agent, context);
    return;
  }
#endif
  (void)first_agent; /* without OpenMP one worker runs all tasks */
  run_guarded(0, count, 0, &guarded);
}
