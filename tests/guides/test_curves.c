/* test_curves.c: compares flattened curves with the formulas of docs/ARITHMETIC.md, "Curves", bit by bit, and checks
 * the tolerance against independent forms of the curves: Bernstein polynomials, and the pyramid of Barry and Goldman
 * (1988).
 * SPDX-License-Identifier: MIT */
#include "support/random.h"
#include "support/stage.h"

#include <math.h>
#include <string.h>

#define MOST_POINTS 40u
#define ROOM 70000u

static uint64_t base_seed;
static throng_vec3 flat[ROOM], plain[ROOM];

typedef struct vec {
  double x, y, z;
} vec;

static vec mix(vec a, double s, vec b, double t) {
  return (vec){a.x * s + b.x * t, a.y * s + b.y * t, a.z * s + b.z * t};
}
static double distance(vec a, vec b) {
  return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}
static vec exact(throng_vec3 p) { return (vec){(double)p.x, (double)p.y, (double)p.z}; }

/* Distance from p to the segment from a to b. */
static double off_segment(vec p, vec a, vec b) {
  const double length = distance(a, b);
  if (length == 0.0) return distance(p, a);
  double t = ((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y) + (p.z - a.z) * (b.z - a.z)) / (length * length);
  t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
  return distance(p, mix(a, 1.0 - t, b, t));
}

/* The formulas of the page. */

