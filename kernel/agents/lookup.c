/* lookup.c: finds an agent's slot by its id. Every sort changes slots. The table of slots is then rebuilt only when
 * many ids are looked up. A few ids are searched instead, near the slot where each agent was found last. In a frame
 * this slot changes little, because the agent and the agents before it move little.
 * SPDX-License-Identifier: MIT */
#include "agents/lookup.h"

#include <stdio.h>

#include "base/assertion.h"

#define FEW_LOOKUPS 128u /* if less than 1/128 of the agents is looked up, searching is faster than making the table */
#define DEAR_SEARCHES 4u /* making the table takes about as long as this many searches through all ids */
#define NEAR_SLOTS 256u  /* slots to each side that are searched first */
#define SLOTS_PER_TASK 4096u

/* Writes the table of slots. If several threads call it, one writes the table and the others wait. */
static void know_slots(struct id_table *ids, const throng_world *world) {
  int known = 0;
  if (atomic_compare_exchange_strong(&ids->slots_known, &known, 1)) {
    for (uint32_t slot = 0; slot < world->agents.count; slot++) ids_note_slot(ids, world->agents.front.id[slot], slot);
    atomic_store_explicit(&ids->slots_known, 2, memory_order_release);
    return;
  }
  while (atomic_load_explicit(&ids->slots_known, memory_order_acquire) != 2) {
  }
}

static bool knows_slots(const struct id_table *ids) {
  return atomic_load_explicit(&ids->slots_known, memory_order_acquire) == 2;
}

/* The table is a cache. The world is never a const object, so that the cast is valid. */
static struct id_table *table_of(const throng_world *world) { return (struct id_table *)&world->agents.ids; }

/* Sorts the slots by id index, the least significant byte first. After four rounds the result is in grid->order, which
 * frames use only in their sort. */
static void sort_slots(const throng_world *world) {
  const uint32_t *id = world->agents.front.id, count = world->agents.count;
  uint32_t *order = world->grid.order, *other = world->grid.other_order;
  for (uint32_t slot = 0; slot < count; slot++) order[slot] = slot;
  for (uint32_t shift = 0; shift < 32; shift += 8) {
    uint32_t next[256] = {0}, sum = 0;
    for (uint32_t k = 0; k < count; k++) next[id[order[k]] >> shift & 0xFF]++;
    for (uint32_t digit = 0; digit < 256; digit++) {
      const uint32_t agents = next[digit];
      next[digit] = sum;
      sum += agents;
    }
    for (uint32_t k = 0; k < count; k++) other[next[id[order[k]] >> shift & 0xFF]++] = order[k];
    uint32_t *swap = order;
    order = other;
    other = swap;
  }
}

/* With sparse ids the loop reads a list of slots. If several threads call it, one writes the list and the others
 * wait. */
struct id_loop throng_lookup_all(const throng_world *world) {
  struct id_table *ids = table_of(world);
  int known = 0;
  if (!ids->sparse || atomic_load_explicit(&ids->order_known, memory_order_acquire) == 2) {
    return (struct id_loop){world, 0};
  }
  if (atomic_compare_exchange_strong(&ids->order_known, &known, 1)) {
    sort_slots(world);
    atomic_store_explicit(&ids->order_known, 2, memory_order_release);
  }
  while (atomic_load_explicit(&ids->order_known, memory_order_acquire) != 2) {
  }
  return (struct id_loop){world, 0};
}

#define NOWHERE UINT32_MAX

static uint32_t search(const uint32_t *id, uint32_t begin, uint32_t end, uint32_t index) {
  uint32_t found = NOWHERE; /* no early exit, so that the compiler vectorises the loop */
  for (uint32_t slot = begin; slot < end; slot++) found = id[slot] == index ? slot : found;
  return found;
}

/* Searches on both sides of the agent's last slot. Each step searches twice as far as the one before. */
static uint32_t search_around(struct id_table *ids, const throng_world *world, uint32_t index) {
  const uint32_t *id = world->agents.front.id, last = ids_last_slot(ids, index);
  uint32_t low = last < world->agents.count ? last : world->agents.count, high = low, found = NOWHERE;
  for (uint32_t reach = NEAR_SLOTS; found == NOWHERE; reach *= 2) {
    ASSERT(world, low > 0 || high < world->agents.count);
    const uint32_t begin = low < reach ? 0 : low - reach,
                   end = world->agents.count - high < reach ? world->agents.count : high + reach;
    found = search(id, begin, low, index);
    if (found == NOWHERE) found = search(id, high, end, index);
    low = begin;
    high = end;
  }
  ids_note_slot(ids, index, found);
  atomic_fetch_add_explicit(&ids->searched, high - low, memory_order_relaxed);
  return found;
}

void throng_lookup_expect(const throng_world *world, uint32_t lookups) {
  struct id_table *ids = table_of(world);
  if (lookups > world->agents.count / FEW_LOOKUPS && !knows_slots(ids)) know_slots(ids, world);
}

static void know_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  throng_world *world = context;
  (void)worker;
  for (uint32_t slot = begin; slot < end; slot++) ids_note_slot(&world->agents.ids, world->agents.front.id[slot], slot);
}

void throng_lookup_know_all(throng_world *world) {
  if (knows_slots(&world->agents.ids)) return;
  throng_executor_run(&world->executor, world->agents.count, SLOTS_PER_TASK, know_task, NULL, world);
  ids_know_slots(&world->agents.ids);
}

