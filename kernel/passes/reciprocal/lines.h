/* lines.h: half-spaces of velocities, n . v >= c, and the part of a line in a disc that is in some of them. In planar
 * worlds a half-space is a half-plane, and a line is its border. Formulas: docs/ARITHMETIC.md, "Reciprocal avoidance".
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_RECIPROCAL_LINES_H
#define THRONG_KERNEL_PASSES_RECIPROCAL_LINES_H

#include "lanes/math.h"

#define VIOLATION 1e-5f /* m/s: smaller violations, and sines of smaller angles, do not count */
#define NO_BORDER -1e9f /* m/s: c of a half-space, with n = 0, that has every velocity */

/* n . v >= c, with |n| = 1. Half-planes have no y. */
struct half_space {
  lv3 n;
  lf c;
};
/* Half-planes in memory. */
struct line_row {
  float x[LANES], z[LANES], c[LANES];
};

LANES_INLINE struct half_space load_line(const struct line_row *row) {
  return (struct half_space){{lf_load(row->x), lf_zero(), lf_load(row->z)}, lf_load(row->c)};
}
LANES_INLINE void store_line(struct line_row *row, struct half_space line) {
  lf_store(row->x, line.n.x);
  lf_store(row->z, line.n.z);
  lf_store(row->c, line.c);
}

/* The part of a line that is in the disc and satisfies some lines. Its points are n c + d t, with d = (n.z, -n.x) and t
 * from `low` to `high`. */
struct part {
  lf low, high;
  lm some; /* lanes of `who` in which the part is not empty */
};
LANES_INLINE struct part part_of_line(struct half_space line, lf limit, const struct line_row *row, uint32_t rows,
                                      lm who) {
  const lf least = lf_set1(VIOLATION), zero = lf_zero();
  const lf square = lf_sub(lf_mul(limit, limit), lf_mul(line.c, line.c)), half = lf_sqrt(lf_max(square, zero));
  struct part part = {lf_negate(half), half, lf_less_equal_where(who, zero, square)};
  lm bad = lm_first(0);
  for (uint32_t k = 0; k < rows; k++) {
    const struct half_space other = load_line(&row[k]);
    const lf slope = lf_sub(lf_mul(other.n.x, line.n.z), lf_mul(other.n.z, line.n.x));
    const lf along = lf_add(lf_mul(other.n.x, line.n.x), lf_mul(other.n.z, line.n.z));
    const lf rest = lf_sub(other.c, lf_mul(line.c, along)), t = lf_div(rest, slope);
    const lm above = lf_greater(slope, least), below = lf_less(slope, lf_negate(least));
    part.low = lf_max(lf_select(above, t, part.low), part.low);
    part.high = lf_min(lf_select(below, t, part.high), part.high);
    bad = lm_or(bad, lm_without(lf_less(zero, rest), lm_or(above, below)));
  }
  part.some = lm_without(lf_less_equal_where(part.some, part.low, part.high), bad);
  return part;
}

/* The points of a line at t, and the place t of the point nearest to v. */
LANES_INLINE lv3 point_of_line(struct half_space line, lf t) {
  return (lv3){lf_add(lf_mul(line.n.x, line.c), lf_mul(line.n.z, t)), lf_zero(),
               lf_sub(lf_mul(line.n.z, line.c), lf_mul(line.n.x, t))};
}
LANES_INLINE lf place_on_line(struct half_space line, lv3 v) {
  return lf_sub(lf_mul(v.x, line.n.z), lf_mul(v.z, line.n.x));
}

#endif
