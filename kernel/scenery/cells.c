/* cells.c: scenery cells, and the swept motion through them. It uses double precision with + - * and comparisons
 * alone, so that the bits are the same everywhere. SPDX-License-Identifier: MIT */
#include "scenery/cells.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/assertion.h"
#include "base/definitions.h"
#include "base/error.h"
#include "scenery/distance_table.h"
#include "scenery/shapes.h"

#define MAX_CELLS 16384u

throng_cells_def throng_default_cells_def(void) {
  throng_cells_def def;
  memset(&def, 0, sizeof def);
  def.cell = 1.0f;
  def.cookie = THRONG_CELLS_COOKIE;
  return def;
}

static double far_edge(const struct cells *cells, int axis) {
  return (double)cells_origin(cells, axis) + (double)cells->cell * cells_count(cells, axis);
}
/* Returns how far a face of a box may be from the map's edge because of rounding: 2 to 4 floats. */
static double edge_rounding(const struct cells *cells, int axis) {
  return 0x1p-21 * fmax(fabs((double)cells_origin(cells, axis)), fabs(far_edge(cells, axis)));
}

/* Positions on the map's far edge are in the last cell. So there is no gap between a map and a world's box of the same
 * size. */
void throng_cells_fit_box(struct cells *cells, const struct space *space) {
  if (cells->width == 0) return;
  for (int axis = 0; axis < 2; axis++) {
    cells->repeats[axis] = space->axis[2 * axis].period != 0;
    const float low = space->low[2 * axis], high = space->high[2 * axis], origin = cells_origin(cells, axis);
    const double edge = far_edge(cells, axis), rounding = edge_rounding(cells, axis);
    cells->low[axis] = low < origin && (double)low >= (double)origin - rounding ? low : origin;
    cells->high[axis] = high > (float)edge && (double)high <= edge + rounding ? high : (float)edge;
  }
}

struct cells throng_cells_map(const struct map_frame *frame, uint8_t *blocked) {
  struct cells cells = {.width = frame->width,
                        .height = frame->height,
                        .cell = frame->cell,
                        .origin_x = frame->origin_x,
                        .origin_z = frame->origin_z,
                        .inverse = 1.0 / (double)frame->cell,
                        .blocked = blocked};
  for (int axis = 0; axis < 2; axis++) {
    cells.low[axis] = (float)((double)cells_origin(&cells, axis) - edge_rounding(&cells, axis));
    cells.high[axis] = (float)(far_edge(&cells, axis) + edge_rounding(&cells, axis));
  }
  return cells;
}

bool throng_cells_is_blocked(const struct cells *cells, float x, float z) {
  if (!cells->blocked) return false;
  return cells_blocked_at(cells, cells_along(cells, x, 0), cells_along(cells, z, 1));
}

void throng_cells_between(const struct cells *cells, int axis, double low, double high, int64_t *first, int64_t *last) {
  const int64_t size = (int64_t)cells_count(cells, axis), beyond = cells->repeats[axis] ? 2 * size : 0;
  const double least = (double)-beyond, most = (double)(size + beyond);
  const double from = low * cells->inverse - 1.0, to = high * cells->inverse + 1.0; /* one cell more for rounding */
  *first = from > least ? from < most ? (int64_t)floor(from) : size + beyond : -beyond;
  *last = to < most ? to >= least ? (int64_t)floor(to) : -beyond - 1 : size + beyond - 1;
}
/* Returns the gap along an axis between cell k and a point at `distance` from the origin. */
static double gap_to_cell(const struct cells *cells, double distance, int64_t k) {
  const double low = (double)cells->cell * (double)k, high = (double)cells->cell * (double)(k + 1);
  return distance < low ? low - distance : distance > high ? distance - high : 0.0;
}

