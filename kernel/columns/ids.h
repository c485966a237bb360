/* ids.h: the table of ids. An index is live, free (on the stack, for a later agent) or retired.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_COLUMNS_IDS_H
#define THRONG_KERNEL_COLUMNS_IDS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

/* What the table has for an id index, together: a lookup of an id reads one cache line. */
struct id_entry {
  atomic_uint slot;    /* the slot of a live agent; unless slots_known is 2, the slot where it was found last */
  uint16_t generation; /* generation of the index's live agent, or of its last one */
  uint8_t state;       /* enum id_state bits */
};

struct id_table {
  uint32_t capacity; /* there is memory for indices 1 to capacity */
  uint32_t used;     /* indices 1 to used have been taken at least once, or skipped */
  struct id_entry *entry;
  uint16_t *highest; /* the largest generation so far; the next throng_ids_take uses the generation after it */
  uint32_t *free;    /* a stack. It may contain indices that throng_ids_take_exactly has made live */
  uint32_t free_count;
  uint32_t live, retired;
  _Atomic int slots_known; /* 0: no; 1: a thread is writing the table; 2: yes */
  atomic_uint searched;    /* number of ids that were searched since slots_known was 0 */
};

static inline uint32_t ids_last_slot(const struct id_table *ids, uint32_t index) {
  return atomic_load_explicit(&ids->entry[index].slot, memory_order_relaxed);
}
static inline void ids_note_slot(struct id_table *ids, uint32_t index, uint32_t slot) {
  atomic_store_explicit(&ids->entry[index].slot, slot, memory_order_relaxed);
}
/* Forgets the slots: agents have moved. */
static inline void ids_forget_slots(struct id_table *ids) {
  atomic_store(&ids->slots_known, 0);
  atomic_store(&ids->searched, 0);
}
/* Every live agent's slot has been noted since the last ids_forget_slots. */
static inline void ids_know_slots(struct id_table *ids) {
  atomic_store_explicit(&ids->slots_known, 2, memory_order_release);
}

enum id_state { ID_LIVE = 1, ID_RETIRED = 2, ID_STACKED = 4, ID_CLAIMED = 8 };

/* Copies `ids` into `grown` with memory for indices up to `capacity`. Returns false without memory; nothing is then
 * allocated. */
bool throng_ids_grow(const struct id_table *ids, struct id_table *grown, uint32_t capacity,
                     const throng_allocator *allocator);
void throng_ids_release(struct id_table *ids, const throng_allocator *allocator);

static inline bool ids_is_live(const struct id_table *ids, uint32_t index) {
  return index != 0 && index <= ids->used && (ids->entry[index].state & ID_LIVE);
}
/* The number of free indices. */
static inline uint32_t ids_reusable(const struct id_table *ids) { return ids->used - ids->live - ids->retired; }
/* Takes the next index and generation. If ids_reusable() is 0, there must be memory for one more index. */
uint32_t throng_ids_take(struct id_table *ids);
/* Makes an index live with a generation. The index must not be live, and there must be memory for it. */
void throng_ids_take_exactly(struct id_table *ids, uint32_t index, uint16_t generation);
void throng_ids_give_back(struct id_table *ids, uint32_t index);

#endif
