/* flow_distance.c: computes the distance to the nearest goal over a map, by fast marching (Sethian 1996), and the
 * flow field down that distance. It uses double precision with + - * / and square roots alone, in an order that
 * depends only on the map, so that the bits are the same everywhere. SPDX-License-Identifier: MIT */
#include "base/float_environment.h"
#include "guides/flow_field_internal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "scenery/cells.h"

#define NOT_MET 0xFFFFFFFFu
#define SETTLED 0xFFFFFFFEu /* the cell's time is final; other values are positions in the heap */

/* The front: times, in cells of cost 1, and a binary heap of the cells that it has reached. */
struct march {
  uint32_t width, height, cells;
  const uint8_t *blocked;
  const float *cost; /* of each cell; NULL: 1 */
  const struct cells *map;
  const throng_flow_goal *goals; /* in `axes` */
  uint32_t goal_count;
  const throng_axes *axes;
  double *time;          /* INFINITY in cells that the front has not reached */
  uint32_t *heap, count; /* the earliest first; on a tie the smaller index */
  uint32_t *place;       /* a cell's position in the heap, or NOT_MET or SETTLED */
};

/* Returns the shortest way between the images of two points. */
static double shorter_way(const struct cells *map, int axis, double way) {
  if (!map->repeats[axis]) return way;
  const double length = (double)map->cell * cells_count(map, axis);
  return way - length * floor(way / length + 0.5);
}

static throng_flow_goal take_goal(const throng_axes *axes, const throng_flow_goal *goal) {
  return (throng_flow_goal){axes_take_point(axes, goal->point), axes_take_length(axes, goal->radius)};
}

static bool is_earlier(const struct march *m, uint32_t a, uint32_t b) {
  return m->time[a] < m->time[b] || (m->time[a] == m->time[b] && a < b);
}

static void put(struct march *m, uint32_t place, uint32_t cell) {
  m->heap[place] = cell;
  m->place[cell] = place;
}

static void rise(struct march *m, uint32_t place, uint32_t cell) {
  while (place > 0 && is_earlier(m, cell, m->heap[(place - 1) / 2])) {
    put(m, place, m->heap[(place - 1) / 2]);
    place = (place - 1) / 2;
  }
  put(m, place, cell);
}

static void sink(struct march *m, uint32_t cell) {
  uint32_t place = 0;
  for (uint32_t child = 1; child < m->count; child = 2 * place + 1) {
    if (child + 1 < m->count && is_earlier(m, m->heap[child + 1], m->heap[child])) child++;
    if (!is_earlier(m, m->heap[child], cell)) break;
    put(m, place, m->heap[child]);
    place = child;
  }
  put(m, place, cell);
}

static void meet(struct march *m, uint32_t cell, double time) {
  if (!(time < m->time[cell])) return;
  m->time[cell] = time;
  rise(m, m->place[cell] == NOT_MET ? m->count++ : m->place[cell], cell);
}

static uint32_t settle_earliest(struct march *m) {
  const uint32_t cell = m->heap[0], last = m->heap[--m->count];
  if (m->count > 0) sink(m, last);
  m->place[cell] = SETTLED;
  return cell;
}

/* The neighbours of a cell. At an edge of the map it is the cell itself, which is neither upwind nor downhill; if the
 * map repeats there, it is the cell at the opposite edge. */
struct cross {
  uint32_t side[4]; /* -x, +x, -z, +z */
};
static struct cross cross_of(const struct march *m, uint32_t cell) {
  const uint32_t i = cell % m->width;
  const uint32_t row = m->map->repeats[0] ? m->width - 1 : 0, column = m->map->repeats[1] ? m->cells - m->width : 0;
  return (struct cross){{i > 0 ? cell - 1 : cell + row, i + 1 < m->width ? cell + 1 : cell - row,
                         cell >= m->width ? cell - m->width : cell + column,
                         cell < m->cells - m->width ? cell + m->width : cell - column}};
}