static vec difference(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static vec over(vec a, double d) { return (vec){a.x / d, a.y / d, a.z / d}; }
static vec between(vec a, vec b, double t) {
  return (vec){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t};
}

static vec control(const throng_curve_def *def, uint32_t k) {
  return exact(((const throng_vec3 *)def->points.data)[k % def->count]);
}
static uint32_t pieces(const throng_curve_def *def) {
  return def->kind == THRONG_CURVE_BEZIER ? def->count / 3 : def->count - (def->closed ? 0 : 1);
}
/* The four points p0 to p3 of a piece of a Catmull-Rom curve. */
static void around(const throng_curve_def *def, uint32_t k, vec p[4]) {
  p[1] = control(def, k);
  p[2] = control(def, k + 1);
  const vec mirror0 = {2.0 * p[1].x - p[2].x, 2.0 * p[1].y - p[2].y, 2.0 * p[1].z - p[2].z},
            mirror3 = {2.0 * p[2].x - p[1].x, 2.0 * p[2].y - p[1].y, 2.0 * p[2].z - p[1].z};
  p[0] = k == 0 && !def->closed ? mirror0 : control(def, k + def->count - 1);
  p[3] = k + 2 == def->count && !def->closed ? mirror3 : control(def, k + 2);
}
static double knot(const throng_curve_def *def, vec a, vec b) {
  return def->kind == THRONG_CURVE_CENTRIPETAL ? sqrt(distance(b, a)) : 1.0;
}

static void make_piece(const throng_curve_def *def, uint32_t k, vec b[4]) {
  for (uint32_t i = 0; i < 4; i++) b[i] = control(def, 3 * k + i);
  if (def->kind == THRONG_CURVE_BEZIER) return;
  vec p[4];
  around(def, k, p);
  const double i = knot(def, p[0], p[1]), j = knot(def, p[1], p[2]), l = knot(def, p[2], p[3]);
  const vec w = over(difference(p[2], p[1]), j);
  const vec c = over(difference(p[1], p[0]), i), d = over(difference(p[2], p[0]), i + j),
            e = over(difference(p[3], p[1]), j + l), f = over(difference(p[3], p[2]), l);
  b[0] = p[1];
  b[1] =
      (vec){p[1].x + (c.x - d.x + w.x) * j / 3, p[1].y + (c.y - d.y + w.y) * j / 3, p[1].z + (c.z - d.z + w.z) * j / 3};
  b[2] =
      (vec){p[2].x - (w.x - e.x + f.x) * j / 3, p[2].y - (w.y - e.y + f.y) * j / 3, p[2].z - (w.z - e.z + f.z) * j / 3};
  b[3] = p[2];
}

static double bend(vec a, vec b, vec c) {
  const vec d = {a.x - 2.0 * b.x + c.x, a.y - 2.0 * b.y + c.y, a.z - 2.0 * b.z + c.z};
  return sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
}
static uint32_t segments_of(const vec b[4], float tolerance) {
  const double n = ceil(sqrt(0.75 * fmax(bend(b[0], b[1], b[2]), bend(b[1], b[2], b[3])) / (double)tolerance));
  return n > 1.0 ? (uint32_t)n : 1;
}

static uint32_t add(uint32_t count, vec p) {
  const throng_vec3 next = {(float)p.x, (float)p.y, (float)p.z};
  plain[count] = next;
  return count > 0 && distance(exact(next), exact(plain[count - 1])) == 0.0 ? count : count + 1;
}
static uint32_t flatten_plainly(const throng_curve_def *def) {
  uint32_t count = add(0, control(def, 0));
  for (uint32_t k = 0; k < pieces(def); k++) {
    vec b[4];
    make_piece(def, k, b);
    const uint32_t n = segments_of(b, def->tolerance);
    for (uint32_t s = 1; s < n; s++) {
      const double t = (double)s / n;
      const vec x = between(b[0], b[1], t), y = between(b[1], b[2], t), z = between(b[2], b[3], t);
      count = add(count, between(between(x, y, t), between(y, z, t), t));
    }
    count = add(count, b[3]);
  }
  return def->closed && count > 1 && distance(exact(plain[0]), exact(plain[count - 1])) == 0.0 ? count - 1 : count;
}

/* Independent forms of the curves. */

static vec bernstein(const vec b[4], double t) {
  const double s = 1.0 - t;
  return mix(mix(b[0], s * s * s, b[1], 3.0 * s * s * t), 1.0, mix(b[2], 3.0 * s * t * t, b[3], t * t * t), 1.0);
}
/* Barry and Goldman's pyramid: t from 0 to 1 between p[1] and p[2]. */
static vec pyramid(const throng_curve_def *def, const vec p[4], double t) {
  double at[4] = {0};
  for (int i = 1; i < 4; i++) at[i] = at[i - 1] + knot(def, p[i - 1], p[i]);
  const double x = at[1] + t * (at[2] - at[1]);
  vec level[4] = {p[0], p[1], p[2], p[3]};
  for (int i = 0; i < 3; i++) {
    const double s = (x - at[i]) / (at[i + 1] - at[i]);
    level[i] = mix(level[i], 1.0 - s, level[i + 1], s);
  }
  for (int i = 0; i < 2; i++) {
    const double s = (x - at[i]) / (at[i + 2] - at[i]);
    level[i] = mix(level[i], 1.0 - s, level[i + 1], s);
  }
  return mix(level[0], 1.0 - t, level[1], t);
}
static vec curve_at(const throng_curve_def *def, uint32_t k, double t) {
  vec p[4];
  if (def->kind == THRONG_CURVE_BEZIER) {
    for (uint32_t i = 0; i < 4; i++) p[i] = control(def, 3 * k + i);
    return bernstein(p, t);
  }
  around(def, k, p);
  return pyramid(def, p, t);
}

static throng_curve_def curve_of(throng_curve kind, const throng_vec3 *points, uint32_t count, bool closed,
                                 float tolerance) {
  throng_curve_def def = throng_default_curve_def();
  assert_true(def.kind == THRONG_CURVE_BEZIER && !def.closed && def.tolerance == 0.01f);
  def.kind = kind;
  def.points.data = points;
  def.count = count;
  def.closed = closed;
  def.tolerance = tolerance;
  return def;
}

/* What rounding may add: half a step of floats along each axis. */
static double rounding_of(const throng_curve_def *def) {
  double most = 0.0;
  for (uint32_t k = 0; k < def->count; k++) {
    const vec p = control(def, k);
    most = fmax(most, fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))));
  }
  return 2.0 * sqrt(3.0) * 0x1p-24 *
         most; /* a Catmull-Rom curve may leave the box of its points, but not by its size */
}

