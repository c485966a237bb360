/* fixed_point.h: refines a list of a spatial block of 16 lanes. 16 agents of a row fill a long box, and about 37 % of
 * the candidates near the box are near no agent. Each candidate is therefore tested against every agent: 16 candidates
 * at a time, in 16-bit integers, because one instruction multiplies two pairs of such integers and adds the products.
 *
 * A fixed-point position counts units from an origin along each axis, truncated toward the origin. Along an axis, two
 * truncated positions are at most one unit farther apart than the exact positions. FIXED_MARGIN allows for this, so no
 * neighbour is lost. A candidate too far away for 16 bits is no neighbour; it does not matter whether it stays in the
 * list.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_NEIGHBOURS_FIXED_POINT_H
#define THRONG_KERNEL_PASSES_NEIGHBOURS_FIXED_POINT_H

#include <math.h>

#include "passes/neighbours/neighbour_block.h"

#define FIXED_PER_RADIUS 4096.0f
/* The largest coordinate of a block's agents. Then the coordinates of their neighbours are below 18 100 and differ by
 * less than 2^15 from the far end of the box; -2 a and the weights below fit 16 bits; c^2 + FIXED_WEIGHT^2 fits 32
 * bits. */
#define FIXED_MOST 14000.0f
/* In units: 1 for the truncated radius, sqrt(3) for positions that are truncated along three axes, the rest for
 * rounding. A margin of 2 would lose neighbours. */
#define FIXED_MARGIN 3.0f

/* The fixed-point coordinates of a block pair. */
struct fixed_frame {
  lv3 origin;
  float scale; /* units per metre */
};

#if LANES == 16

/* Returns an estimate of the largest distance, along x, of the pair's agents from the middle one. If the pair is sorted
 * by bins, no agent is more than one bin beyond the first or the last agent. A pair is not sorted if the torus ends
 * within it, or if several rows share a torus row. */
LANES_INLINE float farthest_of_ends(const struct frame *frame, uint32_t at, uint32_t end) {
  const float *x = frame->front->f[COLUMN_POSITION_X];
  const uint32_t middle = at + (end - at) / 2;
  const float before = fabsf(x[middle] - x[at]), behind = fabsf(x[end - 1] - x[middle]);
  return (before > behind ? before : behind) + 1.0f / frame->grid->space->axis[0].inverse;
}
/* Returns the exact largest distance along any axis. */
LANES_INLINE float farthest_of_all(const struct frame *frame, uint32_t at, uint32_t end) {
  float *const *position = frame->front->f + COLUMN_POSITION_X;
  const lv3 middle = broadcast_lv3(position, at + (end - at) / 2, true);
  lf farthest = lf_zero();
  for (uint32_t i = at; i < end; i += LANES) {
    const lv3 d = lv3_sub(load_lv3(position, i, true), middle, true);
    const lf far = lf_max(lf_max(lf_abs(d.x), lf_abs(d.y)), lf_abs(d.z));
    farthest = lf_max(farthest, lf_where(lm_first(end - i), far));
  }
  return lf_highest(farthest);
}

/* Returns the fixed-point coordinates of the pair [at, end): the origin is its middle agent. No agent may be farther
 * from the origin than `farthest`; a larger `farthest` makes the units longer. */
LANES_INLINE struct fixed_frame fixed_frame_of(const struct frame *frame, uint32_t at, uint32_t end, float farthest) {
  float *const *position = frame->front->f + COLUMN_POSITION_X;
  const float most = FIXED_MOST / farthest, usual = FIXED_PER_RADIUS / frame->grid->space->radius;
  return (struct fixed_frame){broadcast_lv3(position, at + (end - at) / 2, true), most < usual ? most : usual};
}

/* LANES positions, each as two pairs of 16 bits: (x, y) and (z, FIXED_WEIGHT). */
#define FIXED_WEIGHT 32767u
#define FIXED_REACH ((uint32_t)FIXED_PER_RADIUS + (uint32_t)FIXED_MARGIN)
_Static_assert((uint32_t)FIXED_MOST + FIXED_REACH < 18100u, "coordinates of neighbours");
_Static_assert(2u * (uint32_t)FIXED_MOST + FIXED_REACH < 1u << 15, "differences of coordinates");
_Static_assert(3u * 18100u * 18100u + FIXED_WEIGHT * FIXED_WEIGHT < 1u << 31, "squares of distances");
struct fixed_points {
  lu xy, zw;
};

LANES_INLINE lu lu_pair(lu low, lu high) { return lu_or(lu_and(low, lu_set1(0xFFFFu)), lu_shift_left(high, 16)); }

