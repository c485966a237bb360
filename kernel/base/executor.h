/* executor.h: runs tasks on OpenMP's threads, on a team of throng's own, on the calling thread, or on the host's job
 * system. No other part of the kernel uses threads. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_BASE_EXECUTOR_H
#define THRONG_KERNEL_BASE_EXECUTOR_H

#include <stdatomic.h>
#include <stdbool.h>

#include <throng/world.h>

#include "base/own_team.h"
#include "base/team_size.h"

#define EXECUTOR_MAX_WORKERS 1024u

/* A worker's range of tasks in a run: the first remaining task in the low half of `pieces`, the end in the high
 * half. The worker takes tasks from the front, other workers take them from the back. In every pass the range begins at
 * the task that has `agent`. So a worker handles the same agents in every pass, and their cache lines stay with its
 * core. */
struct executor_share {
  _Alignas(64) _Atomic uint64_t pieces;
  /* The worker's first agent; 0 for the first worker. All workers read it. It is in another cache line than `pieces`,
   * because `pieces` changes often. */
  _Alignas(64) uint32_t agent;
};

struct executor {
  throng_job_system jobs;
  throng_threads threads;        /* as chosen: one that the build has. Not used if there is a job system */
  uint32_t workers;              /* maximum of concurrent workers */
  uint32_t fitting;              /* workers that fit the number of agents */
  uint32_t team;                 /* workers in use, `fitting` or fewer: a task's `worker` is below it */
  struct executor_share *shares; /* [workers] */
  struct team_size *team_size;   /* of OpenMP's threads or the own team's; runs write it */
  struct own_team *own;          /* for THRONG_THREADS_TEAM and AUTO, and more than one worker; otherwise NULL */
};

/* Sets up the executor with the kind of threads that `def` names, or with another kind if the build lacks that one
 * (throng_threads). Returns false without memory; then, too, throng_executor_release must be called. */
bool throng_executor_create(struct executor *executor, const throng_world_def *def);
void throng_executor_release(struct executor *executor, const throng_allocator *allocator);

/* Whether this process was made by fork from a process that had started threads for a world. Runs are then serial,
 * unless the host has a job system. */
bool throng_executor_lost_threads(void);

/* If the last frame was late, and another frame at most a second before it, a world with THRONG_THREADS_AUTO leaves
 * OpenMP's threads for its own team. Returns whether it did. Call it once per frame, before throng_executor_fit. */
bool throng_executor_leaves_openmp(struct executor *executor);

/* Fits the team to a number of agents: waking threads for a small crowd takes longer than they save. The team grows at
 * once, but shrinks only to half or less, because libgomp ends and starts threads when the team's size changes. Call it
 * once per frame: after a late run the team also has fewer workers for some frames (team_size.h). It does not change
 * `shares`: the workers keep their ranges until the next sort sets them. */
void throng_executor_fit(struct executor *executor, uint64_t agents);

/* Runs task(begin, end, worker, context) on ranges of [0, count) of about `grain` items, and returns when all are
 * done. Tasks run with round-to-nearest, without flush-to-zero, and with exceptions masked; the threads' own
 * settings are restored. first_agent: [count + 1] ascending, the first agent of each item. NULL: items are divided
 * among workers by number. */
void throng_executor_run(const struct executor *executor, uint32_t count, uint32_t grain, throng_task *task,
                         const uint32_t *first_agent, void *context);

/* Does the same on several threads. It uses the calling thread alone if there is a job system, if another run is under
 * way, or if a task calls it. Any threads may call it at the same time. Items are divided among workers by number. */
void throng_executor_run_if_free(const struct executor *executor, uint32_t count, uint32_t grain, throng_task *task,
                                 void *context);

/* Runs task(begin, end, worker, context) on [0, count), item by item. Items take long: there are as many workers as
 * items, up to executor->workers, however few the agents are. A worker that waits for the last items is not late. */
void throng_executor_run_long(const struct executor *executor, uint32_t count, throng_task *task, void *context);

/* Cuts each worker's range of `count` agents into equal parts, and returns in which part an agent is. A worker that
 * handles the parts one after another goes through its range in order. */
uint32_t throng_executor_part_of(const struct executor *executor, uint32_t agent, uint32_t count, uint32_t parts);

#endif