/* Flattens a curve, and compares it with the page's formulas. Returns the number of points. */
static uint32_t flatten(const throng_curve_def *def) {
  throng_error error;
  uint32_t count, needed;
  require_ok(throng_curve_flatten(def, NULL, 0, &needed, &error), &error);
  memset(flat, 0xff, sizeof flat[0] * (needed + 1));
  require_ok(throng_curve_flatten(def, flat, needed, &count, &error), &error);
  assert_true(count == needed && count >= 2 && isnan(flat[count].x)); /* nothing is written behind the points */
  assert_int_equal(flatten_plainly(def), count);
  assert_memory_equal(flat, plain, count * sizeof *flat);
  return count;
}

/* Returns the largest distance of the curve from the flat points' segments; every
 * sample is compared with all segments. */
static double error_of(const throng_curve_def *def, uint32_t count) {
  const uint32_t samples = 60;
  double worst = 0.0;
  for (uint32_t k = 0; k < pieces(def); k++) {
    for (uint32_t s = 0; s <= samples; s++) {
      const vec p = curve_at(def, k, (double)s / samples);
      double least = INFINITY;
      for (uint32_t i = 0; i + 1 < count + def->closed; i++)
        least = fmin(least, off_segment(p, exact(flat[i]), exact(flat[(i + 1) % count])));
      worst = fmax(worst, least);
    }
  }
  return worst;
}

/* Random control points; at random some are equal, in a line or far out. Bezier curves may then have cusps and
 * loops. */
static void random_points(test_rng *rng, throng_vec3 *points, uint32_t count, bool may_be_equal) {
  const float size = rng_chance(rng, 0.2f) ? 1e5f : 10.0f;
  for (uint32_t k = 0; k < count; k++) {
    points[k] = (throng_vec3){rng_float(rng, -size, size), rng_chance(rng, 0.5f) ? 0.0f : rng_float(rng, -size, size),
                              rng_float(rng, -size, size)};
    if (k > 0 && may_be_equal && rng_chance(rng, 0.3f)) points[k] = points[rng_below(rng, k)];
    if (k > 1 && rng_chance(rng, 0.2f))
      points[k] = (throng_vec3){2 * points[k - 1].x - points[k - 2].x, 0, points[k - 1].z};
    if (k > 0 && rng_chance(rng, 0.1f))
      points[k] = (throng_vec3){points[k - 1].x + 1e-3f, points[k - 1].y, points[k - 1].z};
  }
}

static void flat_curves_are_within_the_tolerance(void **state) {
  (void)state;
  test_rng rng = rng_from(base_seed);
  for (int round = 0; round < 300; round++) {
    throng_vec3 points[MOST_POINTS];
    const throng_curve kind = (throng_curve)(round % 3);
    const bool closed = rng_chance(&rng, 0.5f), bezier = kind == THRONG_CURVE_BEZIER;
    const uint32_t count = bezier ? 3 * (1 + rng_below(&rng, 3)) + !closed : 2 + rng_below(&rng, 6);
    random_points(&rng, points, count, bezier);
    const float tolerance = rng_chance(&rng, 0.3f) ? 1.0f : rng_float(&rng, 0.01f, 0.3f);
    const throng_curve_def def = curve_of(kind, points, count, closed, tolerance);
    throng_error error;
    uint32_t needed;
    const throng_status status = throng_curve_flatten(&def, NULL, 0, &needed, &error);
    if (status == THRONG_ERROR_BAD_VALUE) { /* by chance two points in a row are equal */
      assert_true(strstr(error.text, "the same") != NULL);
      continue;
    }
    const double worst = error_of(&def, flatten(&def));
    if (worst > (double)tolerance + rounding_of(&def))
      fail_msg("round %d: %.9g off, tolerance %.9g", round, worst, (double)tolerance);
  }
}

