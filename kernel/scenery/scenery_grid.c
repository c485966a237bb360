/* scenery_grid.c: the scenery grid, which finds shapes near a line or in a box. SPDX-License-Identifier: MIT */
#include "base/arithmetic.h"
#include "base/assertion.h"
#include "scenery/scenery_internal.h"

#include <float.h>
#include <string.h>

#include "base/memory.h"

/* The cell of a coordinate along an axis, from -1 (before the first) to `cells` (after the last). */
static int32_t cell_along(const struct scenery *scenery, int axis, double coordinate) {
  double cell = (coordinate - scenery->origin[axis]) * scenery->inverse;
  if (!(cell >= 0.0)) return -1;
  int32_t cells = scenery->cells[axis];
  return cell < (double)cells ? (int32_t)cell : cells;
}

/* Finds the cells along an axis within walk->half of a part of the line. begin and end are fractions of walk->way.
 * There are none if *first > *last. */
static void cells_near(const struct scenery_walk *walk, int axis, double begin, double end, int32_t *first,
                       int32_t *last) {
  double a = walk->from[axis] + walk->way[axis] * begin, b = walk->from[axis] + walk->way[axis] * end;
  *first = cell_along(walk->scenery, axis, (a < b ? a : b) - walk->half[axis]);
  *last = cell_along(walk->scenery, axis, (a < b ? b : a) + walk->half[axis]);
  if (*first < 0) *first = 0;
  if (*last >= walk->scenery->cells[axis]) *last = walk->scenery->cells[axis] - 1;
}

/* Cuts [*begin, *end] to the part of the line within walk->half of the cells numbered `row` along `axis`. If the line
 * does not move along the axis, they are unchanged. If *begin > *end afterwards, no part is near. */
static void cut_to_row(const struct scenery_walk *walk, int axis, int32_t row, double *begin, double *end) {
  double way = walk->way[axis];
  if (way == 0.0) return;
  double low = walk->scenery->origin[axis] + walk->scenery->cell * row - walk->half[axis] - walk->from[axis];
  double high = low + walk->scenery->cell + 2.0 * walk->half[axis];
  double enter = (way > 0.0 ? low : high) / way, leave = (way > 0.0 ? high : low) / way;
  if (enter > *begin) *begin = enter;
  if (leave < *end) *end = leave;
}

static void enter_z_row(struct scenery_walk *walk, bool only) {
  ASSERT_ALONE(walk->z >= 0 && walk->z < walk->scenery->cells[2]);
  walk->z_begin = 0.0;
  walk->z_end = 1.0;
  if (!only) cut_to_row(walk, 2, walk->z, &walk->z_begin, &walk->z_end);
  walk->y = walk->y_last = 0;
  if (walk->scenery->spatial) cells_near(walk, 1, walk->z_begin, walk->z_end, &walk->y, &walk->y_last);
}

static struct scenery_walk start_walk(const struct scenery *scenery, struct vec from, struct vec way, struct vec half) {
  const double slack = scenery->slack;
  struct scenery_walk walk = {.scenery = scenery,
                              .from = {from.x, from.y, from.z},
                              .way = {way.x, way.y, way.z},
                              .half = {half.x + slack, half.y + slack, half.z + slack},
                              .y_last = -1};
  cells_near(&walk, 2, 0.0, 1.0, &walk.z, &walk.z_last);
  if (walk.z <= walk.z_last) enter_z_row(&walk, walk.z == walk.z_last);
  return walk;
}

/* Writes the first and the last cell of the walk's next row along x. Returns false if no row is left. */
static bool walk_row(struct scenery_walk *walk, uint32_t *first, uint32_t *last) {
  const int32_t *cells = walk->scenery->cells;
  while (walk->z <= walk->z_last) {
    if (walk->y > walk->y_last) {
      if (++walk->z <= walk->z_last) enter_z_row(walk, false);
      continue;
    }
    double begin = walk->z_begin, end = walk->z_end;
    int32_t x, x_last, y = walk->y++;
    if (walk->scenery->spatial) cut_to_row(walk, 1, y, &begin, &end);
    if (begin > end) continue;
    cells_near(walk, 0, begin, end, &x, &x_last);
    if (x > x_last) continue;
    uint32_t row = ((uint32_t)walk->z * (uint32_t)cells[1] + (uint32_t)y) * (uint32_t)cells[0];
    *first = row + (uint32_t)x;
    *last = row + (uint32_t)x_last;
    return true;
  }
  return false;
}

