/* doors.c: see doors.h. It uses double precision with + - * / sqrt and comparisons alone. Formulas:
 * docs/ARITHMETIC.md, "Gather". SPDX-License-Identifier: MIT */
#include "scenery/doors.h"

bool throng_doors_exist(const struct scenery *scenery, const struct cells *cells) {
  return cells->blocked || (!scenery->spatial && scenery->shapes > scenery->balls);
}

struct door_line {
  struct vec from, way;
  double past, reach, wide; /* past: metres beyond a wall that still count; wide: metres beside it that are a door */
};

/* Whether the line leads past the wall from a to b, closer to it than the wall is long, or the agent has not come far
 * enough past it. */
static bool leads_past(const struct door_line *line, struct vec a, struct vec b) {
  const struct vec e = vec_sub(b, a), to = vec_sub(line->from, a);
  const double length = vec_length(e), scale = 1.0 / length, wide = length < line->wide ? length : line->wide;
  double here = (e.x * to.z - e.z * to.x) * scale, beyond = (e.x * line->way.z - e.z * line->way.x) * scale;
  if (here + beyond < 0.0) {
    here = -here;
    beyond = -beyond;
  }
  if (!(here + beyond > 0.0 && here < line->past && beyond > 0.0)) return false;
  const double part = here < 0.0 ? -here / beyond : 0.0;
  if (part * vec_length(line->way) > line->reach) return false;
  const struct vec at = vec_add(to, vec_scale(line->way, part));
  const double along = vec_dot(at, e) * scale;
  const struct vec end = along <= 0.0 ? at : vec_sub(at, vec_scale(e, along < length ? along * scale : 1.0));
  return vec_dot(end, end) < wide * wide;
}

/* Whether the line leads past the face of a blocked cell toward the neighbour (i + di, j + dj). The faces beside it in
 * the same row of blocked cells, up to `wide`, make one wall with it. */
static bool leads_past_face(const struct cells *cells, const struct door_line *line, int64_t i, int64_t j, int di,
                            int dj) {
  if (cells_blocked_at(cells, i + di, j + dj)) return false;
  const int ai = dj != 0, aj = di != 0; /* along the face */
  const int64_t most = (int64_t)(line->wide * cells->inverse) + 1;
  int64_t low = 0, high = 0;
  for (; low < most && cells_blocked_at(cells, i - (low + 1) * ai, j - (low + 1) * aj); low++) {
    if (cells_blocked_at(cells, i - (low + 1) * ai + di, j - (low + 1) * aj + dj)) break;
  }
  for (; high < most && cells_blocked_at(cells, i + (high + 1) * ai, j + (high + 1) * aj); high++) {
    if (cells_blocked_at(cells, i + (high + 1) * ai + di, j + (high + 1) * aj + dj)) break;
  }
  const double size = (double)cells->cell, x = (double)cells->origin_x, z = (double)cells->origin_z;
  const double x0 = (double)(i - low * ai + (di > 0)), z0 = (double)(j - low * aj + (dj > 0));
  const double x1 = x0 + (double)((low + high + 1) * ai), z1 = z0 + (double)((low + high + 1) * aj);
  return leads_past(line, (struct vec){x + size * x0, 0.0, z + size * z0},
                    (struct vec){x + size * x1, 0.0, z + size * z1});
}

/* The cells [*first, *last] of an axis that are within `wide` of the line. */
static void cells_beside(const struct cells *cells, int axis, double from, double way, double wide, int64_t *first,
                         int64_t *last) {
  const double to = from + way, low = from < to ? from : to, high = from < to ? to : from;
  const double origin = (double)(axis ? cells->origin_z : cells->origin_x);
  throng_cells_between(cells, axis, low - wide - origin, high + wide - origin, first, last);
}

static bool cells_have_door(const struct cells *cells, const struct door_line *line, struct vec part) {
  int64_t i0, i1, j0, j1;
  cells_beside(cells, 0, line->from.x, part.x, line->wide, &i0, &i1);
  cells_beside(cells, 1, line->from.z, part.z, line->wide, &j0, &j1);
  for (int64_t j = j0; j <= j1; j++) {
    for (int64_t i = i0; i <= i1; i++) {
      if (!cells_blocked_at(cells, i, j)) continue;
      for (int k = 0; k < 4; k++) {
        if (leads_past_face(cells, line, i, j, (k == 0) - (k == 1), (k == 2) - (k == 3))) return true;
      }
    }
  }
  return false;
}

bool throng_doors_on_way(const struct scenery *scenery, const struct cells *cells, struct vec p, struct vec way,
                         double body, double reach) {
  struct door_line line = {p, way, 0.0, reach, 4.0 * body < reach ? 4.0 * body : reach};
  const double length = vec_length(way);
  const struct vec part = length > reach ? vec_scale(way, reach / length) : way; /* the part that can have doors */
  if (cells->blocked && cells_have_door(cells, &line, part)) return true;
  if (!scenery->shapes) return false;
  line.past = body; /* for cells agents are points */
  struct scenery_near near = throng_scenery_near(scenery, p, part, line.wide);
  uint32_t k;
  while (throng_scenery_next(&near, &k)) {
    const struct shape *shape = &scenery->shape[k];
    if (shape->kind == SHAPE_WALL && leads_past(&line, vec_of(shape->a), vec_of(shape->b))) return true;
  }
  return false;
}
