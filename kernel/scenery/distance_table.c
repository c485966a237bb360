/* distance_table.c: see distance_table.h. SPDX-License-Identifier: MIT */
#include "scenery/distance_table.h"

#include <float.h>
#include <string.h>

#include "base/assertion.h"

#define FEW_CELLS 16384.0     /* cells of a table of few shapes */
#define CELLS_OF_SHAPE 1024.0 /* cells that each shape adds */
#define MOST_CELLS 524288.0

/* Steps. */

static uint8_t lesser(uint8_t a, uint8_t b) { return a < b ? a : b; }
static uint8_t one_more(uint8_t a) { return a == UINT8_MAX ? a : (uint8_t)(a + 1); }

/* Lowers a row's values to one step more than the smallest of the three nearest values of another row. Returns whether
 * any changed. */
static bool step_across(uint8_t *row, const uint8_t *other, uint32_t count, bool repeats) {
  const uint32_t last = count - 1, ends[2] = {0, last};
  uint8_t changed = 0;
  for (int k = 0; k < 2; k++) {
    const uint32_t x = ends[k];
    const uint8_t before = x > 0 ? other[x - 1] : other[repeats ? last : 0];
    const uint8_t after = x < last ? other[x + 1] : other[repeats ? 0 : last];
    const uint8_t value = lesser(row[x], one_more(lesser(other[x], lesser(before, after))));
    changed |= value ^ row[x];
    row[x] = value;
  }
  for (uint32_t x = 1; x < last; x++) {
    const uint8_t value = lesser(row[x], one_more(lesser(other[x], lesser(other[x - 1], other[x + 1]))));
    changed |= value ^ row[x];
    row[x] = value;
  }
  return changed != 0;
}

/* Lowers a row's values to one step more than those beside them. */
static bool step_along(uint8_t *row, uint32_t count, bool repeats) {
  bool changed = false;
  uint8_t before = repeats ? row[count - 1] : UINT8_MAX;
  for (uint32_t x = 0; x < count; x++) {
    const uint8_t value = lesser(row[x], one_more(before));
    changed |= value != row[x];
    row[x] = before = value;
  }
  before = repeats ? row[0] : UINT8_MAX;
  for (uint32_t x = count; x-- > 0;) {
    const uint8_t value = lesser(row[x], one_more(before));
    changed |= value != row[x];
    row[x] = before = value;
  }
  return changed;
}

struct table {
  uint8_t *steps;
  const uint32_t *count;
  const bool *repeats;
};

/* Returns row (y, z), or the row that repeats there; NULL beyond the table. */
static uint8_t *row_at(const struct table *table, int64_t y, int64_t z) {
  int64_t at[3] = {0, y, z};
  for (int c = 1; c < 3; c++) {
    const int64_t count = table->count[c];
    if (table->repeats[c]) at[c] = (at[c] + count) % count;
    if (at[c] < 0 || at[c] >= count) return NULL;
  }
  return table->steps + (size_t)(at[2] * table->count[1] + at[1]) * table->count[0];
}

/* Steps from the rows before row (y, z), in the order of `way` (1: ascending, -1: descending), and along the row. */
static bool step_row(const struct table *table, int64_t y, int64_t z, int way) {
  const int64_t before[4][2] = {{y - way, z}, {y - 1, z - way}, {y, z - way}, {y + 1, z - way}};
  uint8_t *row = row_at(table, y, z);
  bool changed = false;
  for (int k = 0; k < 4; k++) {
    const uint8_t *other = row_at(table, before[k][0], before[k][1]);
    if (other && other != row) changed |= step_across(row, other, table->count[0], table->repeats[0]);
  }
  return changed | step_along(row, table->count[0], table->repeats[0]);
}

/* Two sweeps find the steps where nothing repeats (Rosenfeld and Pfaltz 1968). Across a seam they are lowered until
 * nothing changes. */
