/* grid_place.h: the order of a band's agents. SPDX-License-Identifier: MIT */
#ifndef THRONG_GRID_PLACE_H
#define THRONG_GRID_PLACE_H

#include "grid/grid.h"

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
