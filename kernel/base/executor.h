/* executor.h: runs a frame's tasks: OpenMP, the calling thread alone, or the host's job system. The only part of the
 * kernel that knows about threads. SPDX-License-Identifier: MIT */
#ifndef THRONG_EXECUTOR_H
#define THRONG_EXECUTOR_H

#include <stdatomic.h>

#include <throng/base.h>

#define EXECUTOR_MAX_WORKERS 1024u

/* A worker's share of a run's pieces: the first one left in the low half, the end in the high half. The owner takes from the front,
 * others from the back. Shares of pieces that have agents are cut where `agent` says, so that a worker meets the same agents in
 * every pass and their cache lines stay with its core. */
struct executor_share {
  _Alignas(64) _Atomic uint64_t pieces;
  /* The first agent of a worker's; of the first worker 0. All read it: apart from what is written often. */
  _Alignas(64) uint32_t agent;
};

struct executor {
  throng_job_system jobs;
  uint32_t workers;              /* how many may run at once */
  uint32_t team;                 /* and how many of them do: task workers are below it */
  struct executor_share *shares; /* [workers], the owner's to allocate */
};

/* thread_count as in throng_world_def (0 = all). */
void throng_executor_init(struct executor *executor, uint32_t thread_count, const throng_job_system *jobs);

/* Fits the team to so many agents, or to what takes as long: all of a small one's threads would take longer to wake than they save.
 * It grows at once, but shrinks only to half or less: where teams of different size follow each other, libgomp ends threads and starts
 * new ones. Shares are the former team's until they are cut anew. */
void throng_executor_fit(struct executor *executor, uint64_t agents);

/* Runs task(begin, end, worker, context) on pieces of [0, count) of about `grain` items and returns when all are done. Every
 * piece runs under round-to-nearest, without flush-to-zero, exceptions masked; the threads' own settings are restored.
 * first_agent: [count + 1] where the agents of each item begin and those of the one before end, never less for a later item. NULL:
 * items are shared by number. */
void throng_executor_run(const struct executor *executor, uint32_t count, uint32_t grain, throng_task *task,
                         const uint32_t *first_agent, void *context);

#endif
