/* jobs_pool.c: a small thread pool of pthreads. Workers take ranges of a job's items from one counter. A worker without
 * work first polls for some microseconds, because the next job of the frame comes soon. Then it sleeps. A job does not
 * wait for a worker that has not begun with it when no range is left: another program may have that worker's core.
 * SPDX-License-Identifier: MIT */
#include "jobs_pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#define PIECES_A_WORKER 16u /* ranges per worker; with so many no worker waits long for the last range */
#define LOOKS 4000          /* polls before a worker sleeps */

struct pool {
  uint32_t workers; /* including the calling thread */
  uint32_t started; /* how many of the pool's own threads have started */
  pthread_t *thread;
  pthread_mutex_t lock;
  pthread_cond_t work, done;
  _Atomic bool quit;
  /* The current job: */
  throng_task *task;
  void *task_context;
  uint32_t count, piece;    /* number of items; items per range */
  _Atomic uint32_t next;    /* the first item that no worker has taken */
  _Atomic uint32_t number;  /* how many jobs there were; a change wakes the threads */
  bool open;                /* whether the pool's own threads may still begin with this job */
  _Atomic uint32_t working; /* how many of them have begun, and are not done */
};

static void run_pieces(struct pool *pool, uint32_t worker) {
  for (;;) {
    const uint32_t begin = atomic_fetch_add(&pool->next, pool->piece);
    if (begin >= pool->count) return;
    const uint32_t left = pool->count - begin;
    pool->task(begin, begin + (left < pool->piece ? left : pool->piece), worker, pool->task_context);
  }
}

/* Waits until *value is not `old`: first polls, then sleeps. `quit` ends the wait too. */
static void wait_for_change(struct pool *pool, _Atomic uint32_t *value, uint32_t old, pthread_cond_t *changed) {
  for (int k = 0; k < LOOKS; k++) {
    if (atomic_load(value) != old) return;
    if (k % 64 == 63) sched_yield();
  }
  pthread_mutex_lock(&pool->lock);
  while (atomic_load(value) == old && !pool->quit) pthread_cond_wait(changed, &pool->lock);
  pthread_mutex_unlock(&pool->lock);
}

static void *work(void *argument) {
  struct pool *pool = argument;
  pthread_mutex_lock(&pool->lock);
  const uint32_t worker = ++pool->started; /* the calling thread is 0 */
  pthread_mutex_unlock(&pool->lock);
  uint32_t seen = 0;
  for (;;) {
    wait_for_change(pool, &pool->number, seen, &pool->work);
    if (pool->quit) return NULL;
    pthread_mutex_lock(&pool->lock);
    seen = pool->number;
    const bool begins = pool->open;
    if (begins) pool->working++;
    pthread_mutex_unlock(&pool->lock);
    if (!begins) continue;
    run_pieces(pool, worker);
    pthread_mutex_lock(&pool->lock);
    if (--pool->working == 0) pthread_cond_signal(&pool->done);
    pthread_mutex_unlock(&pool->lock);
  }
}

static void *enqueue(throng_task *task, uint32_t item_count, uint32_t min_range, void *task_context, void *context) {
  struct pool *pool = context;
  const uint32_t even = item_count / (pool->workers * PIECES_A_WORKER);
  pool->task = task;
  pool->task_context = task_context;
  pool->count = item_count;
  pool->piece = even > min_range ? even : min_range;
  atomic_store(&pool->next, 0);
  pthread_mutex_lock(&pool->lock);
  pool->open = true;
  atomic_fetch_add(&pool->number, 1);
  pthread_cond_broadcast(&pool->work);
  pthread_mutex_unlock(&pool->lock);
  return pool;
}

static void finish(void *job, void *context) {
  struct pool *pool = context;
  (void)job;
  run_pieces(pool, 0);
  pthread_mutex_lock(&pool->lock);
  pool->open = false;
  pthread_mutex_unlock(&pool->lock);
  for (uint32_t working = atomic_load(&pool->working); working > 0; working = atomic_load(&pool->working)) {
    wait_for_change(pool, &pool->working, working, &pool->done);
  }
}

struct pool *pool_create(uint32_t workers) {
  struct pool *pool = calloc(1, sizeof *pool);
  pthread_t *thread = calloc(workers, sizeof *thread);
  if (!pool || !thread || workers == 0) {
    free(thread);
    free(pool);
    return NULL;
  }
  pool->workers = 1;
  pool->thread = thread;
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->work, NULL);
  pthread_cond_init(&pool->done, NULL);
  for (; pool->workers < workers; pool->workers++) {
    if (pthread_create(&thread[pool->workers - 1], NULL, work, pool) == 0) continue;
    pool_destroy(pool);
    return NULL;
  }
  return pool;
}

void pool_destroy(struct pool *pool) {
  if (!pool) return;
  pthread_mutex_lock(&pool->lock);
  pool->quit = true;
  atomic_fetch_add(&pool->number, 1);
  pthread_cond_broadcast(&pool->work);
  pthread_mutex_unlock(&pool->lock);
  for (uint32_t k = 0; k + 1 < pool->workers; k++) pthread_join(pool->thread[k], NULL);
  pthread_cond_destroy(&pool->done);
  pthread_cond_destroy(&pool->work);
  pthread_mutex_destroy(&pool->lock);
  free(pool->thread);
  free(pool);
}

throng_job_system pool_job_system(struct pool *pool) {
  return (throng_job_system){enqueue, finish, pool, pool->workers};
}
