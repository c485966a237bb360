/* feelers.c: see feelers.h. It uses + - * / sqrt and comparisons alone. SPDX-License-Identifier: MIT */
#include "scenery/feelers.h"

#include <math.h>

#include "base/assertion.h"

/* A ray along one axis. */
struct course {
  double origin, from, inverse; /* inverse: 1 / way */
  double part;                  /* fraction of the ray before its next border; 2 if no border is ahead */
  int32_t at, step, last;       /* the current cell; +1, -1 or 0; the first cell beyond the map */
};

static inline void find_next_border(const struct cells *cells, struct course *course) {
  const int32_t border = course->step > 0 ? course->at + 1 : course->at;
  course->part = ((course->origin + (double)cells->cell * border) - course->from) * course->inverse;
}
static inline struct course course_along(const struct cells *cells, int axis, float from, float way) {
  const int32_t at = cells_along(cells, from, axis), step = (way > 0.0f) - (way < 0.0f);
  const int32_t last = step < 0 ? cells_begin(cells, axis) - 1 : cells_end(cells, axis);
  struct course course = {.origin = (double)cells_origin(cells, axis),
                          .from = (double)from,
                          .inverse = 1.0 / (double)way,
                          .part = 2.0,
                          .at = at,
                          .step = step,
                          .last = last};
  const bool leaves = step < 0 ? at <= last : at >= last;
  if (step != 0 && !leaves) find_next_border(cells, &course);
  return course;
}

struct cell_hit throng_cells_feel(const struct cells *cells, float from_x, float from_z, float way_x, float way_z) {
  ASSERT_ALONE(cells->blocked);
  struct course x = course_along(cells, 0, from_x, way_x), z = course_along(cells, 1, from_z, way_z);
  bool was_blocked = cells_blocked_at(cells, x.at, z.at);
  while (x.part <= 1.0 || z.part <= 1.0) {
    const bool along_x = x.part <= z.part;
    *(along_x ? &x.at : &z.at) += along_x ? x.step : z.step;
    const bool blocked = cells_blocked_at(cells, x.at, z.at);
    if (blocked && !was_blocked) {
      const float part = (float)(along_x ? x.part : z.part), normal = -(float)(along_x ? x.step : z.step);
      return (struct cell_hit){part > 0.0f ? part : 0.0f, along_x ? normal : 0.0f, along_x ? 0.0f : normal};
    }
    was_blocked = blocked;
    if (along_x) {
      if (x.at == x.last) break; /* the ray has left the map */
      find_next_border(cells, &x);
    } else {
      if (z.at == z.last) break;
      find_next_border(cells, &z);
    }
  }
  return (struct cell_hit){2.0f, 0.0f, 0.0f};
}

/* The cells of an axis that are looked at from cell `at`: all; where the map repeats, half a length each way. */
static void window_along(const struct cells *cells, int axis, int32_t at, int32_t *first, int32_t *end) {
  ASSERT_ALONE(axis == 0 || axis == 1);
  const int32_t half = (int32_t)cells_count(cells, axis) / 2;
  *first = cells->repeats[axis] ? at - half : 0;
  *end = cells->repeats[axis] ? at + half + 1 : (int32_t)cells_count(cells, axis);
}

/* Calls `visit` for blocked cells by rings around cell (i, j): ring k has the cells that are k rows or columns away,
 * and at least k - 1 cells' lengths. `visit` may lower *reach. Farther rings are not visited. */
static void visit_rings(const struct cells *cells, int32_t i, int32_t j, const double *reach,
                        void (*visit)(void *context, int32_t i, int32_t j), void *context) {
  int32_t first_i, end_i, first_j, end_j;
  window_along(cells, 0, i, &first_i, &end_i);
  window_along(cells, 1, j, &first_j, &end_j);
  for (int32_t k = 0; (double)cells->cell * (k - 1.001) <= *reach; k++) {
    const int32_t left = i - k, right = i + k, low = j - k, high = j + k;
    if (left < first_i && low < first_j && right >= end_i && high >= end_j) return;
    for (int32_t row = low > first_j ? low : first_j; row <= high && row < end_j; row++) {
      const bool whole = row == low || row == high;
      const int32_t from = whole && left < first_i ? first_i : left, last = whole && right >= end_i ? end_i - 1 : right;
      for (int32_t column = from; column <= last; column += whole ? 1 : 2 * k) {
        if (column < first_i || column >= end_i) continue;
        if (cells_blocked_at(cells, column, row)) visit(context, column, row);
      }
    }
  }
}

/* The order of cells: row by row along z, in each row along x. A column is within 2^17 of 0. */
static int64_t cell_number(int32_t i, int32_t j) {
  ASSERT_ALONE(i > -(1 << 17) && i < 1 << 17);
  return (int64_t)j * (1 << 18) + i;
}

/* The distance of a coordinate, in metres from the map's origin, from cell k of an axis; negative inside. *sign is the
 * side on which it is. */
static double depth_along(double cell, int32_t k, double coordinate, float *sign) {
  const double below = cell * k - coordinate, above = coordinate - cell * (k + 1);
  *sign = above > below ? 1.0f : -1.0f;
  return above > below ? above : below;
}

