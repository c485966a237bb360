/* tests/reference/reference_a_programs.c: reference A's velocity programs of reciprocal avoidance, as in
 * docs/ARITHMETIC.md, for one agent at a time. SPDX-License-Identifier: MIT */
#include "reference/reference_a_internal.h"

#define LEAST 1e-5f
#define STEPS 24
#define HARD 16 /* most hard half-spaces */
#define ROWS (STEPS * 2 + HARD)
#define FINE 0x1p-21f /* in space: sines of smaller angles are rounding errors */

typedef struct program {
  const frame *f;
  vec wish, aside, v;
  float limit;
  ref_half_spaces hard, soft;
  ref_half_space active[2 * STEPS];
  int actives;
} program;

static float least_of(const program *p) { return p->f->spatial ? p->limit * 0x1p-20f : LEAST; }

/* Finds the first of the half-spaces that are violated most, if that is more than *violation. */
static bool find_worst(const program *p, ref_half_spaces of, float *violation, ref_half_space *worst) {
  bool any = false;
  for (int k = 0; k < of.count; k++) {
    const float by = of.it[k].c - vec_dot(p->f, of.it[k].n, p->v);
    if (!(by > *violation)) continue;
    *violation = by;
    *worst = of.it[k];
    any = true;
  }
  return any;
}

static float dot_2d(vec a, vec b) { return a.x * b.x + a.z * b.z; }
static float place_on(ref_half_space line, vec v) { return v.x * line.n.z - v.z * line.n.x; }
static vec point_of(ref_half_space line, float t) {
  return (vec){line.n.x * line.c + line.n.z * t, 0.0f, line.n.z * line.c - line.n.x * t};
}
static float between(float t, float low, float high) {
  t = t > low ? t : low;
  return t < high ? t : high;
}

/* The part of a line in the disc that satisfies other lines; false if it is empty. */
static bool part_of(ref_half_space n, float limit, ref_half_spaces of, float *low, float *high) {
  const float square = limit * limit - n.c * n.c;
  if (!(square >= 0.0f)) return false;
  *high = sqrtf(square);
  *low = -*high;
  for (int k = 0; k < of.count; k++) {
    const ref_half_space m = of.it[k];
    const float slope = place_on(n, m.n), rest = m.c - n.c * dot_2d(m.n, n.n), t = rest / slope;
    if (slope > LEAST) {
      if (t > *low) *low = t;
    } else if (slope < -LEAST) {
      if (t < *high) *high = t;
    } else if (rest > 0.0f) {
      return false;
    }
  }
  return *low <= *high;
}

/* A plane in space: its axes, the radius of its disc, and the half-planes that it cuts. */
typedef struct flat {
  ref_half_space plane;
  vec axis_x, axis_z;
  float radius, noise;
  ref_half_space cut[ROWS];
} flat;

static vec flat_of(const program *p, const flat *a, vec v) {
  return (vec){vec_dot(p->f, a->axis_x, v), 0.0f, vec_dot(p->f, a->axis_z, v)};
}

static bool lay_flat(const program *p, ref_half_space plane, ref_half_spaces of, flat *out) {
  const vec n = plane.n;
  const float sign = n.z < 0.0f ? -1.0f : 1.0f, a = -1.0f / (sign + n.z), b = n.x * n.y * a;
  const float square = p->limit * p->limit - plane.c * plane.c;
  if (!(square >= 0.0f)) return false;
  out->plane = plane;
  out->axis_x = (vec){1.0f + sign * (n.x * n.x * a), sign * b, -(sign * n.x)};
  out->axis_z = (vec){b, sign + n.y * n.y * a, -n.y};
  out->radius = sqrtf(square);
  out->noise = p->limit * FINE;
  for (int k = 0; k < of.count; k++) {
    const vec m = flat_of(p, out, of.it[k].n);
    const float e = of.it[k].c - plane.c * vec_dot(p->f, n, of.it[k].n);
    const bool parallel = dot_2d(m, m) <= FINE * FINE;
    out->cut[k] = parallel ? (ref_half_space){{0, 0, 0}, out->noise < e ? 1e9f : -1e9f} : (ref_half_space){m, e};
  }
  return true;
}

/* The part of a line of a plane that satisfies the half-planes before the k-th; false if it is empty. */
static bool part_of_flat(const flat *a, ref_half_space line, int before, float *low, float *high) {
  const float square = a->radius * a->radius - line.c * line.c;
  if (!(square >= 0.0f)) return false;
  float wide_high = *high = sqrtf(square), wide_low = *low = -*high;
  for (int k = 0; k < before; k++) {
    const ref_half_space m = a->cut[k];
    const float slope = place_on(line, m.n), rest = m.c - line.c * dot_2d(m.n, line.n), inverse = 1.0f / slope;
    const float t = rest * inverse, wide = t - a->noise * inverse;
    if (slope > FINE) {
      if (t > *low) *low = t;
      if (wide > wide_low) wide_low = wide;
    } else if (slope < -FINE) {
      if (t < *high) *high = t;
      if (wide < wide_high) wide_high = wide;
    } else if (rest > a->noise) {
      return false;
    }
  }
  if (*high < *low) *low = *high = (wide_low + wide_high) * 0.5f;
  return wide_low <= wide_high;
}

