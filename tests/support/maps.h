/* tests/support/maps.h: small maps, and flow fields computed over them. SPDX-License-Identifier: MIT */
#ifndef TEST_MAPS_H
#define TEST_MAPS_H

#include "support/check.h"
#include "support/random.h"

#define MAP_SIDE 48
#define MAP_CELLS (MAP_SIDE * MAP_SIDE)

typedef struct map {
  uint32_t width, height;
  float cell, origin_x, origin_z;
  uint8_t blocked[MAP_CELLS];
  const float *cost; /* NULL: 1 */
  float vectors[2 * MAP_CELLS], distance[MAP_CELLS];
} map;

throng_cells_def map_cells(const map *m);
throng_flow_field_def map_field(const map *m);
/* Returns a goal in the middle of a cell. */
throng_flow_goal map_goal(const map *m, uint32_t cell, float radius);
/* Computes the map's vectors and distances; fails the test if the library cannot. */
void map_compute(map *m, const throng_flow_goal *goals, uint32_t count);

/* Returns a hash of the vectors and distances. */
uint64_t map_hash(const map *m);

/* Fills the map with a maze of corridors `width` cells wide. A wall beside which the search passes is opened with
 * probability `broken`, which makes loops. */
void map_carve_maze(test_rng *rng, map *m, uint32_t width, float broken);
/* Makes a map of random size, cell size and origin. kind modulo 4: 0 noise, 1 a maze, 2 rooms, 3 all cells free. */
void map_random(test_rng *rng, map *m, uint32_t kind);
uint32_t map_free_cell(test_rng *rng, const map *m);

bool map_is_free(const map *m, int64_t i, int64_t j);
/* Returns the computed distance of a cell, in cells; INFINITY for a blocked cell or one outside the map. */
double map_time(const map *m, int64_t i, int64_t j);

/* Creates a box world of the map's size with the map's cells, its vectors as flow field 5, and an idle group 0. */
throng_world *map_world(const map *m, float perception_radius);

#endif