struct nearest_search {
  const struct cells *cells;
  double x, z; /* from the map's origin */
  double reach;
  int64_t number; /* of the nearest cell so far */
  struct cell_surface surface;
};
static void consider_surface(void *context, int32_t i, int32_t j) {
  struct nearest_search *search = context;
  const double cell = (double)search->cells->cell;
  const int64_t number = cell_number(i, j);
  float sign_x, sign_z;
  const double x = depth_along(cell, i, search->x, &sign_x), z = depth_along(cell, j, search->z, &sign_z);
  const double out_x = x > 0.0 ? x : 0.0, out_z = z > 0.0 ? z : 0.0;
  const double length = sqrt(out_x * out_x + out_z * out_z), distance = length > 0.0 ? length : x > z ? x : z;
  if (distance > search->reach) return;
  if (distance == search->reach && number > search->number) return;
  search->reach = distance;
  search->number = number;
  const bool on_x = x >= z;
  search->surface = (struct cell_surface){true, (float)distance, on_x ? sign_x : 0.0f, on_x ? 0.0f : sign_z};
  if (length == 0.0) return;
  search->surface.normal_x = (float)((double)sign_x * out_x / length);
  search->surface.normal_z = (float)((double)sign_z * out_z / length);
}

static struct nearest_search search_around(const struct cells *cells, float x, float z, float reach) {
  ASSERT_ALONE(cells->blocked);
  return (struct nearest_search){.cells = cells,
                                 .x = (double)x - (double)cells->origin_x,
                                 .z = (double)z - (double)cells->origin_z,
                                 .reach = (double)reach,
                                 .number = INT64_MAX};
}

struct cell_surface throng_cells_nearest(const struct cells *cells, float x, float z, float reach) {
  struct nearest_search search = search_around(cells, x, z, reach);
  visit_rings(cells, cells_along(cells, x, 0), cells_along(cells, z, 1), &search.reach, consider_surface, &search);
  return search.surface;
}

struct cell_surface throng_cells_straight(const struct cells *cells, float x, float z, int axis, float reach) {
  struct nearest_search search = search_around(cells, x, z, reach);
  const int32_t i = cells_along(cells, x, 0), j = cells_along(cells, z, 1), at = axis == 0 ? i : j;
  int32_t first, end;
  window_along(cells, axis, at, &first, &end);
  for (int32_t k = 0; (double)cells->cell * (k - 1.001) <= search.reach; k++) {
    if (at - k < first && at + k >= end) break;
    for (int32_t to = at - k; to <= at + k; to += k ? 2 * k : 1) {
      if (to < first || to >= end) continue;
      const int32_t column = axis == 0 ? to : i, row = axis == 0 ? j : to;
      if (cells_blocked_at(cells, column, row)) consider_surface(&search, column, row);
    }
  }
  return search.surface;
}

struct cover_search {
  const struct cells *cells;
  const struct hider *hider;
  double reach;   /* cells farther away have no nearer place */
  double nearest; /* squared distance of the nearest place so far */
  double place[2];
  int64_t number; /* of its cell */
};

static bool is_hiding_place(const struct cells *cells, const struct hider *hider, const double place[2]) {
  float p[2];
  for (int k = 0; k < 2; k++) {
    p[k] = (float)((double)hider->p[k] + place[k]);
    if (!(p[k] > hider->low[k] && p[k] < hider->high[k])) return false;
  }
  return !throng_cells_is_blocked(cells, p[0], p[1]);
}

static void consider_cover(void *context, int32_t i, int32_t j) {
  struct cover_search *search = context;
  const struct cells *cells = search->cells;
  const struct hider *hider = search->hider;
  const double cell = (double)cells->cell, radius = cell * 0.70710678118654752; /* from the middle to a corner */
  const double d[2] = {(double)cells->origin_x + cell * (i + 0.5) - (double)hider->p[0],
                       (double)cells->origin_z + cell * (j + 0.5) - (double)hider->p[1]};
  const double away[2] = {d[0] - (double)hider->threat[0], d[1] - (double)hider->threat[1]};
  const double length = sqrt(away[0] * away[0] + away[1] * away[1]);
  if (!(sqrt(d[0] * d[0] + d[1] * d[1]) - radius <= (double)hider->reach && length > 0.0)) return;
  const double behind = radius + (double)hider->body + (double)hider->distance;
  const double place[2] = {d[0] + away[0] * (behind / length), d[1] + away[1] * (behind / length)};
  const double square = place[0] * place[0] + place[1] * place[1];
  const int64_t number = cell_number(i, j);
  if (square > search->nearest || (square == search->nearest && number > search->number)) return;
  if (!is_hiding_place(cells, hider, place)) return;
  search->nearest = square;
  search->place[0] = place[0];
  search->place[1] = place[1];
  search->number = number;
  const double farthest = sqrt(square) + behind + cell; /* a cell's length is more than rounding errors */
  if (farthest < search->reach) search->reach = farthest;
}

bool throng_cells_cover(const struct cells *cells, const struct hider *hider, float place[2]) {
  ASSERT_ALONE(cells->blocked && hider->low[0] <= hider->high[0] && hider->low[1] <= hider->high[1]);
  struct cover_search search = {.cells = cells,
                                .hider = hider,
                                .reach = (double)hider->reach + (double)cells->cell,
                                .nearest = INFINITY,
                                .number = INT64_MAX};
  visit_rings(cells, cells_along(cells, hider->p[0], 0), cells_along(cells, hider->p[1], 1), &search.reach,
              consider_cover, &search);
  for (int k = 0; k < 2; k++) place[k] = (float)search.place[k];
  return search.nearest < INFINITY;
}
