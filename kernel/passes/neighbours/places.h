/* passes/places.h: with 16 lanes, in space, which of a list's candidates are near to somebody in the block. 16 agents of a row lie in
 * a long box: of the candidates within reach of it 37 % are within no agent's. So each of them is held against every agent,
 * LANES candidates at once, in integers of 16 bits, of which one instruction multiplies two and adds the products.
 *
 * A place says how many units a point lies from an origin, along each axis, cut toward it: so two places are at most one unit
 * farther apart along an axis than their points, and what is within reach by its point is so by its place, with PLACE_MARGIN. A
 * candidate too far off for 16 bits is nobody's neighbour, and may be listed or not.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_PLACES_H
#define THRONG_PLACES_H

#include <math.h>

#include "passes/neighbours/neighbour_block.h"

#define PLACES_PER_RADIUS 4096.0f
/* The block's agents are no farther from the origin along an axis. So neighbours of theirs are within 18 100, and within 2^15 of the box'
 * other end; -2 a and the weights below fit 16 bits, and c^2 + PLACE_WEIGHT^2 fits 32. */
#define PLACE_MOST 14000.0f
/* Units: 1 for the radius that is cut, the root of 3 for places cut along three axes, and rounding. With 2 neighbours are lost. */
#define PLACE_MARGIN 3.0f

/* Of a run. */
struct places {
  lv3 origin;
  float scale; /* units a metre */
};

#if LANES == 16

/* How far from its middle agent the run's agents are along x, mostly: in the order of their bins nobody is more than a bin farther than
 * the first or the last. Where the torus ends within the run, or holds true rows one over another, they are in no such order. */
LANES_INLINE float farthest_of_ends(const struct frame *frame, uint32_t at, uint32_t end) {
  const float *x = frame->front->f[COLUMN_POSITION_X];
  const uint32_t middle = at + (end - at) / 2;
  const float before = fabsf(x[middle] - x[at]), behind = fabsf(x[end - 1] - x[middle]);
  return (before > behind ? before : behind) + 1.0f / frame->grid->space.axis[0].inverse;
}
/* And how far they are along all axes, always. */
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

/* The places of the run [at, end), from its middle agent on, from which nobody is farther than `farthest`; where that is far, units are
 * longer. */
LANES_INLINE struct places run_places(const struct frame *frame, uint32_t at, uint32_t end, float farthest) {
  float *const *position = frame->front->f + COLUMN_POSITION_X;
  const float most = PLACE_MOST / farthest, usual = PLACES_PER_RADIUS / frame->grid->space.radius;
  return (struct places){broadcast_lv3(position, at + (end - at) / 2, true), most < usual ? most : usual};
}

/* Of LANES points, in pairs of 16 bits: x and y, z and PLACE_WEIGHT. */
#define PLACE_WEIGHT 32767u
struct place {
  lu xy, zw;
};

LANES_INLINE lu lu_pair(lu low, lu high) { return lu_or(lu_and(low, lu_set1(0xFFFFu)), lu_shift_left(high, 16)); }

/* A point in units, and its place. */
LANES_INLINE lv3 in_units(const struct places *places, lv3 p) {
  return lv3_scale(lv3_sub(p, places->origin, true), lf_set1(places->scale), true);
}
LANES_INLINE struct place place_at(lv3 q) {
  return (struct place){lu_pair(lf_truncate(q.x), lf_truncate(q.y)), lu_pair(lf_truncate(q.z), lu_set1(PLACE_WEIGHT))};
}
/* x^2 + y^2 + z^2 + w^2 */
LANES_INLINE lu place_squared(struct place p) { return lu_add(lu_dot_pairs(p.xy, p.xy), lu_dot_pairs(p.zw, p.zw)); }

/* Whom a block's agents may reach. A candidate at place c is within r units of an agent at a where
 * (|a|^2 - r^2) - 2 a . c <= -|c|^2. */
struct sight {
  struct place low, high; /* of the agents' box */
  lu beyond;              /* r^2 + 1: of the farthest-seeing */
  /* Of each agent, to be multiplied by a place: -2 a, and |a|^2 - r^2 in PLACE_WEIGHTs, rounded down. */
  uint32_t xy[LANES], zw[LANES];
};

/* Of a block's agents at p, who see as far as `radius` at most; false where one is farther from the origin than it may be. */
LANES_INLINE bool find_sight(struct sight *sight, const struct places *places, lv3 p, float radius) {
  const lv3 q = in_units(places, p);
  const lf farthest = lf_max(lf_max(lf_abs(q.x), lf_abs(q.y)), lf_abs(q.z));
  const struct place a = place_at(q);
  sight->low = (struct place){lu_lowest_pairs(a.xy), lu_lowest_pairs(a.zw)};
  sight->high = (struct place){lu_highest_pairs(a.xy), lu_highest_pairs(a.zw)};
  const uint32_t r = (uint32_t)(int32_t)(radius * places->scale + PLACE_MARGIN), r_sq = r * r;
  sight->beyond = lu_set1(r_sq + 1);
  const lu none = lu_set1(0), rest = lu_sub(place_squared(a), lu_set1(PLACE_WEIGHT * PLACE_WEIGHT + r_sq));
  const lf weights =
      lf_sub(lf_mul(lf_from_int(rest), lf_set1(1.0f / PLACE_WEIGHT)), lf_set1(0x1p-6f)); /* for rounding */
  lu_store(sight->xy, lu_sub_pairs(lu_sub_pairs(none, a.xy), a.xy));
  lu_store(sight->zw, lu_pair(lu_sub_pairs(lu_sub_pairs(none, a.zw), a.zw), lf_floor_int(weights)));
  return !lm_any(lf_greater(farthest, lf_set1(PLACE_MOST)));
}

/* The candidates c that are `there` and within reach of the agents' box. */
LANES_INLINE lm box_may_reach(const struct sight *sight, struct place c, lm there) {
  const struct place d = {lu_outside_pairs(sight->low.xy, sight->high.xy, c.xy),
                          lu_outside_pairs(sight->low.zw, sight->high.zw, c.zw)};
  return lu_less_signed_where(there, place_squared(d), sight->beyond);
}

/* Which of the 2 LANES candidates c are within reach of at least one agent: one bit per candidate. */
LANES_INLINE uint32_t agents_may_reach(const struct sight *sight, const struct place c[2]) {
  lu least[2] = {lu_set1(INT32_MAX), lu_set1(INT32_MAX)};
  for (uint32_t k = 0; k < LANES; k++) {
    const lu xy = lu_set1(sight->xy[k]), zw = lu_set1(sight->zw[k]);
    for (int i = 0; i < 2; i++) {
      least[i] = lu_lesser_signed(least[i], lu_add(lu_dot_pairs(c[i].xy, xy), lu_dot_pairs(c[i].zw, zw)));
    }
  }
  uint32_t bits = 0;
  for (int i = 0; i < 2; i++) {
    const lu beyond = lu_sub(lu_set1(PLACE_WEIGHT * PLACE_WEIGHT + 1), place_squared(c[i]));
    bits |= lm_bits(lu_less_signed(least[i], beyond)) << i * LANES;
  }
  return bits;
}

#endif

#endif
