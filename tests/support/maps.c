/* tests/support/maps.c: see maps.h. SPDX-License-Identifier: MIT */
#include "support/maps.h"
#include "support/stage.h"

#include <math.h>
#include <string.h>

throng_cells_def map_cells(const map *m) {
  throng_cells_def def = throng_default_cells_def();
  def.width = m->width;
  def.height = m->height;
  def.cell = m->cell;
  def.origin.x = m->origin_x;
  def.origin.z = m->origin_z;
  def.blocked = m->blocked;
  def.cost = m->cost;
  return def;
}
throng_flow_field_def map_field(const map *m) {
  throng_flow_field_def def = throng_default_flow_field_def();
  def.width = m->width;
  def.height = m->height;
  def.cell = m->cell;
  def.origin.x = m->origin_x;
  def.origin.z = m->origin_z;
  def.vectors = m->vectors;
  return def;
}
throng_flow_goal map_goal(const map *m, uint32_t cell, float radius) {
  const throng_vec3 point = {m->origin_x + ((float)(cell % m->width) + 0.5f) * m->cell, 0.0f,
                             m->origin_z + ((float)(cell / m->width) + 0.5f) * m->cell};
  return (throng_flow_goal){point, radius};
}
void map_compute(map *m, const throng_flow_goal *goals, uint32_t count) {
  const throng_cells_def def = map_cells(m);
  throng_error error;
  require_ok(throng_flow_field_compute(NULL, &def, goals, count, m->vectors, m->distance, NULL, &error), &error);
}

uint64_t map_hash(const map *m) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (uint32_t k = 0; k < 3 * MAP_CELLS; k++) {
    uint32_t bits;
    memcpy(&bits, k < 2 * MAP_CELLS ? &m->vectors[k] : &m->distance[k - 2 * MAP_CELLS], sizeof bits);
    hash = (hash ^ bits) * 0x100000001b3u;
  }
  return hash;
}

/* Uses depth-first search: a random walk that goes back one cell when no neighbouring cell is left. */
void map_carve_maze(test_rng *rng, map *m, uint32_t width, float broken) {
  static uint32_t trail[MAP_CELLS];
  const uint32_t pitch = width + 1, columns = (m->width - 1) / pitch, rows = (m->height - 1) / pitch;
  static uint8_t seen[MAP_CELLS];
  memset(m->blocked, 1, sizeof m->blocked);
  memset(seen, 0, sizeof seen);
  uint32_t length = 1;
  trail[0] = 0;
  seen[0] = 1;
  while (length > 0) {
    const uint32_t at = trail[length - 1], i = at % columns, j = at / columns;
    uint32_t ways[4] = {0, 1, 2, 3}, k = 0;
    rng_shuffle(rng, ways, 4);
    for (uint32_t b = 1; b <= width; b++)
      for (uint32_t a = 1; a <= width; a++) m->blocked[(j * pitch + b) * m->width + i * pitch + a] = 0;
    for (; k < 4; k++) {
      const int dx = (ways[k] == 0) - (ways[k] == 1), dz = (ways[k] == 2) - (ways[k] == 3);
      if ((int)i + dx < 0 || (int)j + dz < 0 || (int)i + dx >= (int)columns || (int)j + dz >= (int)rows) continue;
      const uint32_t next = (uint32_t)((int)j + dz) * columns + (uint32_t)((int)i + dx);
      if (seen[next] && !rng_chance(rng, broken)) continue;
      for (uint32_t b = 1; b <= width; b++)
        for (uint32_t a = 1; a <= width; a++)
          m->blocked[(uint32_t)((int)(j * pitch + b) + dz) * m->width + (uint32_t)((int)(i * pitch + a) + dx)] = 0;
      if (seen[next]) continue;
      seen[next] = 1;
      trail[length++] = next;
      break;
    }
    if (k == 4) length--;
  }
}

void map_random(test_rng *rng, map *m, uint32_t kind) {
  static const float cells[] = {1.0f, 0.37f, 3.3f}, origins[] = {0.0f, -17.3f, 1000.1f};
  memset(m, 0, sizeof *m);
  m->width = 8 + rng_below(rng, MAP_SIDE - 7);
  m->height = 8 + rng_below(rng, MAP_SIDE - 7);
  m->cell = rng_pick(rng, cells, 3);
  m->origin_x = rng_pick(rng, origins, 3);
  m->origin_z = rng_pick(rng, origins, 3);
  const float share = rng_pick(rng, (const float[]){0.1f, 0.25f, 0.4f}, 3);
  if (kind % 4 == 0)
    for (uint32_t k = 0; k < m->width * m->height; k++) m->blocked[k] = rng_chance(rng, share);
  if (kind % 4 == 1) map_carve_maze(rng, m, 1 + rng_below(rng, 3), 0.02f);
  if (kind % 4 == 2) /* walls with random gaps */
    for (uint32_t j = 0; j < m->height; j++)
      for (uint32_t i = 0; i < m->width; i++)
        m->blocked[j * m->width + i] = (i % 7 == 3 || j % 9 == 4) && rng_chance(rng, 0.85f);
}
uint32_t map_free_cell(test_rng *rng, const map *m) {
  for (;;) {
    const uint32_t cell = rng_below(rng, m->width * m->height);
    if (!m->blocked[cell]) return cell;
  }
}

bool map_is_free(const map *m, int64_t i, int64_t j) {
  return i >= 0 && j >= 0 && i < m->width && j < m->height && !m->blocked[j * m->width + i];
}
double map_time(const map *m, int64_t i, int64_t j) {
  return map_is_free(m, i, j) ? (double)m->distance[j * m->width + i] / (double)m->cell : INFINITY;
}

throng_world *map_world(const map *m, float radius) {
  throng_world_def def = throng_default_world_def();
  throng_group_def g = stage_idle_group();
  throng_error error;
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
  def.perception_radius = radius;
  def.box_min = (throng_vec3){m->origin_x, 0, m->origin_z};
  def.box_max = (throng_vec3){m->origin_x + m->cell * (float)m->width, 0, m->origin_z + m->cell * (float)m->height};
  throng_world *world = stage_world(&def, &g);
  const throng_cells_def cells = map_cells(m);
  const throng_flow_field_def field = map_field(m);
  require_ok(throng_world_set_cells(world, &cells, &error), &error);
  require_ok(throng_world_set_flow_field(world, 5, &field, &error), &error);
  return world;
}
