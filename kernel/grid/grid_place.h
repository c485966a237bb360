/* grid_place.h: gives a band's agents their new slots. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_GRID_GRID_PLACE_H
#define THRONG_KERNEL_GRID_GRID_PLACE_H

#include "grid/grid.h"

/* The passes of a sort, implemented in passes/index/sort.c per instruction set. */
struct sort_passes {
  /* Writes to `key` the cells, under grid->next, of agents [begin, end) at `position`. */
  void (*keys)(const struct grid *grid, const float *const position[3], uint32_t begin, uint32_t end, uint32_t *key);
  /* Adds to end[c] of each cell c: `sum` and the changes of all cells up to c. Sets `change` to 0. */
  void (*move_ends)(uint32_t *end, uint32_t *change, uint32_t cells, uint32_t sum);
  /* Writes the slots of [begin, end) whose bit in `left` is 0, ascending, to the elements of `order` whose bit in
   * `taken` is 0. */
  void (*fill)(uint32_t begin, uint32_t end, const uint64_t *left, const uint64_t *taken, uint32_t *order);
  /* Writes new slots [begin, end) of every column by grid->order; `with_ids`: ids too. It may prefetch slots below
   * fetch_end. */
  void (*reorder)(const struct grid *grid, const struct grid_move *move, uint32_t begin, uint32_t end,
                  uint32_t fetch_end, bool with_ids);
};

/* The state of one sort. grid_sort.c has listed each band's movers and newcomers. */
struct grid_sort {
  struct grid *grid;
  const struct grid_move *move;
  const struct executor *executor;
  uint32_t old_count, count;                 /* agents before the sort, without arrivals; agents after it */
  uint32_t chunk[GRID_MAX_CHUNKS + 1];       /* first band of each task's range */
  uint32_t chunk_agent[GRID_MAX_CHUNKS + 1]; /* first slot of each task's range */
  /* The old order can be used: band_home has the first old slot of each band. If not, all agents are newcomers, or
   * there is only one band. */
  bool homes;
  bool few;                 /* `homes` is true and few agents move: only movers are placed */
  bool listed;              /* `few` is true, few agents leave their bands, and the workers have listed all of them */
  struct grid_mover *comer; /* each band's newcomers, from band->comer on: grid->comer if `listed`, else grid->mover */
};

/* Writes a band's part of grid->order, and the ends of its cells to grid->start; if all agents are placed, their ids
 * too. Overwrites the band's parts of the scratch arrays. */
void throng_grid_place(const struct grid_sort *sort, uint32_t band, uint32_t worker);

#endif
