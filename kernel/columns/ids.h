/* ids.h: the table of ids. In a dense table an index is live, free (on the stack, for a later agent) or retired. A
 * sparse table is a hash table with open addressing and linear probing, which holds only the live indices: it has no
 * stack, and forgets the generations of removed agents.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_COLUMNS_IDS_H
#define THRONG_KERNEL_COLUMNS_IDS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arithmetic.h"
#include "base/memory.h"

/* What the table has for an id index, together: a lookup of an id reads one cache line. */
struct id_entry {
  atomic_uint slot;    /* the slot of a live agent; unless slots_known is 2, the slot where it was found last */
  uint16_t generation; /* generation of the index's live agent, or of its last one */
  uint8_t state;       /* enum id_state bits */
};

struct id_table {
  bool sparse;
  uint32_t capacity;      /* there is memory for indices 1 to capacity; sparse: for `capacity` live indices */
  uint32_t used;          /* indices 1 to used have been taken at least once, or skipped */
  struct id_entry *entry; /* by index; sparse: by place in the hash table */
  uint32_t *key;     /* sparse: [mask + 1] the index at each place, 0 = empty; at most 3/4 of the places are taken */
  size_t mask;       /* sparse: number of places, a power of two, - 1 */
  uint32_t salt;     /* sparse: places depend on it, so that a host cannot choose indices that collide */
  uint16_t *highest; /* dense: the largest generation so far; the next throng_ids_take uses the generation after it */
  uint32_t *free;    /* dense: a stack. It may contain indices that throng_ids_take_exactly has made live */
  uint32_t free_count;
  uint32_t live, retired;
  _Atomic int slots_known; /* 0: no; 1: a thread is writing the table; 2: yes */
  _Atomic int order_known; /* sparse: the same values, for the list of slots in agents/lookup.c */
  atomic_uint searched;    /* number of ids that were searched since slots_known was 0 */
};

/* The place where the search for an index begins. */
static inline size_t ids_home(const struct id_table *ids, uint32_t index) {
  return scalar_mix(index ^ ids->salt) & ids->mask;
}
/* Returns the entry of an index that the table has memory for; NULL if it is not in a sparse table. */
static inline struct id_entry *ids_entry(const struct id_table *ids, uint32_t index) {
  if (!ids->sparse) return &ids->entry[index];
  for (size_t at = ids_home(ids, index); ids->key[at] != 0; at = (at + 1) & ids->mask) {
    if (ids->key[at] == index) return &ids->entry[at];
  }
  return NULL;
}

static inline uint32_t entry_last_slot(const struct id_entry *entry) {
  return atomic_load_explicit(&entry->slot, memory_order_relaxed);
}
static inline void entry_note_slot(struct id_entry *entry, uint32_t slot) {
  atomic_store_explicit(&entry->slot, slot, memory_order_relaxed);
}
/* The same for an index that is in the table. */
static inline uint32_t ids_last_slot(const struct id_table *ids, uint32_t index) {
  return entry_last_slot(ids_entry(ids, index));
}
static inline void ids_note_slot(struct id_table *ids, uint32_t index, uint32_t slot) {
  entry_note_slot(ids_entry(ids, index), slot);
}
/* Forgets the list of slots by id: the agents, their slots, or the memory of the list have changed. */
static inline void ids_forget_order(struct id_table *ids) { atomic_store(&ids->order_known, 0); }
/* Forgets the slots: agents have moved. */
static inline void ids_forget_slots(struct id_table *ids) {
  ids_forget_order(ids);
  atomic_store(&ids->slots_known, 0);
  atomic_store(&ids->searched, 0);
}
/* Every live agent's slot has been noted since the last ids_forget_slots. */
static inline void ids_know_slots(struct id_table *ids) {
  atomic_store_explicit(&ids->slots_known, 2, memory_order_release);
}

enum id_state { ID_LIVE = 1, ID_RETIRED = 2, ID_STACKED = 4, ID_CLAIMED = 8 };

/* Copies `ids` into `grown` with memory for indices up to `capacity`; sparse: for at least `capacity` live indices, in
 * at most 32 bytes each. Returns false without memory; nothing is then allocated. */
bool throng_ids_grow(const struct id_table *ids, struct id_table *grown, uint32_t capacity,
                     const throng_allocator *allocator);
void throng_ids_release(struct id_table *ids, const throng_allocator *allocator);

/* Returns the entry of a live index; NULL for any other index. */
static inline struct id_entry *ids_live(const struct id_table *ids, uint32_t index) {
  if (index == 0 || index > ids->used) return NULL;
  struct id_entry *entry = ids_entry(ids, index);
  return entry && (entry->state & ID_LIVE) ? entry : NULL;
}
static inline bool ids_is_live(const struct id_table *ids, uint32_t index) { return ids_live(ids, index) != NULL; }
/* Claims an index for throng_ids_take_exactly: it may not be claimed twice. Returns false if it is live or claimed.
 * There must be memory for it. Every claim must be dropped before indices are taken. */
bool throng_ids_claim(struct id_table *ids, uint32_t index);
void throng_ids_drop_claim(struct id_table *ids, uint32_t index);
/* The number of free indices that throng_ids_take will use again. */
static inline uint32_t ids_reusable(const struct id_table *ids) {
  return ids->sparse ? 0 : ids->used - ids->live - ids->retired;
}
/* Takes the next index and generation. If ids_reusable() is 0, there must be memory for one more index. A sparse table
 * takes used + 1, with generation 1. */
uint32_t throng_ids_take(struct id_table *ids);
/* Makes an index live with a generation. The index must not be live, and there must be memory for it. */
void throng_ids_take_exactly(struct id_table *ids, uint32_t index, uint16_t generation);
void throng_ids_give_back(struct id_table *ids, uint32_t index);
/* Removes all indices from a sparse table. */
void throng_ids_clear(struct id_table *ids);

#endif
