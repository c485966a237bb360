/* spatial_step.h: a step of a velocity program in spatial worlds: the best velocity on one plane. The plane cuts a disc
 * from the ball, and half-planes from the other half-spaces: what is left is a planar program, in coordinates of the
 * plane. The active half-planes are few, so it adds them one after the other. Formulas: docs/ARITHMETIC.md, "Reciprocal
 * avoidance", "In space". Source of the axes: Duff and others, Building an Orthonormal Basis, Revisited, 2017.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_RECIPROCAL_SPATIAL_STEP_H
#define THRONG_KERNEL_PASSES_RECIPROCAL_SPATIAL_STEP_H

#include "base/compiler.h"
#include "passes/reciprocal/program_rows.h"

/* Speeds in space differ more than those of walkers, so this is a part of the limit. */
LANES_INLINE lf least_violation(const struct velocity_program *program) {
  return lf_mul(program->limit, lf_set1(0x1p-20f));
}

/* Rounding moves borders by about this much, m/s. */
LANES_INLINE lf border_noise(lf limit) { return lf_mul(limit, lf_set1(0x1p-21f)); }
#define PARALLEL 0x1p-21f /* sines of smaller angles are rounding errors */

/* A plane, two axes on it, and the radius of its disc. Points on it have the coordinates x and z. */
struct flat {
  struct half_space plane;
  lv3 axis_x, axis_z;
  lf radius, noise;
  lm some; /* lanes of `who` in which the plane meets the ball */
};
LANES_INLINE struct flat lay_flat(struct half_space plane, lf limit, lm who) {
  const lf one = lf_set1(1.0f), zero = lf_zero();
  const lv3 n = plane.n;
  const lf sign = lf_select(lf_less(n.z, zero), lf_set1(-1.0f), one), a = lf_div(lf_set1(-1.0f), lf_add(sign, n.z));
  const lf b = lf_mul(lf_mul(n.x, n.y), a), square = lf_sub(lf_mul(limit, limit), lf_mul(plane.c, plane.c));
  return (struct flat){
      .plane = plane,
      .axis_x = {lf_add(one, lf_mul(sign, lf_mul(lf_mul(n.x, n.x), a))), lf_mul(sign, b), lf_negate(lf_mul(sign, n.x))},
      .axis_z = {b, lf_add(sign, lf_mul(lf_mul(n.y, n.y), a)), lf_negate(n.y)},
      .radius = lf_sqrt(lf_max(square, zero)),
      .noise = border_noise(limit),
      .some = lf_less_equal_where(who, zero, square)};
}
LANES_INLINE lv3 flat_of(const struct flat *flat, lv3 v) {
  return (lv3){lv3_dot(flat->axis_x, v, true), lf_zero(), lv3_dot(flat->axis_z, v, true)};
}
LANES_INLINE lv3 point_of_flat(const struct flat *flat, lv3 at) {
  const lv3 x = lv3_scale(flat->axis_x, at.x, true), z = lv3_scale(flat->axis_z, at.z, true);
  return lv3_add(lv3_scale(flat->plane.n, flat->plane.c, true), lv3_add(x, z, true), true);
}

/* Puts down the half-planes m . v >= c that the plane cuts from half-spaces. |m| is the sine of the angle between the
 * planes, so that c - m . v is how much the half-space is violated. A parallel one has the whole plane, or nothing. */
LANES_INLINE void cut_rows(const struct flat *flat, const half_space_row *row, uint32_t rows, struct line_row *to) {
  for (uint32_t k = 0; k < rows; k++) {
    const struct half_space it = load_half_space(&row[k]);
    const lv3 m = flat_of(flat, it.n);
    const lf c = lf_sub(it.c, lf_mul(flat->plane.c, lv3_dot(flat->plane.n, it.n, true)));
    const lm parallel = lf_less_equal(lv3_dot(m, m, false), lf_set1(PARALLEL * PARALLEL));
    const lf none = lf_select(lf_less(flat->noise, c), lf_set1(-NO_BORDER), lf_set1(NO_BORDER));
    store_line(&to[k], (struct half_space){lv3_select(parallel, lv3_zero(), m, false), lf_select(parallel, none, c)});
  }
}

/* Finds the part of a line in the disc and in half-planes. Where rounding alone makes it empty, it is the
 * middle of the part that half-planes wider by the noise leave. */
