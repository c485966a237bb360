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
  float vectors[2 * MAP_CELLS], distance[MAP_CELLS];
} map;

throng_cells_def map_cells(const map *m);
throng_flow_field_def map_field(const map *m);
/* A goal in the middle of a cell. */
throng_flow_goal map_goal(const map *m, uint32_t cell, float radius);
/* Vectors and distances; fails the test if that fails. */
void map_compute(map *m, const throng_flow_goal *goals, uint32_t count);

/* A maze of corridors `width` cells wide, with that share of the other walls broken down. */
void map_carve_maze(test_rng *rng, map *m, uint32_t width, float broken);
/* Of several sizes and places; kind modulo 4: noise, mazes, rooms, open fields. */
void map_random(test_rng *rng, map *m, uint32_t kind);
uint32_t map_free_cell(test_rng *rng, const map *m);

bool map_is_free(const map *m, int64_t i, int64_t j);
/* The distance in cells; INFINITY outside and where blocked. */
double map_time(const map *m, int64_t i, int64_t j);

/* A box of the map's size with its cells, its vectors as flow field 5, and an idle group. */
throng_world *map_world(const map *m, float perception_radius);

#endif
