/* grid_check.c: checks the structure of the spatial hash. SPDX-License-Identifier: MIT */
#include "grid/grid.h"
#include "grid/grid_displaced.h"

static const char *check_order(const struct grid *grid, const struct columns *columns, uint32_t count) {
  uint32_t cell_before = 0, id_before = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (grid_is_displaced(grid, i)) continue;
    struct true_cell own = throng_grid_cell_of(grid, columns, i);
    uint32_t cell = grid_torus_cell(grid->space->axis, &grid->torus, own.bin, own.row_y, own.row_z);
    if (i < grid->start[cell] || i >= grid->start[cell + 1]) return "an agent lies outside its cell's range";
    if (cell < cell_before || (cell == cell_before && columns->id[i] <= id_before))
      return "agents are not in (cell, id) order";
    cell_before = cell;
    id_before = columns->id[i];
  }
  return NULL;
}

bool throng_grid_check(const struct grid *grid, const struct columns *columns, uint32_t count, const char **what) {
  const uint32_t cells = 1u << torus_bits(&grid->torus), sorted = grid_sorted_agents(grid);
  *what = check_order(grid, columns, count);
  if (*what) return false;
  for (uint32_t cell = 0; cell < cells; cell++) {
    if (grid->start[cell] > grid->start[cell + 1]) *what = "cell ranges overlap";
  }
  if (!throng_grid_check_displaced(grid, count)) *what = "the list of displaced agents is not sound";
  if (grid->start[0] != 0) *what = "cell ranges do not cover the agents";
  for (uint32_t strip = 0; strip < grid->strips; strip++) {
    if (grid->strip_start[strip] >= grid->strip_start[strip + 1]) *what = "an empty strip";
  }
  if (grid->strips == 0 ? sorted != 0 : grid->strip_start[0] != 0 || grid->strip_start[grid->strips] != sorted) {
    *what = "strips do not cover the agents";
  }
  return *what == NULL;
}