/* Writes the first and the last cell, along each axis, of a box that is widened by the slack. Returns false if there
 * are no cells. */
static bool cells_of_box(const struct scenery *scenery, const double low[3], const double high[3], int32_t first[3],
                         int32_t last[3]) {
  for (int c = 0; c < 3; c++) {
    first[c] = last[c] = 0;
    if (c == 1 && !scenery->spatial) continue;
    first[c] = cell_along(scenery, c, low[c] - scenery->slack);
    last[c] = cell_along(scenery, c, high[c] + scenery->slack);
    if (last[c] < 0 || first[c] >= scenery->cells[c]) return false;
    if (first[c] < 0) first[c] = 0;
    if (last[c] >= scenery->cells[c]) last[c] = scenery->cells[c] - 1;
  }
  return true;
}
/* Returns the first entry of the cells first[0] to last[0] of a row, and writes the end of the entries to *end. */
static uint32_t row_entries(const struct scenery *scenery, int32_t y, int32_t z, const int32_t first[3],
                            const int32_t last[3], uint32_t *end) {
  ASSERT_ALONE(y >= 0 && y < scenery->cells[1] && z >= 0 && z < scenery->cells[2]);
  ASSERT_ALONE(first[0] >= 0 && first[0] <= last[0] && last[0] < scenery->cells[0]);
  uint32_t row = ((uint32_t)z * (uint32_t)scenery->cells[1] + (uint32_t)y) * (uint32_t)scenery->cells[0];
  *end = scenery->start[row + (uint32_t)last[0] + 1];
  return scenery->start[row + (uint32_t)first[0]];
}

static bool is_near(const struct scenery *scenery, uint32_t shape, struct vec p, double reach) {
  ASSERT_ALONE(shape < scenery->shapes);
  return !(throng_shape_nearest(&scenery->shape[shape], p).distance > reach);
}

bool throng_scenery_is_empty(const struct scenery *scenery, struct vec p, double reach) {
  const double low[3] = {p.x - reach, p.y - reach, p.z - reach}, high[3] = {p.x + reach, p.y + reach, p.z + reach};
  int32_t first[3], last[3];
  for (uint32_t k = scenery_first_plane(scenery); k < scenery->shapes; k++) {
    if (is_near(scenery, k, p, reach)) return false;
  }
  if (!cells_of_box(scenery, low, high, first, last)) return true;
  for (int c = 0; c < 3; c++) {
    if (last[c] - first[c] > 3) return false; /* too many cells for a quick test: the caller tests the line */
  }
  for (int32_t z = first[2]; z <= last[2]; z++) {
    for (int32_t y = first[1]; y <= last[1]; y++) {
      uint32_t end, k = row_entries(scenery, y, z, first, last, &end);
      for (; k < end; k++) {
        if (is_near(scenery, scenery->entry[k], p, reach)) return false;
      }
    }
  }
  return true;
}

static void set_mark(struct scenery_list *list, uint32_t mark) {
  ASSERT_ALONE(mark < SCENERY_MARKS);
  const uint32_t page = mark / SCENERY_PAGE;
  if (!(list->pages >> page & 1)) {
    memset(&list->mark[page * SCENERY_PAGE / 64], 0, SCENERY_PAGE / 8);
    list->pages |= (uint64_t)1 << page;
  }
  list->mark[mark / 64] |= (uint64_t)1 << mark % 64;
}