/* On a parabola with a whole number of segments the middle of each segment is exactly `tolerance` off. */
static void the_bound_is_reached(void **state) {
  (void)state;
  const throng_vec3 parabola[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 1}, {3, 0, 3}}; /* z = x (x - 1) / 2, plus a line */
  for (uint32_t n = 1; n < 20; n++) {
    const float tolerance = 0.75f / (float)(n * n) * 1.000001f;
    const throng_curve_def def = curve_of(THRONG_CURVE_BEZIER, parabola, 4, false, tolerance);
    assert_int_equal(flatten(&def), n + 1);
    double worst = 0.0;
    for (uint32_t k = 0; k < n; k++) { /* the point of the curve at the same parameter as a segment's middle */
      const vec middle = mix(exact(flat[k]), 0.5, exact(flat[k + 1]), 0.5);
      worst = fmax(worst, distance(middle, curve_at(&def, 0, ((double)k + 0.5) / n)));
    }
    assert_true(worst > 0.9999 * (double)tolerance && worst <= (double)tolerance + 1e-6);
  }
}

static void cusps_loops_and_lines(void **state) {
  (void)state;
  const throng_vec3 cusp[] = {{0, 0, 0}, {4, 0, 4}, {0, 0, 4}, {4, 0, 0}},
                    loop[] = {{0, 0, 0}, {9, 0, 4}, {-5, 0, 4}, {4, 0, 0}},
                    there[] = {{0, 0, 0}, {8, 0, 0}, {-8, 0, 0}, {0, 0, 0}},
                    line[] = {{1, 2, 3}, {2, 4, 6}, {3, 6, 9}, {4, 8, 12}},
                    stopped[] = {{0, 0, 0}, {0, 0, 0}, {5, 0, 5}, {5, 0, 5}};
  const throng_vec3 *const all[] = {cusp, loop, there, stopped};
  for (int k = 0; k < 4; k++) {
    const throng_curve_def def = curve_of(THRONG_CURVE_BEZIER, all[k], 4, false, 1e-3f);
    assert_true(error_of(&def, flatten(&def)) <= 1e-3 + rounding_of(&def));
  }
  const throng_curve_def straight = curve_of(THRONG_CURVE_BEZIER, line, 4, false, 1e-6f);
  assert_int_equal(flatten(&straight), 2);
  const throng_curve_def rounded = curve_of(THRONG_CURVE_CATMULL_ROM, line, 2, false, 1e-6f);
  assert_int_equal(flatten(&rounded), 2);
}

/* Closed curves through the corners of a square. An agent's world takes the points as they are. */
static void a_path_takes_the_points(void **state) {
  (void)state;
  const throng_vec3 square[] = {{0, 0, 0}, {10, 0, 0}, {10, 0, 10}, {0, 0, 10}};
  const throng_group_def g = stage_idle_group();
  throng_world *world = stage_world(NULL, &g);
  throng_error error;
  for (int kind = THRONG_CURVE_CATMULL_ROM; kind <= THRONG_CURVE_CENTRIPETAL; kind++) {
    const throng_curve_def def = curve_of((throng_curve)kind, square, 4, true, 0.01f);
    throng_path_def path = throng_default_path_def();
    path.count = flatten(&def);
    path.points.data = flat;
    path.closed = true;
    require_ok(throng_world_set_path(world, 0, &path, &error), &error);
    const float length = throng_world_path_length(world, 0);
    assert_true(length > 40.0f && length < 48.0f && path.count > 16 && path.count < 100);
    uint32_t corners = 0;
    for (uint32_t k = 0; k < path.count; k++)
      for (int c = 0; c < 4; c++) corners += flat[k].x == square[c].x && flat[k].z == square[c].z;
    assert_int_equal(corners, 4);
  }
  throng_world_destroy(world);
}

/* Between two close points with far neighbours, a uniform curve swings out; a centripetal one stays near. */
static void centripetal_curves_do_not_swing_out(void **state) {
  (void)state;
  const throng_vec3 uneven[] = {{0, 0, 0}, {10, 0, 0}, {10.2f, 0, 0.2f}, {0, 0, 10}};
  for (int kind = THRONG_CURVE_CATMULL_ROM; kind <= THRONG_CURVE_CENTRIPETAL; kind++) {
    const throng_curve_def def = curve_of((throng_curve)kind, uneven, 4, false, 1e-4f);
    const uint32_t count = flatten(&def);
    uint32_t k = 0;
    double swing = 0.0;
    while (flat[k].x != uneven[1].x || flat[k].z != uneven[1].z) k++;
    for (; k < count && flat[k].x != uneven[2].x; k++) swing = fmax(swing, distance(exact(flat[k]), exact(uneven[1])));
    if ((swing > 0.35) != (kind == THRONG_CURVE_CATMULL_ROM)) fail_msg("kind %d swings %g m out", kind, swing);
  }
}

