/* SPDX-License-Identifier: MIT */
#include "scene/scene_density.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846
#define NOBODY UINT32_MAX

/* Cells at least DENSITY_RADIUS wide. Agents of one hash are a list; lists of different cells may be the same. */
typedef struct density_grid {
  const bench_scene *scene;
  const float *place[3];
  double size[3];   /* metres: side of a cell */
  int64_t count[3]; /* cells along a periodic axis; 0 along others */
  uint32_t *head, *next, mask;
} density_grid;

static void choose_cells(density_grid *grid) {
  const throng_world_def *world = &grid->scene->world;
  for (int axis = 0; axis < 3; axis++) {
    grid->size[axis] = DENSITY_RADIUS;
    if (world->boundary[axis] != THRONG_BOUNDARY_PERIODIC) continue;
    const double side = (double)(&world->box_max.x)[axis] - (double)(&world->box_min.x)[axis];
    grid->count[axis] = (int64_t)fmax(floor(side / DENSITY_RADIUS), 1);
    grid->size[axis] = side / (double)grid->count[axis];
  }
}

static double place_of(const density_grid *grid, int axis, uint32_t k) {
  return grid->place[axis] ? (double)grid->place[axis][k] : 0;
}

/* Returns the cell along an axis; 0 along an axis that does not matter. */
static int64_t cell_of(const density_grid *grid, int axis, uint32_t k) {
  if (!scene_has_axis(grid->scene, axis)) return 0;
  const double from = (double)(&grid->scene->world.box_min.x)[axis];
  return (int64_t)floor((place_of(grid, axis, k) - from) / grid->size[axis]);
}

static int64_t wrap(const density_grid *grid, int axis, int64_t cell) {
  const int64_t count = grid->count[axis];
  return count ? (cell % count + count) % count : cell;
}

static uint32_t hash_of(const density_grid *grid, const int64_t cell[3]) {
  uint64_t hash = 0;
  for (int axis = 0; axis < 3; axis++)
    hash = (hash ^ (uint64_t)wrap(grid, axis, cell[axis])) * UINT64_C(0x9E3779B97F4A7C15);
  return (uint32_t)(hash >> 40) & grid->mask;
}

static bool make_lists(density_grid *grid, uint32_t count) {
  uint32_t size = 1;
  while (size < count && size < 1u << 22) size *= 2;
  grid->mask = size - 1;
  grid->head = malloc(size * sizeof *grid->head);
  grid->next = malloc((count ? count : 1) * sizeof *grid->next);
  if (!grid->head || !grid->next) return false;
  for (uint32_t k = 0; k < size; k++) grid->head[k] = NOBODY;
  for (uint32_t k = 0; k < count; k++) {
    const int64_t cell[3] = {cell_of(grid, 0, k), cell_of(grid, 1, k), cell_of(grid, 2, k)};
    const uint32_t hash = hash_of(grid, cell);
    grid->next[k] = grid->head[hash];
    grid->head[hash] = k;
  }
  return true;
}

static bool is_near(const density_grid *grid, uint32_t a, uint32_t b) {
  double squares = 0;
  for (int axis = 0; axis < 3; axis++) {
    if (!scene_has_axis(grid->scene, axis)) continue;
    const double way = scene_way_along(grid->scene, axis, place_of(grid, axis, a), place_of(grid, axis, b));
    squares += way * way;
  }
  return squares <= DENSITY_RADIUS * DENSITY_RADIUS;
}

/* Lists the different lists of the cells around agent k. Returns their number. */
static int lists_around(const density_grid *grid, uint32_t k, uint32_t lists[27]) {
  int found = 0;
  for (int n = 0; n < 27; n++) {
    const int offset[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
    int64_t cell[3];
    bool matters = true;
    for (int axis = 0; axis < 3; axis++) {
      matters = matters && (offset[axis] == 0 || scene_has_axis(grid->scene, axis));
      cell[axis] = cell_of(grid, axis, k) + offset[axis];
    }
    if (!matters) continue;
    const uint32_t hash = hash_of(grid, cell);
    int at = 0;
    while (at < found && lists[at] != hash) at++;
    if (at == found) lists[found++] = hash;
  }
  return found;
}

/* Counts the agents near agent k, at most `most`. */
static uint32_t count_near(const density_grid *grid, uint32_t k, uint32_t most) {
  uint32_t lists[27], near = 0;
  const int count = lists_around(grid, k, lists);
  for (int n = 0; n < count; n++)
    for (uint32_t other = grid->head[lists[n]]; other != NOBODY && near < most; other = grid->next[other])
      near += is_near(grid, k, other);
  return near;
}

bool scene_density(const bench_scene *scene, const float *x, const float *y, const float *z, uint32_t count,
                   float *density) {
  const bool planar = scene->world.space == THRONG_SPACE_PLANAR;
  const double space =
      planar ? PI * DENSITY_RADIUS * DENSITY_RADIUS : 4 * PI / 3 * DENSITY_RADIUS * DENSITY_RADIUS * DENSITY_RADIUS;
  const uint32_t most = (uint32_t)ceil((double)DENSITY_MOST * space);
  density_grid grid = {.scene = scene, .place = {x, y, z}};
  choose_cells(&grid);
  const bool ok = make_lists(&grid, count);
  for (uint32_t k = 0; k < count && ok; k++)
    density[k] = fminf((float)(count_near(&grid, k, most) / space), DENSITY_MOST);
  free(grid.head);
  free(grid.next);
  return ok;
}
