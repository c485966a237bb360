/* surfaces.h: geometry of scenery in lanes: the first hit of a ray, and the nearest surface. Coordinates are
 * relative to the agents, so that floats are precise enough. Formulas: docs/ARITHMETIC.md, "Scenery".
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_STEERING_SURFACES_H
#define THRONG_KERNEL_PASSES_STEERING_SURFACES_H

#include "passes/steering/surroundings.h"

LANES_INLINE lv3 uniform_lv3(const float a[3], bool spatial) {
  return (lv3){lf_set1(a[0]), spatial ? lf_set1(a[1]) : lf_zero(), lf_set1(a[2])};
}
LANES_INLINE lm within_unit(lm who, lf t) {
  return lf_less_equal_where(lf_less_equal_where(who, lf_zero(), t), t, lf_set1(1.0f));
}

/* One ray per lane. `part`: the fraction of its length before the first hit; 2 without a hit. */
struct lane_rays {
  lv3 from, way;
  lf square; /* squared length of the ray */
  lf part;
  lv3 normal; /* normal at the hit */
};
LANES_INLINE void start_ray(struct lane_rays *ray, lv3 from, lv3 way, bool spatial) {
  const lf square = lv3_dot(way, way, spatial);
  ray->from = from;
  ray->way = lv3_where(lf_greater(square, lf_set1(LANES_LEAST_SQUARE)), way, spatial);
  ray->square = square;
  ray->part = lf_set1(2.0f);
  ray->normal = lv3_zero();
}
LANES_INLINE lm ray_hits(const struct lane_rays *ray) { return lf_less_equal(ray->part, lf_set1(1.0f)); }
LANES_INLINE void keep_hit(struct lane_rays *ray, lm hits, lf part, lv3 normal, bool spatial) {
  lm first = lf_less_where(hits, part, ray->part);
  ray->part = lf_select(first, part, ray->part);
  ray->normal = lv3_select(first, normal, ray->normal, spatial);
}

LANES_INLINE void meet_wall(struct lane_rays *ray, const struct feeler *feeler, lm here, const struct shape *wall) {
  const lv3 w = ray->way, e = lv3_sub(uniform_lv3(wall->b, false), uniform_lv3(wall->a, false), false);
  const lv3 g = lv3_sub(from_agent(wall->a, feeler, false), ray->from, false);
  lf across = lf_sub(lf_mul(w.x, e.z), lf_mul(w.z, e.x)), along = lf_sub(lf_mul(g.x, w.z), lf_mul(g.z, w.x));
  const lm turned = lf_less(across, lf_zero());
  across = lf_abs(across);
  along = lf_select(turned, lf_negate(along), along);
  lm hits = lf_less_where(here, lf_zero(), across);
  hits = lf_less_equal_where(lf_less_equal_where(hits, lf_zero(), along), along, across);
  if (!lm_any(hits)) return;
  const lv3 point = lv3_add(g, lv3_scale(e, lf_div(along, across), false), false);
  const lf part = lf_div(lv3_dot(point, w, false), ray->square), inverse = lv3_inv_len(e, false);
  const lf side = lf_select(turned, inverse, lf_negate(inverse));
  const lv3 normal = {lf_mul(e.z, side), lf_zero(), lf_mul(lf_negate(e.x), side)};
  keep_hit(ray, within_unit(hits, part), part, normal, false);
}

/* The slab test. A slab is the space between two parallel faces of a box. A ray hits the box where it enters the last
 * slab, if it leaves none before. */
struct passage {
  lf enter, leave, axis;
};
LANES_INLINE void enter_slab(struct passage *passage, lf low, lf high, lf way, float axis) {
  const lm forth = lf_greater(way, lf_zero()), still = lf_equal(way, lf_zero());
  const lm between = lf_less_equal_where(lf_less_equal(low, lf_zero()), lf_zero(), high);
  lf in = lf_div(lf_select(forth, low, high), way), out = lf_div(lf_select(forth, high, low), way);
  in = lf_select(still, lf_set1(-1.0f), in);
  out = lf_select(still, lf_select(between, lf_set1(1.0f), lf_set1(-2.0f)), out);
  passage->axis = lf_select(lf_greater(in, passage->enter), lf_set1(axis), passage->axis);
  passage->enter = lf_max(in, passage->enter);
  passage->leave = lf_min(out, passage->leave);
}
LANES_INLINE lf against(lf way, lm along) {
  return lf_where(along, lf_select(lf_greater(way, lf_zero()), lf_set1(-1.0f), lf_set1(1.0f)));
}
LANES_INLINE void meet_box(struct lane_rays *ray, const struct feeler *feeler, lm here, const struct shape *box) {
  const lv3 low = lv3_sub(from_agent(box->a, feeler, true), ray->from, true);
  const lv3 high = lv3_sub(from_agent(box->b, feeler, true), ray->from, true);
  struct passage passage = {lf_set1(-1.0f), lf_set1(1.0f), lf_set1(-1.0f)};
  enter_slab(&passage, low.x, high.x, ray->way.x, 0.0f);
  enter_slab(&passage, low.y, high.y, ray->way.y, 1.0f);
  enter_slab(&passage, low.z, high.z, ray->way.z, 2.0f);
  const lm enters = lf_less_equal_where(here, lf_zero(), passage.enter);
  const lv3 normal = {against(ray->way.x, lf_equal(passage.axis, lf_zero())),
                      against(ray->way.y, lf_equal(passage.axis, lf_set1(1.0f))),
                      against(ray->way.z, lf_equal(passage.axis, lf_set1(2.0f)))};
  keep_hit(ray, lf_less_equal_where(enters, passage.enter, passage.leave), passage.enter, normal, true);
}

