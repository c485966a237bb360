/* tests/reference/reference_b_internal.h: vectors that know how wrong float32 may have them.
 * SPDX-License-Identifier: MIT */
#ifndef REFERENCE_B_INTERNAL_H
#define REFERENCE_B_INTERNAL_H

#include "reference/reference_b.h"

#include <math.h>

/* Unit roundoff of float32: a rounded operation is off by at most U times its result. */
#define U 0x1p-24
/* Absolute error of the polynomials for sine, cosine (and the arc tangent, in radians): some ulps of 1. */
#define POLYNOMIAL 5e-7
#define MARGIN 1e-4

/* A vector, and a bound on the distance from it to what float32 computes by the same formula. */
typedef struct fuzzy {
  double x, y, z;
  double error;
} fuzzy;

static inline double length(fuzzy a) { return sqrt(a.x * a.x + a.y * a.y + a.z * a.z); }
static inline double dot(fuzzy a, fuzzy b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline fuzzy add(fuzzy a, fuzzy b) {
  fuzzy s = {a.x + b.x, a.y + b.y, a.z + b.z, 0.0};
  s.error = a.error + b.error + U * length(s);
  return s;
}

static inline fuzzy scale(fuzzy a, double factor) {
  fuzzy s = {a.x * factor, a.y * factor, a.z * factor, 0.0};
  s.error = a.error * fabs(factor) + 2.0 * U * length(s); /* the factor is rounded, and the product */
  return s;
}

/* a / |a|, turned by at most error/|a| (doubled for the length in the divisor), rounded five times on the way. */
static inline fuzzy direction(fuzzy a) {
  const double len = length(a);
  if (len == 0.0) return (fuzzy){0.0, 0.0, 0.0, 0.0};
  return (fuzzy){a.x / len, a.y / len, a.z / len, 2.0 * a.error / len + 5.0 * U};
}

/* Scaling down to a ball is a projection: it never increases a distance. Rounding: m * m, the dot, root, quotient,
 * product. */
static inline fuzzy limit(fuzzy a, double m) {
  const double len = length(a);
  if (isinf(m)) return a;
  fuzzy s = len > m ? scale(a, m / len) : a;
  s.error = a.error + (len > 0.99 * m ? 6.0 * U * m : 0.0);
  return s;
}

static inline fuzzy exact(throng_vec3 v, bool spatial) {
  return (fuzzy){(double)v.x, spatial ? (double)v.y : 0.0, (double)v.z, 0.0};
}

/* Whether a decision `value < limit` is safe from rounding. */
static inline bool clear_of(double value, double threshold, double error, double measure) {
  const double gap = fabs(value - threshold);
  return gap > MARGIN * measure && gap > 4.0 * error;
}

/* What every part of the step needs. */
typedef struct book {
  const crowd *crowd;
  bool spatial;
  double dt;
  bool unsafe; /* a decision came too close */
} book;

/* From p to q; the shorter way round in periodic worlds. */
fuzzy book_difference(book *b, throng_vec3 p, throng_vec3 q);
fuzzy book_facing(const book *b, const crowd_agent *a);
/* reference_b_neighbours.c: the weighted sum of the four rules over neighbours. */
fuzzy book_neighbour_rules(book *b, uint32_t i);
/* reference_b_targets.c: of a behaviour that aims at a target. */
fuzzy book_aim(book *b, const crowd_agent *a, const throng_behaviour *want);

#endif
