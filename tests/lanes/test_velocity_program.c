/* tests/lanes/test_velocity_program.c: compares the programs of reciprocal avoidance with an exhaustive search in
 * double precision, for random lines. Compiled once per instruction set; exits with 77 if the CPU lacks it.
 * SPDX-License-Identifier: MIT */
#define SPATIAL 0
#define TEST_NAME "test_velocity_program"
#include "lanes/program_check.h"

/* Whether p is in the disc and satisfies all lines, when each soft one is relaxed. */
static bool is_allowed(const problem *q, point p, double relaxed) {
  if (p.x * p.x + p.z * p.z > q->limit * q->limit * (1.0 + 1e-9)) return false;
  for (uint32_t k = 0; k < q->count; k++) {
    if (violation_at(&q->bound[k], p) > 1e-9 + (k < q->hard ? 0.0 : relaxed)) return false;
  }
  return true;
}

/* The nearest allowed point so far. */
typedef struct search {
  const problem *q;
  double relaxed, best;
  point found;
} search;

static void try_point(search *s, double x, double z) {
  const double dx = x - s->q->wish.x, dz = z - s->q->wish.z, square = dx * dx + dz * dz;
  if (square >= s->best || !is_allowed(s->q, (point){x, 0.0, z}, s->relaxed)) return;
  s->best = square;
  s->found = (point){x, 0.0, z};
}

/* The allowed point nearest to the wish is the wish, or on one line or the circle, or where two of these meet. */
static bool search_all(const problem *q, double relaxed, point *found) {
  search s = {q, relaxed, INFINITY, {0.0, 0.0, 0.0}};
  try_point(&s, q->wish.x, q->wish.z);
  for (uint32_t i = 0; i < q->count; i++) {
    const bound a = q->bound[i];
    const double ca = a.c - (i < q->hard ? 0.0 : relaxed), t = q->wish.x * a.n.z - q->wish.z * a.n.x;
    const double square = q->limit * q->limit - ca * ca, half = square > 0.0 ? sqrt(square) : 0.0;
    try_point(&s, a.n.x * ca + a.n.z * t, a.n.z * ca - a.n.x * t);
    if (square >= 0.0) {
      try_point(&s, a.n.x * ca + a.n.z * half, a.n.z * ca - a.n.x * half);
      try_point(&s, a.n.x * ca - a.n.z * half, a.n.z * ca + a.n.x * half);
    }
    for (uint32_t j = 0; j < i; j++) {
      const bound b = q->bound[j];
      const double cb = b.c - (j < q->hard ? 0.0 : relaxed), d = a.n.x * b.n.z - a.n.z * b.n.x;
      if (fabs(d) > 1e-9) try_point(&s, (ca * b.n.z - cb * a.n.z) / d, (a.n.x * cb - b.n.x * ca) / d);
    }
  }
  *found = s.found;
  return s.best < INFINITY;
}

/* Whether two lines that bind at p are nearly parallel. */
static bool is_sharp(const problem *q, point p) {
  for (uint32_t i = 0; i < q->count; i++) {
    if (fabs(violation_at(&q->bound[i], p)) > 1e-3) continue;
    for (uint32_t j = 0; j < i; j++) {
      const bound a = q->bound[i], b = q->bound[j];
      if (fabs(violation_at(&b, p)) <= 1e-3 && fabs(a.n.x * b.n.z - a.n.z * b.n.x) < 1e-3) return true;
    }
    const double square = q->limit * q->limit - q->bound[i].c * q->bound[i].c;
    if (square < 1e-6 * q->limit * q->limit) return true; /* the line touches the circle */
  }
  return false;
}

/* A random line; with `allows` it allows the point `inside`. */
static bound random_line(test_rng *rng, double limit, point inside, bool allows) {
  const double angle = (double)rng_float(rng, -3.14159265f, 3.14159265f);
  const point n = {cos(angle), 0.0, sin(angle)};
  const double slack = (double)rng_float(rng, 0.0f, 1.0f);
  return (bound){n, allows ? dot(n, inside) - slack * limit : (double)rng_float(rng, -1.2f, 1.2f) * limit};
}

static problem random_problem(test_rng *rng, uint32_t most_hard, uint32_t most_soft) {
  problem q = {.hard = rng_chance(rng, 0.3f) ? rng_below(rng, most_hard + 1) : 0};
  q.limit = (double)rng_float(rng, 0.5f, 3.0f);
  const uint32_t soft = rng_below(rng, most_soft + 1);
  const bool allows = rng_chance(rng, 0.6f);
  const float angle = rng_float(rng, -3.0f, 3.0f), speed = (float)q.limit * sqrtf(rng_float(rng, 0.0f, 0.999f));
  q.wish = (point){(double)(speed * cosf(angle)), 0.0, (double)(speed * sinf(angle))};
  const double x = q.limit * (double)rng_float(rng, -0.5f, 0.5f), z = q.limit * (double)rng_float(rng, -0.5f, 0.5f);
  const point inside = {x, 0.0, z};
  for (; q.count < q.hard + soft; q.count++) {
    q.bound[q.count] = random_line(rng, q.limit, inside, allows);
    if (q.count < q.hard && q.bound[q.count].c > 0.0) q.bound[q.count].c = 0.0;
  }
  return q;
}

static void known_programs(void **state) {
  (void)state;
  const problem none = {.wish = {0.5, 0.0, 0.25}, .limit = 1.0};
  assert_near(solve_one(none), 0.5, 0.0, 0.25);

  problem one = none; /* the projection on the line */
  one.count = 1;
  one.bound[0] = (bound){{0.0, 0.0, 1.0}, 0.75};
  assert_near(solve_one(one), 0.5, 0.0, 0.75);

  problem opposite = none; /* both are violated by 0.4; z is that of the first line's end on the circle */
  opposite.count = 2;
  opposite.bound[0] = (bound){{1.0, 0.0, 0.0}, 0.4};
  opposite.bound[1] = (bound){{-1.0, 0.0, 0.0}, 0.4};
  assert_true(fabs(solve_one(opposite).x) < 1e-6);

  problem beyond = none; /* the line is outside of the disc */
  beyond.count = 1;
  beyond.bound[0] = (bound){{0.6f, 0.0, 0.8f}, 1.5};
  assert_near(solve_one(beyond), 0.6, 0.0, 0.8);

  problem wall = none; /* the hard line holds, and the soft one is violated */
  wall.hard = 1;
  wall.count = 2;
  wall.bound[0] = (bound){{-1.0, 0.0, 0.0}, -0.25};
  wall.bound[1] = (bound){{1.0, 0.0, 0.0}, 0.5};
  assert_true(fabs(solve_one(wall).x - 0.25) < 1e-6);
}

int test_lanes_main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(known_programs), cmocka_unit_test(random_programs),
                                     cmocka_unit_test(large_programs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
