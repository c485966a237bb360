/* tests/support/jobs.c
 * SPDX-License-Identifier: MIT */
#include "support/jobs.h"

#include <pthread.h>
#include <stdlib.h>

#define MAX_PIECES 64u

typedef struct piece {
  uint32_t begin, end;
} piece;

typedef struct job {
  test_jobs *jobs;
  throng_task *task;
  void *task_context;
  piece pieces[MAX_PIECES];
  uint32_t piece_count;
  uint32_t next;
  uint64_t broken;
  pthread_mutex_t lock;
  pthread_t threads[16];
  uint32_t thread_count;
} job;

typedef struct worker {
  job *job;
  uint32_t number;
} worker;

/* Cuts [0, count) into random ranges in random order. Each has at least `least` items, unless `count` is less. */
static void cut(job *j, uint32_t count, uint32_t least) {
  test_rng *rng = &j->jobs->rng;
  if (least == 0) least = 1;
  piece cuts[MAX_PIECES];
  uint32_t begin = 0;
  while (begin < count) {
    uint32_t length = least + rng_below(rng, 1 + (rng_chance(rng, 0.5f) ? least : count / 3));
    const uint32_t left = count - begin;
    if (length > left || left - length < least || j->piece_count + 1 == MAX_PIECES) length = left;
    cuts[j->piece_count++] = (piece){begin, begin + length};
    begin += length;
  }
  uint32_t order[MAX_PIECES];
  rng_shuffle(rng, order, j->piece_count);
  for (uint32_t k = 0; k < j->piece_count; k++) j->pieces[k] = cuts[order[k]];
}

/* Runs the task on one range. Returns 1 if the task changed the floating-point environment, 0 if not. */
static uint64_t run_piece(job *j, piece p, uint32_t number) {
  const fp_environment before = fp_get();
  j->task(p.begin, p.end, number, j->task_context);
  return fp_equal(before, fp_get()) ? 0 : 1;
}

static void *work(void *argument) {
  const worker me = *(worker *)argument;
  job *j = me.job;
  free(argument);
  fp_set(j->jobs->environment);
  for (;;) {
    pthread_mutex_lock(&j->lock);
    const uint32_t mine = j->next++;
    pthread_mutex_unlock(&j->lock);
    if (mine >= j->piece_count) return NULL;
    const uint64_t broken = run_piece(j, j->pieces[mine], me.number);
    pthread_mutex_lock(&j->lock);
    j->broken += broken;
    pthread_mutex_unlock(&j->lock);
  }
}

static void run_serially(job *j) {
  const fp_environment before = fp_get();
  fp_set(j->jobs->environment);
  for (uint32_t k = 0; k < j->piece_count; k++)
    j->broken += run_piece(j, j->pieces[k], rng_below(&j->jobs->rng, j->jobs->worker_count));
  fp_set(before);
}

static void *enqueue(throng_task *task, uint32_t item_count, uint32_t min_range, void *task_context, void *context) {
  test_jobs *jobs = context;
  job *j = calloc(1, sizeof *j);
  if (j == NULL) abort();
  *j = (job){.jobs = jobs, .task = task, .task_context = task_context};
  cut(j, item_count, min_range);
  jobs->jobs++;
  jobs->pieces += j->piece_count;
  if (!jobs->threaded) {
    run_serially(j);
    return j;
  }
  pthread_mutex_init(&j->lock, NULL);
  for (uint32_t k = 0; k < jobs->worker_count && k < 16; k++) {
    worker *w = malloc(sizeof *w);
    if (w == NULL) abort();
    *w = (worker){j, k};
    if (pthread_create(&j->threads[j->thread_count], NULL, work, w) != 0) abort();
    j->thread_count++;
  }
  return j;
}

static void finish(void *handle, void *context) {
  test_jobs *jobs = context;
  job *j = handle;
  for (uint32_t k = 0; k < j->thread_count; k++) pthread_join(j->threads[k], NULL);
  if (jobs->threaded) pthread_mutex_destroy(&j->lock);
  jobs->broken += j->broken;
  free(j);
}

throng_job_system test_job_system(test_jobs *jobs) {
  return (throng_job_system){enqueue, finish, jobs, jobs->worker_count};
}
