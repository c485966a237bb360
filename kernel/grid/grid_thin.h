/* grid_thin.h: the candidates of a crowd that is denser than the world's neighbour budget allows. SPDX-License-Identifier: MIT */
#ifndef THRONG_GRID_THIN_H
#define THRONG_GRID_THIN_H

#include "grid/grid.h"

/* Picks this frame's representatives of every dense cell (see throng_world_def.neighbour_budget), so that `grid->dense`
 * says whether there are any, and the other members where candidates lie. Deterministic: it reads the true cells of the
 * committed agents, the frame's number and the budget, and neither the torus nor the workers. */
void throng_grid_thin(struct grid *grid, const struct columns *columns, uint32_t budget, uint64_t frame,
                      const struct executor *executor);

#endif
