/* near_lists.h: lists of the bodies that may touch a block's bodies in a frame. The first contact iteration makes them;
 * later ones read them instead of the window. They hold while no agent is farther than `margin` from where it was
 * before contact. A block is quiet if in the iteration before neither it nor an agent of its list was pushed: then
 * nothing is pushed now.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_MOTION_NEAR_LISTS_H
#define THRONG_KERNEL_PASSES_MOTION_NEAR_LISTS_H

#include "passes/block.h"

#define NO_LIST 0xFFFFu
/* The element of `head` of a block's first agent: how many agents the block has, and how many its list has. */
LANES_INLINE uint32_t head_make(uint32_t lanes, uint32_t listed) { return lanes << 16 | listed; }
LANES_INLINE uint32_t head_lanes(uint32_t head) { return head >> 16; }
LANES_INLINE uint32_t head_listed(uint32_t head) { return head & 0xFFFFu; }

/* A list that is being made. */
struct near_list {
  uint32_t *slot; /* NULL: none is made */
  uint32_t count, capacity;
};
LANES_INLINE struct near_list start_list(const struct near_lists *near, uint32_t at, uint32_t lanes) {
  if (!near->slot || near->iteration > 0) return (struct near_list){NULL, 0, 0};
  return (struct near_list){near->slot + (size_t)at * NEAR_OF_AGENT, 0, lanes * NEAR_OF_AGENT};
}
LANES_INLINE void drop_list(struct near_list *list) { list->count = NO_LIST; }
LANES_INLINE void extend_list(struct near_list *list, uint32_t slot) {
  if (list->count < list->capacity) {
    list->slot[list->count++] = slot;
  } else {
    drop_list(list);
  }
}

/* Whether neither the block's agents nor those of its list were pushed in the iteration before. All agents of a block
 * have the same value of `pushed`. */
LANES_INLINE bool is_quiet(const struct near_lists *near, uint32_t at, uint32_t head) {
  const uint32_t *pushed = near->pushed[(near->iteration + 1) % 2];
  const uint32_t *slot = near->slot + (size_t)at * NEAR_OF_AGENT, *end = slot + head_listed(head);
  if (pushed[at]) return false;
  while (slot < end && !pushed[*slot]) slot++;
  return slot == end;
}

#endif
