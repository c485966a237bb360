/* tests/reference/reference_b_internal.h: vectors with a bound on float32's error.
 * SPDX-License-Identifier: MIT */
#ifndef REFERENCE_B_INTERNAL_H
#define REFERENCE_B_INTERNAL_H

#include "reference/reference_b.h"

#include <math.h>

/* Unit roundoff of float32: the error of a rounded operation is at most U times its result. */
#define U 0x1p-24
/* Bound on the absolute error of the polynomials for sine, cosine and the arc tangent (in radians): some ulps of 1. */
#define POLYNOMIAL 5e-7
/* Decisions that depend on less than this fraction of their scale are unsafe. */
#define MARGIN 1e-4

/* A vector, and a bound on its distance from the result of the same formula in float32. */
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
  s.error = a.error * fabs(factor) + 2.0 * U * length(s); /* factor and product are rounded */
  return s;
}

/* Returns a / |a|. The error of a changes the direction by at most error / |a|, and the error of the divisor by as much
 * again. Five operations round. */
static inline fuzzy direction(fuzzy a) {
  const double len = length(a);
  if (len == 0.0) return (fuzzy){0.0, 0.0, 0.0, 0.0};
  return (fuzzy){a.x / len, a.y / len, a.z / len, 2.0 * a.error / len + 5.0 * U};
}

/* Returns a, clipped to the length m. Clipping is a projection to a ball, which never increases a distance. It rounds
 * m * m, the dot product, the root, the quotient and the product. */
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

/* Whether rounding cannot change the decision `value < threshold`. It cannot if the two differ by more than 4 times
 * `error` and by more than MARGIN times `measure`, the scale of the decision. */
static inline bool clear_of(double value, double threshold, double error, double measure) {
  const double gap = fabs(value - threshold);
  return gap > MARGIN * measure && gap > 4.0 * error;
}

/* The step that ref_b_step computes. */
typedef struct book {
  const crowd *crowd;
  bool spatial;
  double dt;
  bool unsafe; /* a decision had too small a margin */
} book;

/* Returns the vector from p to q, by the minimum image in periodic worlds. */
fuzzy book_difference(book *b, throng_vec3 p, throng_vec3 q);
fuzzy book_facing(const book *b, const crowd_agent *a);
/* reference_b_neighbours.c: returns the weighted sum of separation, cohesion, alignment and avoidance. */
fuzzy book_neighbour_rules(book *b, uint32_t i);
/* reference_b_targets.c: returns the wanted acceleration of a behaviour that has a target. */
fuzzy book_aim(book *b, const crowd_agent *a, const throng_behaviour *want);
/* Returns the acceleration of arrive at a place at d. */
fuzzy book_arrive(book *b, const crowd_agent *a, fuzzy d, const throng_arrive *r);
/* Returns the behaviour that brakes an agent because all its targets are missing; NULL if there is none. */
const throng_behaviour *book_brake_entry(book *b, const crowd_agent *a);
/* Whether nothing drives the agents of a group, so that they brake. */
bool book_is_idle(const throng_group_def *g);
/* Returns the brake of an agent of such a group. */
fuzzy book_stand(const book *b, const crowd_agent *a);
/* Returns the acceleration that stops the agent, limited to max_speed / time_to_target of the behaviour. */
fuzzy book_brake(const book *b, const crowd_agent *a, const throng_behaviour *want);

#endif
