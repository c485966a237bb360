/* tests/reference/reference_sight.c
 * SPDX-License-Identifier: MIT */
#include "reference/reference_sight.h"

#include <math.h>

typedef struct point {
  double x, y, z;
} point;

static point of(throng_vec3 a, bool spatial) { return (point){(double)a.x, spatial ? (double)a.y : 0.0, (double)a.z}; }
static point minus(point a, point b) { return (point){a.x - b.x, a.y - b.y, a.z - b.z}; }
static double dot(point a, point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static const throng_vec3 *element(throng_span span, uint32_t k) { return (const throng_vec3 *)span.data + k; }

/* The sign of the side of the line from a to b on which p is. The products are compared, not subtracted. */
static int side(point a, point b, point p) {
  const double left = (b.x - a.x) * (p.z - a.z), right = (b.z - a.z) * (p.x - a.x);
  return (left > right) - (left < right);
}

static bool wall_hides(point a, point b, point p, point q) {
  return side(a, b, p) * side(a, b, q) < 0 && side(p, q, a) * side(p, q, b) <= 0;
}

static bool ball_hides(point centre, double radius, point p, point q) {
  const point d = minus(centre, p), way = minus(q, p);
  double t = dot(way, way) > 0.0 ? dot(d, way) / dot(way, way) : 0.0;
  t = t > 1.0 ? 1.0 : t > 0.0 ? t : 0.0;
  const point off = {d.x - way.x * t, d.y - way.y * t, d.z - way.z * t};
  return dot(off, off) < radius * radius;
}

static bool box_hides(point low, point high, point p, point q) {
  const double lows[3] = {low.x, low.y, low.z}, highs[3] = {high.x, high.y, high.z};
  const double from[3] = {p.x, p.y, p.z}, to[3] = {q.x, q.y, q.z};
  double enter = 0.0, leave = 1.0;
  for (int c = 0; c < 3; c++) {
    const double way = to[c] - from[c];
    if (way == 0.0 && !(from[c] > lows[c] && from[c] < highs[c])) return false;
    if (way == 0.0) continue;
    const double a = (lows[c] - from[c]) / way, b = (highs[c] - from[c]) / way;
    enter = fmax(enter, fmin(a, b));
    leave = fmin(leave, fmax(a, b));
  }
  return enter < leave;
}

static bool plane_hides(const throng_scenery_def *s, uint32_t k, point p, point q) {
  const point n = of(*element(s->plane_normal, k), true), at = of(*element(s->plane_point, k), true);
  const double l = 1.0 / sqrt(dot(n, n));
  const point unit = {(double)(float)(n.x * l), (double)(float)(n.y * l), (double)(float)(n.z * l)};
  return (dot(unit, minus(p, at)) < 0.0) != (dot(unit, minus(q, at)) < 0.0);
}

static bool shapes_hide(const throng_scenery_def *s, point p, point q, bool spatial) {
  for (uint32_t k = 0; k < s->wall_count; k++)
    if (wall_hides(of(*element(s->wall_from, k), false), of(*element(s->wall_to, k), false), p, q)) return true;
  for (uint32_t k = 0; k < s->obstacle_count; k++) {
    const double radius = (double)((const float *)s->obstacle_radius.data)[k];
    if (ball_hides(of(*element(s->obstacle_centre, k), spatial), radius, p, q)) return true;
  }
  for (uint32_t k = 0; k < s->box_count; k++)
    if (box_hides(of(*element(s->box_min, k), true), of(*element(s->box_max, k), true), p, q)) return true;
  for (uint32_t k = 0; k < s->plane_count; k++)
    if (plane_hides(s, k, p, q)) return true;
  return false;
}

static bool is_blocked(const throng_cells_def *c, double i, double j) {
  if (!(i >= 0.0 && j >= 0.0 && i < (double)c->width && j < (double)c->height)) return false;
  return c->blocked[(size_t)j * c->width + (size_t)i] != 0;
}

/* The number of a cell: size * number <= distance < size * (number + 1). The quotient may round to the next number. */
static double number_of(double distance, double size) {
  const double number = floor(distance / size);
  return size * number > distance ? number - 1.0 : size * (number + 1.0) <= distance ? number + 1.0 : number;
}

/* Walks through the crossings of borders in order. i and j are numbers of cells; a point on a border is in the cell
 * above it. */
static bool cells_hide(const throng_cells_def *c, point p, point q) {
  const double ox = (double)c->origin.x, oz = (double)c->origin.z, size = (double)c->cell;
  double i = number_of(p.x - ox, size), j = number_of(p.z - oz, size);
  const double last_i = number_of(q.x - ox, size), last_j = number_of(q.z - oz, size);
  const double di = (last_i > i) - (last_i < i), dj = (last_j > j) - (last_j < j);
  if (di == 0.0 && dj == 0.0) return false;
  while (!is_blocked(c, i, j)) {
    if (i == last_i && j == last_j) return false;
    const double bx = ox + size * (di > 0.0 ? i + 1.0 : i), bz = oz + size * (dj > 0.0 ? j + 1.0 : j);
    /* The crossings are at (bx - p.x) / (q.x - p.x) and (bz - p.z) / (q.z - p.z) of the line. */
    const double along_x = fabs(bx - p.x) * fabs(q.z - p.z), along_z = fabs(bz - p.z) * fabs(q.x - p.x);
    const bool both = i != last_i && j != last_j;
    if (both && along_x == along_z) {
      if (is_blocked(c, i + di, j) && is_blocked(c, i, j + dj)) return true;
      i += di;
      j += dj;
    } else if (i != last_i && (!both || along_x < along_z)) {
      i += di;
    } else {
      j += dj;
    }
  }
  return true;
}

bool ref_sees(const throng_scenery_def *scenery, const throng_cells_def *cells, throng_vec3 p, throng_vec3 q,
              bool spatial) {
  const point from = of(p, spatial), to = of(q, spatial);
  if (scenery && shapes_hide(scenery, from, to, spatial)) return false;
  return !cells || !cells_hide(cells, from, to);
}