bool throng_cells_is_free(const struct cells *cells, float x, float z, float radius) {
  if (throng_cells_is_blocked(cells, x, z)) return false;
  if (!cells->blocked || radius == 0.0f) return true;
  uint32_t at;
  if (throng_cells_find(cells, x, z, &at)) { /* the steps may tell without a search */
    const double steps = (double)cells->steps[at], cell = (double)cells->cell, reach = (double)radius;
    if ((steps - 1.0) * cell * (1.0 - 1e-9) >= reach) return true;
    if (steps < 255.0 && 2.0 * (steps + 1.0) * (steps + 1.0) * cell * cell < reach * reach) return false;
  }
  const double dx = (double)x - (double)cells->origin_x, dz = (double)z - (double)cells->origin_z, r = (double)radius;
  int64_t i_first, i_last, j_first, j_last;
  throng_cells_between(cells, 0, dx - r, dx + r, &i_first, &i_last);
  throng_cells_between(cells, 1, dz - r, dz + r, &j_first, &j_last);
  for (int64_t j = j_first; j <= j_last; j++) {
    const double gap_z = gap_to_cell(cells, dz, j);
    for (int64_t i = i_first; i <= i_last; i++) {
      const double gap_x = gap_to_cell(cells, dx, i);
      if (cells_blocked_at(cells, i, j) && gap_x * gap_x + gap_z * gap_z < r * r) return false;
    }
  }
  return true;
}

bool throng_cells_find(const struct cells *cells, float x, float z, uint32_t *index) {
  int64_t i = cells_along(cells, x, 0), j = cells_along(cells, z, 1);
  if (cells->repeats[0]) i = cells_repeated(i, cells->width);
  if (cells->repeats[1]) j = cells_repeated(j, cells->height);
  if (i < 0 || j < 0 || i >= (int64_t)cells->width || j >= (int64_t)cells->height) return false;
  *index = (uint32_t)j * cells->width + (uint32_t)i;
  return true;
}

/* One axis of a swept motion. */
struct sweep {
  double from, delta; /* metres: start, and offset to the end */
  int axis;
  int32_t at, goal; /* current cell, and cell of the end */
};

static struct sweep sweep_axis(const struct cells *grid, float from, float to, int axis) {
  return (struct sweep){(double)from, (double)to - (double)from, axis, cells_along(grid, from, axis),
                        cells_along(grid, to, axis)};
}
static int32_t sweep_direction(const struct sweep *sweep) {
  return (sweep->goal > sweep->at) - (sweep->goal < sweep->at);
}
/* Returns the fraction of the swept line before the border to the next cell; above 1 if the line crosses no border. */
static double sweep_time(const struct cells *grid, const struct sweep *sweep) {
  int32_t direction = sweep_direction(sweep);
  if (direction == 0) return 2.0;
  double border =
      (double)cells_origin(grid, sweep->axis) + (double)grid->cell * (direction > 0 ? sweep->at + 1 : sweep->at);
  return (border - sweep->from) / sweep->delta;
}

/* Returns the last coordinate in the direction of motion that is still in the cell: the border or the float before it.
 * Only near a border at 0 are there more floats at one distance from the origin: a billion of them, so this bisects. */
static float stop_before_border(const struct cells *grid, const struct sweep *sweep) {
  ASSERT_ALONE(sweep_direction(sweep) != 0);
  const int32_t at = sweep->at, axis = sweep->axis;
  const bool up = sweep_direction(sweep) > 0;
  const double origin = (double)cells_origin(grid, axis), cell = (double)grid->cell;
  const float border = (float)(origin + cell * (up ? at + 1 : at)), before = next_float(border, !up);
  if (cells_along(grid, border, axis) == at) return border;
  if (cells_along(grid, before, axis) == at) return before;
  int64_t inside = float_rank((float)(origin + cell * (at + 0.5))), outside = float_rank(before);
  while (inside - outside > 1 || outside - inside > 1) {
    const int64_t middle = (inside + outside) / 2;
    const bool here = cells_along(grid, float_of_rank((int32_t)middle), axis) == at;
    *(here ? &inside : &outside) = middle;
  }
  return float_of_rank((int32_t)inside);
}

