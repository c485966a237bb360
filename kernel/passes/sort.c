/* passes/sort.c: who leaves a band of cells, and every column into the order of the index.
 * Agents move little in a frame, so that those of a block mostly come from 2 LANES slots in a row: two loads and a permutation
 * fetch a column of them. Who comes from elsewhere, a stray, is listed once and fetched alone.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "block.h"

static uint32_t leavers(const uint32_t *key, uint32_t begin, uint32_t end, uint32_t first_cell, uint32_t cells,
                        uint32_t *list) {
  uint32_t count = 0, at = begin;
  for (; at + LANES <= end; at += LANES) {
    const lm leaves = lu_test(lu_xor(lu_load(key + at), lu_set1(first_cell)), lu_set1(~(cells - 1)));
    if (lm_any(leaves)) count += lu_store_set(list + count, leaves, at);
  }
  for (; at < end; at++) {
    if ((key[at] ^ first_cell) >= cells) list[count++] = at;
  }
  return count;
}

#define MOVED_AGENTS 8192u /* are moved column by column: where they come from stays in the L2 cache */

/* Where the agents [begin, end) come from. */
struct sources {
  const uint32_t *order; /* the slot that each of all agents comes from */
  uint32_t begin, end, blocks;
  uint32_t window[MOVED_AGENTS / LANES]; /* the first of the 2 LANES slots of each block */
  uint32_t *stray, strays;
};

/* Where lanes have no permutation that is worth it, there are no windows, and everybody is a stray. */
static void find_windows(struct sources *sources) {
  sources->blocks = sources->strays = 0;
#ifdef LANE_LOOKUP_TWO
  sources->blocks = (sources->end - sources->begin) / LANES;
  uint32_t at = sources->begin, strays = 0;
  for (uint32_t block = 0; block < sources->blocks; block++, at += LANES) {
    const uint32_t middle = sources->order[at + LANES / 2], window = middle < LANES ? 0 : middle - LANES;
    const lu from = lu_sub(lu_load(sources->order + at), lu_set1(window));
    const lm outside = lu_test(from, lu_set1(~(LANE_LOOKUP_TWO - 1)));
    sources->window[block] = window;
    strays += lu_store_set(sources->stray + strays, outside, at);
  }
  sources->strays = strays;
#endif
}

LANES_INLINE void move_windows(const struct sources *sources, const uint32_t *from, uint32_t *to) {
#ifdef LANE_LOOKUP_TWO
  uint32_t at = sources->begin;
  for (uint32_t block = 0; block < sources->blocks; block++, at += LANES) {
    const uint32_t window = sources->window[block];
    lu_store(to + at, lu_lookup_two(from + window, lu_sub(lu_load(sources->order + at), lu_set1(window))));
  }
#else
  (void)sources, (void)from, (void)to;
#endif
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
  for (uint32_t k = 0; k < sources->strays; k++) {
    const uint32_t at = sources->stray[k];
    memcpy(out + at, in + sources->order[at], sizeof *out);
  }
}

static void reorder(const struct grid *grid, const struct grid_move *move, uint32_t begin, uint32_t end) {
  struct sources sources;
  for (; begin < end; begin = sources.end) {
    sources.order = grid->order;
    sources.begin = begin;
    sources.end = end - begin < MOVED_AGENTS ? end : begin + MOVED_AGENTS;
    sources.stray = grid->sort_order + begin; /* whose sort is over */
    find_sources(&sources);
    for (int column = 0; column < COLUMN_COUNT; column++) {
      if (move->from[column]) move_column(&sources, move->from[column], move->to[column]);
    }
    move_column(&sources, move->from_meta, move->to_meta);
    for (uint32_t k = begin; k < sources.end; k++) move->to_id[k] = (uint32_t)grid->cell_and_id[k];
  }
}

const struct sort_passes THRONG_TABLE(sort) = {leavers, reorder};
