/* curve.c: flattens curves to the points of a path. Formulas: docs/ARITHMETIC.md, "Curves".
 * Sources: Catmull and Rom, 1974; Yuksel, Schaefer and Keyser, Parameterization and Applications of Catmull-Rom Curves,
 * 2011 (centripetal); Wang, 1984 (the number of segments).
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <throng/path.h>

#include "base/definitions.h"
#include "base/error.h"
#include "base/span.h"

#define MOST_COORDINATE 1e12f
#define LEAST_TOLERANCE 1e-6f

typedef struct point {
  double at[3];
} point;
/* A cubic Bezier curve. */
typedef struct cubic {
  point b[4];
} cubic;
/* Where the flat points go. */
struct flat {
  throng_vec3 *points; /* [room] */
  throng_vec3 first, last;
  uint32_t room, count;
};

throng_curve_def throng_default_curve_def(void) {
  throng_curve_def def;
  memset(&def, 0, sizeof def);
  def.tolerance = 0.01f;
  def.cookie = THRONG_CURVE_COOKIE;
  return def;
}

/* Checks. */

static throng_vec3 load(const throng_curve_def *def, uint32_t k) {
  throng_vec3 p;
  memcpy(&p, span_at(def->points, sizeof p, k % def->count), sizeof p);
  return p;
}
static point exact(throng_vec3 p) { return (point){{(double)p.x, (double)p.y, (double)p.z}}; }
static bool same(throng_vec3 a, throng_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static throng_status check_count(const throng_curve_def *def, throng_error *error) {
  const bool bezier = def->kind == THRONG_CURVE_BEZIER;
  const uint32_t least = bezier ? (def->closed ? 3 : 4) : 2, over = def->closed ? 0 : 1;
  if (def->count < least || def->count > THRONG_MAX_PATH_POINTS) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "curve.count is %u, allowed: %u to %u", def->count, least,
                       THRONG_MAX_PATH_POINTS);
  }
  if (!bezier || def->count % 3 == over) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_BAD_VALUE, "curve.count is %u, allowed for %s Bezier curves: %s", def->count,
                     def->closed ? "closed" : "open", def->closed ? "3, 6, 9, ..." : "4, 7, 10, ...");
}

static throng_status check_curve(const throng_curve_def *def, throng_error *error) {
  static const char *const kinds[] = {"bezier", "catmull_rom", "centripetal", NULL};
  if (def->cookie != THRONG_CURVE_COOKIE) {
    return throng_fail(error, THRONG_ERROR_BAD_COOKIE,
                       "curve definition has a wrong cookie: it is not from throng_default_curve_def()");
  }
  TRY(throng_check_enum((int64_t)def->kind, kinds, "curve.kind", error));
  TRY(check_count(def, error));
  TRY(throng_check_range(def->tolerance, LEAST_TOLERANCE, KIND_MOST, "curve.tolerance", error));
  if (!def->points.data) return throng_fail(error, THRONG_ERROR_NULL_ARGUMENT, "curve.points.data is NULL");
  TRY(span_check_stride(def->points.stride, sizeof(throng_vec3), "curve.points.stride", error));
  const uint32_t last = def->closed ? def->count : def->count - 1;
  for (uint32_t k = 0; k < def->count; k++) {
    const throng_vec3 p = load(def, k);
    const float at[3] = {p.x, p.y, p.z};
    for (int c = 0; c < 3; c++) {
      char field[32];
      snprintf(field, sizeof field, "curve.points[%u].%c", k, "xyz"[c]);
      TRY(throng_check_range(at[c], -MOST_COORDINATE, MOST_COORDINATE, field, error));
    }
  }
  for (uint32_t k = 0; k < last && def->kind != THRONG_CURVE_BEZIER; k++) {
    if (!same(load(def, k), load(def, k + 1))) continue;
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "curve.points[%u] is the same as the one before it",
                       (k + 1) % def->count);
  }
  return THRONG_OK;
}

/* One cubic curve. */

/* The number of segments of equal parameter length with which no point is farther than the tolerance from the curve. */
static double segments_of(const cubic *curve, double tolerance) {
  double bend_sq = 0.0;
  for (int k = 0; k < 2; k++) {
    double sq = 0.0;
    for (int c = 0; c < 3; c++) {
      const double bend = curve->b[k].at[c] - 2.0 * curve->b[k + 1].at[c] + curve->b[k + 2].at[c];
      sq += bend * bend;
    }
    if (sq > bend_sq) bend_sq = sq;
  }
  const double segments = ceil(sqrt(0.75 * sqrt(bend_sq) / tolerance));
  return segments > 1.0 ? segments : 1.0;
}

static point between(point a, point b, double t) {
  for (int c = 0; c < 3; c++) a.at[c] += (b.at[c] - a.at[c]) * t;
  return a;
}
/* De Casteljau's construction. */
static point point_of(const cubic *curve, double t) {
  const point a = between(curve->b[0], curve->b[1], t), b = between(curve->b[1], curve->b[2], t),
              c = between(curve->b[2], curve->b[3], t);
  return between(between(a, b, t), between(b, c, t), t);
}