LANES_INLINE struct part part_of_flat(const struct flat *flat, struct half_space line, const struct line_row *row,
                                      uint32_t rows, lm who) {
  const lf zero = lf_zero(), least = lf_set1(PARALLEL);
  const lf square = lf_sub(lf_mul(flat->radius, flat->radius), lf_mul(line.c, line.c));
  const lf half = lf_sqrt(lf_max(square, zero));
  struct part part = {lf_negate(half), half, lf_less_equal_where(who, zero, square)};
  lf low = part.low, high = part.high; /* of half-planes that are wider by the noise */
  for (uint32_t k = 0; k < rows; k++) {
    const struct half_space other = load_line(&row[k]);
    const lf slope = place_on_line(line, other.n);
    const lf rest = lf_sub(other.c, lf_mul(line.c, lv3_dot(other.n, line.n, false)));
    const lf inverse = lf_div(lf_set1(1.0f), slope), t = lf_mul(rest, inverse), wider = lf_mul(flat->noise, inverse);
    const lm above = lf_greater(slope, least), below = lf_less(slope, lf_negate(least));
    part.low = lf_max(lf_select(above, t, part.low), part.low);
    part.high = lf_min(lf_select(below, t, part.high), part.high);
    low = lf_max(lf_select(above, lf_sub(t, wider), low), low);
    high = lf_min(lf_select(below, lf_sub(t, wider), high), high);
    part.some = lm_without(part.some, lm_without(lf_less(flat->noise, rest), lm_or(above, below)));
  }
  const lm empty = lf_less(part.high, part.low);
  const lf middle = lf_mul(lf_add(low, high), lf_set1(0.5f));
  part.low = lf_select(empty, middle, part.low);
  part.high = lf_select(empty, middle, part.high);
  part.some = lf_less_equal_where(part.some, low, high);
  return part;
}

/* Moves the lanes of `flat` to the best point of the plane in the half-planes of `row`: that nearest to `aim`, or if
 * `farthest` that farthest along it. Returns the lanes that have such a point. */
LANES_INLINE lm solve_flat(const struct flat *flat, const struct line_row *row, uint32_t rows, lv3 aim, bool farthest,
                           lv3 *v) {
  const lf length = lv3_length(aim, false), scale = lf_div(flat->radius, length);
  const lm outside = farthest ? lf_greater(length, lf_set1(PARALLEL)) : lf_greater(length, flat->radius);
  lv3 at = lv3_select(outside, lv3_scale(aim, scale, false), farthest ? lv3_zero() : aim, false);
  lm who = flat->some;
  for (uint32_t k = 0; k < rows; k++) {
    struct half_space line = load_line(&row[k]);
    const lm beyond = lf_less_where(who, lv3_dot(line.n, at, false), line.c);
    if (!lm_any(beyond)) continue;
    const lf inverse = lf_div(lf_set1(1.0f), lv3_length(line.n, false));
    line = (struct half_space){lv3_scale(line.n, inverse, false), lf_mul(line.c, inverse)};
    const struct part part = part_of_flat(flat, line, row, k, beyond);
    const lf place = place_on_line(line, aim);
    const lf t = farthest ? lf_select(lf_less(lf_zero(), place), part.high, part.low)
                          : lf_min(lf_max(place, part.low), part.high);
    at = lv3_select(part.some, point_of_line(line, t), at, false);
    who = lm_without(who, lm_without(beyond, part.some));
  }
  *v = lv3_select(who, point_of_flat(flat, at), *v, true);
  return who;
}

/* Moves *v, in the lanes `who`, to the best point of a plane in the ball and in the half-spaces of `row`, as solve_flat
 * does. Returns the lanes that have such a point. */
static OUT_OF_LINE lm solve_plane(struct velocity_program *program, const struct half_space *plane,
                                  const half_space_row *row, uint32_t rows, const lv3 *aim, bool farthest, lm who,
                                  lv3 *v) {
  ASSERT_ALONE(rows <= MOST_HARD + 2 * MOST_STEPS);
  const struct flat flat = lay_flat(*plane, program->limit, who);
  cut_rows(&flat, row, rows, program->flat_row);
  return solve_flat(&flat, program->flat_row, rows, flat_of(&flat, *aim), farthest, v);
}

/* Moves the lanes `who` to the velocity nearest to the wish, on a plane and in the active half-spaces. Returns the
 * lanes that have such a velocity. */
LANES_INLINE lm move_to_nearest(struct velocity_program *program, struct half_space plane, lm who) {
  return solve_plane(program, &plane, program->active_row, program->active, &program->wish, false, who, &program->v);
}

/* Moves *v to the point farthest along `way`, on a plane and in the first `rows` half-spaces of relative_row. Returns
 * the lanes that have such a point. */
LANES_INLINE lm move_farthest(struct velocity_program *program, struct half_space plane, uint32_t rows, lv3 way, lm who,
                              lv3 *v) {
  return solve_plane(program, &plane, program->relative_row, rows, &way, true, who, v);
}

#endif
