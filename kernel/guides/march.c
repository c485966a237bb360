/* march.c: see march.h. Each cell's time solves the eikonal equation of its neighbours' times. The front goes on from
 * the cells step by step; when a cell's time becomes less, it goes on from that cell again. The steps are so short that
 * this is rare. The order depends only on the map, so the bits are the same everywhere. Sources: Sethian 1996, Dial
 * 1969.
 * SPDX-License-Identifier: MIT */
#include "guides/march.h"

#include <math.h>
#include <string.h>

#include "base/assertion.h"

/* The equation. */

static double lesser(double a, double b) { return a < b ? a : b; }
static double greater(double a, double b) { return a > b ? a : b; }
/* Solves (T - a)^2 + (T - b)^2 = cost^2; if the later of the two neighbours is not upwind, only the earlier one is
 * used. */
static double eikonal(double a, double b, double cost) {
  ASSERT_ALONE(cost > 0.0 && (a < INFINITY || b < INFINITY)); /* the front comes from one of them */
  const double low = lesser(a, b), high = greater(a, b), apart = high - low;
  return apart < cost ? 0.5 * (low + high + sqrt(2.0 * cost * cost - apart * apart)) : low + cost;
}
static uint32_t cell_in_map(const struct march *m, uint32_t cell) {
  return (cell / m->stride - 1) * m->width + cell % m->stride - 1;
}
static double solve(const struct march *m, uint32_t cell, double cost) {
  const double *t = &m->time[cell];
  const int64_t row = m->stride;
  const double x = m->width > 1 ? lesser(t[-1], t[1]) : INFINITY; /* the images of a single cell are the cell itself */
  const double z = m->height > 1 ? lesser(t[-row], t[row]) : INFINITY;
  return eikonal(x, z, cost);
}

/* Seams. */

/* Returns the cell that an image shows. */
static uint32_t shown(const struct march *m, uint32_t image) {
  ASSERT_ALONE(image < m->cells);
  uint32_t i = image % m->stride, j = image / m->stride;
  i = i == 0 ? m->width : i > m->width ? 1 : i;
  j = j == 0 ? m->height : j > m->height ? 1 : j;
  return j * m->stride + i;
}
/* Sets the time of a cell's images: along x, along z, and along both. */
static void show(struct march *m, uint32_t cell, double time) {
  const uint32_t i = cell % m->stride, j = cell / m->stride;
  const uint32_t columns[2] = {i == 1 ? m->width + 1 : i, i == m->width ? 0 : i};
  const uint32_t rows[2] = {j == 1 ? m->height + 1 : j, j == m->height ? 0 : j};
  for (int k = 0; k < 9; k++) {
    const uint32_t at_i = k % 3 ? columns[k % 3 - 1] : i, at_j = k / 3 ? rows[k / 3 - 1] : j;
    const uint32_t at = at_j * m->stride + at_i;
    if (m->kind[at] & MARCH_IMAGE) m->time[at] = time;
  }
}

/* Lists. */

static uint32_t list_of(const struct march *m, double time) {
  return (uint32_t)((uint64_t)(time * m->steps) % MARCH_LISTS);
}
static void leave_list(struct march *m, uint32_t list, uint32_t cell) {
  ASSERT_ALONE(m->kind[cell] & MARCH_WAITS && m->waiting > 0);
  const uint32_t before = m->before[cell], next = m->next[cell];
  *(before ? &m->next[before] : &m->first[list]) = next;
  *(next ? &m->before[next] : &m->last[list]) = before;
  m->kind[cell] &= (uint8_t)~MARCH_WAITS;
  m->waiting--;
}
static void join_list(struct march *m, uint32_t list, uint32_t cell) {
  const uint32_t last = m->last[list];
  ASSERT_ALONE(cell != 0 && !(m->kind[cell] & MARCH_WAITS));
  m->before[cell] = last;
  m->next[cell] = 0;
  *(last ? &m->next[last] : &m->first[list]) = cell;
  m->last[list] = cell;
  m->kind[cell] |= MARCH_WAITS;
  m->waiting++;
}

