/* executor.c: see executor.h. SPDX-License-Identifier: MIT */
#include "base/executor.h"

#include <string.h>

#include "base/assertion.h"
#include "base/clock.h"
#include "base/float_environment.h"
#include "base/memory.h"
#include "base/os_threads.h"

#ifdef THRONG_OPENMP
#include <omp.h>
#endif
#if defined(THRONG_OPENMP) || defined(OS_THREADS)
#define PARALLEL
#endif

static const char *const names[] = {"openmp", "team", "serial", "auto"};

const char *throng_threads_name(throng_threads threads) {
  return (unsigned)threads < THRONG_THREADS_COUNT ? names[threads] : "?";
}

throng_threads throng_threads_from_name(const char *name) {
  for (int threads = 0; name && threads < THRONG_THREADS_COUNT; threads++) {
    if (strcmp(name, names[threads]) == 0) return (throng_threads)threads;
  }
  return THRONG_THREADS_COUNT;
}

/* A child process made by fork inherits data about threads, but not the threads. It would wait for OpenMP's threads for
 * ever. This is the only global state of the library, because OpenMP's threads belong to the process. */
#ifdef OS_FORKS
enum threads { THREADS_NONE, THREADS_STARTED, THREADS_LOST };
static _Atomic int threads;

static void in_child(void) { atomic_store(&threads, THREADS_LOST); }

/* Called before threads may be started. */
static void note_threads(void) {
  int none = THREADS_NONE;
  if (atomic_load_explicit(&threads, memory_order_relaxed) != THREADS_NONE) return;
  if (atomic_compare_exchange_strong(&threads, &none, THREADS_STARTED)) pthread_atfork(NULL, NULL, in_child);
}

bool throng_executor_lost_threads(void) { return atomic_load_explicit(&threads, memory_order_relaxed) == THREADS_LOST; }
#else
#ifdef PARALLEL
static void note_threads(void) {}
#endif
bool throng_executor_lost_threads(void) { return false; }
#endif

/* Returns the wanted kind of threads. If the build lacks it, returns the next kind of openmp, team, serial. */
static throng_threads threads_of_build(throng_threads wanted) {
#if defined(THRONG_OPENMP) && defined(OS_THREADS)
  if (wanted == THRONG_THREADS_AUTO) return THRONG_THREADS_AUTO;
#endif
#ifdef THRONG_OPENMP
  if (wanted == THRONG_THREADS_AUTO || wanted == THRONG_THREADS_OPENMP) return THRONG_THREADS_OPENMP;
#endif
#ifdef OS_THREADS
  if (wanted != THRONG_THREADS_SERIAL) return THRONG_THREADS_TEAM;
#endif
  (void)wanted;
  return THRONG_THREADS_SERIAL;
}

static uint32_t processors(throng_threads wanted) {
  (void)wanted;
#ifdef THRONG_OPENMP
  if (wanted == THRONG_THREADS_AUTO || wanted == THRONG_THREADS_OPENMP) return (uint32_t)omp_get_num_procs();
#endif
#ifdef OS_THREADS
  return throng_os_processors();
#else
  return 1;
#endif
}

static void choose_workers(struct executor *executor, uint32_t thread_count) {
  executor->workers = 1;
  if (executor->threads == THRONG_THREADS_SERIAL || throng_executor_lost_threads()) return;
  executor->workers = thread_count ? thread_count : processors(executor->threads);
  if (executor->workers > EXECUTOR_MAX_WORKERS) executor->workers = EXECUTOR_MAX_WORKERS;
}

