/* shapes.h: the geometry of scenery: distances from shapes and hits of lines. Every shape is convex. So its distance
 * from a point that moves along a line is a convex function; the sweep relies on this. It uses double precision with +
 * - * / sqrt and comparisons alone.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_SCENERY_SHAPES_H
#define THRONG_KERNEL_SCENERY_SHAPES_H

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
  SHAPE_BALL,  /* a: centre; radius. A circle in planar worlds, with y = 0 */
  SHAPE_WALL,  /* planar: from a to b */
  SHAPE_BOX,   /* a: minimum corner, b: maximum corner */
  SHAPE_PLANE, /* a: unit normal, b: a point; solid on the side away from the normal */
  SHAPE_KINDS
};

struct shape {
  enum shape_kind kind;
  float a[3], b[3];
  float radius;
};

/* From where to where a shape extends along an axis; not for planes. */
static inline void shape_extent(const struct shape *shape, int axis, double *low, double *high) {
  const double a = (double)shape->a[axis], b = shape->kind == SHAPE_BALL ? a : (double)shape->b[axis];
  *low = (a < b ? a : b) - (double)shape->radius;
  *high = (a < b ? b : a) + (double)shape->radius;
}

/* The distance to a shape (negative inside), and the direction from its nearest point to the given point. */
struct nearest {
  double distance;
  struct vec normal;
};
struct nearest throng_shape_nearest(const struct shape *shape, struct vec p);

/* Twice the area of the triangle a, b, p in the x-z plane. Its sign is exact: above 0 on one side of the line
 * through a and b, below 0 on the other, 0 on the line. */
double throng_side_of(struct vec a, struct vec b, struct vec p);

/* Whether the point is inside. The surface is outside, and a wall has no inside. */
bool throng_shape_contains(const struct shape *shape, struct vec p);

/* A point moves from p by d. Returns the first fraction of d at which the point is within `margin` of the shape and is
 * coming nearer; 2 if there is none. */
double throng_shape_hit(const struct shape *shape, struct vec p, struct vec d, double margin, double tolerance,
                        struct vec *normal);

/* Whether the line from p to q meets the shape. For walls, ends included, the result is exact. If p is on the wall, it
 * is false. */
bool throng_shape_meets(const struct shape *shape, struct vec p, struct vec q, double tolerance);

/* Whether the shape hides p and q from each other: the line between them crosses a wall, whose ends count, or passes
 * through the inside of another shape. For walls this is exact. A wall that p or q is on does not count. */
bool throng_shape_hides(const struct shape *shape, struct vec p, struct vec q);

#endif
