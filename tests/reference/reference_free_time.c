/* tests/reference/reference_free_time.c: computes in double precision how long a target can move before it meets
 * scenery. See docs/ARITHMETIC.md, "Scenery".
 * SPDX-License-Identifier: MIT */
#include "reference/reference_scenery.h"

#include <math.h>

typedef struct dvec {
  double c[3];
} dvec;

static dvec make(bool spatial, throng_vec3 a) {
  return (dvec){{(double)a.x, spatial ? (double)a.y : 0.0, (double)a.z}};
}
static dvec times(dvec a, double s) { return (dvec){{a.c[0] * s, a.c[1] * s, a.c[2] * s}}; }
static dvec minus(dvec a, dvec b) { return (dvec){{a.c[0] - b.c[0], a.c[1] - b.c[1], a.c[2] - b.c[2]}}; }
static double dot(dvec a, dvec b) { return a.c[0] * b.c[0] + a.c[1] * b.c[1] + a.c[2] * b.c[2]; }
static const throng_vec3 *point(throng_span span, uint32_t k) { return (const throng_vec3 *)span.data + k; }

/* A swept line. t is the fraction of `way` before the first hit; 2: no hit. */
typedef struct ray {
  dvec from, way;
  double t;
} ray;

static void meet(ray *r, double t) {
  if (t >= 0.0 && t <= 1.0 && t < r->t) r->t = t;
}

static void meet_wall(ray *r, dvec a, dvec b) {
  const dvec e = minus(b, a), g = minus(a, r->from), w = r->way;
  const double x = w.c[0] * e.c[2] - w.c[2] * e.c[0];
  if (x == 0.0) return;
  const double t = (g.c[0] * e.c[2] - g.c[2] * e.c[0]) / x, u = (g.c[0] * w.c[2] - g.c[2] * w.c[0]) / x;
  if (u >= 0.0 && u <= 1.0) meet(r, t);
}

static void meet_box(ray *r, dvec low, dvec high) {
  double in = -1.0, out = 1.0;
  for (int c = 0; c < 3; c++) {
    const double w = r->way.c[c], p = r->from.c[c];
    if (w == 0.0) {
      if (p < low.c[c] || p > high.c[c]) return;
      continue;
    }
    const double near = ((w > 0.0 ? low.c[c] : high.c[c]) - p) / w, far = ((w > 0.0 ? high.c[c] : low.c[c]) - p) / w;
    out = far < out ? far : out;
    in = near > in ? near : in;
  }
  if (in <= out) meet(r, in);
}

static void meet_plane(ray *r, throng_vec3 given, dvec q) {
  const double l = sqrt(dot(make(true, given), make(true, given)));
  const dvec n = {{(double)(float)((double)given.x * (1.0 / l)), (double)(float)((double)given.y * (1.0 / l)),
                   (double)(float)((double)given.z * (1.0 / l))}};
  const double m = -dot(n, r->way);
  if (m > 0.0) meet(r, dot(n, minus(r->from, q)) / m);
}

static void meet_ball(ray *r, dvec centre, double radius) {
  const dvec d = minus(r->from, centre);
  const double a = dot(r->way, r->way), b = dot(d, r->way), c = dot(d, d) - radius * radius;
  if (c >= 0.0 && b < 0.0 && b * b - a * c >= 0.0) meet(r, (-b - sqrt(b * b - a * c)) / a);
}

float ref_free_time(const throng_scenery_def *s, throng_vec3 q, throng_vec3 u, bool spatial, float most) {
  ray r = {.from = make(spatial, q), .way = times(make(spatial, u), (double)most), .t = 2.0};
  for (uint32_t k = 0; k < s->obstacle_count; k++)
    meet_ball(&r, make(spatial, *point(s->obstacle_centre, k)), (double)((const float *)s->obstacle_radius.data)[k]);
  for (uint32_t k = 0; k < s->wall_count; k++)
    meet_wall(&r, make(spatial, *point(s->wall_from, k)), make(spatial, *point(s->wall_to, k)));
  for (uint32_t k = 0; k < s->box_count; k++)
    meet_box(&r, make(spatial, *point(s->box_min, k)), make(spatial, *point(s->box_max, k)));
  for (uint32_t k = 0; k < s->plane_count; k++)
    meet_plane(&r, *point(s->plane_normal, k), make(spatial, *point(s->plane_point, k)));
  return r.t <= 1.0 ? (float)((double)most * r.t) : most;
}
