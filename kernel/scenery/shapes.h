/* shapes.h: the geometry of scenery: how far a point is from a shape and on which side of it. Every shape is convex, and so
 * is its distance along a line: that is what the sweep stands on. In double precision with + - * / sqrt and compares alone.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_SHAPES_H
#define THRONG_SHAPES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

struct vec {
  double x, y, z;
};
static inline struct vec vec_of(const float p[3]) { return (struct vec){(double)p[0], (double)p[1], (double)p[2]}; }
static inline struct vec vec_add(struct vec a, struct vec b) { return (struct vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline struct vec vec_sub(struct vec a, struct vec b) { return (struct vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline struct vec vec_scale(struct vec a, double s) { return (struct vec){a.x * s, a.y * s, a.z * s}; }
static inline double vec_dot(struct vec a, struct vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline double vec_length(struct vec a) { return sqrt(vec_dot(a, a)); }
static inline struct vec vec_cross(struct vec a, struct vec b) {
  return (struct vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

enum shape_kind {
  SHAPE_BALL,  /* a centre, radius; a circle in planar worlds, where y is 0 */
  SHAPE_WALL,  /* planar: from a to b */
  SHAPE_BOX,   /* a least, b greatest corner */
  SHAPE_PLANE, /* a normal, of length 1; b a point of it: solid where the normal does not point */
  SHAPE_KINDS
};

struct shape {
  enum shape_kind kind;
  float a[3], b[3];
  float radius;
};

/* The nearest point of a shape: how far (negative inside), and the direction from there to the point that asks. */
struct nearest {
  double distance;
  struct vec normal;
};
struct nearest throng_shape_nearest(const struct shape *shape, struct vec p);

/* Whether the point lies inside: its surface is outside, and a wall has no inside. */
bool throng_shape_contains(const struct shape *shape, struct vec p);

/* Where a point that moves from p by d first comes within `margin` of the shape and still moves nearer: the part of the way
 * that it has done by then, 2 where it never does. */
double throng_shape_hit(const struct shape *shape, struct vec p, struct vec d, double margin, double tolerance,
                        struct vec *normal);

/* Whether the straight way from p to q meets the shape. Of walls this is exact, ends included; a wall that p stands on is
 * not met. */
bool throng_shape_meets(const struct shape *shape, struct vec p, struct vec q, double tolerance);

#endif