static void mark_box(struct scenery_list *list, const int32_t first[3], const int32_t last[3]) {
  const struct scenery *scenery = list->scenery;
  for (int32_t z = first[2]; z <= last[2]; z++) {
    for (int32_t y = first[1]; y <= last[1]; y++) {
      uint32_t end, k = row_entries(scenery, y, z, first, last, &end);
      for (; k < end; k++) {
        const uint32_t number = scenery->entry[k], mark = number - list->first;
        if (mark < SCENERY_MARKS) {
          set_mark(list, mark);
        } else if (number >= list->first && number < list->from) {
          list->from = number;
        }
      }
    }
  }
}

/* Marks the next shapes that may meet the box, up to SCENERY_MARKS of them. Shapes of the grid come first, planes last.
 * Returns false if no shapes are left. */
static bool mark_next(struct scenery_list *list) {
  const struct scenery *scenery = list->scenery;
  ASSERT_ALONE(list->pages == 0 && list->word == 0);      /* also before the first shapes */
  const uint32_t grid_end = scenery_first_plane(scenery); /* planes are in no cell, because they are infinite */
  int32_t first[3], last[3];
  list->first = list->from;
  if (list->from >= list->to) return false;
  list->from = list->first < grid_end ? grid_end : list->to;
  if (list->first >= grid_end) {
    for (uint32_t number = list->first; number < list->to; number++) set_mark(list, number - list->first);
  } else if (cells_of_box(scenery, list->low, list->high, first, last)) {
    mark_box(list, first, last);
  }
  return true;
}

/* Lists marked shapes until the list is full, and clears their marks. */
static void list_marked(struct scenery_list *list) {
  for (; list->pages; list->pages &= list->pages - 1, list->word = 0) {
    const uint32_t page = lowest_bit(list->pages) * SCENERY_PAGE;
    for (; list->word < SCENERY_PAGE / 64; list->word++) {
      for (uint64_t *bits = &list->mark[page / 64 + list->word]; *bits; *bits &= *bits - 1) {
        if (list->count == SCENERY_LIST) return;
        const uint32_t number = list->first + page + 64 * list->word + lowest_bit(*bits);
        if (number < list->to) list->number[list->count++] = number;
      }
    }
  }
}

bool throng_scenery_list(struct scenery_list *list) {
  list->count = 0;
  do {
    list_marked(list);
  } while (list->count < SCENERY_LIST && mark_next(list));
  return list->count > 0;
}

struct scenery_near throng_scenery_near(const struct scenery *scenery, struct vec from, struct vec way, double half) {
  return (struct scenery_near){.walk = start_walk(scenery, from, way, (struct vec){half, half, half}),
                               .plane = scenery_first_plane(scenery)};
}

bool throng_scenery_next(struct scenery_near *near, uint32_t *shape) {
  const struct scenery *scenery = near->walk.scenery;
  uint32_t first, last;
  while (near->next == near->end) {
    if (!walk_row(&near->walk, &first, &last)) {
      *shape = near->plane;
      return near->plane++ < scenery->shapes;
    }
    near->next = scenery->start[first];
    near->end = scenery->start[last + 1];
  }
  *shape = scenery->entry[near->next++];
  return true;
}

/* The cells that a shape may be in. */
static struct scenery_walk walk_shape(const struct scenery *scenery, const struct shape *shape) {
  const struct vec a = vec_of(shape->a), b = vec_of(shape->b), none = {0.0, 0.0, 0.0};
  const double radius = (double)shape->radius;
  switch (shape->kind) {
  case SHAPE_WALL:
    return start_walk(scenery, a, vec_sub(b, a), none);
  case SHAPE_BOX:
    return start_walk(scenery, vec_scale(vec_add(a, b), 0.5), none, vec_scale(vec_sub(b, a), 0.5));
  default:
    return start_walk(scenery, a, none, (struct vec){radius, radius, radius});
  }
}

static void bound_shapes(struct scenery *scenery, double low[3], double high[3]) {
  for (int c = 0; c < 3; c++) {
    low[c] = DBL_MAX;
    high[c] = -DBL_MAX;
  }
  if (!scenery->spatial) low[1] = high[1] = 0.0;
  for (uint32_t k = 0; k < scenery_first_plane(scenery); k++) {
    for (int c = 0; c < 3; c++) {
      if (c == 1 && !scenery->spatial) continue;
      double from, to;
      shape_extent(&scenery->shape[k], c, &from, &to);
      if (from < low[c]) low[c] = from;
      if (to > high[c]) high[c] = to;
      if (to - from > scenery->largest) scenery->largest = to - from;
    }
  }
}

