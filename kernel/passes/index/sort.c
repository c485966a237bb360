/* sort.c: finds the cells of agents, and moves every column into the new grid order. Agents move little in a frame. So
 * most agents of a block come from a slot window: LANE_WINDOW consecutive slots, which one operation loads. An agent
 * from outside the slot window, called a stray, is listed once and loaded separately.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/compiler.h"
#include "grid/grid_place.h"
#include "passes/index/cell_keys.h"

LANES_INLINE void find_cells(const struct grid *grid, const struct torus *torus, const float *const position[3],
                             uint32_t begin, uint32_t end, uint32_t *cell, bool spatial) {
  const struct key_axes axes = key_axes(grid, torus);
  for (uint32_t at = begin; at < end; at += LANES, cell += LANES) {
    const lv3 p = {lf_load(position[0] + at), spatial ? lf_load(position[1] + at) : lf_zero(),
                   lf_load(position[2] + at)};
    lu_store_first(cell, cell_key(&axes, p, spatial), lanes_left(at, end));
  }
}
static void find(const struct grid *grid, const struct torus *torus, const float *const position[3], uint32_t begin,
                 uint32_t end, uint32_t *cell) {
  CALL_IN_SPACE(grid->space->spatial, find_cells, grid, torus, position, begin, end, cell);
}

static void find_keys(const struct grid *grid, const float *const position[3], uint32_t begin, uint32_t end,
                      uint32_t *key) {
  find(grid, &grid->next, position, begin, end, key + begin);
}

void THRONG_TABLE(cells)(const struct frame *frame, struct strip *strip) {
  float *const *p = frame->front->f + COLUMN_POSITION_X;
  const struct grid *grid = frame->grid;
  find(grid, &grid->torus, (const float *const[]){p[0], p[1], p[2]}, strip->begin, strip->end, strip->cell);
}

/* Writes the committed cells of slots [begin, end). They are computed from the first slot of each cell, because no
 * array has them and positions may have changed. */
static void spread_cells(const struct grid *grid, uint32_t begin, uint32_t end, uint32_t *cell) {
  const uint32_t cells = 1u << torus_bits(&grid->torus);
  for (uint32_t own = grid_range_of(grid->start, cells, begin); grid->start[own] < end; own++) {
    const uint32_t cell_end = grid->start[own + 1] < end ? grid->start[own + 1] : end;
    uint32_t at = grid->start[own] < begin ? begin : grid->start[own];
    do { /* this may write past the cell's end; the next cells overwrite it */
      lu_store(cell + (at - begin), lu_set1(own));
      at += LANES;
    } while (at < cell_end);
  }
}

void THRONG_TABLE(changes)(const struct grid *grid, const struct columns *columns, struct strip *strip) {
  float *const *p = columns->f + COLUMN_POSITION_X;
  const uint32_t agents = strip->end - strip->begin;
  ASSERT_ALONE(agents <= STRIP_AGENTS);
  spread_cells(grid, strip->begin, strip->end, strip->cell);
  struct changes changes;
  uint32_t count = 0;
  find(grid, &grid->next, (const float *const[]){p[0], p[1], p[2]}, strip->begin, strip->end, changes.next);
  for (uint32_t k = 0; k < agents; k += LANES) count += add_changes(&changes, count, strip, k, lm_first(agents - k));
  list_strip_movers(&changes, count, grid, strip);
}

static void move_ends(uint32_t *end, uint32_t *change, uint32_t cells, uint32_t sum) {
  uint32_t cell = 0;
  lu before = lu_set1(sum);
  for (; cell + LANES <= cells; cell += LANES) {
    before = lu_add(lu_last(before), lu_prefix_sums(lu_load(change + cell)));
    lu_store(end + cell, lu_add(lu_load(end + cell), before));
    lu_store(change + cell, lu_set1(0));
  }
  ASSERT_ALONE(cell == 0 || cell == cells);
  for (; cell < cells; cell++) { /* fewer than LANES cells in total */
    sum += change[cell];
    end[cell] += sum;
    change[cell] = 0;
  }
}

