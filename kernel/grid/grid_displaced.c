/* grid_displaced.c: see grid_displaced.h. SPDX-License-Identifier: MIT */
#include "grid/grid_displaced.h"

#include <string.h>

#include "base/assertion.h"

/* Marks of a slot: its agent is displaced; the host moved it, and `changed` has counted it. */
enum { IS_DISPLACED = 1, IS_MOVED = 2 };

/* Counts one more agent. false: they are too many. */
static bool count_change(struct grid *grid) {
  const uint32_t share = grid_sorted_agents(grid) / DISPLACED_SHARE;
  if (grid->displaced.changed >= (share > 1 ? share : 1)) return false;
  grid->displaced.changed++;
  return true;
}

/* Lists a slot once. An agent is counted before its slot is listed, so that the list has room. */
static void list_slot(struct grid *grid, uint32_t slot, uint8_t state) {
  struct displaced *displaced = &grid->displaced;
  ASSERT_ALONE(slot < grid->capacity);
  if (displaced->state[slot] == 0) {
    ASSERT_ALONE(displaced->count < displaced->changed);
    displaced->slot[displaced->count++] = slot;
  }
  displaced->state[slot] = IS_DISPLACED | state;
}

bool throng_grid_note_move(struct grid *grid, const struct columns *columns, uint32_t slot) {
  const bool counted = grid->displaced.state[slot] & IS_MOVED;
  if (!counted && !count_change(grid)) return false;
  list_slot(grid, slot, IS_MOVED);
  for (int k = 0; k < 3; k++) {
    if (k == 1 && !grid->space->spatial) continue;
    const float p = columns->f[COLUMN_POSITION_X + k][slot];
    if (p < grid->bounds_min[k]) grid->bounds_min[k] = p;
    if (p > grid->bounds_max[k]) grid->bounds_max[k] = p;
  }
  return true;
}

bool throng_grid_note_removal(struct grid *grid, uint32_t slot, uint32_t last) {
  uint8_t *state = grid->displaced.state;
  ASSERT_ALONE(slot <= last && last < grid->capacity);
  const bool counted = state[slot] & IS_MOVED;
  if (!counted && !count_change(grid)) return false;
  if (slot != last) list_slot(grid, slot, state[last] & IS_MOVED);
  return true;
}

void throng_grid_mark(struct grid *grid, uint32_t begin, uint32_t end) {
  for (uint32_t slot = begin; slot < end; slot++) grid->displaced.state[slot] |= IS_DISPLACED;
  grid->displaced.unlisted = true;
}

static uint32_t next_cell(const struct grid *grid, const struct columns *columns, uint32_t slot) {
  const struct true_cell to = throng_grid_cell_of(grid, columns, slot);
  return grid_torus_cell(grid->space->axis, &grid->next, to.bin, to.row_y, to.row_z);
}

void throng_grid_list_marked(const struct grid *grid, const struct columns *columns, uint32_t count, uint32_t strip) {
  const uint32_t begin = grid->strip_start[strip], end = grid->strip_start[strip + 1];
  const uint8_t *mark = grid->displaced.state;
  struct grid_mover *mover = grid->mover + begin;
  uint32_t from = UINT32_MAX;
  for (uint32_t slot = begin; slot < end; slot++) {
    uint64_t marks; /* of eight slots: most have none */
    memcpy(&marks, mark + slot, sizeof marks);
    if (marks == 0 && slot + sizeof marks <= count) slot += sizeof marks - 1;
    if (mark[slot] == 0 && slot < count) continue;
    if (from == UINT32_MAX) from = grid_range_of(grid->start, 1u << torus_bits(&grid->torus), slot);
    while (grid->start[from + 1] <= slot) from++;
    *mover++ = (struct grid_mover){slot, from, slot < count ? next_cell(grid, columns, slot) : GRID_NOWHERE};
  }
  grid->lists[strip] = (struct grid_mover_list){begin, (uint32_t)(mover - (grid->mover + begin)), false};
}

void throng_grid_forget_displaced(struct grid *grid) {
  struct displaced *displaced = &grid->displaced;
  for (uint32_t k = 0; k < displaced->count; k++) displaced->state[displaced->slot[k]] = 0;
  if (displaced->unlisted) memset(displaced->state, 0, grid->capacity);
  displaced->count = displaced->changed = 0;
  displaced->unlisted = false;
}

bool throng_grid_check_displaced(const struct grid *grid, uint32_t count) {
  const struct displaced *displaced = &grid->displaced;
  const uint32_t sorted = grid_sorted_agents(grid);
  uint32_t states = 0;
  for (uint32_t slot = 0; slot < grid->capacity; slot++) states += displaced->state[slot] != 0;
  for (uint32_t k = 0; k < displaced->count; k++) {
    if (displaced->slot[k] >= grid->capacity || displaced->state[displaced->slot[k]] == 0) return false;
  }
  return states == displaced->count && displaced->count <= displaced->changed && count <= sorted &&
         sorted - count <= displaced->changed;
}