LANES_INLINE void meet_plane(struct lane_rays *ray, const struct feeler *feeler, lm here, const struct shape *plane) {
  const lv3 normal = uniform_lv3(plane->a, true);
  const lf nearing = lf_negate(lv3_dot(normal, ray->way, true));
  const lf height = lv3_dot(normal, lv3_sub(ray->from, from_agent(plane->b, feeler, true), true), true);
  const lf part = lf_div(height, nearing);
  keep_hit(ray, within_unit(lf_less_where(here, lf_zero(), nearing), part), part, normal, true);
}

/* Finds the nearer intersection with a circle or ball, from outside. */
LANES_INLINE void meet_ball(struct lane_rays *ray, const struct feeler *feeler, lm here, const struct shape *ball,
                            bool spatial) {
  const lf radius = lf_set1(ball->radius), square = lf_mul(radius, radius);
  const lv3 d = lv3_sub(from_agent(ball->a, feeler, spatial), ray->from, spatial);
  const lf nearest = lf_div(lv3_dot(d, ray->way, spatial), ray->square);
  const lv3 off = lv3_sub(d, lv3_scale(ray->way, nearest, spatial), spatial);
  const lf inside = lf_sub(square, lv3_dot(off, off, spatial));
  lm hits = lf_less_equal_where(here, square, lv3_dot(d, d, spatial));
  hits = lf_less_equal_where(lf_less_where(hits, lf_zero(), nearest), lf_zero(), inside);
  if (!lm_any(hits)) return;
  const lf part = lf_max(lf_sub(nearest, lf_div(lf_sqrt(inside), lf_sqrt(ray->square))), lf_zero());
  const lv3 normal = lv3_direction(lv3_sub(lv3_scale(ray->way, part, spatial), d, spatial), spatial);
  const lm none = lf_equal(lv3_dot(normal, normal, spatial), lf_zero());
  const lv3 back = lv3_negate(lv3_direction(ray->way, spatial), spatial);
  keep_hit(ray, within_unit(hits, part), part, lv3_select(none, back, normal, spatial), spatial);
}

/* Finds the hit on a shape other than circles and balls. */
LANES_INLINE void meet_surface(struct lane_rays *ray, const struct feeler *feeler, lm here, const struct shape *shape,
                               bool spatial) {
  if (!spatial) {
    meet_wall(ray, feeler, here, shape);
  } else if (shape->kind == SHAPE_BOX) {
    meet_box(ray, feeler, here, shape);
  } else {
    meet_plane(ray, feeler, here, shape);
  }
}
LANES_INLINE void meet_shape(struct lane_rays *ray, const struct feeler *feeler, lm here, const struct shape *shape,
                             bool spatial) {
  if (shape->kind == SHAPE_BALL) {
    meet_ball(ray, feeler, here, shape, spatial);
  } else {
    meet_surface(ray, feeler, here, shape, spatial);
  }
}

/* The nearest surface so far. `distance` is first the distance within which surfaces are searched. */
struct surface {
  lf distance;
  lv3 normal; /* 0 without a surface */
  lm found;
};
LANES_INLINE void keep_surface(struct surface *surface, lm here, lf distance, lv3 normal, bool spatial) {
  const lm equal = lm_without(lf_equal(distance, surface->distance), surface->found);
  const lm first = lm_and(here, lm_or(lf_less(distance, surface->distance), equal));
  surface->distance = lf_select(first, distance, surface->distance);
  surface->normal = lv3_select(first, normal, surface->normal, spatial);
  surface->found = lm_or(surface->found, first);
}

/* Returns the direction of d; +x if d is 0. */
LANES_INLINE lv3 direction_or_x(lv3 d, lf length, bool spatial) {
  const lm apart = lf_greater(length, lf_zero());
  lv3 normal = lv3_where(apart, lv3_scale(d, lf_div(lf_set1(1.0f), length), spatial), spatial);
  normal.x = lf_select(apart, normal.x, lf_set1(1.0f));
  return normal;
}