void throng_count_steps(uint8_t *steps, const uint32_t count[3], const bool repeats[3]) {
  const struct table table = {steps, count, repeats};
  bool changed = true;
  while (changed) {
    changed = false;
    for (int64_t z = 0; z < count[2]; z++) {
      for (int64_t y = 0; y < count[1]; y++) changed |= step_row(&table, y, z, 1);
    }
    for (int64_t z = count[2] - 1; z >= 0; z--) {
      for (int64_t y = count[1] - 1; y >= 0; y--) changed |= step_row(&table, y, z, -1);
    }
    changed &= repeats[0] || repeats[1] || repeats[2];
  }
}

/* The cells that shapes occupy. */

/* A box, with unbounded y in planar worlds. */
struct extent {
  double low[3], high[3];
};

/* The row of cells (y, z), widened by the slack. The first and the last row also stand for what is beyond them. */
static struct extent extent_of_row(const struct distance_table *distances, uint32_t y, uint32_t z, double slack) {
  const uint32_t at[3] = {0, y, z};
  struct extent row;
  for (int c = 0; c < 3; c++) {
    row.low[c] = (double)distances->low[c] + (double)distances->cell * at[c] - slack;
    row.high[c] = row.low[c] + (double)distances->cell + 2.0 * slack;
    if (at[c] == 0) row.low[c] = -INFINITY;
    if (at[c] + 1 == distances->count[c]) row.high[c] = INFINITY;
  }
  return row;
}

/* Writes from where to where along x a shape is in a row. Returns false if it is not in it. */
static bool cut_wall(const struct shape *wall, const struct extent *row, double x[2]) {
  const double a = (double)wall->a[2], way = (double)wall->b[2] - a;
  double begin = 0.0, end = 1.0;
  if (way != 0.0) {
    const double at_low = (row->low[2] - a) / way, at_high = (row->high[2] - a) / way;
    begin = fmax(begin, fmin(at_low, at_high));
    end = fmin(end, fmax(at_low, at_high));
  }
  if (begin > end) return false;
  for (int k = 0; k < 2; k++) {
    x[k] = (double)wall->a[0] + ((double)wall->b[0] - (double)wall->a[0]) * (k ? end : begin);
  }
  return true;
}
static bool cut_ball(const struct shape *ball, const struct extent *row, bool spatial, double x[2]) {
  double rest = (double)ball->radius * (double)ball->radius;
  for (int c = spatial ? 1 : 2; c < 3; c++) {
    const double at = (double)ball->a[c], off = fmax(fmax(row->low[c] - at, at - row->high[c]), 0.0);
    rest -= off * off;
  }
  if (rest < 0.0) return false;
  x[0] = (double)ball->a[0] - sqrt(rest);
  x[1] = (double)ball->a[0] + sqrt(rest);
  return true;
}
static bool cut_shape(const struct shape *shape, const struct extent *row, bool spatial, double x[2]) {
  if (shape->kind == SHAPE_WALL) return cut_wall(shape, row, x);
  if (shape->kind == SHAPE_BALL) return cut_ball(shape, row, spatial, x);
  x[0] = (double)shape->a[0];
  x[1] = (double)shape->b[0];
  return true;
}

static void occupy(struct distance_table *distances, const struct shape *shape, bool spatial, double slack) {
  uint32_t first[3], last[3];
  for (int c = 0; c < 3; c++) {
    double low = 0.0, high = 0.0;
    if (spatial || c != 1) shape_extent(shape, c, &low, &high);
    first[c] = distance_table_cell(distances, c, (float)(low - slack));
    last[c] = distance_table_cell(distances, c, (float)(high + slack));
  }
  for (uint32_t z = first[2]; z <= last[2]; z++) {
    for (uint32_t y = first[1]; y <= last[1]; y++) {
      const struct extent row = extent_of_row(distances, y, z, slack);
      double x[2];
      if (!cut_shape(shape, &row, spatial, x)) continue;
      const uint32_t from = distance_table_cell(distances, 0, (float)(fmin(x[0], x[1]) - slack));
      const uint32_t to = distance_table_cell(distances, 0, (float)(fmax(x[0], x[1]) + slack));
      memset(distances->steps + ((size_t)z * distances->count[1] + y) * distances->count[0] + from, 0, to - from + 1);
    }
  }
}