/* Adds a point, unless it is the last one. */
static void add_point(struct flat *flat, point p) {
  const throng_vec3 next = {(float)p.at[0], (float)p.at[1], (float)p.at[2]};
  if (flat->count > 0 && same(next, flat->last)) return;
  if (flat->count == 0) flat->first = next;
  if (flat->count < flat->room) flat->points[flat->count] = next;
  flat->last = next;
  flat->count++;
}

/* Adds the points of a curve after its beginning. */
static void add_cubic(struct flat *flat, const cubic *curve, double tolerance) {
  const double segments = segments_of(curve, tolerance);
  for (double k = 1.0; k < segments; k += 1.0) add_point(flat, point_of(curve, k / segments));
  add_point(flat, curve->b[3]);
}

/* The whole curve, cubic after cubic. */

static uint32_t cubics_of(const throng_curve_def *def) {
  if (def->kind == THRONG_CURVE_BEZIER) return def->count / 3;
  return def->closed ? def->count : def->count - 1;
}

/* The root of the distance between two points for a centripetal curve; 1 for others. */
static double knot(const throng_curve_def *def, point a, point b) {
  if (def->kind != THRONG_CURVE_CENTRIPETAL) return 1.0;
  const double x = b.at[0] - a.at[0], y = b.at[1] - a.at[1], z = b.at[2] - a.at[2];
  return sqrt(sqrt(x * x + y * y + z * z));
}

/* Returns 2 * middle - p. */
static point mirrored(point middle, point p) {
  for (int c = 0; c < 3; c++) p.at[c] = 2.0 * middle.at[c] - p.at[c];
  return p;
}

/* The cubic between control points k and k + 1 of a Catmull-Rom curve. */
static cubic catmull_rom(const throng_curve_def *def, uint32_t k) {
  const point from = exact(load(def, k)), to = exact(load(def, k + 1));
  const bool begins = k == 0 && !def->closed, ends = k + 2 == def->count && !def->closed;
  const point previous = begins ? mirrored(from, to) : exact(load(def, k + def->count - 1)),
              next = ends ? mirrored(to, from) : exact(load(def, k + 2));
  const double before = knot(def, previous, from), here = knot(def, from, to), after = knot(def, to, next);
  cubic curve = {{from, from, to, to}};
  for (int c = 0; c < 3; c++) {
    const double way = (to.at[c] - from.at[c]) / here;
    const double out = (from.at[c] - previous.at[c]) / before - (to.at[c] - previous.at[c]) / (before + here) + way;
    const double in = way - (next.at[c] - from.at[c]) / (here + after) + (next.at[c] - to.at[c]) / after;
    curve.b[1].at[c] += out * here / 3.0;
    curve.b[2].at[c] -= in * here / 3.0;
  }
  return curve;
}

static cubic cubic_of(const throng_curve_def *def, uint32_t k) {
  if (def->kind != THRONG_CURVE_BEZIER) return catmull_rom(def, k);
  cubic curve;
  for (uint32_t i = 0; i < 4; i++) curve.b[i] = exact(load(def, 3 * k + i));
  return curve;
}

/* Refuses curves that need more segments than a path has points. */
static throng_status check_segments(const throng_curve_def *def, throng_error *error) {
  double segments = 0.0;
  for (uint32_t k = 0; k < cubics_of(def); k++) {
    const cubic curve = cubic_of(def, k);
    segments += segments_of(&curve, (double)def->tolerance);
  }
  if (segments < THRONG_MAX_PATH_POINTS) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                     "curve.tolerance is %.9g: that takes %.0f segments, a path has at most %u", (double)def->tolerance,
                     segments, THRONG_MAX_PATH_POINTS - 1);
}

/* Writes the first `room` points; returns the number of all. */
static uint32_t flatten(const throng_curve_def *def, throng_vec3 *points, uint32_t room) {
  struct flat flat = {.points = points, .room = room};
  add_point(&flat, exact(load(def, 0)));
  for (uint32_t k = 0; k < cubics_of(def); k++) {
    const cubic curve = cubic_of(def, k);
    add_cubic(&flat, &curve, (double)def->tolerance);
  }
  return def->closed && flat.count > 1 && same(flat.first, flat.last) ? flat.count - 1 : flat.count;
}

throng_status throng_curve_flatten(const throng_curve_def *def, throng_vec3 *points, uint32_t capacity, uint32_t *count,
                                   throng_error *error) {
  REQUIRE_POINTER(def, error);
  REQUIRE_POINTER(count, error);
  TRY(check_curve(def, error));
  TRY(check_segments(def, error));
  const uint32_t needed = flatten(def, NULL, 0);
  if (needed < 2) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "curve.points: all points of the curve are the same");
  }
  *count = needed;
  if (!points) return THRONG_OK;
  if (needed > capacity) {
    return throng_fail(error, THRONG_ERROR_CAPACITY, "the curve has %u points, room for %u", needed, capacity);
  }
  flatten(def, points, needed);
  return THRONG_OK;
}