/* Sets the time of a cell, if it is less than before. */
static void meet(struct march *m, uint32_t cell, double time) {
  if (!(time < m->time[cell])) return;
  const uint32_t list = list_of(m, time);
  if (m->kind[cell] & MARCH_WAITS) {
    const uint32_t old = list_of(m, m->time[cell]);
    if (old != list) {
      leave_list(m, old, cell);
      join_list(m, list, cell);
    }
  } else {
    join_list(m, list, cell);
  }
  m->time[cell] = time;
  if (m->kind[cell] & MARCH_HAS_IMAGE) show(m, cell, time);
}

/* Goals. */

/* Returns the shortest way between the images of two points. */
static double shorter_way(const struct cells *map, int axis, double way) {
  if (!map->repeats[axis]) return way;
  const double length = (double)map->cell * cells_count(map, axis);
  return way - length * floor(way / length + 0.5);
}
/* Whether a cell of the map is a goal's own cell, or has its middle in the goal's circle. */
static bool in_goal(const struct march *m, const throng_flow_goal *goal, uint32_t cell) {
  double dx = (double)m->map->origin_x + (cell % m->width + 0.5) * (double)m->map->cell - (double)goal->point.x,
         dz = (double)m->map->origin_z + (cell / m->width + 0.5) * (double)m->map->cell - (double)goal->point.z;
  uint32_t centre;
  dx = shorter_way(m->map, 0, dx);
  dz = shorter_way(m->map, 1, dz);
  return dx * dx + dz * dz <= (double)goal->radius * (double)goal->radius ||
         (throng_cells_find(m->map, goal->point.x, goal->point.z, &centre) && centre == cell);
}
/* Whether one goal includes both cells. A goal spreads at time 0 from its own cell to neighbours whose middles are in
 * its circle. */
static bool in_one_goal(const struct march *m, uint32_t cell, uint32_t neighbour) {
  const uint32_t a = cell_in_map(m, cell), b = cell_in_map(m, neighbour);
  for (uint32_t k = 0; k < m->goal_count; k++) {
    const throng_flow_goal goal = march_goal(m->axes, &m->goals[k]);
    if (in_goal(m, &goal, a) && in_goal(m, &goal, b)) return true;
  }
  return false;
}

/* The front. */

static void go_on(struct march *m, uint32_t cell) {
  const double time = m->time[cell];
  ASSERT_ALONE(!(m->kind[cell] & (MARCH_IMAGE | MARCH_BLOCKED)) && time < INFINITY); /* so its sides have memory */
  const uint32_t side[4] = {cell - 1, cell + 1, cell - m->stride, cell + m->stride};
  const uint32_t own = m->cost ? cell_in_map(m, cell) : 0;
  const uint32_t side_in_map[4] = {own - 1, own + 1, own - m->width, own + m->width};
  for (int k = 0; k < 4; k++) {
    uint32_t next = side[k], in_map = side_in_map[k];
    if (m->kind[next] & MARCH_IMAGE) {
      next = shown(m, next);
      in_map = cell_in_map(m, next);
    }
    if (m->kind[next] & MARCH_BLOCKED || m->time[next] <= time) continue;
    const double cost = m->cost ? (double)m->cost[in_map] : 1.0;
    meet(m, next, time == 0.0 && in_one_goal(m, cell, next) ? 0.0 : solve(m, next, cost));
  }
}

void throng_march_run(struct march *m) {
  for (uint32_t k = 0; k < m->goal_count; k++) {
    uint32_t cell;
    const throng_flow_goal goal = march_goal(m->axes, &m->goals[k]);
    if (!throng_cells_find(m->map, goal.point.x, goal.point.z, &cell)) continue;
    meet(m, march_cell(m, cell % m->width, cell / m->width), 0.0);
  }
  for (uint32_t list = 0; m->waiting > 0; list = (list + 1) % MARCH_LISTS) {
    for (uint32_t cell; (cell = m->first[list]) != 0;) {
      leave_list(m, list, cell);
      go_on(m, cell);
    }
  }
}

