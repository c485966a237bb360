/* flow_distance.c: computes the distance to the nearest goal over a map (march.h), and the flow field down that
 * distance. It uses double precision with + - * / and square roots alone, in an order that
 * depends only on the map, so that the bits are the same everywhere. SPDX-License-Identifier: MIT */
#include "base/float_environment.h"
#include "guides/flow_field_internal.h"
#include "guides/march.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "scenery/cells.h"

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
  const uint32_t row = m->stride;
  ASSERT_ALONE(!(m->kind[cell] & (MARCH_BLOCKED | MARCH_IMAGE)));
  double x = slope(m, cell, cell - 1, cell + 1), z = slope(m, cell, cell - row, cell + row);
  if (x != 0.0 && z != 0.0) {
    const uint32_t between = (x < 0.0 ? cell - 1 : cell + 1) + (z < 0.0 ? 0 - row : row);
    const bool along_x = fabs(x) >= fabs(z);
    if (!(m->time[between] < m->time[cell] - fabs(along_x ? x : z))) *(along_x ? &z : &x) = 0.0;
  }
  write_vector(vector, x, z, 1.0);
}

/* Writes the vector of a blocked cell: toward the free cells around it, or 0 if the vector of one of them is 0. */
static void lead_blocked(const struct march *m, uint32_t cell, float *vector) {
  double x = 0.0, z = 0.0;
  ASSERT_ALONE(m->kind[cell] & MARCH_BLOCKED && !(m->kind[cell] & MARCH_IMAGE));
  for (int dj = -1; dj <= 1; dj++) {
    for (int di = -1; di <= 1; di++) {
      const int64_t near = (int64_t)cell + (int64_t)m->stride * dj + di;
      const double time = m->time[near];
      if (m->kind[near] & MARCH_BLOCKED) continue;
      if (time == 0.0 || time == INFINITY) {
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
    const throng_flow_goal goal = march_goal(axes, &goals[k]);
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
  for (uint32_t j = 0; j < m->height; j++) {
    for (uint32_t i = 0; i < m->width; i++) {
      const size_t k = (size_t)j * m->width + i;
      const uint32_t cell = march_cell(m, i, j);
      if (m->map->blocked[k]) {
        lead_blocked(m, cell, vectors + 2 * k);
      } else {
        lead_free(m, cell, vectors + 2 * k);
      }
      if (distance) distance[k] = (float)(m->time[cell] * cell_size);
    }
  }
}

/* Checks a request. Its map, which repeats along the periodic axes of `space`, becomes *map. */
static throng_status check_request(const struct space *space, const throng_axes *axes,
                                   const throng_flow_request *request, struct cells *map, throng_error *error) {
  const throng_cells_def *cells = request->cells;
  float *vectors = request->vectors;
  REQUIRE_POINTER(cells, error);
  struct map_frame frame;
  TRY(throng_cells_check_def(axes, cells, space ? space->limit : FLT_MAX, &frame, error));
  if (space) TRY(throng_cells_check_tiling(space, &frame, error));
  *map = throng_cells_map(&frame, (uint8_t *)cells->blocked); /* it is only read */
  for (int k = 0; k < 2; k++) map->repeats[k] = space && throng_cells_tile(space, &frame, k);
  TRY(check_goals(space, axes, map, request->goals, request->goal_count, error));
  TRY(check_costs(map, cells->cost, error));
  REQUIRE_POINTER(vectors, error);
  return THRONG_OK;
}

/* Computes a request that has been checked. Its march uses `memory`. */
static void compute(const throng_axes *axes, const throng_flow_request *request, const struct cells *map,
                    void *memory) {
  struct march m = {.width = map->width,
                    .height = map->height,
                    .map = map,
                    .cost = request->cells->cost,
                    .goals = request->goals,
                    .goal_count = request->goal_count,
                    .axes = axes};
  const uint32_t count = map->width * map->height;
  float *distance = request->distance;
  throng_march_begin(&m, memory);
  throng_march_run(&m);
  write_field(&m, (double)map->cell, request->vectors, distance);
  for (uint32_t cell = 0; axes && distance && cell < count; cell++) {
    distance[cell] = axes_give_length(axes, distance[cell]);
  }
}

static const throng_allocator default_allocator;

throng_status throng_flow_field_compute_in(const struct space *space, const throng_axes *axes,
                                           const throng_flow_request *request, const throng_allocator *allocator,
                                           throng_error *error) {
  if (!allocator) allocator = &default_allocator;
  struct cells map;
  TRY(check_request(space, axes, request, &map, error));
  const size_t bytes = throng_march_bytes(map.width, map.height);
  void *memory = bytes ? throng_allocate(allocator, bytes) : NULL;
  if (!memory) {
    return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for %u cells", map.width * map.height);
  }
  compute(axes, request, &map, memory);
  throng_release(allocator, memory, bytes);
  return THRONG_OK;
}

/* Several fields. */

struct flow_batch {
  const throng_axes *axes;
  const throng_flow_request *requests; /* [count] */
  uint32_t count, marches;
  struct cells *maps; /* [count] */
  char *memory;       /* [marches][bytes] */
  size_t bytes;
};

/* Checks all requests, and finds the bytes of the largest march. The error names the first request that is wrong. */
static throng_status check_batch(struct flow_batch *batch, const struct space *space, throng_error *error) {
  for (uint32_t k = 0; k < batch->count; k++) {
    throng_error of_request;
    struct cells *map = &batch->maps[k];
    const throng_status status = check_request(space, batch->axes, &batch->requests[k], map, &of_request);
    if (status != THRONG_OK) return throng_fail(error, status, "requests[%u]: %.150s", k, of_request.text);
    const size_t bytes = throng_march_bytes(map->width, map->height);
    if (bytes == 0 || bytes > SIZE_MAX / batch->marches - 64) {
      return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "requests[%u]: no memory for %u cells", k,
                         map->width * map->height);
    }
    if (bytes > batch->bytes) batch->bytes = bytes;
  }
  batch->bytes = (batch->bytes + 63) / 64 * 64; /* no two marches share a cache line */
  return THRONG_OK;
}

/* Each march has memory of its own: one part per request or, if there are fewer workers, one part per worker. */
static void compute_task(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  const struct flow_batch *batch = context;
  for (uint32_t k = begin; k < end; k++) {
    const uint32_t march = batch->marches == batch->count ? k : worker;
    ASSERT_ALONE(march < batch->marches);
    compute(batch->axes, &batch->requests[k], &batch->maps[k], batch->memory + batch->bytes * march);
  }
}

throng_status throng_flow_field_compute_batch(const struct space *space, const struct executor *executor,
                                              const throng_flow_request *requests, uint32_t count,
                                              const throng_allocator *allocator, throng_error *error) {
  if (!allocator) allocator = &default_allocator;
  if (count == 0) return THRONG_OK;
  REQUIRE_POINTER(requests, error);
  struct flow_batch batch = {.axes = space->axes, .requests = requests, .count = count};
  batch.marches = count < executor->workers ? count : executor->workers;
  const uint64_t maps_bytes = (uint64_t)count * sizeof *batch.maps;
  batch.maps = maps_bytes < SIZE_MAX ? throng_allocate(allocator, (size_t)maps_bytes) : NULL;
  if (!batch.maps) return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for %u flow fields", count);
  throng_status status = check_batch(&batch, space, error);
  if (status == THRONG_OK) {
    batch.memory = throng_allocate(allocator, batch.bytes * batch.marches);
    if (batch.memory) {
      throng_executor_run_long(executor, count, compute_task, &batch);
    } else {
      status = throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for %u flow fields at once", batch.marches);
    }
  }
  throng_release(allocator, batch.memory, batch.bytes * batch.marches);
  throng_release(allocator, batch.maps, (size_t)maps_bytes);
  return status;
}

static OUT_OF_LINE throng_status compute_inner(const throng_axes *axes, const throng_flow_request *request,
                                               const throng_allocator *allocator, throng_error *error) {
  const throng_cells_def *cells = request->cells;
  REQUIRE_POINTER(cells, error);
  TRY(throng_axes_check(axes, error));
  if (axes && throng_axes_are_own(axes)) axes = NULL;
  return throng_flow_field_compute_in(NULL, axes, request, allocator, error);
}

throng_status throng_flow_field_compute(const throng_axes *axes, const throng_cells_def *cells,
                                        const throng_flow_goal *goals, uint32_t goal_count, float *vectors,
                                        float *distance, const throng_allocator *allocator, throng_error *error) {
  const throng_flow_request request = {cells, goals, goal_count, vectors, distance};
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status, compute_inner(axes, &request, allocator, error));
}
