/* walk.h: goes through the agents of a call, a batch at a time: those of the given ids, or all agents by ascending id
 * index or in view order. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_AGENTS_WALK_H
#define THRONG_KERNEL_AGENTS_WALK_H

#include "agents/batches.h"
#include "agents/lookup.h"

#define WALK_PARTS 64u

struct walk {
  const throng_world *world;
  bool in_view_order;                /* all agents; otherwise: */
  const throng_agent_id *ids;        /* NULL: all agents by ascending id index */
  uint32_t count;                    /* agents */
  uint32_t part;                     /* agents in every part but the last: a multiple of BATCH */
  struct id_loop before[WALK_PARTS]; /* by ascending id index: where each part begins */
};

/* Begins a walk through the valid ids[count], or through all `count` agents by ascending id index if `ids` is NULL. */
void throng_walk_begin(struct walk *walk, const throng_world *world, const throng_agent_id *ids, uint32_t count);

/* Begins a walk through all `count` agents in view order. */
void throng_walk_begin_view(struct walk *walk, const throng_world *world, uint32_t count);

/* Handles agents [from, from + count) of a walk, at most BATCH. They are in slots[count]; if `slots` is NULL, in the
 * slots from `from` on, which is so only in view order. */
typedef void walk_work(const struct walk *walk, uint32_t from, uint32_t count, const uint32_t *slots, void *context);

/* Handles all agents, batch after batch. */
void throng_walk_in_order(const struct walk *walk, walk_work *work, void *context);
/* Does the same on the world's threads, in any order. If other threads of the host use the world's threads, or if the
 * host has a job system, it works on the calling thread. */
void throng_walk(const struct walk *walk, walk_work *work, void *context);

/* Checks ids[count] on the world's threads, as throng_walk works. Returns a number below which all are valid: that of
 * the first id of the batch with the first id that is not; `count` if all are valid. */
uint32_t throng_walk_valid(const throng_world *world, const throng_agent_id *ids, uint32_t count);

#endif