/* The time of a settled cell; INFINITY if it is not settled. */
static double settled_time(const struct march *m, uint32_t cell) {
  return m->place[cell] == SETTLED ? m->time[cell] : INFINITY;
}
static double earlier_settled(const struct march *m, uint32_t a, uint32_t b) {
  const double time_a = settled_time(m, a), time_b = settled_time(m, b);
  return time_a < time_b ? time_a : time_b;
}

/* Solves (T - a)^2 + (T - b)^2 = cost^2; if the later of the two neighbours is not upwind, only the earlier one is
 * used. */
static double eikonal(double a, double b, double cost) {
  const double low = a < b ? a : b, high = a < b ? b : a, apart = high - low;
  return apart < cost ? 0.5 * (low + high + sqrt(2.0 * cost * cost - apart * apart)) : low + cost;
}
static double cost_of(const struct march *m, uint32_t cell) { return m->cost ? (double)m->cost[cell] : 1.0; }

/* Whether a cell is a goal's own cell, or has its middle in the goal's circle. */
static bool in_goal(const struct march *m, const throng_flow_goal *goal, uint32_t cell) {
  double dx = (double)m->map->origin_x + (cell % m->width + 0.5) * (double)m->map->cell - (double)goal->point.x,
         dz = (double)m->map->origin_z + (cell / m->width + 0.5) * (double)m->map->cell - (double)goal->point.z;
  uint32_t centre;
  dx = shorter_way(m->map, 0, dx);
  dz = shorter_way(m->map, 1, dz);
  return dx * dx + dz * dz <= (double)goal->radius * (double)goal->radius ||
         (throng_cells_find(m->map, goal->point.x, goal->point.z, &centre) && centre == cell);
}

/* Whether one goal includes both the cell and its neighbour. Before the front advances, a goal spreads at time 0 from
 * its own cell to neighbours whose middles are in its circle. */
static bool in_one_goal(const struct march *m, uint32_t cell, uint32_t neighbour) {
  for (uint32_t k = 0; k < m->goal_count; k++) {
    const throng_flow_goal goal = take_goal(m->axes, &m->goals[k]);
    if (in_goal(m, &goal, cell) && in_goal(m, &goal, neighbour)) return true;
  }
  return false;
}

static void march_all(struct march *m) {
  while (m->count > 0) {
    const uint32_t settled = settle_earliest(m);
    const struct cross from = cross_of(m, settled);
    for (int k = 0; k < 4; k++) {
      const uint32_t cell = from.side[k];
      if (m->place[cell] == SETTLED || m->blocked[cell]) continue;
      if (m->time[settled] == 0.0 && in_one_goal(m, settled, cell)) meet(m, cell, 0.0);
      const struct cross c = cross_of(m, cell);
      meet(m, cell,
           eikonal(earlier_settled(m, c.side[0], c.side[1]), earlier_settled(m, c.side[2], c.side[3]),
                   cost_of(m, cell)));
    }
  }
}

/* Returns the time of the cell minus the time of the earlier of two opposite neighbours, with a minus sign if the
 * earlier one is `before`. Returns 0 if neither is earlier than the cell. */
static double slope(const struct march *m, uint32_t cell, uint32_t before, uint32_t after) {
  const double lower = m->time[before] <= m->time[after] ? m->time[before] : m->time[after];
  if (!(lower < m->time[cell])) return 0.0;
  return m->time[before] <= m->time[after] ? lower - m->time[cell] : m->time[cell] - lower;
}

static void write_vector(float *vector, double x, double z, double length) {
  const double square = x * x + z * z, scale = square > 0.0 ? length / sqrt(square) : 0.0;
  vector[0] = (float)(x * scale);
  vector[1] = (float)(z * scale);
}

/* Writes the downhill direction of a free cell. It is usually between two downhill neighbours. If the diagonal cell
 * between them is blocked, or is not downhill because two fronts met here, it is to the lower of the two neighbours. */
