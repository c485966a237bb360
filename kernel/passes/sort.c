/* passes/sort.c: who stays in a cell and who does not, and every column into the order of the index.
 * Agents move little in a frame, so that those of a block mostly come from LANE_WINDOW slots in a row, which lanes fetch together.
 * Who comes from elsewhere, a stray, is listed once and fetched alone.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "../compiler.h"
#include "block.h"

/* The lanes of slots at, at + 1, … before `end` who stay in their cell. */
LANES_INLINE lm stayers(const struct grid *grid, uint32_t at, uint32_t end) {
  return lm_and(lu_equal(lu_load(grid->key + at), lu_load(grid->cell + at)), lm_first(end - at));
}

static uint32_t movers(const struct grid *grid, uint32_t begin, uint32_t end, uint32_t *list) {
  uint32_t count = 0, at = begin;
  for (; at + LANES <= end; at += LANES) {
    const lm move = lm_without(lm_first(LANES), stayers(grid, at, end));
    if (lm_any(move)) count += lu_store_set(list + count, move, at);
  }
  for (; at < end; at++) { /* behind the list's room another's begins */
    if (grid->key[at] != grid->cell[at]) list[count++] = at;
  }
  return count;
}

static void move_ends(uint32_t *end, uint32_t *change, uint32_t cells, uint32_t sum) {
  uint32_t cell = 0;
  lu before = lu_set1(sum);
  for (; cell + LANES <= cells; cell += LANES) {
    before = lu_add(lu_last(before), lu_prefix_sums(lu_load(change + cell)));
    lu_store(end + cell, lu_add(lu_load(end + cell), before));
    lu_store(change + cell, lu_set1(0));
  }
  for (; cell < cells; cell++) { /* fewer than LANES in all */
    sum += change[cell];
    end[cell] += sum;
    change[cell] = 0;
  }
}

/* Of a bit each from `taken` on, LANES from bit k on. */
LANES_INLINE uint32_t taken_from(const uint64_t *taken, uint32_t k) {
  const uint32_t shift = k % 64;
  uint64_t bits = taken[k / 64] >> shift;
  if (shift > 64 - LANES) bits |= taken[k / 64 + 1] << (64 - shift);
  return (uint32_t)bits & ((1u << LANES) - 1);
}

#define STAYERS 1024u /* are listed at a time */

static void fill(const struct grid *grid, uint32_t begin, uint32_t end, const uint64_t *taken, uint32_t *order) {
  uint32_t stayer[STAYERS + LANES], to = 0;
  while (begin < end) {
    const uint32_t piece = end - begin < STAYERS ? end : begin + STAYERS;
    uint32_t count = 0, k = 0;
    for (; begin < piece; begin += LANES) count += lu_store_set(stayer + count, stayers(grid, begin, piece), begin);
    begin = piece;
    while (k < count) {
      const uint32_t gone = taken_from(taken, to), room = LANES - count_bits(gone);
      if (count - k < room) break;
      lu_store_unset(order + to, gone, stayer + k);
      k += room;
      to += LANES;
    }
    for (; k < count; to++) {
      if (!(taken[to / 64] >> to % 64 & 1)) order[to] = stayer[k++];
    }
  }
}

#define MOVED_AGENTS 8192u  /* are moved column by column: where they come from stays in the L2 cache */
#define FETCHED_BYTES 8192u /* ahead of where a column is read: the processor looks no farther than a page */

/* Where the agents [begin, end) come from. */
struct sources {
  const uint32_t *order; /* the slot that each of all agents comes from */
  uint32_t begin, end, blocks;
  uint32_t window[MOVED_AGENTS / LANES]; /* the first of the LANE_WINDOW slots of each block */
  uint32_t *stray, strays;
};

/* The numbers of a block's slots within its window. */
LANES_INLINE lu numbers_of(const uint32_t *order, uint32_t window) { return lu_sub(lu_load(order), lu_set1(window)); }

static void find_windows(struct sources *sources) {
  sources->blocks = (sources->end - sources->begin) / LANES;
  uint32_t at = sources->begin, strays = 0;
  for (uint32_t block = 0; block < sources->blocks; block++, at += LANES) {
    const uint32_t middle = sources->order[at + LANES / 2], before = LANE_WINDOW / 2;
    const uint32_t window = middle < before ? 0 : middle - before;
    sources->window[block] = window;
    strays += lu_store_set(sources->stray + strays, lu_outside_window(numbers_of(sources->order + at, window)), at);
  }
  sources->strays = strays;
}

LANES_INLINE void move_windows(const struct sources *sources, const uint32_t *from, uint32_t *to) {
  const uint32_t *order = sources->order, *window = sources->window;
  const uint32_t end = sources->begin + sources->blocks * LANES;
  for (uint32_t at = sources->begin; at < end; at += LANES, window++) {
    fetch(from + *window, FETCHED_BYTES);
    lu_store(to + at, lu_from_window(from + *window, numbers_of(order + at, *window)));
  }
}

static void find_sources(struct sources *sources) {
  find_windows(sources);
  uint32_t at = sources->begin + sources->blocks * LANES;
  while (at < sources->end) sources->stray[sources->strays++] = at++;
}

/* Of floats or integers: 32 bits each, copied as they are. */
static void move_column(const struct sources *sources, const void *from, void *to) {
  const uint32_t *in = from;
  uint32_t *out = to;
  move_windows(sources, in, out);
  const uint32_t *order = sources->order, *end = sources->stray + sources->strays;
  for (const uint32_t *stray = sources->stray; stray < end; stray++)
    memcpy(out + *stray, in + order[*stray], sizeof *out);
}

static void reorder(const struct grid *grid, const struct grid_move *move, uint32_t begin, uint32_t end,
                    bool with_ids) {
  struct sources sources;
  for (; begin < end; begin = sources.end) {
    sources.order = grid->order;
    sources.begin = begin;
    sources.end = end - begin < MOVED_AGENTS ? end : begin + MOVED_AGENTS;
    sources.stray = (uint32_t *)(grid->cell_and_id + begin); /* placed, nobody reads it any more */
    find_sources(&sources);
    for (int column = 0; column < COLUMN_COUNT; column++) {
      if (move->from[column]) move_column(&sources, move->from[column], move->to[column]);
    }
    move_column(&sources, move->from_meta, move->to_meta);
    if (!with_ids) continue;
    move_column(&sources, move->from_id, move->to_id);
    move_column(&sources, grid->key, grid->next_cell);
  }
}

const struct sort_passes THRONG_TABLE(sort) = {movers, move_ends, fill, reorder};