static double count_cells(struct scenery *scenery, const double extent[3], double cell) {
  double cells = 1.0;
  scenery->cell = cell;
  scenery->inverse = 1.0 / cell;
  for (int c = 0; c < 3; c++) {
    scenery->cells[c] = (int32_t)(extent[c] * scenery->inverse) + 1;
    cells *= (double)scenery->cells[c];
  }
  return cells;
}

/* Returns the number of entries of all shapes. With `start` alone it also adds each cell's entries to start[cell + 1].
 * With `entry` it writes each entry to entry[start[cell]] and advances start[cell]. */
static uint64_t enter_shapes(const struct scenery *scenery, uint32_t *start, uint32_t *entry) {
  uint64_t entries = 0;
  for (uint32_t k = 0; k < scenery_first_plane(scenery); k++) {
    struct scenery_walk walk = walk_shape(scenery, &scenery->shape[k]);
    uint32_t first, last;
    while (walk_row(&walk, &first, &last)) {
      entries += last - first + 1;
      for (uint32_t cell = first; start && cell <= last; cell++) {
        if (entry) {
          entry[start[cell]++] = k;
        } else {
          start[cell + 1]++;
        }
      }
    }
  }
  return entries;
}

/* Chooses the size of the cells. It starts with one cell for the whole grid, and halves the size while there are at
 * most cells_wanted cells and cells are not too small for the slack. Then it doubles the size while there are too many
 * entries. Returns the number of entries. */
static uint64_t choose_cells(struct scenery *scenery, const double extent[3], double cells_wanted) {
  const double shapes = (double)(scenery_first_plane(scenery));
  double cell = extent[0] > extent[2] ? extent[0] : extent[2];
  if (extent[1] > cell) cell = extent[1];
  cell *= 2.0;                                                  /* a grid of one cell */
  if (cell < 4.0 * scenery->slack) cell = 4.0 * scenery->slack; /* every shape is widened by the slack */
  while (cell > 4.0 * scenery->slack && count_cells(scenery, extent, cell * 0.5) <= cells_wanted) cell *= 0.5;
  for (;; cell *= 2.0) {
    count_cells(scenery, extent, cell);
    uint64_t entries = enter_shapes(scenery, NULL, NULL);
    if ((double)entries <= 16.0 * shapes + 256.0) return entries;
  }
}

bool throng_scenery_build_grid(struct scenery *scenery, double cells_wanted, const throng_allocator *allocator) {
  ASSERT_ALONE(scenery->planes <= scenery->shapes);
  if (scenery->shapes == scenery->planes) return true;
  double low[3], high[3], extent[3];
  bound_shapes(scenery, low, high);
  for (int c = 0; c < 3; c++) {
    extent[c] = high[c] - low[c];
    scenery->origin[c] = low[c];
  }
  uint64_t entries = choose_cells(scenery, extent, cells_wanted);
  size_t cells = (size_t)scenery->cells[0] * (size_t)scenery->cells[1] * (size_t)scenery->cells[2];
  scenery->entries = (uint32_t)entries;
  scenery->start = throng_allocate(allocator, (cells + 1) * sizeof *scenery->start);
  scenery->entry = throng_allocate(allocator, (size_t)entries * sizeof *scenery->entry);
  if (!scenery->start || !scenery->entry) return false;
  enter_shapes(scenery, scenery->start, NULL);
  for (size_t cell = 0; cell < cells; cell++) scenery->start[cell + 1] += scenery->start[cell];
  ASSERT_ALONE(scenery->start[cells] == entries);
  enter_shapes(scenery, scenery->start, scenery->entry);
  for (size_t cell = cells; cell > 0; cell--) scenery->start[cell] = scenery->start[cell - 1];
  scenery->start[0] = 0;
  return true;
}