static void lead_free(const struct march *m, uint32_t cell, float *vector) {
  const struct cross c = cross_of(m, cell);
  double x = slope(m, cell, c.side[0], c.side[1]), z = slope(m, cell, c.side[2], c.side[3]);
  if (x != 0.0 && z != 0.0) {
    const uint32_t between = cross_of(m, c.side[x < 0.0 ? 0 : 1]).side[z < 0.0 ? 2 : 3];
    const bool along_x = fabs(x) >= fabs(z);
    if (!(m->time[between] < m->time[cell] - fabs(along_x ? x : z))) *(along_x ? &z : &x) = 0.0;
  }
  write_vector(vector, x, z, 1.0);
}

/* Writes the vector of a blocked cell: toward the free cells around it, or 0 if the vector of one of them is 0. */
static void lead_blocked(const struct march *m, uint32_t cell, float *vector) {
  const int64_t i = cell % m->width, j = cell / m->width;
  double x = 0.0, z = 0.0;
  for (int64_t dj = -1; dj <= 1; dj++) {
    for (int64_t di = -1; di <= 1; di++) {
      const int64_t column = m->map->repeats[0] ? cells_repeated(i + di, m->width) : i + di,
                    line = m->map->repeats[1] ? cells_repeated(j + dj, m->height) : j + dj;
      if (column < 0 || line < 0 || column >= m->width || line >= m->height) continue;
      const uint32_t near = (uint32_t)(line * m->width + column);
      if (m->blocked[near]) continue;
      if (m->time[near] == 0.0 || m->time[near] == INFINITY) {
        write_vector(vector, 0.0, 0.0, 0.0);
        return;
      }
      x += (double)di;
      z += (double)dj;
    }
  }
  write_vector(vector, x, z, 0.5);
}

/* Whether a point lies outside of the box along a periodic axis. */
static bool is_beyond_seam(const struct space *space, throng_vec3 point) {
  const float at[3] = {point.x, 0.0f, point.z};
  for (int k = 0; k < 3; k += 2) {
    if (space->axis[k].period != 0 && !(at[k] >= space->axis[k].origin && at[k] <= space->end[k])) return true;
  }
  return false;
}

static throng_status check_goals(const struct space *space, const throng_axes *axes, const struct cells *map,
                                 const throng_flow_goal *goals, uint32_t goal_count, throng_error *error) {
  REQUIRE_POINTER(goals, error);
  if (goal_count == 0) return throng_fail(error, THRONG_ERROR_BAD_VALUE, "goal_count is 0, must be at least 1");
  for (uint32_t k = 0; k < goal_count; k++) {
    const throng_flow_goal goal = take_goal(axes, &goals[k]);
    char field[32];
    snprintf(field, sizeof field, "goals[%u].radius", k);
    TRY(throng_check_range(goal.radius, 0.0f, 1e9f, field, error));
    const throng_vec3 host = axes_show(axes, goal.point.x, goal.point.y, goal.point.z);
    if (!isfinite(goal.point.x) || !isfinite(goal.point.z)) {
      return throng_fail(error, THRONG_ERROR_NOT_FINITE, "goals[%u] is at (%g, %g, %g), must be finite", k,
                         (double)host.x, (double)host.y, (double)host.z);
    }
    uint32_t cell;
    if ((space && is_beyond_seam(space, goal.point)) || !throng_cells_find(map, goal.point.x, goal.point.z, &cell)) {
      return throng_fail(error, THRONG_ERROR_OUT_OF_RANGE, "goals[%u] at (%.9g, %.9g, %.9g) lies outside of the map", k,
                         (double)host.x, (double)host.y, (double)host.z);
    }
    if (map->blocked[cell]) {
      return throng_fail(error, THRONG_ERROR_BLOCKED, "goals[%u] at (%.9g, %.9g, %.9g) lies in the blocked cell %u, %u",
                         k, (double)host.x, (double)host.y, (double)host.z, cell % map->width, cell / map->width);
    }
  }
  return THRONG_OK;
}

/* Every cost is far above the rounding errors of times, so that each cell is later than the one that it leads to. */
static throng_status check_costs(const struct cells *map, const float *cost, throng_error *error) {
  for (uint32_t cell = 0; cost && cell < map->width * map->height; cell++) {
    if (map->blocked[cell] || (cost[cell] >= LEAST_COST && cost[cell] <= MOST_COST)) continue;
    return throng_fail(error, isfinite(cost[cell]) ? THRONG_ERROR_BAD_VALUE : THRONG_ERROR_NOT_FINITE,
                       "cells.cost[%u] is %.9g, allowed: %.9g to %.9g", cell, (double)cost[cell], (double)LEAST_COST,
                       (double)MOST_COST);
  }
  return THRONG_OK;
}