/* A position in units, and truncated. */
LANES_INLINE lv3 in_units(const struct fixed_frame *fixed_frame, lv3 p) {
  return lv3_scale(lv3_sub(p, fixed_frame->origin, true), lf_set1(fixed_frame->scale), true);
}
LANES_INLINE struct fixed_points fixed_at(lv3 q) {
  return (struct fixed_points){lu_pair(lf_truncate(q.x), lf_truncate(q.y)),
                               lu_pair(lf_truncate(q.z), lu_set1(FIXED_WEIGHT))};
}
/* x^2 + y^2 + z^2 + FIXED_WEIGHT^2 */
LANES_INLINE lu fixed_squared(struct fixed_points p) {
  return lu_add(lu_dot_pairs(p.xy, p.xy), lu_dot_pairs(p.zw, p.zw));
}

/* A block in fixed point. A candidate at c is within r units of an agent at a if (|a|^2 - r^2) - 2 a . c <= -|c|^2. */
struct fixed_block {
  struct fixed_points low, high; /* the agents' bounding box */
  lu beyond;                     /* r^2 + 1, for the largest perception radius */
  /* Per agent, the factors by which a candidate's (x, y) and (z, FIXED_WEIGHT) are multiplied: the components of -2 a,
   * and (|a|^2 - r^2) / FIXED_WEIGHT rounded down. */
  uint32_t xy[LANES], zw[LANES];
};

/* Converts a block's agents at p; `radius` is their largest perception radius. Returns false if an agent is farther
 * from the origin than FIXED_MOST. */
LANES_INLINE bool find_fixed_block(struct fixed_block *fixed_block, const struct fixed_frame *fixed_frame, lv3 p,
                                   float radius) {
  const lv3 q = in_units(fixed_frame, p);
  const lf farthest = lf_max(lf_max(lf_abs(q.x), lf_abs(q.y)), lf_abs(q.z));
  const struct fixed_points a = fixed_at(q);
  fixed_block->low = (struct fixed_points){lu_lowest_pairs(a.xy), lu_lowest_pairs(a.zw)};
  fixed_block->high = (struct fixed_points){lu_highest_pairs(a.xy), lu_highest_pairs(a.zw)};
  const uint32_t r = (uint32_t)(int32_t)(radius * fixed_frame->scale + FIXED_MARGIN), r_sq = r * r;
  fixed_block->beyond = lu_set1(r_sq + 1);
  const lu none = lu_set1(0), rest = lu_sub(fixed_squared(a), lu_set1(FIXED_WEIGHT * FIXED_WEIGHT + r_sq));
  const lf weights = lf_sub(lf_mul(lf_from_int(rest), lf_set1(1.0f / FIXED_WEIGHT)),
                            lf_set1(0x1p-6f)); /* the product must not round up */
  ASSERT_ALONE(lm_any(lf_greater(farthest, lf_set1(FIXED_MOST))) ||
               !lm_any(lu_less_signed(rest, lu_mul(lf_floor_int(weights), lu_set1(FIXED_WEIGHT)))));
  lu_store(fixed_block->xy, lu_sub_pairs(lu_sub_pairs(none, a.xy), a.xy));
  lu_store(fixed_block->zw, lu_pair(lu_sub_pairs(lu_sub_pairs(none, a.zw), a.zw), lf_floor_int(weights)));
  return !lm_any(lf_greater(farthest, lf_set1(FIXED_MOST)));
}

/* The valid candidates c that are within the radius of the agents' box. */
LANES_INLINE lm box_may_reach(const struct fixed_block *fixed_block, struct fixed_points c, lm valid) {
  const struct fixed_points d = {lu_outside_pairs(fixed_block->low.xy, fixed_block->high.xy, c.xy),
                                 lu_outside_pairs(fixed_block->low.zw, fixed_block->high.zw, c.zw)};
  return lu_less_signed_where(valid, fixed_squared(d), fixed_block->beyond);
}

/* Which of the 2 * LANES candidates c are within the radius of at least one agent: one bit per candidate. */
LANES_INLINE uint32_t agents_may_reach(const struct fixed_block *fixed_block, const struct fixed_points c[2]) {
  lu least[2] = {lu_set1(INT32_MAX), lu_set1(INT32_MAX)};
  for (uint32_t k = 0; k < LANES; k++) {
    const lu xy = lu_set1(fixed_block->xy[k]), zw = lu_set1(fixed_block->zw[k]);
    for (int i = 0; i < 2; i++) {
      least[i] = lu_lesser_signed(least[i], lu_add(lu_dot_pairs(c[i].xy, xy), lu_dot_pairs(c[i].zw, zw)));
    }
  }
  uint32_t bits = 0;
  for (int i = 0; i < 2; i++) {
    const lu beyond = lu_sub(lu_set1(FIXED_WEIGHT * FIXED_WEIGHT + 1), fixed_squared(c[i]));
    bits |= lm_bits(lu_less_signed(least[i], beyond)) << i * LANES;
  }
  return bits;
}

#endif

#endif
