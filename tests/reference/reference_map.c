/* tests/reference/reference_map.c
 * SPDX-License-Identifier: MIT */
#include "reference/reference_map.h"

#include <math.h>

/* One axis of a map. */
typedef struct line {
  double origin, cell, count;
  bool repeats;
  double first, end; /* numbers of the first cell, and of the one after the last */
} line;
static line line_of(const ref_map *map, int axis) {
  const throng_cells_def *c = map->cells;
  line l = {(double)(axis ? c->origin.z : c->origin.x),
            (double)c->cell,
            axis ? c->height : c->width,
            map->repeats[axis],
            0.0,
            0.0};
  l.first = l.repeats ? -2.0 * l.count : 0.0;
  l.end = l.repeats ? 2.0 * l.count : l.count;
  return l;
}

static bool index_of(const ref_map *map, double i, double j, size_t *index) {
  const line x = line_of(map, 0), z = line_of(map, 1);
  if (x.repeats) i -= x.count * floor(i / x.count);
  if (z.repeats) j -= z.count * floor(j / z.count);
  if (!(i >= 0.0 && j >= 0.0 && i < x.count && j < z.count)) return false;
  *index = (size_t)j * map->cells->width + (size_t)i;
  return true;
}
static bool cell_is_blocked(const ref_map *map, double i, double j) {
  size_t index;
  return index_of(map, i, j, &index) && map->cells->blocked[index] != 0;
}

/* Returns the number of the cell that holds x: cell * number <= x - origin < cell * (number + 1). The far edge belongs
 * to the last cell. -1 is before the first cell, `count` after the last one. A map that repeats has numbers up to two
 * lengths from the origin. */
static double number_of(line l, float coordinate) {
  const double x = (double)coordinate;
  if (l.repeats) {
    if (x - l.origin < l.cell * l.first) return l.first;
    if (x - l.origin >= l.cell * l.end) return l.end;
  } else {
    if (x - l.origin < 0.0) return -1.0;
    if (x - l.origin >= l.cell * l.count) {
      return x > (double)(float)(l.origin + l.cell * l.count) ? l.count : l.count - 1.0;
    }
  }
  double number = floor((x - l.origin) / l.cell);
  while (l.cell * number > x - l.origin) number -= 1.0;
  while (l.cell * (number + 1.0) <= x - l.origin) number += 1.0;
  return number;
}

bool ref_map_find(const ref_map *map, throng_vec3 x, size_t *index) {
  return index_of(map, number_of(line_of(map, 0), x.x), number_of(line_of(map, 1), x.z), index);
}

bool ref_map_is_blocked(const ref_map *map, throng_vec3 x) {
  return cell_is_blocked(map, number_of(line_of(map, 0), x.x), number_of(line_of(map, 1), x.z));
}

static double border_part(line l, double number, double s, double w) {
  if (w == 0.0 || (w > 0.0 && number >= l.end) || (w < 0.0 && number < l.first)) return 2.0;
  return ((l.origin + l.cell * (w > 0.0 ? number + 1.0 : number)) - s) * (1.0 / w);
}

ref_map_hit ref_map_ray(const ref_map *map, throng_vec3 s, throng_vec3 w) {
  const ref_map_hit none = {2.0f, {0, 0, 0}};
  const line x = line_of(map, 0), z = line_of(map, 1);
  double i = number_of(x, s.x), j = number_of(z, s.z);
  for (;;) {
    const double tx = border_part(x, i, (double)s.x, (double)w.x);
    const double tz = border_part(z, j, (double)s.z, (double)w.z);
    const double t = tx <= tz ? tx : tz;
    if (!(t <= 1.0)) return none;
    const bool from_free = !cell_is_blocked(map, i, j);
    const double step_x = tx <= tz ? (w.x > 0.0f ? 1.0 : -1.0) : 0.0, step_z = tx <= tz ? 0.0 : w.z > 0.0f ? 1.0 : -1.0;
    i += step_x;
    j += step_z;
    if (from_free && cell_is_blocked(map, i, j)) {
      return (ref_map_hit){t > 0.0 ? (float)t : 0.0f, {(float)(0.0 - step_x), 0, (float)(0.0 - step_z)}};
    }
    if ((step_x > 0.0 && i >= x.end) || (step_x < 0.0 && i < x.first) || (step_z > 0.0 && j >= z.end) ||
        (step_z < 0.0 && j < z.first)) {
      return none; /* it leaves the map */
    }
  }
}

/* Limits an axis to the cells that are looked at from a coordinate. */
static void look_from(line *l, float coordinate) {
  const double number = number_of(*l, coordinate), half = floor(l->count / 2.0);
  if (!l->repeats) return;
  l->first = number - half;
  l->end = number + half + 1.0;
}

