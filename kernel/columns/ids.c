/* ids.c: see ids.h. SPDX-License-Identifier: MIT */
#include "base/assertion.h"
#include "columns/ids.h"

#include <string.h>

#define LAST_GENERATION 65535u

bool throng_agent_id_equal(throng_agent_id a, throng_agent_id b) {
  if (a.index != b.index || a.index == 0) return a.index == b.index;
  return a.generation == b.generation && a.world == b.world;
}

static size_t entries(const struct id_table *ids) { return ids->sparse ? ids->mask + 1 : (size_t)ids->capacity + 1; }

void throng_ids_release(struct id_table *ids, const throng_allocator *allocator) {
  throng_release(allocator, ids->entry, entries(ids) * sizeof *ids->entry);
  throng_release(allocator, ids->key, entries(ids) * sizeof *ids->key);
  throng_release(allocator, ids->highest, entries(ids) * sizeof *ids->highest);
  throng_release(allocator, ids->free, entries(ids) * sizeof *ids->free);
  ids->entry = NULL;
  ids->key = NULL;
  ids->highest = NULL;
  ids->free = NULL;
}

/* Puts an index that is not there into a sparse table. */
static struct id_entry *insert(struct id_table *ids, uint32_t index) {
  size_t at = ids_home(ids, index);
  ASSERT_ALONE(index != 0);
  while (ids->key[at] != 0) at = (at + 1) & ids->mask;
  ids->key[at] = index;
  return &ids->entry[at];
}

static void copy_entry(struct id_entry *to, const struct id_entry *from) {
  entry_note_slot(to, entry_last_slot(from));
  to->generation = from->generation;
  to->state = from->state;
}

/* Removes an index from a sparse table. Entries behind it move to the empty place, unless their search begins behind
 * it: every search then still ends at the index or at an empty place. */
static void erase(struct id_table *ids, uint32_t index) {
  size_t hole = (size_t)(ids_entry(ids, index) - ids->entry);
  for (size_t at = (hole + 1) & ids->mask; ids->key[at] != 0; at = (at + 1) & ids->mask) {
    const size_t home = ids_home(ids, ids->key[at]);
    if (((at - home) & ids->mask) < ((at - hole) & ids->mask)) continue;
    ids->key[hole] = ids->key[at];
    copy_entry(&ids->entry[hole], &ids->entry[at]);
    hole = at;
  }
  ids->key[hole] = 0;
}

/* A table grows when it lacks memory for `capacity` indices. It then has at most 8/3 places for each index. A place
 * takes 12 bytes, so an index takes at most 32. */
static bool grow_sparse(const struct id_table *ids, struct id_table *grown, uint32_t capacity,
                        const throng_allocator *allocator) {
  size_t places = 4;
  while (places / 4 * 3 < capacity) places *= 2;
  grown->mask = places - 1;
  grown->capacity = (uint32_t)(places / 4 * 3);
  grown->entry = throng_allocate(allocator, places * sizeof *grown->entry);
  grown->key = throng_allocate(allocator, places * sizeof *grown->key);
  if (!grown->entry || !grown->key) {
    throng_ids_release(grown, allocator);
    return false;
  }
  grown->salt = (uint32_t)mix64((uint64_t)(uintptr_t)grown->key); /* no result depends on it */
  for (size_t at = 0; ids->key && at <= ids->mask; at++) {
    if (ids->key[at] != 0) copy_entry(insert(grown, ids->key[at]), &ids->entry[at]);
  }
  atomic_store(&grown->slots_known, atomic_load(&ids->slots_known));
  return true;
}

bool throng_ids_grow(const struct id_table *ids, struct id_table *grown, uint32_t capacity,
                     const throng_allocator *allocator) {
  ASSERT_ALONE(capacity >= ids->capacity);
  ASSERT_ALONE(ids->sparse || ids->used <= ids->capacity);
  memset(grown, 0, sizeof *grown);
  grown->sparse = ids->sparse;
  grown->capacity = capacity;
  grown->used = ids->used;
  grown->free_count = ids->free_count;
  grown->live = ids->live;
  grown->retired = ids->retired;
  if (ids->sparse) return grow_sparse(ids, grown, capacity, allocator);
  grown->entry = throng_allocate(allocator, entries(grown) * sizeof *grown->entry);
  grown->highest = throng_allocate(allocator, entries(grown) * sizeof *grown->highest);
  grown->free = throng_allocate(allocator, entries(grown) * sizeof *grown->free);
  if (!grown->entry || !grown->highest || !grown->free) {
    throng_ids_release(grown, allocator);
    return false;
  }
  if (ids->entry) {
    memcpy(grown->entry, ids->entry, entries(ids) * sizeof *ids->entry);
    memcpy(grown->highest, ids->highest, entries(ids) * sizeof *ids->highest);
    memcpy(grown->free, ids->free, entries(ids) * sizeof *ids->free);
    atomic_store(&grown->slots_known, atomic_load(&ids->slots_known));
  }
  return true;
}