LANES_INLINE void near_ball(struct surface *surface, const struct feeler *feeler, lm here, const struct shape *ball,
                            lv3 x, bool spatial) {
  const lv3 d = lv3_sub(x, from_agent(ball->a, feeler, spatial), spatial);
  const lf length = lv3_length(d, spatial);
  keep_surface(surface, here, lf_sub(length, lf_set1(ball->radius)), direction_or_x(d, length, spatial), spatial);
}

LANES_INLINE void near_wall(struct surface *surface, const struct feeler *feeler, lm here, const struct shape *wall,
                            lv3 x) {
  const lv3 e = lv3_sub(uniform_lv3(wall->b, false), uniform_lv3(wall->a, false), false);
  const lv3 d = lv3_sub(x, from_agent(wall->a, feeler, false), false);
  const lf along = lv3_dot(d, e, false), area = lf_sub(lf_mul(e.x, d.z), lf_mul(e.z, d.x));
  const lm before = lf_less_equal(along, lf_zero()), after_it = lf_greater_equal(along, lv3_dot(e, e, false));
  const lv3 end = lv3_select(before, d, lv3_sub(x, from_agent(wall->b, feeler, false), false), false);
  const lf length = lv3_length(end, false);
  const lv3 round = direction_or_x(end, length, false);

  const lf inverse = lv3_inv_len(e, false), side = lf_select(lf_less(area, lf_zero()), lf_negate(inverse), inverse);
  const lv3 straight = {lf_mul(lf_negate(e.z), side), lf_zero(), lf_mul(e.x, side)};
  const lm ends = lm_or(before, after_it);
  keep_surface(surface, here, lf_select(ends, length, lf_mul(area, side)), lv3_select(ends, round, straight, false),
               false);
}

/* Returns the distance of x from a box along an axis, negative inside; *sign is the side on which x is. */
LANES_INLINE lf depth_along(lf low, lf high, lf x, lf *sign) {
  const lf below = lf_sub(low, x), above = lf_sub(x, high);
  *sign = lf_select(lf_greater(above, below), lf_set1(1.0f), lf_set1(-1.0f));
  return lf_max(above, below);
}
LANES_INLINE void near_box(struct surface *surface, const struct feeler *feeler, lm here, const struct shape *box,
                           lv3 x) {
  const lv3 low = from_agent(box->a, feeler, true), high = from_agent(box->b, feeler, true);
  const lf zero = lf_zero();
  lv3 sign, depth;
  depth.x = depth_along(low.x, high.x, x.x, &sign.x);
  depth.y = depth_along(low.y, high.y, x.y, &sign.y);
  depth.z = depth_along(low.z, high.z, x.z, &sign.z);
  const lf deepest = lf_max(depth.z, lf_max(depth.y, depth.x));
  const lv3 out = {lf_mul(sign.x, lf_max(depth.x, zero)), lf_mul(sign.y, lf_max(depth.y, zero)),
                   lf_mul(sign.z, lf_max(depth.z, zero))};
  const lf length = lv3_length(out, true);
  const lm on_x = lf_equal(depth.x, deepest), on_y = lm_without(lf_equal(depth.y, deepest), on_x);
  const lm on_z = lm_without(lm_without(lf_equal(depth.z, deepest), on_x), on_y);
  const lv3 face = {lf_where(on_x, sign.x), lf_where(on_y, sign.y), lf_where(on_z, sign.z)};
  const lm outer = lf_greater(deepest, zero);
  keep_surface(surface, here, lf_select(outer, length, deepest),
               lv3_select(outer, direction_or_x(out, length, true), face, true), true);
}

LANES_INLINE void near_plane(struct surface *surface, const struct feeler *feeler, lm here, const struct shape *plane,
                             lv3 x) {
  const lv3 normal = uniform_lv3(plane->a, true);
  const lf distance = lv3_dot(normal, lv3_sub(x, from_agent(plane->b, feeler, true), true), true);
  keep_surface(surface, here, distance, normal, true);
}

LANES_INLINE void near_shape(struct surface *surface, const struct feeler *feeler, lm here, const struct shape *shape,
                             lv3 x, bool spatial) {
  if (shape->kind == SHAPE_BALL) {
    near_ball(surface, feeler, here, shape, x, spatial);
  } else if (!spatial) {
    near_wall(surface, feeler, here, shape, x);
  } else if (shape->kind == SHAPE_BOX) {
    near_box(surface, feeler, here, shape, x);
  } else {
    near_plane(surface, feeler, here, shape, x);
  }
}

#endif