/* Returns the axis whose border comes next (on a tie, x); NULL at the end. */
static struct sweep *next_border(const struct cells *cells, struct sweep *sx, struct sweep *sz) {
  if (sx->at == sx->goal && sz->at == sz->goal) return NULL;
  bool along_x = sx->at != sx->goal && (sz->at == sz->goal || sweep_time(cells, sx) <= sweep_time(cells, sz));
  return along_x ? sx : sz;
}
static bool next_is_blocked(const struct cells *cells, const struct sweep *sx, const struct sweep *sz,
                            const struct sweep *axis) {
  return cells_blocked_at(cells, sx->at + (axis == sx ? sweep_direction(sx) : 0),
                          sz->at + (axis == sz ? sweep_direction(sz) : 0));
}

double throng_cells_hit(const struct cells *cells, float from_x, float from_z, float x, float z) {
  ASSERT_ALONE(cells->blocked);
  struct sweep sx = sweep_axis(cells, from_x, x, 0);
  struct sweep sz = sweep_axis(cells, from_z, z, 1);
  for (struct sweep *axis; (axis = next_border(cells, &sx, &sz)); axis->at += sweep_direction(axis)) {
    if (next_is_blocked(cells, &sx, &sz, axis)) return sweep_time(cells, axis);
  }
  return 2.0;
}

/* The border of the cell toward which the line leads. */
static double border_ahead(const struct cells *cells, const struct sweep *sweep) {
  const int32_t border = sweep_direction(sweep) > 0 ? sweep->at + 1 : sweep->at;
  return (double)cells_origin(cells, sweep->axis) + (double)cells->cell * border;
}

/* Walks from cell to cell. The corner ahead is on one side of the line, on the other or on it: this says which border
 * the line crosses next. */
bool throng_cells_hide(const struct cells *cells, float px, float pz, float qx, float qz) {
  struct sweep sx = sweep_axis(cells, px, qx, 0), sz = sweep_axis(cells, pz, qz, 1);
  const struct vec p = {(double)px, 0.0, (double)pz}, q = {(double)qx, 0.0, (double)qz};
  if (sx.at == sx.goal && sz.at == sz.goal) return false;
  while (!cells_blocked_at(cells, sx.at, sz.at)) {
    const int32_t dx = sweep_direction(&sx), dz = sweep_direction(&sz);
    if (dx == 0 && dz == 0) return false;
    double side = dx == 0 ? -1.0 : 1.0; /* above 0: along x */
    if (dx != 0 && dz != 0) {
      const struct vec corner = {border_ahead(cells, &sx), 0.0, border_ahead(cells, &sz)};
      side = throng_side_of(p, q, corner) * (dx == dz ? 1.0 : -1.0);
      if (side == 0.0 && cells_blocked_at(cells, sx.at + dx, sz.at) && cells_blocked_at(cells, sx.at, sz.at + dz))
        return true;
    }
    if (side >= 0.0) sx.at += dx;
    if (side <= 0.0) sz.at += dz;
  }
  return true;
}

/* Moves along a straight line from a free cell toward (*x, *z), border by border. If the next cell is blocked, motion
 * along the axis of this border ends, and this component of the velocity becomes 0. Motion along the other axis
 * continues, so that the agent slides. The agent enters only free cells. */
void throng_cells_sweep(const struct cells *cells, float from_x, float from_z, float *x, float *z, float *vx,
                        float *vz) {
  ASSERT_ALONE(cells->blocked);
  ASSERT_ALONE(!throng_cells_is_blocked(cells, from_x, from_z));
  struct sweep sx = sweep_axis(cells, from_x, *x, 0);
  struct sweep sz = sweep_axis(cells, from_z, *z, 1);
  struct sweep *axis;
  while ((axis = next_border(cells, &sx, &sz))) {
    if (!next_is_blocked(cells, &sx, &sz, axis)) {
      axis->at += sweep_direction(axis);
      continue;
    }
    *(axis == &sx ? x : z) = stop_before_border(cells, axis);
    *(axis == &sx ? vx : vz) = 0.0f;
    axis->goal = axis->at;
  }
}

