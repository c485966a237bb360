/* grid_displaced.h: agents that the host moved or removed after the sort. Queries stay exact without a new sort: they
 * skip a displaced agent in the cell of its slot, and look at all displaced agents one by one. The next sort places
 * displaced agents alone, if they are few.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_GRID_GRID_DISPLACED_H
#define THRONG_KERNEL_GRID_GRID_DISPLACED_H

#include "grid/grid.h"

/* Notes that the host has moved the agent in a slot, to the position in `columns`. Returns false if too many agents
 * have changed since the sort: at least two, and more than 1 / DISPLACED_SHARE of all. The caller must then mark the
 * world dirty. */
bool throng_grid_note_move(struct grid *grid, const struct columns *columns, uint32_t slot);
/* Notes that the agent in `slot` is removed, and that the one in the slot `last` takes its slot. The result is as for a
 * move. */
bool throng_grid_note_removal(struct grid *grid, uint32_t slot, uint32_t last);
/* Marks slots [begin, end) for the next sort: they have other agents than after the last sort. The world is dirty. */
void throng_grid_mark(struct grid *grid, uint32_t begin, uint32_t end);
/* Before a sort under the same torus: lists the agents in a strip's marked slots as movers. Agents in other slots have
 * not moved. Slots from `count` on have no agent any more: their movers go to GRID_NOWHERE. */
void throng_grid_list_marked(const struct grid *grid, const struct columns *columns, uint32_t count, uint32_t strip);
/* After a sort: no agent is displaced. */
void throng_grid_forget_displaced(struct grid *grid);

/* Whether the list of displaced agents is sound, for `count` live agents. */
bool throng_grid_check_displaced(const struct grid *grid, uint32_t count);

/* The number of agents at the last sort. */
static inline uint32_t grid_sorted_agents(const struct grid *grid) {
  return grid->start[(size_t)1 << torus_bits(&grid->torus)];
}
/* Whether agents were moved or removed since the last sort. */
static inline bool grid_has_changed(const struct grid *grid) { return grid->displaced.changed > 0; }
static inline bool grid_is_displaced(const struct grid *grid, uint32_t slot) {
  return grid->displaced.state[slot] != 0;
}

#endif
