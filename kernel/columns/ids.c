/* ids.c: see ids.h. SPDX-License-Identifier: MIT */
#include "columns/ids.h"
#include "base/assertion.h"

#include <string.h>

#define LAST_GENERATION 65535u

bool throng_agent_id_equal(throng_agent_id a, throng_agent_id b) {
  if (a.index != b.index || a.index == 0) return a.index == b.index;
  return a.generation == b.generation && a.world == b.world;
}

static size_t entries(const struct id_table *ids) { return (size_t)ids->capacity + 1; }

void throng_ids_release(struct id_table *ids, const throng_allocator *allocator) {
  throng_release(allocator, ids->entry, entries(ids) * sizeof *ids->entry);
  throng_release(allocator, ids->highest, entries(ids) * sizeof *ids->highest);
  throng_release(allocator, ids->free, entries(ids) * sizeof *ids->free);
  ids->entry = NULL;
  ids->highest = NULL;
  ids->free = NULL;
}

bool throng_ids_grow(const struct id_table *ids, struct id_table *grown, uint32_t capacity,
                     const throng_allocator *allocator) {
  ASSERT_ALONE(capacity >= ids->capacity);
  ASSERT_ALONE(ids->used <= ids->capacity);
  memset(grown, 0, sizeof *grown);
  grown->capacity = capacity;
  grown->used = ids->used;
  grown->free_count = ids->free_count;
  grown->live = ids->live;
  grown->retired = ids->retired;
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

uint32_t throng_ids_take(struct id_table *ids) {
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
  ASSERT_ALONE(index >= 1 && index <= ids->capacity);
  ASSERT_ALONE(generation >= 1);
  ASSERT_ALONE(!ids_is_live(ids, index));
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
  ids->entry[index].state &= (uint8_t)~ID_LIVE;
  ids->live--;
  if (ids->highest[index] == LAST_GENERATION) {
    ids->entry[index].state |= ID_RETIRED;
    ids->retired++;
  } else {
    push_free(ids, index);
  }
}