void throng_cells_release(struct cells *cells, const throng_allocator *allocator) {
  throng_release(allocator, cells->blocked, 2 * (size_t)cells->width * cells->height);
  memset(cells, 0, sizeof *cells);
}

throng_status throng_cells_check_frame(const throng_axes *axes, const struct map_frame *frame, float limit,
                                       throng_error *error) {
  const uint32_t size[2] = {frame->width, frame->height};
  for (int k = 0; k < 2; k++) {
    if (size[k] >= 1 && size[k] <= MAX_CELLS) continue;
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "%s.%s is %u, allowed: 1 to %u", frame->name,
                       k ? "height" : "width", size[k], MAX_CELLS);
  }
  char field[40];
  snprintf(field, sizeof field, "%s.cell", frame->name);
  TRY(throng_check_range(frame->cell, 1e-3f, 1e6f, field, error));
  snprintf(field, sizeof field, "%s.origin", frame->name);
  TRY(throng_axes_check_coordinate(axes, 0, frame->origin_x, -limit, limit, field, error));
  TRY(throng_axes_check_coordinate(axes, 2, frame->origin_z, -limit, limit, field, error));
  if (throng_cells_fit_floats(frame->origin_x, frame->cell, frame->width) &&
      throng_cells_fit_floats(frame->origin_z, frame->cell, frame->height)) {
    return THRONG_OK;
  }
  return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                     "%s.cell is %.9g, too fine for floats so far out: at least 2^-21 of the grid's largest coordinate",
                     frame->name, (double)frame->cell);
}

struct map_frame throng_cells_frame(const throng_axes *axes, const char *name, uint32_t width, uint32_t height,
                                    float cell, throng_vec3 origin) {
  const throng_vec3 own = axes_take_point(axes, origin);
  return (struct map_frame){name, width, height, axes_take_length(axes, cell), own.x, own.z};
}

throng_status throng_cells_read_frame(const throng_axes *axes, const throng_cells_def *def, float limit,
                                      struct map_frame *frame, throng_error *error) {
  if (def->cookie != THRONG_CELLS_COOKIE) {
    return throng_fail(error, THRONG_ERROR_BAD_COOKIE,
                       "cells definition has a wrong cookie: it is not from throng_default_cells_def()");
  }
  *frame = throng_cells_frame(axes, "cells", def->width, def->height, def->cell, def->origin);
  return throng_cells_check_frame(axes, frame, limit, error);
}

throng_status throng_cells_check_def(const throng_axes *axes, const throng_cells_def *def, float limit,
                                     struct map_frame *frame, throng_error *error) {
  TRY(throng_cells_read_frame(axes, def, limit, frame, error));
  return def->blocked ? THRONG_OK : throng_fail(error, THRONG_ERROR_NULL_ARGUMENT, "cells.blocked is NULL");
}

static uint32_t frame_cells(const struct map_frame *frame, int k) { return k ? frame->height : frame->width; }

bool throng_cells_tile(const struct space *space, const struct map_frame *frame, int k) {
  const struct grid_axis *axis = &space->axis[2 * k];
  const double most = fmax(fabs((double)axis->origin), fabs((double)space->end[2 * k]));
  const double map = (double)frame->cell * frame_cells(frame, k);
  return axis->period != 0 && fabs(map - (double)axis->length) <= 0x1p-21 * most;
}

