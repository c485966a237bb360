/* tests/lanes/program_check.h: what the tests of planar and spatial velocity programs share. They solve random programs
 * and compare the answers with an exhaustive search in double precision. The sources that include this file define
 * SPATIAL and TEST_NAME before, and search_all, is_sharp and random_problem after. SPDX-License-Identifier: MIT */
#ifndef TEST_LANES_PROGRAM_CHECK_H
#define TEST_LANES_PROGRAM_CHECK_H

#include "passes/reciprocal/velocity_program.h"

#include "lanes/main.h"
#include "support/check.h"
#include "support/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAMS 100000u
#define LARGE 320u /* programs with up to MOST_BOUNDS soft half-spaces */
#define MOST_BOUNDS 150u
#define PIECE 50u /* the most soft half-spaces of a large program that are put down at once */

/* In planar programs y is 0. */
typedef struct point {
  double x, y, z;
} point;
/* n . v >= c: a half-space, in planar programs a half-plane. */
typedef struct bound {
  point n;
  double c;
} bound;

/* One program: the hard half-spaces come first. */
typedef struct problem {
  uint32_t hard, count;
  bound bound[MOST_HARD + MOST_BOUNDS];
  point wish;
  double limit;
  bool twins; /* some soft half-spaces are almost parallel */
} problem;

static double dot(point a, point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static point plus(point a, point b, double s) { return (point){a.x + b.x * s, a.y + b.y * s, a.z + b.z * s}; }
static double length(point a) { return sqrt(dot(a, a)); }
static double violation_at(const bound *it, point p) { return it->c - dot(it->n, p); }

/* Finds the allowed velocity nearest to the wish, when each soft half-space is relaxed. Returns false without one. */
static bool search_all(const problem *q, double relaxed, point *found);
/* Whether violations that do not count can move the solution p by more than 1e-4 m/s. */
static bool is_sharp(const problem *q, point p);
static problem random_problem(test_rng *rng, uint32_t most_hard, uint32_t most_soft);

static void put_down_bound(half_space_row *row, uint32_t lane, const bound *it) {
  row->x[lane] = (float)it->n.x;
#if SPATIAL
  row->y[lane] = (float)it->n.y;
#endif
  row->z[lane] = (float)it->n.z;
  row->c[lane] = (float)it->c;
}

/* Puts down rows of hard or soft half-spaces, from a number in each lane's problem. Lanes without so many get none. */
static void put_down_rows(half_space_row *row, uint32_t rows, const problem problems[LANES], bool hard, uint32_t from) {
  static const bound none = {{0.0, 0.0, 0.0}, (double)NO_BORDER};
  for (uint32_t k = 0; k < rows; k++) {
    for (uint32_t lane = 0; lane < LANES; lane++) {
      const problem *q = &problems[lane];
      const uint32_t at = from + k + (hard ? 0 : q->hard);
      put_down_bound(&row[k], lane, at < (hard ? q->hard : q->count) ? &q->bound[at] : &none);
    }
  }
}

/* The soft half-spaces of programs that do not put down all of them at once. */
typedef struct pieces {
  const problem *problems;
  uint32_t rows, size;
} pieces;

static void look_at_pieces(struct velocity_program *program, struct worst *worst) {
  const pieces *p = program->context;
  for (uint32_t from = 0; from < p->rows; from += p->size) {
    program->soft = p->rows - from < p->size ? p->rows - from : p->size;
    put_down_rows(program->soft_row, program->soft, p->problems, false, from);
    look_at_rows(worst, program->soft_row, program->soft, program->v);
  }
}

/* Solves one program per lane. With a size, the program looks at its soft half-spaces in pieces of so many. */
static void solve(const problem problems[LANES], uint32_t size, point got[LANES]) {
  struct velocity_program *program = aligned_alloc(64, (sizeof *program + 63) / 64 * 64);
  pieces all = {problems, 0, size};
  float x[LANES], y[LANES], z[LANES], limit[LANES];
  assert_non_null(program);
  memset(program, 0, sizeof *program);
  for (uint32_t lane = 0; lane < LANES; lane++) {
    const problem *q = &problems[lane];
    x[lane] = (float)q->wish.x;
    y[lane] = (float)q->wish.y;
    z[lane] = (float)q->wish.z;
    limit[lane] = (float)q->limit;
    if (q->hard > program->hard) program->hard = q->hard;
    if (q->count - q->hard > all.rows) all.rows = q->count - q->hard;
  }
  program->wish = program->aside = program->v = (lv3){lf_load(x), lf_load(y), lf_load(z)};
  program->limit = lf_load(limit);
  put_down_rows(program->hard_row, program->hard, problems, true, 0);
  if (size) {
    program->look_at_soft = look_at_pieces;
    program->context = &all;
  } else {
    assert_true(all.rows <= MOST_SOFT);
    program->soft = all.rows;
    put_down_rows(program->soft_row, program->soft, problems, false, 0);
  }
  solve_velocities(program, lm_first(LANES));
  lf_store(x, program->v.x);
  lf_store(y, program->v.y);
  lf_store(z, program->v.z);
  for (uint32_t lane = 0; lane < LANES; lane++) got[lane] = (point){(double)x[lane], (double)y[lane], (double)z[lane]};
  free(program);
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
    const double violation = violation_at(&q->bound[k], got);
    if (k < q->hard && violation > t->worst_hard) t->worst_hard = violation;
    if (violation > worst) worst = violation;
  }
  assert_true(length(got) < q->limit * (1.0 + 1e-6));
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
  const double error = length(plus(got, exact, -1.0));
  if (error > t->worst) t->worst = error;
  if (error <= 1e-4) return;
  print_error("velocity (%g, %g, %g), exact (%g, %g, %g)\n", got.x, got.y, got.z, exact.x, exact.y, exact.z);
  fail();
}

