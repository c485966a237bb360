/* walk.c: see walk.h. SPDX-License-Identifier: MIT */
#include "agents/walk.h"

#include <stdatomic.h>

#include "base/assertion.h"

#define LEAST_PART (8u * BATCH) /* waking a thread takes longer than reading this many agents */

static uint32_t part_of(uint32_t count) {
  const uint32_t part = (count / WALK_PARTS / BATCH + 1) * BATCH;
  return part < LEAST_PART ? LEAST_PART : part;
}

static void set_walk(struct walk *walk, const throng_world *world, uint32_t count) {
  walk->world = world;
  walk->in_view_order = false;
  walk->ids = NULL;
  walk->count = count;
  walk->part = part_of(count);
}

void throng_walk_begin(struct walk *walk, const throng_world *world, const throng_agent_id *ids, uint32_t count) {
  set_walk(walk, world, count);
  walk->ids = ids;
  throng_lookup_expect(world, count);
  if (ids || count == 0) return;
  walk->before[0] = throng_lookup_all(world);
  if (world->piece.ghosts > 0) walk->part = count; /* going past ghosts takes as long as reading agents */
  for (uint32_t k = 1; (uint64_t)k * walk->part < count; k++) {
    walk->before[k] = walk->before[k - 1];
    throng_lookup_skip(&walk->before[k], walk->part);
  }
}

void throng_walk_begin_view(struct walk *walk, const throng_world *world, uint32_t count) {
  set_walk(walk, world, count);
  walk->in_view_order = true;
  if (world->piece.ghosts > 0 && count > 0) walk->part = count;
}

/* Lists the next slots, from slot `next` on, of agents that are no ghosts. Returns the slot after them. */
static uint32_t next_own_slots(const throng_world *world, uint32_t next, uint32_t *slots, uint32_t count) {
  for (uint32_t k = 0; k < count; next++) {
    slots[k] = next;
    k += !(world->agents.front.meta[next] & META_GHOST);
  }
  return next;
}

static void walk_part(const struct walk *walk, uint32_t part, walk_work *work, void *context) {
  const uint32_t begin = part * walk->part, left = walk->count - begin, end = left < walk->part ? left : walk->part;
  const bool by_id = !walk->in_view_order && !walk->ids,
             consecutive = walk->in_view_order && !walk->world->piece.ghosts;
  struct id_loop loop = by_id ? walk->before[part] : (struct id_loop){0};
  uint32_t slots[BATCH], next = begin;
  for (uint32_t k = 0, agents; k < end; k += agents) {
    agents = end - k < BATCH ? end - k : BATCH;
    if (walk->ids) throng_lookup_slots(walk->world, walk->ids + begin + k, slots, agents);
    if (by_id) throng_lookup_next_slots(&loop, slots, agents);
    if (walk->in_view_order && !consecutive) next = next_own_slots(walk->world, next, slots, agents);
    work(walk, begin + k, agents, consecutive ? NULL : slots, context);
  }
}

static uint32_t parts_of(uint32_t count, uint32_t part) { return count / part + (count % part != 0); }

void throng_walk_in_order(const struct walk *walk, walk_work *work, void *context) {
  const uint32_t parts = walk->count == 0 ? 0 : parts_of(walk->count, walk->part);
  ASSERT(walk->world, parts <= WALK_PARTS);
  for (uint32_t part = 0; part < parts; part++) walk_part(walk, part, work, context);
}

struct shared_walk {
  const struct walk *walk;
  walk_work *work;
  void *context;
};
static void walk_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  const struct shared_walk *shared = context;
  (void)worker;
  for (uint32_t part = begin; part < end; part++) walk_part(shared->walk, part, shared->work, shared->context);
}

void throng_walk(const struct walk *walk, walk_work *work, void *context) {
  struct shared_walk shared = {walk, work, context};
  if (walk->count <= walk->part) {
    throng_walk_in_order(walk, work, context);
  } else {
    throng_executor_run_if_free(&walk->world->executor, parts_of(walk->count, walk->part), 1, walk_task, &shared);
  }
}

struct id_check {
  const throng_world *world;
  const throng_agent_id *ids;
  uint32_t count;
  atomic_uint valid; /* what throng_walk_valid returns */
};
static void check_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  struct id_check *check = context;
  (void)worker;
  for (uint32_t batch = begin; batch < end; batch++) {
    const uint32_t from = batch * BATCH, left = check->count - from, to = from + (left < BATCH ? left : BATCH);
    bool live = true;
    for (uint32_t k = from; k < to; k++) live &= lookup_is_live(check->world, check->ids[k]);
    uint32_t valid = atomic_load(&check->valid);
    while (!live && from < valid && !atomic_compare_exchange_weak(&check->valid, &valid, from)) {
    }
  }
}

uint32_t throng_walk_valid(const throng_world *world, const throng_agent_id *ids, uint32_t count) {
  struct id_check check = {.world = world, .ids = ids, .count = count, .valid = count};
  const uint32_t batches = parts_of(count, BATCH);
  if (count <= LEAST_PART) check_task(0, batches, 0, &check);
  if (count > LEAST_PART) {
    throng_executor_run_if_free(&world->executor, batches, LEAST_PART / BATCH, check_task, &check);
  }
  return atomic_load(&check.valid);
}