/* The kind of a cell at an edge of the map, or beyond it. */
static uint8_t kind_at_edge(const struct march *m, uint32_t i, uint32_t j) {
  const bool beyond_x = i == 0 || i > m->width, beyond_z = j == 0 || j > m->height;
  const bool seam_x = m->map->repeats[0] && (i <= 1 || i >= m->width);
  const bool seam_z = m->map->repeats[1] && (j <= 1 || j >= m->height);
  const uint32_t cell = j * m->stride + i;
  if ((beyond_x && !seam_x) || (beyond_z && !seam_z)) return MARCH_BLOCKED;
  const bool image = beyond_x || beyond_z;
  const bool blocked = m->map->blocked[cell_in_map(m, image ? shown(m, cell) : cell)] != 0;
  return (uint8_t)((blocked ? MARCH_BLOCKED : 0) | (image ? MARCH_IMAGE : seam_x || seam_z ? MARCH_HAS_IMAGE : 0));
}
static void set_kinds(struct march *m) {
  for (uint32_t j = 0; j < m->height; j++) {
    const uint8_t *blocked = m->map->blocked + (size_t)j * m->width;
    uint8_t *kind = m->kind + march_cell(m, 0, j);
    for (uint32_t i = 0; i < m->width; i++) kind[i] = blocked[i] ? MARCH_BLOCKED : 0;
  }
  for (uint32_t k = 0; k < 4; k++) {
    const uint32_t i = k < 2 ? k : m->width + k - 2, j = k < 2 ? k : m->height + k - 2;
    for (uint32_t row = 0; row < m->height + 2; row++) m->kind[row * m->stride + i] = kind_at_edge(m, i, row);
    for (uint32_t column = 0; column < m->stride; column++) {
      m->kind[j * m->stride + column] = kind_at_edge(m, column, j);
    }
  }
}

/* Sets the length of a step: half the least cost, but the largest cost is at most half of all lists ahead. */
static void set_steps(struct march *m) {
  double least = INFINITY, most = 0.0;
  for (size_t k = 0; m->cost && k < (size_t)m->width * m->height; k++) {
    if (m->map->blocked[k]) continue;
    least = fmin(least, (double)m->cost[k]);
    most = fmax(most, (double)m->cost[k]);
  }
  if (!(most > 0.0)) least = most = 1.0;
  ASSERT_ALONE(least > 0.0 && least <= most);
  m->steps = 1.0 / fmax(0.5 * least, most / (MARCH_LISTS / 2));
}

#define BYTES_PER_CELL (sizeof(double) + 2 * sizeof(uint32_t) + sizeof(uint8_t))
#define BYTES_OF_LISTS (2 * MARCH_LISTS * sizeof(uint32_t))

size_t throng_march_bytes(uint32_t width, uint32_t height) {
  const uint64_t cells = (uint64_t)(width + 2) * (height + 2);
  return cells <= (SIZE_MAX - BYTES_OF_LISTS) / BYTES_PER_CELL ? (size_t)cells * BYTES_PER_CELL + BYTES_OF_LISTS : 0;
}

void throng_march_begin(struct march *m, void *memory) {
  ASSERT_ALONE(m->width >= 1 && m->height >= 1 && m->map && m->map->blocked && m->goals && m->goal_count > 0);
  ASSERT_ALONE((uintptr_t)memory % sizeof(double) == 0);
  m->stride = m->width + 2;
  m->cells = m->stride * (m->height + 2);
  m->time = memory;
  m->next = (uint32_t *)(m->time + m->cells);
  m->before = m->next + m->cells;
  m->first = m->before + m->cells;
  m->last = m->first + MARCH_LISTS;
  m->kind = (uint8_t *)(m->last + MARCH_LISTS);
  for (uint32_t cell = 0; cell < m->cells; cell++) m->time[cell] = INFINITY;
  memset(m->first, 0, BYTES_OF_LISTS);
  set_kinds(m);
  m->waiting = 0;
  set_steps(m);
}
