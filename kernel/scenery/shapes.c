/* shapes.c: see shapes.h. SPDX-License-Identifier: MIT */
#include "scenery/shapes.h"

/* a b = *product + *error, exactly (Veltkamp's split, Dekker's product). */
static void multiply_exactly(double a, double b, double *product, double *error) {
  const double split = 134217729.0; /* 2^27 + 1 */
  double ca = split * a, cb = split * b;
  double a1 = ca - (ca - a), b1 = cb - (cb - b), a2 = a - a1, b2 = b - b1;
  *product = a * b;
  *error = a2 * b2 - (((*product - a1 * b1) - a2 * b1) - a1 * b2);
}

/* Adds `term` to an exact sum, stored in parts of rising size (Shewchuk 1997, grow-expansion). */
static void grow_expansion(double *part, int *parts, double term) {
  for (int k = 0; k < *parts; k++) {
    double sum = term + part[k], added = sum - term;
    part[k] = (term - (sum - added)) + (part[k] - added);
    term = sum;
  }
  part[(*parts)++] = term;
}

double throng_side_of(struct vec a, struct vec b, struct vec p) {
  const double left = (b.x - a.x) * (p.z - a.z), right = (b.z - a.z) * (p.x - a.x), area = left - right;
  const double doubt = 0x1p-50 * (fabs(left) + fabs(right));
  if (area > doubt || area < -doubt) return area;
  const double factor[6][2] = {{b.x, p.z}, {-b.x, a.z}, {-a.x, p.z}, {-b.z, p.x}, {b.z, a.x}, {a.z, p.x}};
  double part[12];
  int parts = 0;
  for (int k = 0; k < 6; k++) {
    double product, error;
    multiply_exactly(factor[k][0], factor[k][1], &product, &error);
    grow_expansion(part, &parts, error);
    grow_expansion(part, &parts, product);
  }
  while (parts > 1 && part[parts - 1] == 0.0) parts--;
  return part[parts - 1];
}

static struct nearest nearest_of_point(struct vec point, struct vec p) {
  struct vec d = vec_sub(p, point);
  double distance = vec_length(d);
  return (struct nearest){distance, distance > 0.0 ? vec_scale(d, 1.0 / distance) : (struct vec){1.0, 0.0, 0.0}};
}

static struct nearest nearest_of_wall(const struct shape *wall, struct vec p) {
  struct vec a = vec_of(wall->a), b = vec_of(wall->b), along = vec_sub(b, a);
  double square = vec_dot(along, along), t = vec_dot(vec_sub(p, a), along);
  if (t <= 0.0) return nearest_of_point(a, p);
  if (t >= square) return nearest_of_point(b, p);
  double inverse = 1.0 / sqrt(square), area = throng_side_of(a, b, p);
  double scale = area < 0.0 ? -inverse : inverse;
  return (struct nearest){area * scale, {-along.z * scale, 0.0, along.x * scale}};
}

/* Returns the distance and direction from a box to p. If p is outside, they are from the nearest corner, edge or face.
 * If p is inside or on the surface, they are from the nearest face; on a tie x comes before y, and y before z. */
static struct nearest nearest_of_box(const struct shape *box, struct vec p) {
  const double at[3] = {p.x, p.y, p.z};
  double out[3], depth[3], sign[3];
  int face = 0;
  for (int c = 0; c < 3; c++) {
    double below = (double)box->a[c] - at[c], above = at[c] - (double)box->b[c];
    depth[c] = above > below ? above : below;
    sign[c] = above > below ? 1.0 : -1.0;
    out[c] = depth[c] > 0.0 ? sign[c] * depth[c] : 0.0;
    if (depth[c] > depth[face]) face = c;
  }
  if (depth[face] > 0.0) return nearest_of_point((struct vec){0.0, 0.0, 0.0}, (struct vec){out[0], out[1], out[2]});
  struct nearest nearest = {depth[face], {0.0, 0.0, 0.0}};
  *(face == 0 ? &nearest.normal.x : face == 1 ? &nearest.normal.y : &nearest.normal.z) = sign[face];
  return nearest;
}

struct nearest throng_shape_nearest(const struct shape *shape, struct vec p) {
  switch (shape->kind) {
  case SHAPE_WALL:
    return nearest_of_wall(shape, p);
  case SHAPE_BOX:
    return nearest_of_box(shape, p);
  case SHAPE_PLANE: {
    struct vec normal = vec_of(shape->a);
    return (struct nearest){vec_dot(normal, vec_sub(p, vec_of(shape->b))), normal};
  }
  default: {
    struct nearest centre = nearest_of_point(vec_of(shape->a), p);
    centre.distance -= (double)shape->radius;
    return centre;
  }
  }
}

bool throng_shape_contains(const struct shape *shape, struct vec p) {
  return throng_shape_nearest(shape, p).distance < 0.0;
}

/* Uses Newton's method, starting outside of the shape. The distance is convex along the line, so no iteration goes
 * beyond the hit. */
