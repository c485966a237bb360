/* tests/lanes/test_velocity_program.c: compares the programs of reciprocal avoidance with an exhaustive search in
 * double precision, for random lines. Compiled once per instruction set; exits with 77 if the CPU lacks it.
 * SPDX-License-Identifier: MIT */
#define SPATIAL 0
#include "passes/reciprocal/velocity_program.h"

#include <throng/throng.h>

#include "support/check.h"
#include "support/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT2(token) #token
#define TEXT(token) TEXT2(token)

#define PROGRAMS 100000u
#define MOST_LINES 40u
#define MOST_WALLS 3u

typedef struct half_plane {
  double x, z, c;
} half_plane;
typedef struct point {
  double x, z;
} point;

/* One program: the hard lines come first. */
typedef struct problem {
  uint32_t hard, count;
  half_plane line[MOST_WALLS + MOST_LINES];
  point wish;
  double limit;
} problem;

static double violation_at(const half_plane *line, point p) { return line->c - line->x * p.x - line->z * p.z; }

/* Whether p is in the disc and satisfies all lines, when each soft one is relaxed. */
static bool is_allowed(const problem *q, point p, double relaxed) {
  if (p.x * p.x + p.z * p.z > q->limit * q->limit * (1.0 + 1e-9)) return false;
  for (uint32_t k = 0; k < q->count; k++) {
    if (violation_at(&q->line[k], p) > 1e-9 + (k < q->hard ? 0.0 : relaxed)) return false;
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
  if (square >= s->best || !is_allowed(s->q, (point){x, z}, s->relaxed)) return;
  s->best = square;
  s->found = (point){x, z};
}

/* The allowed point nearest to the wish is the wish, or on one line or the circle, or where two of these meet. */
static bool search_all(const problem *q, double relaxed, point *found) {
  search s = {q, relaxed, INFINITY, {0.0, 0.0}};
  try_point(&s, q->wish.x, q->wish.z);
  for (uint32_t i = 0; i < q->count; i++) {
    const half_plane a = q->line[i];
    const double ca = a.c - (i < q->hard ? 0.0 : relaxed), t = q->wish.x * a.z - q->wish.z * a.x;
    const double square = q->limit * q->limit - ca * ca, half = square > 0.0 ? sqrt(square) : 0.0;
    try_point(&s, a.x * ca + a.z * t, a.z * ca - a.x * t);
    if (square >= 0.0) {
      try_point(&s, a.x * ca + a.z * half, a.z * ca - a.x * half);
      try_point(&s, a.x * ca - a.z * half, a.z * ca + a.x * half);
    }
    for (uint32_t j = 0; j < i; j++) {
      const half_plane b = q->line[j];
      const double cb = b.c - (j < q->hard ? 0.0 : relaxed), d = a.x * b.z - a.z * b.x;
      if (fabs(d) > 1e-9) try_point(&s, (ca * b.z - cb * a.z) / d, (a.x * cb - b.x * ca) / d);
    }
  }
  *found = s.found;
  return s.best < INFINITY;
}

/* Whether two lines that bind at p are nearly parallel. */
static bool is_sharp(const problem *q, point p) {
  for (uint32_t i = 0; i < q->count; i++) {
    if (fabs(violation_at(&q->line[i], p)) > 1e-3) continue;
    for (uint32_t j = 0; j < i; j++) {
      const half_plane a = q->line[i], b = q->line[j];
      if (fabs(violation_at(&b, p)) <= 1e-3 && fabs(a.x * b.z - a.z * b.x) < 1e-3) return true;
    }
    const double square = q->limit * q->limit - q->line[i].c * q->line[i].c;
    if (square < 1e-6 * q->limit * q->limit) return true; /* the line touches the circle */
  }
  return false;
}

/* A random line; with `allows` it allows the point `inside`. */
static half_plane random_line(test_rng *rng, double limit, point inside, bool allows) {
  const double angle = (double)rng_float(rng, -3.14159265f, 3.14159265f), x = cos(angle), z = sin(angle);
  const double free = x * inside.x + z * inside.z, slack = (double)rng_float(rng, 0.0f, 1.0f);
  return (half_plane){x, z, allows ? free - slack * limit : (double)rng_float(rng, -1.2f, 1.2f) * limit};
}

static problem random_problem(test_rng *rng) {
  problem q = {.hard = rng_chance(rng, 0.3f) ? rng_below(rng, MOST_WALLS + 1) : 0};
  q.limit = (double)rng_float(rng, 0.5f, 3.0f);
  const uint32_t soft = rng_below(rng, MOST_LINES + 1);
  const bool allows = rng_chance(rng, 0.6f);
  const float angle = rng_float(rng, -3.0f, 3.0f), length = sqrtf(rng_float(rng, 0.0f, 0.999f));
  q.wish = (point){(double)((float)q.limit * length * cosf(angle)), (double)((float)q.limit * length * sinf(angle))};
  const point inside = {q.limit * (double)rng_float(rng, -0.5f, 0.5f), q.limit * (double)rng_float(rng, -0.5f, 0.5f)};
  for (; q.count < q.hard + soft; q.count++) {
    q.line[q.count] = random_line(rng, q.limit, inside, allows);
    if (q.count < q.hard && q.line[q.count].c > 0.0) q.line[q.count].c = 0.0;
  }
  return q;
}

/* Puts down the lines of a block's programs. */
static void put_down(struct velocity_program *program, const problem problems[LANES]) {
  float x[LANES], z[LANES], limit[LANES];
  memset(program, 0, sizeof *program);
  for (uint32_t lane = 0; lane < LANES; lane++) {
    const problem *q = &problems[lane];
    x[lane] = (float)q->wish.x;
    z[lane] = (float)q->wish.z;
    limit[lane] = (float)q->limit;
    if (q->hard > program->hard) program->hard = q->hard;
    if (q->count - q->hard > program->soft) program->soft = q->count - q->hard;
  }
  for (uint32_t lane = 0; lane < LANES; lane++) {
    const problem *q = &problems[lane];
    for (uint32_t k = 0; k < program->hard; k++) program->hard_row[k].c[lane] = NO_BORDER;
    for (uint32_t k = 0; k < program->soft; k++) program->soft_row[k].c[lane] = NO_BORDER;
    for (uint32_t k = 0; k < q->count; k++) {
      struct line_row *row = k < q->hard ? &program->hard_row[k] : &program->soft_row[k - q->hard];
      row->x[lane] = (float)q->line[k].x;
      row->z[lane] = (float)q->line[k].z;
      row->c[lane] = (float)q->line[k].c;
    }
  }
  program->wish.x = program->v.x = lf_load(x);
  program->wish.z = program->v.z = lf_load(z);
  program->limit = lf_load(limit);
}

/* What the programs were, and how large the errors are. */
typedef struct tally {
  uint32_t feasible, sharp, infeasible;
  double worst, worst_violation, worst_hard;
} tally;

static void check_answer(const problem *q, point got, tally *t) {
  double worst = 0.0;
  point exact;
  for (uint32_t k = 0; k < q->count; k++) {
    const double violation = violation_at(&q->line[k], got);
    if (k < q->hard && violation > t->worst_hard) t->worst_hard = violation;
    if (violation > worst) worst = violation;
  }
  assert_true(sqrt(got.x * got.x + got.z * got.z) < q->limit * (1.0 + 1e-6));
  if (!search_all(q, 0.0, &exact)) {
    t->infeasible++;
    if (worst > 1e-4 && search_all(q, worst - 1e-4, &exact)) {
      print_error("least violation is at least 1e-4 below %g\n", worst);
      fail();
    }
    return;
  }
  if (worst > t->worst_violation) t->worst_violation = worst;
  assert_true(worst <= 1e-4);
  if (is_sharp(q, exact)) {
    t->sharp++;
    return;
  }
  t->feasible++;
  const double error = hypot(got.x - exact.x, got.z - exact.z);
  if (error > t->worst) t->worst = error;
  if (error <= 1e-4) return;
  print_error("velocity (%g, %g), exact (%g, %g)\n", got.x, got.z, exact.x, exact.z);
  fail();
}

static void random_programs(void **state) {
  (void)state;
  test_rng rng = rng_from(test_seed("test_velocity_program", 44));
  static problem problems[LANES];
  struct velocity_program *program = aligned_alloc(64, (sizeof *program + 63) / 64 * 64);
  assert_non_null(program);
  tally t = {0};
  for (uint32_t round = 0; round < PROGRAMS / LANES; round++) {
    float x[LANES], z[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++) problems[lane] = random_problem(&rng);
    put_down(program, problems);
    solve_velocities(program, lm_first(LANES));
    lf_store(x, program->v.x);
    lf_store(z, program->v.z);
    for (uint32_t lane = 0; lane < LANES; lane++) {
      check_answer(&problems[lane], (point){(double)x[lane], (double)z[lane]}, &t);
    }
  }
  free(program);
  print_message("%u feasible, worst error %.1e m/s; %u with nearly parallel lines; %u infeasible\n", t.feasible,
                t.worst, t.sharp, t.infeasible);
  print_message("greatest violation of feasible programs %.1e m/s, of hard lines %.1e m/s\n", t.worst_violation,
                t.worst_hard);
  assert_true(t.worst_hard < 2e-5);
  assert_true(t.feasible > PROGRAMS / 4 && t.infeasible > PROGRAMS / 10);
}

/* Solves one program in all lanes. */
static point solve_one(problem q) {
  static problem problems[LANES];
  for (uint32_t lane = 0; lane < LANES; lane++) problems[lane] = q;
  struct velocity_program *program = aligned_alloc(64, (sizeof *program + 63) / 64 * 64);
  assert_non_null(program);
  float x[LANES], z[LANES];
  put_down(program, problems);
  solve_velocities(program, lm_first(LANES));
  lf_store(x, program->v.x);
  lf_store(z, program->v.z);
  free(program);
  for (uint32_t lane = 1; lane < LANES; lane++) assert_true(x[lane] == x[0] && z[lane] == z[0]);
  return (point){(double)x[0], (double)z[0]};
}

static void assert_near(point got, double x, double z) {
  if (hypot(got.x - x, got.z - z) < 1e-6) return;
  print_error("velocity (%g, %g), expected (%g, %g)\n", got.x, got.z, x, z);
  fail();
}

static void known_programs(void **state) {
  (void)state;
  const problem none = {.wish = {0.5, 0.25}, .limit = 1.0};
  assert_near(solve_one(none), 0.5, 0.25);

  problem one = none; /* the projection on the line */
  one.count = 1;
  one.line[0] = (half_plane){0.0, 1.0, 0.75};
  assert_near(solve_one(one), 0.5, 0.75);

  problem opposite = none; /* both are violated by 0.4; z is that of the first line's end on the circle */
  opposite.count = 2;
  opposite.line[0] = (half_plane){1.0, 0.0, 0.4};
  opposite.line[1] = (half_plane){-1.0, 0.0, 0.4};
  assert_true(fabs(solve_one(opposite).x) < 1e-6);

  problem beyond = none; /* the line is outside of the disc */
  beyond.count = 1;
  beyond.line[0] = (half_plane){0.6f, 0.8f, 1.5};
  assert_near(solve_one(beyond), 0.6, 0.8);

  problem wall = none; /* the hard line holds, and the soft one is violated */
  wall.hard = 1;
  wall.count = 2;
  wall.line[0] = (half_plane){-1.0, 0.0, -0.25};
  wall.line[1] = (half_plane){1.0, 0.0, 0.5};
  const point got = solve_one(wall);
  assert_true(fabs(got.x - 0.25) < 1e-6);
}

int main(void) {
  const char *name = TEXT(THRONG_PASS_ISA);
  if (!throng_isa_is_available(throng_isa_from_name(name))) {
    printf("this CPU lacks %s\n", name);
    return 77;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(known_programs), cmocka_unit_test(random_programs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