static void refuse(const throng_curve_def *def, throng_status status, const char *field) {
  throng_error error;
  uint32_t count = 77;
  flat[0].x = 5.0f;
  require_error(throng_curve_flatten(def, flat, ROOM, &count, &error), status, &error);
  if (strstr(error.text, field) == NULL) fail_msg("'%s' is not in '%s'", field, error.text);
  assert_true(flat[0].x == 5.0f && count == 77);
}

static void curves_are_checked(void **state) {
  (void)state;
  const throng_vec3 good[] = {{0, 0, 0}, {1, 0, 4}, {2, 0, 4}, {3, 0, 0}, {0, 0, 0}};
  throng_error error;
  uint32_t count;
  throng_curve_def def = curve_of(THRONG_CURVE_BEZIER, good, 4, false, 0.01f);
  require_ok(throng_curve_flatten(&def, NULL, 0, &count, &error), &error);
  const uint32_t needed = count;
  flat[0].x = 5.0f;
  require_error(throng_curve_flatten(&def, flat, needed - 1, &count, &error), THRONG_ERROR_CAPACITY, &error);
  assert_true(flat[0].x == 5.0f && count == needed && needed > 2);
  require_error(throng_curve_flatten(NULL, flat, ROOM, &count, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
  require_error(throng_curve_flatten(&def, flat, ROOM, NULL, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
#define WITH(member, value, status, field)                                                                             \
  do {                                                                                                                 \
    throng_curve_def bad = def;                                                                                        \
    bad.member = value;                                                                                                \
    refuse(&bad, THRONG_ERROR_##status, field);                                                                        \
  } while (0)
  WITH(cookie, 0, BAD_COOKIE, "cookie");
  WITH(kind, (throng_curve)3, BAD_VALUE, "curve.kind");
  WITH(count, 5, BAD_VALUE, "curve.count is 5");
  WITH(count, 3, BAD_VALUE, "curve.count");
  WITH(count, 65537, BAD_VALUE, "curve.count");
  WITH(closed, true, BAD_VALUE, "closed Bezier");
  WITH(tolerance, 0.0f, BAD_VALUE, "curve.tolerance");
  WITH(tolerance, NAN, NOT_FINITE, "curve.tolerance");
  WITH(points.data, NULL, NULL_ARGUMENT, "curve.points.data");
  WITH(points.stride, 11, BAD_VALUE, "curve.points.stride");
  WITH(points.stride, THRONG_STRIDE_ONE, BAD_VALUE, "are the same");
#undef WITH
  throng_vec3 bad[4];
  memcpy(bad, good, sizeof bad);
  def.points.data = bad;
  bad[2].y = NAN;
  refuse(&def, THRONG_ERROR_NOT_FINITE, "curve.points[2].y");
  bad[2].y = 2e12f;
  refuse(&def, THRONG_ERROR_BAD_VALUE, "curve.points[2].y");
  bad[2].y = 1e12f; /* too many segments */
  refuse(&def, THRONG_ERROR_BAD_VALUE, "curve.tolerance is 0.01");
  def = curve_of(THRONG_CURVE_CENTRIPETAL, good, 5, true, 0.01f); /* the last point is the first one */
  refuse(&def, THRONG_ERROR_BAD_VALUE, "curve.points[0] is the same");
  def.count = 1;
  refuse(&def, THRONG_ERROR_BAD_VALUE, "curve.count");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flat_curves_are_within_the_tolerance),
      cmocka_unit_test(the_bound_is_reached),
      cmocka_unit_test(cusps_loops_and_lines),
      cmocka_unit_test(a_path_takes_the_points),
      cmocka_unit_test(centripetal_curves_do_not_swing_out),
      cmocka_unit_test(curves_are_checked),
  };
  base_seed = test_seed("curves", 3000);
  return cmocka_run_group_tests_name("curves", tests, NULL, NULL);
}
