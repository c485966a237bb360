/* grid_thin.h: chooses representatives in cells that are denser than the neighbour budget allows.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_GRID_GRID_THIN_H
#define THRONG_KERNEL_GRID_GRID_THIN_H

#include "grid/grid.h"

/* A cell is thinned only if its representatives count as more than this many agents. */
enum spared { SPARED_NONE = 1, SPARED_OF_CONTACT = 8 };

/* Chooses this frame's representatives of every dense cell (see throng_world_def.neighbour_budget). Sets grid->dense,
 * and grid->candidates with all candidates if cells are thinned. The result depends only on the agents' true cells and
 * ids, the frame number, the budget and `spared`, not on the torus or the workers. */
void throng_grid_thin(struct grid *grid, const struct columns *columns, uint32_t budget, enum spared spared,
                      uint64_t frame, const struct executor *executor);

#endif
