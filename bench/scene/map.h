/* Grid maps of the Moving AI Lab (N. R. Sturtevant, Benchmarks for Grid-Based Pathfinding, IEEE TCIAIG 4(2), 2012).
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_MAP_H
#define BENCH_MAP_H

#include "common/problem.h"
#include "scene/scene.h"

/* Reads `file` into cells of `cell` metres. The map begins at the origin: the cell in column i, row j covers i * cell
 * <= x < (i + 1) * cell and j * cell <= z < (j + 1) * cell. '.', 'G' and 'S' are free; '@', 'O', 'T' and 'W' are
 * blocked. */
bool map_read(scene_cells *cells, const char *file, float cell, bench_problem *problem);

#endif