throng_status throng_cells_check_tiling(const struct space *space, const struct map_frame *frame, throng_error *error) {
  for (int k = 0; k < 2; k++) {
    const struct grid_axis *axis = &space->axis[2 * k];
    const float origin = k ? frame->origin_z : frame->origin_x;
    if (axis->period == 0) continue;
    if (!(origin >= axis->origin && origin <= space->end[2 * k])) {
      const struct axes_coordinate host =
          throng_axes_give_coordinate(space->axes, 2 * k, origin, axis->origin, space->end[2 * k]);
      return throng_fail(error, THRONG_ERROR_OUT_OF_RANGE, "%s.origin.%c is %.9g, the world is %.9g to %.9g",
                         frame->name, host.axis, host.value, host.low, host.high);
    }
    if (throng_cells_tile(space, frame, k)) continue;
    return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                       "%s.%s is %u: the cells are %.9g m long along %c, but the periodic world is %.9g m long",
                       frame->name, k ? "height" : "width", frame_cells(frame, k),
                       (double)frame->cell * frame_cells(frame, k), "xz"[k], (double)axis -> length);
  }
  return THRONG_OK;
}

static throng_status check_cells(const struct space *space, const throng_cells_def *def, struct map_frame *frame,
                                 throng_error *error) {
  TRY(throng_cells_check_def(space->axes, def, space->limit, frame, error));
  if (space->spatial) return throng_fail(error, THRONG_ERROR_UNSUPPORTED, "cells need a planar world");
  return throng_cells_check_tiling(space, frame, error);
}

bool throng_cells_fit_floats(float origin, float cell, uint32_t cells) {
  double far_edge = (double)origin + (double)cell * cells;
  double largest = fabs(far_edge) > fabs((double)origin) ? fabs(far_edge) : fabs((double)origin);
  return largest * 0x1p-21 <= (double)cell; /* at least four floats per cell */
}

static void count_steps(struct cells *cells) {
  const uint32_t count[3] = {cells->width, 1, cells->height};
  const bool repeats[3] = {cells->repeats[0], false, cells->repeats[1]};
  for (size_t k = 0; k < (size_t)cells->width * cells->height; k++) cells->steps[k] = cells->blocked[k] ? 0 : UINT8_MAX;
  throng_count_steps(cells->steps, count, repeats);
}

throng_status throng_cells_make(const struct space *space, const throng_allocator *allocator,
                                const throng_cells_def *def, struct cells *cells, throng_error *error) {
  struct map_frame frame;
  TRY(check_cells(space, def, &frame, error));
  const size_t bytes = (size_t)def->width * def->height;
  *cells = throng_cells_map(&frame, throng_allocate(allocator, 2 * bytes));
  if (!cells->blocked) return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for %zu cells", bytes);
  memcpy(cells->blocked, def->blocked, bytes);
  cells->steps = cells->blocked + bytes;
  throng_cells_fit_box(cells, space);
  count_steps(cells);
  return THRONG_OK;
}

throng_status throng_cells_check_shift(const struct cells *cells, const float shift[3], float limit,
                                       throng_error *error) {
  const float edge[2] = {cells->origin_x, cells->origin_z}, by[2] = {shift[0], shift[2]};
  for (int k = 0; k < 2; k++) {
    if (shifts_exactly(edge[k], by[k], limit)) continue;
    return throng_fail(error, THRONG_ERROR_OUT_OF_RANGE,
                       "origin.%c, %.9g, cannot be shifted by %.9g exactly, or would be too far out", "xz"[k],
                       (double)edge[k], (double)by[k]);
  }
  if (throng_cells_fit_floats(edge[0] - by[0], cells->cell, cells->width) &&
      throng_cells_fit_floats(edge[1] - by[1], cells->cell, cells->height)) {
    return THRONG_OK;
  }
  return throng_fail(error, THRONG_ERROR_OUT_OF_RANGE, "cells of %.9g m are too fine for floats so far out",
                     (double)cells->cell);
}

void throng_cells_shift(struct cells *cells, const float shift[3]) {
  ASSERT_ALONE(cells->width > 0);
  cells->origin_x -= shift[0];
  cells->origin_z -= shift[2];
}
