/* tests/lanes/test_spatial_program.c: compares the programs of reciprocal avoidance in spatial worlds with an
 * exhaustive search in double precision, for random half-spaces. Compiled once per instruction set; exits with 77 if
 * the CPU lacks it. SPDX-License-Identifier: MIT */
#define SPATIAL 1
#define TEST_NAME "test_spatial_program"
#include "lanes/program_check.h"

static point times(point a, double s) { return (point){a.x * s, a.y * s, a.z * s}; }
static point cross(point a, point b) {
  return (point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/* The nearest allowed point so far, when each soft half-space is relaxed. */
typedef struct search {
  const problem *q;
  double relaxed, best;
  point found;
} search;

static double border_of(const search *s, uint32_t k) { return s->q->bound[k].c - (k < s->q->hard ? 0.0 : s->relaxed); }

static void try_point(search *s, point p) {
  const point d = plus(p, s->q->wish, -1.0);
  const double square = dot(d, d);
  if (square >= s->best || dot(p, p) > s->q->limit * s->q->limit * (1.0 + 1e-9)) return;
  for (uint32_t k = 0; k < s->q->count; k++)
    if (border_of(s, k) - dot(s->q->bound[k].n, p) > 1e-9) return;
  s->best = square;
  s->found = p;
}

/* Tries the point of a plane in the ball that is nearest to the wish. */
static void try_plane(search *s, uint32_t i) {
  const point n = s->q->bound[i].n, middle = times(n, border_of(s, i));
  const double room = s->q->limit * s->q->limit - dot(middle, middle);
  const point on = plus(s->q->wish, n, border_of(s, i) - dot(n, s->q->wish)), off = plus(on, middle, -1.0);
  if (room < 0.0) return;
  const double away = length(off), radius = sqrt(room);
  try_point(s, away > radius ? plus(middle, off, radius / away) : on);
}

/* Tries the point nearest to the wish of the part of the line where two planes meet that is allowed. Its ends are where
 * a third plane, or the sphere, meets the line. */
static void try_line(search *s, uint32_t i, uint32_t j) {
  const point a = s->q->bound[i].n, b = s->q->bound[j].n, across = cross(a, b);
  const double sine = dot(across, across), ca = border_of(s, i), cb = border_of(s, j);
  if (sine < 1e-18) return;
  const point way = times(across, 1.0 / sqrt(sine));
  const point at = times(plus(times(cross(b, across), ca), cross(across, a), cb), 1.0 / sine);
  const double room = s->q->limit * s->q->limit - dot(at, at);
  if (room < 0.0) return;
  double low = -sqrt(room), high = sqrt(room);
  for (uint32_t k = 0; k < s->q->count && low <= high; k++) {
    if (k == i || k == j) continue;
    const double slope = dot(s->q->bound[k].n, way), rest = border_of(s, k) - dot(s->q->bound[k].n, at);
    if (slope > 1e-12 && rest / slope > low) low = rest / slope;
    if (slope < -1e-12 && rest / slope < high) high = rest / slope;
  }
  if (low > high) return;
  const double t = dot(plus(s->q->wish, at, -1.0), way);
  try_point(s, plus(at, way, t < low ? low : t > high ? high : t));
}

/* The allowed point nearest to the wish is the wish, or on one plane, or on the line of two. */
static bool search_all(const problem *q, double relaxed, point *found) {
  search s = {q, relaxed, INFINITY, {0.0, 0.0, 0.0}};
  try_point(&s, q->wish);
  for (uint32_t i = 0; i < q->count; i++) {
    try_plane(&s, i);
    for (uint32_t j = 0; j < i; j++) try_line(&s, i, j);
  }
  *found = s.found;
  return s.best < INFINITY;
}

/* Whether planes that bind at p are nearly parallel, three of them nearly share a line, or one or two of them nearly
 * touch the sphere. Violations of 3e-6 m/s, which do not count, move p by 3e-5 m/s where the sine is 0.1. */
static bool is_sharp(const problem *q, point p) {
  const bound *bind[MOST_HARD + MOST_BOUNDS + 1];
  const double speed = length(p), least = q->twins ? 0.1 : 1e-3;
  const bound sphere = {times(p, speed > 0.0 ? -1.0 / speed : 0.0), 0.0};
  uint32_t binding = 0;
  for (uint32_t k = 0; k < q->count; k++)
    if (fabs(violation_at(&q->bound[k], p)) <= 1e-3) bind[binding++] = &q->bound[k];
  if (fabs(speed - q->limit) <= 1e-3) bind[binding++] = &sphere;
  for (uint32_t i = 0; i < binding; i++) {
    for (uint32_t j = 0; j < i; j++) {
      const point across = cross(bind[i]->n, bind[j]->n);
      if (length(across) < least) return true;
      for (uint32_t k = 0; k < j; k++)
        if (fabs(dot(across, bind[k]->n)) < least) return true;
    }
  }
  return false;
}

static point random_direction(test_rng *rng) {
  const double z = (double)rng_float(rng, -1.0f, 1.0f), angle = (double)rng_float(rng, -3.14159265f, 3.14159265f);
  const double r = sqrt(1.0 - z * z);
  return (point){r * cos(angle), r * sin(angle), z};
}

/* A random half-space; with `allows` it allows the point `inside`. */
static bound random_plane(test_rng *rng, double limit, point inside, bool allows) {
  const point n = random_direction(rng);
  const double slack = (double)rng_float(rng, 0.0f, 1.0f);
  return (bound){n, allows ? dot(n, inside) - slack * limit : (double)rng_float(rng, -1.2f, 1.2f) * limit};
}

/* A half-space that is almost that of another plane, or the other side of it. */
static bound twin_of(test_rng *rng, const bound *other) {
  const double tilt = pow(10.0, (double)rng_float(rng, -6.0f, -1.0f)), side = rng_chance(rng, 0.5f) ? 1.0 : -1.0;
  const point n = plus(times(other->n, side), random_direction(rng), tilt);
  const double shift = pow(10.0, (double)rng_float(rng, -6.0f, 0.0f));
  return (bound){times(n, 1.0 / length(n)), side * other->c - shift * (rng_chance(rng, 0.8f) ? 1.0 : -1.0)};
}

static point rounded(point p) { return (point){(double)(float)p.x, (double)(float)p.y, (double)(float)p.z}; }

static problem random_problem(test_rng *rng, uint32_t most_hard, uint32_t most_soft) {
  problem q = {.hard = rng_chance(rng, 0.3f) ? rng_below(rng, most_hard + 1) : 0};
  q.limit = (double)rng_float(rng, 0.5f, 3.0f);
  const uint32_t soft = rng_below(rng, most_soft + 1);
  const bool allows = rng_chance(rng, 0.6f);
  q.twins = rng_chance(rng, 0.2f);
  q.wish = rounded(times(random_direction(rng), q.limit * (double)rng_float(rng, 0.0f, 0.999f)));
  const point inside = times(random_direction(rng), q.limit * (double)rng_float(rng, 0.0f, 0.5f));
  for (; q.count < q.hard + soft; q.count++) {
    bound *it = &q.bound[q.count];
    *it = random_plane(rng, q.limit, inside, allows);
    if (q.twins && q.count > q.hard && rng_chance(rng, 0.3f))
      *it = twin_of(rng, &q.bound[q.hard + rng_below(rng, q.count - q.hard)]);
    if (q.count < q.hard && it->c > 0.0) it->c = 0.0;
  }
  return q;
}

static void known_programs(void **state) {
  (void)state;
  const problem none = {.wish = {0.5, 0.25, -0.25}, .limit = 1.0};
  assert_near(solve_one(none), 0.5, 0.25, -0.25);

  problem one = none; /* the projection on the plane */
  one.count = 1;
  one.bound[0] = (bound){{0.0, 1.0, 0.0}, 0.75};
  assert_near(solve_one(one), 0.5, 0.75, -0.25);

  problem corner = one; /* three planes meet in the velocity */
  corner.count = 3;
  corner.bound[1] = (bound){{-1.0, 0.0, 0.0}, -0.125};
  corner.bound[2] = (bound){{0.0, 0.0, 1.0}, 0.375};
  assert_near(solve_one(corner), 0.125, 0.75, 0.375);

  problem circle = one; /* the nearest velocity in the ball is on the plane's circle */
  circle.bound[0].c = 0.96;
  const double radius = 0.28 / hypot(0.5, 0.25);
  assert_near(solve_one(circle), 0.5 * radius, 0.96, -0.25 * radius);

  problem opposite = none; /* both are violated by 0.4 */
  opposite.count = 2;
  opposite.bound[0] = (bound){{1.0, 0.0, 0.0}, 0.4};
  opposite.bound[1] = (bound){{-1.0, 0.0, 0.0}, 0.4};
  assert_true(fabs(solve_one(opposite).x) < 1e-6);

  problem beyond = none; /* the plane is outside of the ball */
  beyond.count = 1;
  beyond.bound[0] = (bound){{0.0, 0.6f, 0.8f}, 1.5};
  assert_near(solve_one(beyond), 0.0, 0.6, 0.8);

  problem wall = none; /* the hard half-space holds, and the soft one is violated */
  wall.hard = 1;
  wall.count = 2;
  wall.bound[0] = (bound){{0.0, -1.0, 0.0}, -0.25};
  wall.bound[1] = (bound){{0.0, 1.0, 0.0}, 0.5};
  assert_true(fabs(solve_one(wall).y - 0.25) < 1e-6);
}

/* A program that a search found. The last of MOST_STEPS steps leads to a velocity that violates a hard half-space by
 * 0.28 m/s. So the program takes an earlier velocity. */
static void hard_half_spaces_hold(void **state) {
  (void)state;
  static const double rows[][4] = {
      {-0.073, 0.868, 0.492, -0.432},  {-0.988, -0.156, -0.007, -0.566}, {0.439, -0.455, -0.775, -0.171},
      {-0.87, 0.022, -0.492, -0.445},  {0.732, 0.351, 0.584, -0.321},    {-0.491, 0.639, -0.592, -0.22},
      {-0.321, -0.616, 0.72, -0.335},  {-0.701, -0.564, 0.437, -0.492},  {-0.497, 0.791, -0.357, -0.195},
      {0.521, 0.665, -0.536, -0.002},  {0.518, 0.797, -0.31, -0.044},    {-0.581, -0.788, 0.204, -0.476},
      {0.288, 0.339, 0.896, -0.468},   {-0.799, 0.001, -0.601, -0.307},  {-0.863, -0.471, 0.184, -0.444},
      {-0.597, -0.804, 0.037, -0.486}, {-0.891, 0.452, 0.048, -0.169},   {0.721, -0.131, 0.68, 0.205},
      {-0.566, -0.677, 0.471, -0.406}, {-0.619, -0.763, 0.186, -0.468},  {0.151, 0.055, 0.987, 0.106},
      {0.592, 0.804, -0.04, 0.486},    {-0.509, -0.12, 0.852, -0.19},    {0.438, 0.265, 0.859, 0.225},
      {-0.901, 0.286, -0.326, -0.222},
  };
  problem q = {.hard = 13, .count = sizeof rows / sizeof rows[0], .limit = 1.0};
  q.wish = (point){-0.22516628, -0.854466393, -0.454928866};
  for (uint32_t k = 0; k < q.count; k++) {
    const point n = {rows[k][0], rows[k][1], rows[k][2]};
    q.bound[k] = (bound){times(n, 1.0 / length(n)), rows[k][3]};
  }
  const point got = solve_one(q);
  double hard = -INFINITY, soft = -INFINITY;
  for (uint32_t k = 0; k < q.count; k++) {
    double *greatest = k < q.hard ? &hard : &soft;
    *greatest = fmax(*greatest, violation_at(&q.bound[k], got));
  }
  print_message("greatest violation of hard half-spaces %.1e m/s, of soft ones %.1e m/s\n", hard, soft);
  assert_true(hard < 2e-6 && soft > 1e-4);
}

int test_lanes_main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(known_programs), cmocka_unit_test(hard_half_spaces_hold),
                                     cmocka_unit_test(random_programs), cmocka_unit_test(large_programs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