static void write_field(const struct march *m, double cell_size, float *vectors, float *distance) {
  for (uint32_t cell = 0; cell < m->cells; cell++) {
    float *vector = vectors + 2 * (size_t)cell;
    if (m->blocked[cell]) {
      lead_blocked(m, cell, vector);
    } else {
      lead_free(m, cell, vector);
    }
    if (distance) distance[cell] = (float)(m->time[cell] * cell_size);
  }
}

throng_status throng_flow_field_compute_in(const struct space *space, const throng_axes *axes,
                                           const throng_cells_def *cells, const throng_flow_goal *goals,
                                           uint32_t goal_count, float *vectors, float *distance,
                                           const throng_allocator *allocator, throng_error *error) {
  static const throng_allocator default_allocator;
  if (!allocator) allocator = &default_allocator;
  REQUIRE_POINTER(cells, error);
  struct map_frame frame;
  TRY(throng_cells_check_def(axes, cells, space ? space->limit : FLT_MAX, &frame, error));
  if (space) TRY(throng_cells_check_tiling(space, &frame, error));
  struct cells map = throng_cells_map(&frame, (uint8_t *)cells->blocked); /* it is only read */
  for (int k = 0; k < 2; k++) map.repeats[k] = space && throng_cells_tile(space, &frame, k);
  TRY(check_goals(space, axes, &map, goals, goal_count, error));
  TRY(check_costs(&map, cells->cost, error));
  REQUIRE_POINTER(vectors, error);

  struct march m = {.width = map.width,
                    .height = map.height,
                    .cells = map.width * map.height,
                    .blocked = map.blocked,
                    .cost = cells->cost,
                    .map = &map,
                    .goals = goals,
                    .goal_count = goal_count,
                    .axes = axes};
  const size_t bytes = m.cells * (sizeof *m.time + sizeof *m.heap + sizeof *m.place);
  m.time = throng_allocate(allocator, bytes);
  if (!m.time) return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for %u cells", m.cells);
  m.heap = (uint32_t *)(m.time + m.cells);
  m.place = m.heap + m.cells;
  for (uint32_t cell = 0; cell < m.cells; cell++) {
    m.time[cell] = INFINITY;
    m.place[cell] = NOT_MET;
  }
  for (uint32_t k = 0; k < goal_count; k++) {
    uint32_t cell;
    const throng_flow_goal goal = take_goal(axes, &goals[k]);
    if (throng_cells_find(&map, goal.point.x, goal.point.z, &cell)) meet(&m, cell, 0.0);
  }
  march_all(&m);
  write_field(&m, (double)map.cell, vectors, distance);
  for (uint32_t cell = 0; axes && distance && cell < m.cells; cell++) {
    distance[cell] = axes_give_length(axes, distance[cell]);
  }
  throng_release(allocator, m.time, bytes);
  return THRONG_OK;
}

static OUT_OF_LINE throng_status compute_inner(const throng_axes *axes, const throng_cells_def *cells,
                                               const throng_flow_goal *goals, uint32_t goal_count, float *vectors,
                                               float *distance, const throng_allocator *allocator,
                                               throng_error *error) {
  REQUIRE_POINTER(cells, error);
  TRY(throng_axes_check(axes, error));
  if (axes && throng_axes_are_own(axes)) axes = NULL;
  return throng_flow_field_compute_in(NULL, axes, cells, goals, goal_count, vectors, distance, allocator, error);
}

throng_status throng_flow_field_compute(const throng_axes *axes, const throng_cells_def *cells,
                                        const throng_flow_goal *goals, uint32_t goal_count, float *vectors,
                                        float *distance, const throng_allocator *allocator, throng_error *error) {
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status,
                              compute_inner(axes, cells, goals, goal_count, vectors, distance, allocator, error));
}