/* The best point of a plane in the half-spaces `of`: nearest to `aim`, or farthest along it. */
static bool solve_flat(const program *p, ref_half_space plane, ref_half_spaces of, vec aim, bool farthest, vec *out) {
  flat a;
  if (!lay_flat(p, plane, of, &a)) return false;
  const vec way = flat_of(p, &a, aim);
  const float length = sqrtf(dot_2d(way, way)), scale = a.radius / length;
  vec at = farthest ? (vec){0, 0, 0} : way;
  if (length > (farthest ? FINE : a.radius)) at = (vec){way.x * scale, 0.0f, way.z * scale};
  for (int k = 0; k < of.count; k++) {
    float low, high;
    if (!(dot_2d(a.cut[k].n, at) < a.cut[k].c)) continue;
    const float inverse = 1.0f / sqrtf(dot_2d(a.cut[k].n, a.cut[k].n));
    const ref_half_space line = {vec_scale(a.cut[k].n, inverse), a.cut[k].c * inverse};
    if (!part_of_flat(&a, line, k, &low, &high)) return false;
    const float place = place_on(line, way);
    at = point_of(line, farthest ? (place > 0.0f ? high : low) : between(place, low, high));
  }
  *out = vec_add(vec_scale(plane.n, plane.c), vec_add(vec_scale(a.axis_x, at.x), vec_scale(a.axis_z, at.z)));
  return true;
}

/* The velocity nearest to the wish on the border n. */
static bool nearest_on(program *p, ref_half_space n) {
  const ref_half_spaces active = {p->active, p->actives};
  float low, high;
  if (p->f->spatial) return solve_flat(p, n, active, p->wish, false, &p->v);
  if (!part_of(n, p->limit, active, &low, &high)) return false;
  p->v = point_of(n, between(place_on(n, p->wish), low, high));
  return true;
}

/* The velocity farthest along `way` on the border n. */
static bool farthest_on(const program *p, ref_half_space n, ref_half_spaces of, vec way, vec *out) {
  float low, high;
  if (p->f->spatial) return solve_flat(p, n, of, way, true, out);
  if (!part_of(n, p->limit, of, &low, &high)) return false;
  *out = point_of(n, place_on(n, way) > 0.0f ? high : low);
  return true;
}

/* Satisfies the half-spaces. Returns false if *last cannot be satisfied with those before it. If STEPS are too few, v
 * becomes the last velocity that violated no hard one. */
static bool satisfy(program *p, ref_half_space *last, bool *hard) {
  vec held = {0.0f, 0.0f, 0.0f};
  for (int step = 0;; step++) {
    float violation = least_of(p);
    *hard = find_worst(p, p->hard, &violation, last);
    if (!*hard) held = p->v;
    if (step == STEPS) break;
    if (!*hard && !find_worst(p, p->soft, &violation, last)) return true;
    if (!*hard) p->wish = p->aside;
    if (!nearest_on(p, *last)) return false;
    p->active[p->actives++] = *last;
  }
  p->v = held;
  return true;
}

/* The velocity that violates n least, but no hard half-space, and no active one more than n. */
static bool violate_least(program *p, ref_half_space n) {
  ref_half_space border[ROWS];
  int borders = 0;
  vec v = vec_scale(n.n, p->limit);
  for (int k = 0; k < p->hard.count + p->actives; k++) {
    ref_half_space m = k < p->hard.count ? p->hard.it[k] : p->active[k - p->hard.count];
    if (k >= p->hard.count) {
      const vec d = vec_sub(m.n, n.n);
      const float length = sqrtf(vec_dot(p->f, d, d)), inverse = 1.0f / length;
      if (length <= LEAST) continue;
      m = (ref_half_space){vec_scale(d, inverse), (m.c - n.c) * inverse};
    }
    if (vec_dot(p->f, m.n, v) < m.c && !farthest_on(p, m, (ref_half_spaces){border, borders}, n.n, &v)) return false;
    border[borders++] = m;
  }
  p->v = v;
  return true;
}

static void share_violation(program *p, ref_half_space n, bool hard) {
  if (hard) {
    float violation = -5e8f;
    p->actives = 0;
    p->v = (vec){0.0f, 0.0f, 0.0f};
    if (!find_worst(p, p->soft, &violation, &n)) return;
  }
  for (int step = 0; step < STEPS; step++) {
    if (!violate_least(p, n)) return;
    p->active[p->actives++] = n;
    float violation = n.c - vec_dot(p->f, n.n, p->v) + least_of(p);
    if (!find_worst(p, p->soft, &violation, &n)) return;
  }
}

vec ref_a_solve(const frame *f, ref_half_spaces hard, ref_half_spaces soft, vec wish, vec aside, float limit) {
  program p = {.f = f, .wish = wish, .aside = aside, .v = wish, .limit = limit, .hard = hard, .soft = soft};
  ref_half_space last;
  bool is_hard;
  if (!satisfy(&p, &last, &is_hard)) share_violation(&p, last, is_hard);
  return p.v;
}
