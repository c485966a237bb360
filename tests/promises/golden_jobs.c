/* tests/promises/golden_jobs.c: see golden_jobs.h. SPDX-License-Identifier: MIT */
#include "promises/golden_jobs.h"

#define MAX_PIECES 64u

typedef struct piece {
  uint32_t begin, end;
} piece;

/* Returns a random number from 0 to limit - 1, by splitmix64. */
static uint32_t below(golden_jobs *jobs, uint32_t limit) {
  uint64_t z = jobs->random += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (uint32_t)((z ^ (z >> 31)) >> 32) % limit;
}

/* Cuts [0, count) into random ranges of at least `least` items, unless `count` is less. About half of the ranges have
 * at most 2 * least items. */
static uint32_t cut(golden_jobs *jobs, uint32_t count, uint32_t least, piece *pieces) {
  uint32_t piece_count = 0;
  for (uint32_t begin = 0; begin < count;) {
    const uint32_t left = count - begin;
    uint32_t length = least + below(jobs, 1 + (below(jobs, 2) ? least : count / 3));
    if (length > left || left - length < least || piece_count + 1 == MAX_PIECES) length = left;
    pieces[piece_count++] = (piece){begin, begin + length};
    begin += length;
  }
  return piece_count;
}

static void *enqueue(throng_task *task, uint32_t item_count, uint32_t min_range, void *task_context, void *context) {
  golden_jobs *jobs = context;
  piece pieces[MAX_PIECES];
  for (uint32_t left = cut(jobs, item_count, min_range ? min_range : 1, pieces); left > 0; left--) {
    const uint32_t k = below(jobs, left);
    const piece next = pieces[k];
    pieces[k] = pieces[left - 1];
    task(next.begin, next.end, below(jobs, jobs->worker_count), task_context);
  }
  return NULL;
}

static void finish(void *handle, void *context) { (void)handle, (void)context; }

throng_job_system golden_job_system(golden_jobs *jobs) {
  return (throng_job_system){enqueue, finish, jobs, jobs->worker_count};
}