/* Prints the tally, and requires that hard half-spaces hold and that most answers could be compared. */
static void report(const tally *t) {
  print_message("%u feasible, worst error %.1e m/s; %u with nearly parallel borders; %u infeasible\n", t->feasible,
                t->worst, t->sharp, t->infeasible);
  print_message("greatest violation of feasible programs %.1e m/s, of hard half-spaces %.1e m/s\n", t->worst_violation,
                t->worst_hard);
  assert_true(t->worst_hard < 2e-5 && t->sharp * 20 < t->feasible);
}

static void random_programs(void **state) {
  (void)state;
  test_rng rng = rng_from(test_seed(TEST_NAME, 45 - !SPATIAL));
  static problem problems[LANES];
  point got[LANES], in_pieces[LANES];
  tally t = {0};
  for (uint32_t round = 0; round < PROGRAMS / LANES; round++) {
    for (uint32_t lane = 0; lane < LANES; lane++) problems[lane] = random_problem(&rng, 3, 40);
    solve(problems, 0, got);
    solve(problems, 1 + round % PIECE, in_pieces);
    assert_memory_equal(got, in_pieces, sizeof got);
    for (uint32_t lane = 0; lane < LANES; lane++) check_answer(&problems[lane], got[lane], &t);
  }
  report(&t);
  assert_true(t.feasible > PROGRAMS / 4 && t.infeasible > PROGRAMS / 10);
}

/* Programs with more half-spaces than there are rows for, and with as many hard ones as a lane has. */
static void large_programs(void **state) {
  (void)state;
  test_rng rng = rng_from(test_seed(TEST_NAME, 46));
  static problem problems[LANES];
  point got[LANES];
  tally t = {0};
  for (uint32_t round = 0; round < LARGE / LANES; round++) {
    for (uint32_t lane = 0; lane < LANES; lane++) problems[lane] = random_problem(&rng, MOST_HARD, MOST_BOUNDS);
    solve(problems, PIECE, got);
    for (uint32_t lane = 0; lane < LANES; lane++) check_answer(&problems[lane], got[lane], &t);
  }
  report(&t);
  assert_true(t.feasible > LARGE / 8 && t.infeasible > LARGE / 10);
}

/* Solves one program in all lanes. */
static point solve_one(problem q) {
  static problem problems[LANES];
  point got[LANES];
  for (uint32_t lane = 0; lane < LANES; lane++) problems[lane] = q;
  solve(problems, 0, got);
  for (uint32_t lane = 1; lane < LANES; lane++) assert_memory_equal(&got[lane], &got[0], sizeof got[0]);
  return got[0];
}

static void assert_near(point got, double x, double y, double z) {
  if (length(plus(got, (point){x, y, z}, -1.0)) < 1e-6) return;
  print_error("velocity (%g, %g, %g), expected (%g, %g, %g)\n", got.x, got.y, got.z, x, y, z);
  fail();
}

#endif