/* The surface nearest to x among the cells of the limits of both axes. */
static ref_map_surface nearest_along(const ref_map *map, const line along[2], throng_vec3 x, float reach) {
  const throng_cells_def *cells = map->cells;
  const double columns = along[0].end - along[0].first;
  const double size = (double)cells->cell, y[2] = {(double)x.x - (double)cells->origin.x, //
                                                   (double)x.z - (double)cells->origin.z};
  ref_map_surface best = {false, 0, {0, 0, 0}};
  double least = (double)reach;
  for (double k = 0.0; k < columns * (along[1].end - along[1].first); k += 1.0) {
    const double number[2] = {along[0].first + fmod(k, columns), along[1].first + floor(k / columns)};
    if (!cell_is_blocked(map, number[0], number[1])) continue;
    double depth[2], sign[2], out[2];
    for (int c = 0; c < 2; c++) {
      const double below = size * number[c] - y[c], above = y[c] - size * (number[c] + 1.0);
      depth[c] = above > below ? above : below;
      sign[c] = above > below ? 1.0 : -1.0;
      out[c] = depth[c] > 0.0 ? depth[c] : 0.0;
    }
    const double length = sqrt(out[0] * out[0] + out[1] * out[1]);
    const int deepest = depth[0] >= depth[1] ? 0 : 1;
    const double distance = length > 0.0 ? length : depth[deepest];
    if (best.found ? distance >= least : distance > least) continue;
    double normal[2] = {0.0, 0.0};
    if (length > 0.0) {
      for (int c = 0; c < 2; c++) normal[c] = sign[c] * out[c] / length;
    } else {
      normal[deepest] = sign[deepest];
    }
    least = distance;
    best = (ref_map_surface){true, (float)distance, {(float)normal[0], 0, (float)normal[1]}};
  }
  return best;
}

ref_map_surface ref_map_nearest(const ref_map *map, throng_vec3 x, float reach) {
  line along[2] = {line_of(map, 0), line_of(map, 1)};
  look_from(&along[0], x.x);
  look_from(&along[1], x.z);
  return nearest_along(map, along, x, reach);
}

ref_map_surface ref_map_straight(const ref_map *map, throng_vec3 x, int axis, float reach) {
  line along[2] = {line_of(map, 0), line_of(map, 1)};
  look_from(&along[axis], axis == 0 ? x.x : x.z);
  line *across = &along[1 - axis];
  across->first = number_of(*across, axis == 0 ? x.z : x.x);
  across->end = across->first + 1.0;
  return nearest_along(map, along, x, reach);
}

static bool is_inside(float x, float low, float high) { return x > low && x < high; }

throng_vec3 ref_map_cover(const ref_map *map, const ref_map_hider *who) {
  const throng_cells_def *cells = map->cells;
  line along[2] = {line_of(map, 0), line_of(map, 1)};
  look_from(&along[0], who->p.x);
  look_from(&along[1], who->p.z);
  const double columns = along[0].end - along[0].first;
  const double size = (double)cells->cell, r = size * 0.70710678118654752;
  const double p[2] = {(double)who->p.x, (double)who->p.z};
  throng_vec3 best = {NAN, 0, NAN};
  double nearest = INFINITY;
  for (double k = 0.0; k < columns * (along[1].end - along[1].first); k += 1.0) {
    const double i = along[0].first + fmod(k, columns), j = along[1].first + floor(k / columns);
    if (!cell_is_blocked(map, i, j)) continue;
    const double d[2] = {((double)cells->origin.x + size * (i + 0.5)) - p[0],
                         ((double)cells->origin.z + size * (j + 0.5)) - p[1]};
    const double away[2] = {d[0] - (double)who->dp.x, d[1] - (double)who->dp.z};
    const double l = sqrt(away[0] * away[0] + away[1] * away[1]);
    if (!(sqrt(d[0] * d[0] + d[1] * d[1]) - r <= (double)who->reach && l > 0.0)) continue;
    const double part = ((r + (double)who->body) + (double)who->distance) / l;
    const double cover[2] = {d[0] + away[0] * part, d[1] + away[1] * part};
    const throng_vec3 at = {(float)(p[0] + cover[0]), 0, (float)(p[1] + cover[1])};
    if (ref_map_is_blocked(map, at)) continue;
    if (who->box && !(is_inside(at.x, who->low.x, who->high.x) && is_inside(at.z, who->low.z, who->high.z))) continue;
    if (cover[0] * cover[0] + cover[1] * cover[1] >= nearest) continue;
    nearest = cover[0] * cover[0] + cover[1] * cover[1];
    best = (throng_vec3){(float)cover[0], 0, (float)cover[1]};
  }
  return best;
}