bool throng_ids_claim(struct id_table *ids, uint32_t index) {
  struct id_entry *entry = ids_entry(ids, index);
  if (entry && (entry->state & (ID_LIVE | ID_CLAIMED))) return false;
  if (!entry) {
    entry = insert(ids, index);
    entry->state = 0;
  }
  entry->state |= ID_CLAIMED;
  return true;
}

void throng_ids_drop_claim(struct id_table *ids, uint32_t index) {
  if (ids->sparse) {
    erase(ids, index);
  } else {
    ids->entry[index].state &= (uint8_t)~ID_CLAIMED;
  }
}

/* Makes an index that is not there live in a sparse table. */
static void take_sparse(struct id_table *ids, uint32_t index, uint16_t generation) {
  ASSERT_ALONE(ids->live < ids->capacity);
  struct id_entry *entry = insert(ids, index);
  entry->generation = generation;
  entry->state = ID_LIVE;
  ids->live++;
  if (index > ids->used) ids->used = index;
  ids_forget_order(ids);
}

uint32_t throng_ids_take(struct id_table *ids) {
  if (ids->sparse) {
    take_sparse(ids, ids->used + 1, 1);
    return ids->used;
  }
  ASSERT_ALONE(ids->live + ids->retired <= ids->used);
  ASSERT_ALONE(ids_reusable(ids) > 0 || ids->used < ids->capacity);
  ids->live++;
  while (ids->free_count > 0) {
    uint32_t index = ids->free[--ids->free_count];
    ids->entry[index].state &= (uint8_t)~ID_STACKED;
    if (ids->entry[index].state & (ID_LIVE | ID_RETIRED)) continue;
    ids->entry[index].generation = ++ids->highest[index];
    ids->entry[index].state |= ID_LIVE;
    return index;
  }
  uint32_t index = ++ids->used;
  ids->entry[index].generation = ids->highest[index] = 1;
  ids->entry[index].state = ID_LIVE;
  return index;
}

static void push_free(struct id_table *ids, uint32_t index) {
  ASSERT_ALONE(ids->free_count <= ids->capacity);
  if (ids->entry[index].state & ID_STACKED) return;
  ids->entry[index].state |= ID_STACKED;
  ids->free[ids->free_count++] = index;
}

void throng_ids_take_exactly(struct id_table *ids, uint32_t index, uint16_t generation) {
  ASSERT_ALONE(index >= 1 && (ids->sparse || index <= ids->capacity));
  ASSERT_ALONE(generation >= 1);
  ASSERT_ALONE(!ids_is_live(ids, index));
  if (ids->sparse) {
    take_sparse(ids, index, generation);
    return;
  }
  while (ids->used < index) push_free(ids, ++ids->used);
  ids->live++;
  if (ids->entry[index].state & ID_RETIRED) ids->retired--;
  ids->entry[index].generation = generation;
  if (generation > ids->highest[index]) ids->highest[index] = generation;
  ids->entry[index].state = (uint8_t)((ids->entry[index].state & ID_STACKED) | ID_LIVE);
}

void throng_ids_give_back(struct id_table *ids, uint32_t index) {
  ASSERT_ALONE(ids_is_live(ids, index));
  ASSERT_ALONE(ids->live > 0);
  if (ids->sparse) {
    erase(ids, index);
    ids->live--;
    ids_forget_order(ids);
    return;
  }
  ids->entry[index].state &= (uint8_t)~ID_LIVE;
  ids->live--;
  if (ids->highest[index] == LAST_GENERATION) {
    ids->entry[index].state |= ID_RETIRED;
    ids->retired++;
  } else {
    push_free(ids, index);
  }
}

void throng_ids_clear(struct id_table *ids) {
  ASSERT_ALONE(ids->sparse);
  memset(ids->key, 0, entries(ids) * sizeof *ids->key);
  ids->live = 0;
  ids_forget_order(ids);
}