bool throng_executor_create(struct executor *executor, const throng_world_def *def) {
  executor->jobs = def->jobs;
  executor->threads = threads_of_build(def->threads);
  executor->workers = def->jobs.worker_count;
  if (!def->jobs.enqueue) choose_workers(executor, def->thread_count);
  executor->fitting = executor->team = def->jobs.enqueue ? executor->workers : 1;
  const bool has_own = executor->threads == THRONG_THREADS_TEAM || executor->threads == THRONG_THREADS_AUTO;
  const bool own = !def->jobs.enqueue && has_own && executor->workers > 1;
  executor->shares = throng_allocate(&def->allocator, executor->workers * sizeof *executor->shares);
  executor->team_size = throng_allocate(&def->allocator, sizeof *executor->team_size);
  if (executor->team_size) {
    *executor->team_size = team_size_start(executor->workers);
    executor->team_size->own = executor->threads == THRONG_THREADS_TEAM;
  }
  executor->own = own ? throng_own_team_create(executor->workers, &def->allocator) : NULL;
  return executor->shares && executor->team_size && (!own || executor->own);
}

void throng_executor_release(struct executor *executor, const throng_allocator *allocator) {
  throng_own_team_destroy(executor->own, throng_executor_lost_threads(), allocator);
  throng_release(allocator, executor->team_size, sizeof *executor->team_size);
  throng_release(allocator, executor->shares, executor->workers * sizeof *executor->shares);
}

bool throng_executor_leaves_openmp(struct executor *executor) {
  struct team_size *size = executor->team_size;
  if (executor->threads != THRONG_THREADS_AUTO || !executor->own || size->own) return false;
  return team_size_leaves_openmp(size, throng_clock_now());
}

#define TEAM_AGENTS 256u /* minimum of agents per thread of the team */

