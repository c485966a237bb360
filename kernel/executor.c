/* executor.c: see executor.h. SPDX-License-Identifier: MIT */
#include "executor.h"

#ifdef THRONG_OPENMP
#include <omp.h>
#endif

#include "float_environment.h"

void throng_executor_init(struct executor *executor, uint32_t thread_count, const throng_job_system *jobs) {
  executor->jobs = *jobs;
  if (jobs->enqueue) {
    executor->workers = jobs->worker_count;
    return;
  }
  executor->workers = 1;
#ifdef THRONG_OPENMP
  executor->workers = thread_count ? thread_count : (uint32_t)omp_get_num_procs();
  if (executor->workers > EXECUTOR_MAX_WORKERS) executor->workers = EXECUTOR_MAX_WORKERS;
#else
  (void)thread_count;
#endif
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
static void run_openmp(uint32_t workers, uint32_t count, uint32_t grain, throng_task *task, void *context) {
  int64_t pieces = ((int64_t)count + grain - 1) / grain;
  int threads = pieces < (int64_t)workers ? (int)pieces : (int)workers;
#pragma omp parallel num_threads(threads)
  {
    struct float_environment saved = float_environment_enter();
    uint32_t worker = (uint32_t)omp_get_thread_num();
#pragma omp for schedule(dynamic, 1) nowait
    for (int64_t piece = 0; piece < pieces; piece++) {
      uint32_t begin = (uint32_t)piece * grain;
      uint32_t end = count - begin < grain ? count : begin + grain;
      task(begin, end, worker, context);
    }
    float_environment_leave(saved);
  }
}
#endif

void throng_executor_run(const struct executor *executor, uint32_t count, uint32_t grain, throng_task *task,
                         void *context) {
  if (count == 0) return;
  if (grain == 0) grain = 1;
  struct guarded_task guarded = {task, context};
  if (executor->jobs.enqueue && executor->workers > 1 && count > grain) {
    void *job = executor->jobs.enqueue(run_guarded, count, grain, &guarded, executor->jobs.context);
    executor->jobs.finish(job, executor->jobs.context);
    return;
  }
#ifdef THRONG_OPENMP
  /* Inside the host's own parallel region a nested team would oversubscribe the machine: run serially there. */
  if (!executor->jobs.enqueue && executor->workers > 1 && count > grain && !omp_in_parallel()) {
    run_openmp(executor->workers, count, grain, task, context);
    return;
  }
#endif
  run_guarded(0, count, 0, &guarded);
}
