/* grid_place.h: the order of a band's agents. SPDX-License-Identifier: MIT */
#ifndef THRONG_GRID_PLACE_H
#define THRONG_GRID_PLACE_H

#include "grid/grid.h"

/* The passes of a sort: passes/index/sort.c has them once per instruction set. */
struct sort_passes {
  /* Finds the cells under grid->next of agents [begin, end) at `position`, into `key`. */
  void (*keys)(const struct grid *grid, const float *const position[3], uint32_t begin, uint32_t end, uint32_t *key);
  /* Adds to each cell's end `sum` and the changes up to it; leaves 0 in `change`. */
  void (*move_ends)(uint32_t *end, uint32_t *change, uint32_t cells, uint32_t sum);
  /* Puts the agents of slots [begin, end) that are not left into the positions of `order` that are not taken, in order. */
  void (*fill)(uint32_t begin, uint32_t end, const uint64_t *left, const uint64_t *taken, uint32_t *order);
  /* Fills agents [begin, end) of every column by grid->order; `with_ids`: of ids too. Slots below fetch_end may be fetched
   * ahead. */
  void (*reorder)(const struct grid *grid, const struct grid_move *move, uint32_t begin, uint32_t end,
                  uint32_t fetch_end, bool with_ids);
};

/* One sort of grid_sort.c, which has listed each band's movers and comers. */
struct grid_sort {
  struct grid *grid;
  const struct grid_move *move;
  const struct executor *executor;
  uint32_t chunk[GRID_MAX_CHUNKS + 1];       /* the first band of each */
  uint32_t chunk_agent[GRID_MAX_CHUNKS + 1]; /* where the agents of each begin */
  /* The last index put the agents where they lie. Else all are comers or, where there is one band, lie in it. */
  bool homes;
  bool few; /* and few change cell: only who comes to a cell is placed, and not all */
};

/* Fills the band's part of grid->order, and `start` with the ends of its cells; where all are placed, the ids of its places too. Writes
 * over its parts of the scratch arrays. */
void throng_grid_place(const struct grid_sort *sort, uint32_t band, uint32_t worker);

#endif