#define LANE_BITS ((1u << LANES) - 1)

/* LANES bits of `all` from bit k on. */
LANES_INLINE uint32_t lane_bits(const uint64_t *all, uint32_t k) {
  const uint32_t shift = k % 64;
  uint64_t bits = all[k / 64] >> shift;
  if (shift > 64 - LANES) bits |= all[k / 64 + 1] << (64 - shift);
  return (uint32_t)bits & LANE_BITS;
}

#define STAYERS 1024u /* agents that stay in their cells are listed in parts of this size */

static void fill(uint32_t begin, uint32_t end, const uint64_t *left, const uint64_t *taken, uint32_t *order) {
  uint32_t stayer[STAYERS + LANES], at = 0, to = 0;
  const uint32_t slots = end - begin;
  while (at < slots) {
    const uint32_t piece = slots - at < STAYERS ? slots : at + STAYERS;
    uint32_t count = 0, k = 0;
    for (; at + LANES <= piece; at += LANES)
      count += lu_store_bits(stayer + count, ~lane_bits(left, at) & LANE_BITS, begin + at);
    for (; at < piece; at++) {
      if (!(left[at / 64] >> at % 64 & 1)) stayer[count++] = begin + at;
    }
    while (k < count) {
      const uint32_t gone = lane_bits(taken, to), room = LANES - count_bits(gone);
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

#define MOVED_AGENTS                                                                                                   \
  8192u                      /* number of agents that are moved at a time, column by column: their old slots stay in the
                                L2 cache */
#define FETCHED_AGENTS 2048u /* how far ahead a column is prefetched, 8 KB: processors prefetch only within a page */

/* The old slots of the agents [begin, end). */
struct sources {
  const uint32_t *order; /* the old slot of each agent */
  uint32_t begin, end, blocks, fetch_end;
  uint32_t window[MOVED_AGENTS / LANES]; /* per block: the first of its LANE_WINDOW slots */
  uint32_t *stray, strays;
};

/* A block's slots as numbers within its window. */
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
    if (*window + FETCHED_AGENTS < sources->fetch_end) fetch(from + *window, FETCHED_AGENTS * sizeof *from);
    lu_store(to + at, lu_from_window(from + *window, numbers_of(order + at, *window)));
  }
}

static void find_sources(struct sources *sources) {
  find_windows(sources);
  uint32_t at = sources->begin + sources->blocks * LANES;
  while (at < sources->end) sources->stray[sources->strays++] = at++;
}

/* Moves a column of floats or integers: 32 bits each, copied unchanged. */
static void move_column(const struct sources *sources, const void *from, void *to) {
  const uint32_t *in = from;
  uint32_t *out = to;
  move_windows(sources, in, out);
  const uint32_t *order = sources->order, *end = sources->stray + sources->strays;
  for (const uint32_t *stray = sources->stray; stray < end; stray++)
    memcpy(out + *stray, in + order[*stray], sizeof *out);
}

static void reorder(const struct grid *grid, const struct grid_move *move, uint32_t begin, uint32_t end,
                    uint32_t fetch_end, bool with_ids) {
  struct sources sources;
  sources.fetch_end = fetch_end;
  for (; begin < end; begin = sources.end) {
    sources.order = grid->order;
    sources.begin = begin;
    sources.end = end - begin < MOVED_AGENTS ? end : begin + MOVED_AGENTS;
    sources.stray = grid->other_order + begin;
    find_sources(&sources);
    for (int column = 0; column < COLUMN_COUNT; column++) {
      if (move->from[column]) move_column(&sources, move->from[column], move->to[column]);
    }
    move_column(&sources, move->from_meta, move->to_meta);
    if (with_ids) move_column(&sources, move->from_id, move->to_id);
  }
}

const struct sort_passes THRONG_TABLE(sort) = {find_keys, move_ends, fill, reorder};