static struct extent extent_of_shapes(const struct shape *shape, uint32_t count, bool spatial) {
  struct extent all = {{DBL_MAX, spatial ? DBL_MAX : 0.0, DBL_MAX}, {-DBL_MAX, spatial ? -DBL_MAX : 0.0, -DBL_MAX}};
  for (uint32_t k = 0; k < count; k++) {
    for (int c = 0; c < 3; c += spatial ? 1 : 2) {
      double low, high;
      shape_extent(&shape[k], c, &low, &high);
      all.low[c] = fmin(all.low[c], low);
      all.high[c] = fmax(all.high[c], high);
    }
  }
  return all;
}
/* More than the rounding errors of a coordinate in this box, and of its number of cells. */
static double slack_of(const struct extent *all) {
  double most = 0.0;
  for (int c = 0; c < 3; c++) most = fmax(most, fmax(fabs(all->low[c]), fabs(all->high[c])));
  return 0x1p-18 * most;
}

static size_t bytes_of(const struct distance_table *distances) {
  return (size_t)distances->count[0] * distances->count[1] * distances->count[2];
}

static void fill(struct distance_table *distances, const struct shape *shape, uint32_t count, bool spatial) {
  const struct extent all = extent_of_shapes(shape, count, spatial);
  const bool repeats[3] = {false, false, false};
  const double slack = slack_of(&all);
  for (int c = 0; c < 3; c++) {
    const double more = spatial || c != 1 ? slack : 0.0;
    distances->low[c] = (float)(all.low[c] - more);
    distances->high[c] = (float)(all.high[c] + more);
  }
  const size_t bytes = bytes_of(distances);
  memset(distances->steps, UINT8_MAX, bytes);
  for (uint32_t k = 0; k < count; k++) occupy(distances, &shape[k], spatial, slack);
  throng_count_steps(distances->steps, distances->count, repeats);
  for (size_t k = 0; k < bytes; k++)
    distances->steps[k] = (uint8_t)(distances->steps[k] - (distances->steps[k] > 0)); /* from side to side */
}

static double set_cell(struct distance_table *distances, const struct extent *all, double cell) {
  double cells = 1.0;
  distances->cell = (float)cell;
  distances->inverse = 1.0f / distances->cell;
  for (int c = 0; c < 3; c++) {
    const double along = floor((all->high[c] - all->low[c]) / cell) + 1.0;
    distances->count[c] = (uint32_t)fmin(along, MOST_CELLS);
    cells *= along;
  }
  return cells;
}

bool throng_distance_table_make(const struct shape *shape, uint32_t count, bool spatial,
                                const throng_allocator *allocator, struct distance_table *distances) {
  memset(distances, 0, sizeof *distances);
  if (count == 0) return true;
  const struct extent all = extent_of_shapes(shape, count, spatial);
  const double wanted = fmin(FEW_CELLS + CELLS_OF_SHAPE * count, MOST_CELLS), least = 16.0 * slack_of(&all);
  double cell = 2.0 * least;
  for (int c = 0; c < 3; c++) cell = fmax(cell, all.high[c] - all.low[c]);
  while (cell > least && set_cell(distances, &all, cell * 0.875) <= wanted) cell *= 0.875;
  set_cell(distances, &all, cell);
  distances->steps = throng_allocate(allocator, bytes_of(distances));
  if (!distances->steps) return false;
  fill(distances, shape, count, spatial);
  return true;
}

void throng_distance_table_shift(struct distance_table *distances, const struct shape *shape, uint32_t count,
                                 bool spatial) {
  ASSERT_ALONE((count == 0) == (distances->steps == NULL));
  if (count > 0) fill(distances, shape, count, spatial);
}

void throng_distance_table_release(struct distance_table *distances, const throng_allocator *allocator) {
  throng_release(allocator, distances->steps, bytes_of(distances));
  memset(distances, 0, sizeof *distances);
}