double throng_shape_hit(const struct shape *shape, struct vec p, struct vec d, double margin, double tolerance,
                        struct vec *normal) {
  double t = 0.0;
  for (int step = 0; step < 40; step++) {
    struct nearest nearest = throng_shape_nearest(shape, vec_add(p, vec_scale(d, t)));
    double nearing = -vec_dot(nearest.normal, d), gap = nearest.distance - margin;
    if (!(nearing > 0.0)) return 2.0;
    *normal = nearest.normal;
    if (gap <= tolerance) return t;
    t += gap / nearing;
    if (t > 1.0) return 2.0;
  }
  return t;
}

static double least(double a, double b) { return a < b ? a : b; }
static double most(double a, double b) { return a > b ? a : b; }

/* Whether the segment from p to q crosses a wall. Two closed segments cross if the ends of each are on different sides
 * of the other's line. */
static bool crosses_wall(const struct shape *wall, struct vec p, struct vec q) {
  const struct vec a = vec_of(wall->a), b = vec_of(wall->b);
  const double p_side = throng_side_of(a, b, p), q_side = throng_side_of(a, b, q);
  if ((p_side > 0.0 && q_side > 0.0) || (p_side < 0.0 && q_side < 0.0)) return false;
  const double a_side = throng_side_of(p, q, a), b_side = throng_side_of(p, q, b);
  if ((a_side > 0.0 && b_side > 0.0) || (a_side < 0.0 && b_side < 0.0)) return false;
  const struct vec low = {least(a.x, b.x), 0.0, least(a.z, b.z)}, high = {most(a.x, b.x), 0.0, most(a.z, b.z)};
  if (p_side == 0.0 && p.x >= low.x && p.x <= high.x && p.z >= low.z && p.z <= high.z) return false; /* p is on it */
  if (p_side != 0.0 || q_side != 0.0) return true;
  return least(p.x, q.x) <= high.x && most(p.x, q.x) >= low.x && least(p.z, q.z) <= high.z && most(p.z, q.z) >= low.z;
}

bool throng_shape_meets(const struct shape *shape, struct vec p, struct vec q, double tolerance) {
  if (shape->kind == SHAPE_WALL) return crosses_wall(shape, p, q);
  struct vec normal;
  return throng_shape_contains(shape, q) ||
         throng_shape_hit(shape, p, vec_sub(q, p), -2.0 * tolerance, tolerance, &normal) <= 1.0;
}

static bool wall_hides(const struct shape *wall, struct vec p, struct vec q) {
  const struct vec a = vec_of(wall->a), b = vec_of(wall->b);
  const double p_side = throng_side_of(a, b, p), q_side = throng_side_of(a, b, q);
  if (!((p_side > 0.0 && q_side < 0.0) || (p_side < 0.0 && q_side > 0.0))) return false;
  const double a_side = throng_side_of(p, q, a), b_side = throng_side_of(p, q, b);
  return !((a_side > 0.0 && b_side > 0.0) || (a_side < 0.0 && b_side < 0.0));
}

/* Clips the line to one slab after the other. */
static bool box_hides(const struct shape *box, struct vec p, struct vec q) {
  const double from[3] = {p.x, p.y, p.z}, way[3] = {q.x - p.x, q.y - p.y, q.z - p.z};
  double enter = 0.0, leave = 1.0;
  for (int c = 0; c < 3; c++) {
    const double low = (double)box->a[c] - from[c], high = (double)box->b[c] - from[c];
    if (way[c] == 0.0) {
      if (low >= 0.0 || high <= 0.0) return false;
      continue;
    }
    enter = most(enter, (way[c] > 0.0 ? low : high) / way[c]);
    leave = least(leave, (way[c] > 0.0 ? high : low) / way[c]);
  }
  return enter < leave;
}

static bool ball_hides(const struct shape *ball, struct vec p, struct vec q) {
  const struct vec d = vec_sub(vec_of(ball->a), p), way = vec_sub(q, p);
  const double square = vec_dot(way, way), along = vec_dot(d, way), radius = (double)ball->radius;
  const double t = square > 0.0 ? most(least(along / square, 1.0), 0.0) : 0.0;
  const struct vec off = vec_sub(d, vec_scale(way, t));
  return vec_dot(off, off) < radius * radius;
}

bool throng_shape_hides(const struct shape *shape, struct vec p, struct vec q) {
  switch (shape->kind) {
  case SHAPE_WALL:
    return wall_hides(shape, p, q);
  case SHAPE_BOX:
    return box_hides(shape, p, q);
  case SHAPE_PLANE: {
    const struct vec normal = vec_of(shape->a), point = vec_of(shape->b);
    return (vec_dot(normal, vec_sub(p, point)) < 0.0) != (vec_dot(normal, vec_sub(q, point)) < 0.0);
  }
  default:
    return ball_hides(shape, p, q);
  }
}