void throng_executor_fit(struct executor *executor, uint64_t agents) {
  if (executor->jobs.enqueue) return;
  const uint64_t wanted = agents / TEAM_AGENTS + 1;
  const uint32_t fitting = wanted < executor->workers ? (uint32_t)wanted : executor->workers;
  if (fitting > executor->fitting || fitting <= executor->fitting / 2) executor->fitting = fitting;
  executor->team = team_size_next(executor->team_size, executor->fitting, executor->workers);
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

static bool take_threads(const struct executor *executor) {
  return !atomic_exchange_explicit(&executor->team_size->taken, true, memory_order_acquire);
}
static void give_threads_back(const struct executor *executor) {
  atomic_store_explicit(&executor->team_size->taken, false, memory_order_release);
}

#ifdef PARALLEL
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

/* Another thread's run is one of throng_executor_run_if_free, which ends soon: its tasks only copy. */
static void wait_for_threads(const struct executor *executor) {
  while (!take_threads(executor)) {
#ifdef OS_THREADS
    throng_os_yield();
#endif
  }
}

/* There are `pieces` tasks of `grain` items each. Returns the number of the first that begins at `agent` or later. */
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

/* The tasks of a run, for its workers. */
struct run {
  const struct executor *executor;
  uint32_t count, grain;
  throng_task *task;
  void *context;
  uint64_t begun, done; /* times at which the calling thread, worker 0, began, and had no more tasks */
};

/* Does tasks until none is left: first those of the worker's own range, then those of the others. */
static void do_tasks(uint32_t worker, void *context) {
  struct run *run = context;
  const uint32_t team = run->executor->team, grain = run->grain;
  const struct float_environment saved = float_environment_enter();
  uint32_t piece;
  if (worker == 0) run->begun = throng_clock_now();
  for (uint32_t k = 0; k < team; k++) {
    struct executor_share *share = &run->executor->shares[(worker + k) % team];
    while (take_piece(share, k == 0, &piece)) {
      const uint32_t begin = piece * grain;
      run->task(begin, run->count - begin < grain ? run->count : begin + grain, worker, run->context);
    }
  }
  if (worker == 0) run->done = throng_clock_now();
  float_environment_leave(saved);
}

/* Whether the calling thread is in a parallel region of the host. A nested team would have more threads than cores. */
static bool in_parallel_region(void) {
#ifdef THRONG_OPENMP
  return omp_in_parallel();
#else
  return false;
#endif
}

/* Uses the whole team even for a few tasks: with a smaller team libgomp would end the other threads, and start new ones
 * later. */
static void run_parallel(struct run *run, const uint32_t *first_agent) {
  const struct executor *executor = run->executor;
  cut_shares(executor, (uint32_t)(((uint64_t)run->count + run->grain - 1) / run->grain), run->grain, first_agent);
  note_threads();
  const bool own = executor->team_size->own;
  if (own) throng_own_team_run(executor->own, executor->team, do_tasks, run);
#ifdef THRONG_OPENMP
  if (!own) {
#pragma omp parallel num_threads((int)executor->team)
    do_tasks((uint32_t)omp_get_thread_num(), run);
  }
#endif
}
#endif

/* Whether a run of `count` items in tasks of `grain` may use threads of throng or of OpenMP. */
static bool may_use_threads(const struct executor *executor, uint32_t count, uint32_t grain) {
  if (executor->team == 1 || count <= grain || executor->jobs.enqueue) return false;
#ifdef PARALLEL
  return !in_parallel_region() && !throng_executor_lost_threads();
#else
  return false;
#endif
}

static void run_on_caller(uint32_t count, throng_task *task, void *context) {
  struct guarded_task guarded = {task, context};
  if (count > 0) run_guarded(0, count, 0, &guarded);
}

/* Runs tasks on whatever threads there are. `notes`: a long wait for a thread counts as late (team_size.h). */
static void run_tasks(const struct executor *executor, uint32_t count, uint32_t grain, throng_task *task,
                      const uint32_t *first_agent, void *context, bool notes) {
  ASSERT_ALONE(executor->team >= 1 && executor->team <= executor->workers);
  if (executor->jobs.enqueue && executor->team > 1 && count > grain) {
    struct guarded_task guarded = {task, context};
    void *job = executor->jobs.enqueue(run_guarded, count, grain, &guarded, executor->jobs.context);
    executor->jobs.finish(job, executor->jobs.context);
    return;
  }
  if (!may_use_threads(executor, count, grain)) {
    run_on_caller(count, task, context);
    return;
  }
#ifdef PARALLEL
  wait_for_threads(executor);
  const uint64_t begin = throng_clock_now();
  struct run run = {executor, count, grain, task, context, 0, 0};
  run_parallel(&run, first_agent);
  const uint64_t all = throng_clock_now() - begin, work = run.done - run.begun;
  if (notes) team_size_note(executor->team_size, work, all - work);
  give_threads_back(executor);
#else
  (void)first_agent;
  (void)notes;
#endif
}

void throng_executor_run(const struct executor *executor, uint32_t count, uint32_t grain, throng_task *task,
                         const uint32_t *first_agent, void *context) {
  run_tasks(executor, count, grain == 0 ? 1 : grain, task, first_agent, context, true);
}

void throng_executor_run_if_free(const struct executor *executor, uint32_t count, uint32_t grain, throng_task *task,
                                 void *context) {
  if (!may_use_threads(executor, count, grain) || !take_threads(executor)) {
    run_on_caller(count, task, context);
    return;
  }
#ifdef PARALLEL
  run_parallel(&(struct run){executor, count, grain, task, context, 0, 0}, NULL);
#endif
  give_threads_back(executor);
}

void throng_executor_run_long(const struct executor *executor, uint32_t count, throng_task *task, void *context) {
  struct executor wide = *executor;
  const uint32_t team = count < executor->workers ? count : executor->workers;
  if (team > wide.team) wide.team = team;
  run_tasks(&wide, count, 1, task, NULL, context, false);
}

uint32_t throng_executor_part_of(const struct executor *executor, uint32_t agent, uint32_t count, uint32_t parts) {
  const struct executor_share *share = executor->shares;
  uint32_t first = 0, end = count;
  for (uint32_t k = 1; k < executor->team && !executor->jobs.enqueue; k++) {
    if (share[k].agent > agent) {
      end = share[k].agent;
      break;
    }
    first = share[k].agent;
  }
  return (uint32_t)((uint64_t)(agent - first) * parts / (end - first));
}