uint32_t throng_lookup_slot(const throng_world *world, throng_agent_id id) {
  ASSERT(world, ids_is_live(&world->agents.ids, id.index));
  struct id_table *ids = table_of(world);
  if (!knows_slots(ids)) {
    const uint32_t searched = atomic_load_explicit(&ids->searched, memory_order_relaxed);
    if (searched / DEAR_SEARCHES < world->agents.count) return search_around(ids, world, id.index);
    know_slots(ids, world);
  }
  const uint32_t slot = ids_last_slot(ids, id.index);
  ASSERT(world, slot < world->agents.count && world->agents.front.id[slot] == id.index);
  return slot;
}

void throng_lookup_next_slots(struct id_loop *loop, uint32_t *slots, uint32_t count) {
  const throng_world *world = loop->world;
  const struct id_table *ids = &world->agents.ids;
  const bool plain = !ids->sparse && world->piece.ghosts == 0 && knows_slots(ids);
  for (uint32_t k = 0; k < count && plain; k++) {
    do loop->at++;
    while (!(ids->entry[loop->at].state & ID_LIVE));
    slots[k] = entry_last_slot(&ids->entry[loop->at]);
  }
  for (uint32_t k = 0; k < count && !plain; k++) {
    slots[k] = throng_lookup_slot(world, (throng_agent_id){lookup_next(loop), 0, 0});
  }
}

void throng_lookup_skip(struct id_loop *loop, uint32_t count) {
  const struct id_table *ids = &loop->world->agents.ids;
  const bool ghosts = loop->world->piece.ghosts > 0, gaps = !ids->sparse && ids->live < ids->used;
  if (!ghosts && !gaps) loop->at += count;
  for (uint32_t k = 0; k < count && (ghosts || gaps); k++) (void)lookup_next(loop);
}

void throng_lookup_slots(const throng_world *world, const throng_agent_id *ids, uint32_t *slots, uint32_t count) {
  const bool known = knows_slots(&world->agents.ids);
  for (uint32_t k = 0; k < count; k++) {
    slots[k] = known ? ids_last_slot(&world->agents.ids, ids[k].index) : throng_lookup_slot(world, ids[k]);
  }
}

throng_agent_id throng_lookup_id_at(const throng_world *world, uint32_t slot) {
  ASSERT(world, slot < world->agents.count);
  uint16_t generation = (uint16_t)meta_generation(world->agents.front.meta[slot]);
  return (throng_agent_id){world->agents.front.id[slot], generation, world->def.id_world};
}

throng_agent_id throng_lookup_id_of(const throng_world *world, uint32_t index) {
  ASSERT(world, index >= 1 && index <= world->agents.ids.used);
  return (throng_agent_id){index, ids_entry(&world->agents.ids, index)->generation, world->def.id_world};
}

throng_status throng_lookup_check_id(const throng_world *world, throng_agent_id id, const char *what,
                                     throng_error *error) {
  if (lookup_is_live(world, id)) return THRONG_OK;
  if (id.index != 0 && id.world != world->def.id_world) {
    return throng_fail_agent(error, THRONG_ERROR_FOREIGN_ID, id,
                             "%s {%u, %u, %u} is an id of world %u, this is world %u", what, id.index, id.generation,
                             id.world, id.world, world->def.id_world);
  }
  return throng_fail_agent(error, THRONG_ERROR_STALE_ID, id, "%s {%u, %u, %u} names no live agent", what, id.index,
                           id.generation, id.world);
}

throng_status throng_lookup_refuse(const throng_world *world, const throng_agent_id *ids, uint32_t k,
                                   throng_error *error) {
  char what[24];
  snprintf(what, sizeof what, "ids[%u]", k);
  return throng_lookup_check_id(world, ids[k], what, error);
}

uint32_t throng_agents_count(const throng_world *world) {
  return world ? world->agents.count - world->piece.ghosts : 0;
}

bool throng_lookup_is_own(const throng_world *world, uint32_t index) {
  if (!ids_is_live(&world->agents.ids, index)) return false;
  if (world->piece.ghosts == 0) return true;
  const uint32_t slot = throng_lookup_slot(world, (throng_agent_id){index, 0, 0});
  return !(world->agents.front.meta[slot] & META_GHOST);
}

bool throng_agents_is_valid(const throng_world *world, throng_agent_id id) {
  return world && lookup_is_live(world, id);
}

throng_status throng_agents_get_ids(const throng_world *world, throng_agent_id *out, uint32_t capacity, uint32_t *count,
                                    throng_error *error) {
  REQUIRE_POINTER(world, error);
  REQUIRE_POINTER(count, error);
  *count = throng_agents_count(world);
  if (capacity < *count) {
    return throng_fail(error, THRONG_ERROR_CAPACITY, "ids has room for %u, there are %u agents", capacity, *count);
  }
  if (*count > 0 && !out) return throng_fail(error, THRONG_ERROR_NULL_ARGUMENT, "'ids' is NULL");
  struct id_loop all = throng_lookup_all(world);
  for (uint32_t k = 0; k < *count; k++) out[k] = throng_lookup_id_of(world, lookup_next(&all));
  return THRONG_OK;
}

bool throng_piece_find(const throng_world *world, throng_agent_id agent, uint32_t *element) {
  if (!world || !element || throng_lookup_check_id(world, agent, "agent", NULL) != THRONG_OK) return false;
  if (world->piece.exchanging) { /* an agent that was taken has no element yet */
    const uint32_t noted = ids_last_slot(&world->agents.ids, agent.index), count = world->agents.count;
    const bool taken = noted >= count && noted < count + world->piece.arrivals;
    if (taken && world->agents.front.id[noted] == agent.index) return false;
  }
  *element = throng_lookup_slot(world, agent);
  return true;
}
