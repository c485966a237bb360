/* lanes/lanes.h: the vector types and lane operations of the passes. THRONG_LANES (4, 8 or 16) chooses the file with
 * the types of that width; only these files name SIMDe or an intrinsic.
 *
 *   lf  LANES floats        lu  LANES 32-bit unsigned integers        lm  LANES booleans, a lane mask
 *   lw  a lane mask in the form that lf_add_where takes
 *   lc  LANES counts below 2^24, in the form that makes lc_add_where fastest
 *
 * Every operation gives the same bits on every instruction set: + - * / sqrt min max, comparisons, selections.
 * min(a, b) = a < b ? a : b and max(a, b) = a > b ? a : b, like SSE2's instructions. A comparison with NaN is false.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_LANES_LANES_H
#define THRONG_KERNEL_LANES_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/assertion.h"

#if defined(__FAST_MATH__)
#error "throng's bits depend on IEEE arithmetic: do not compile it with -ffast-math"
#endif
/* With 16, the value for instructions of half floats, floats keep their precision. */
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0 && __FLT_EVAL_METHOD__ != 16
#error "throng needs FLT_EVAL_METHOD == 0 (on 32-bit x86: -msse2 -mfpmath=sse)"
#endif

#if defined(__arm__)
#error "throng needs AArch64: the SIMD unit of 32-bit ARM flushes denormals and divides inexactly"
#endif

#if defined(__GNUC__)
#define LANES_INLINE static inline __attribute__((always_inline, unused))
#else
#define LANES_INLINE static inline
#endif

#if THRONG_LANES == 4
/* Indexed by 4 bits: the numbers of the set bits, ascending, one byte each. */
static const uint32_t set_lanes_of_4[16] = {0x0, 0x0,   0x1,   0x100,   0x2,   0x200,   0x201,   0x20100,
                                            0x3, 0x300, 0x301, 0x30100, 0x302, 0x30200, 0x30201, 0x3020100};
/* The number of set bits among the lowest LANES bits; the others must be 0. */
LANES_INLINE uint32_t count_bits(uint32_t bits) {
  ASSERT_ALONE(bits < 16);
  return (uint32_t)(0x4332322132212110u >> 4 * bits & 7);
}
#else
LANES_INLINE uint32_t count_bits(uint32_t bits) { return (uint32_t)__builtin_popcount(bits); }
#endif

/* Check arguments of the functions below: the number of the first lanes, and the indices of lf_lookup. Sums and the
 * arguments of lf_greater_if are not checked: a branch at each of them in the neighbour walk would make its compiler
 * take gigabytes. finish_rules checks the sums of a block instead (neighbour_pair.h). */
#define ASSERT_FIRST(n) ASSERT_ALONE((n) >= 1 && (n) <= THRONG_LANES)
#define ASSERT_LOOKUP(index) ASSERT_ALONE(lm_bits(lu_test(index, lu_set1(~(LANE_LOOKUP - 1)))) == 0)

#if THRONG_LANES == 4
#include "lanes/lanes4.h"
#elif THRONG_LANES == 8
#include "lanes/lanes8.h"
#elif THRONG_LANES == 16
#include "lanes/lanes16.h"
#else
#error "THRONG_LANES must be 4, 8 or 16"
#endif

#define LANES THRONG_LANES

LANES_INLINE lf lf_zero(void) { return lf_set1(0.0f); }
/* Lane k holds k. */
LANES_INLINE lu lu_iota(void) {
  static const uint32_t iota[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  return lu_load(iota);
}
#if LANES < 16
/* Comparisons in the lanes of m; false in other lanes: m and (a < b), and so on. */
LANES_INLINE lm lf_less_where(lm m, lf a, lf b) { return lm_and(m, lf_less(a, b)); }
LANES_INLINE lm lf_less_equal_where(lm m, lf a, lf b) { return lm_and(m, lf_less_equal(a, b)); }
LANES_INLINE lm lf_equal_where(lm m, lf a, lf b) { return lm_and(m, lf_equal(a, b)); }
LANES_INLINE lm lu_less_signed_where(lm m, lu a, lu b) { return lm_and(m, lu_less_signed(a, b)); }
LANES_INLINE lm lu_test_where(lm m, lu a, lu b) { return lm_without(m, lu_equal(lu_and(a, b), lu_set1(0))); }
/* The lanes of m in which `asked` is clear or a > b. Where `asked` is clear, b must be neither NaN nor infinite. */
LANES_INLINE lm lf_greater_if(lm m, lm asked, lf a, lf b) { return lm_without(m, lm_without(asked, lf_greater(a, b))); }
/* min(a, b), for a and b of at least 0. */
LANES_INLINE lf lf_nearer(lf a, lf b) { return lf_min(a, b); }
#endif
#if LANES != 8
/* 1 / a where the mask is set; undefined elsewhere. */
LANES_INLINE lf lf_inverse_where(lw m, lf a) {
  (void)m;
  return lf_div(lf_set1(1.0f), a);
}
#endif

/* The first n lanes; all lanes if n > LANES. */
LANES_INLINE lm lm_first(uint32_t n) { return lu_less_signed(lu_iota(), lu_set1(n)); }
/* Only lane k. */
LANES_INLINE lm lm_lane(uint32_t k) {
  ASSERT_ALONE(k < LANES);
  return lu_equal(lu_iota(), lu_set1(k));
}
LANES_INLINE uint32_t lm_count(lm m) { return count_bits(lm_bits(m)); }
LANES_INLINE bool lm_any(lm m) { return lm_bits(m) != 0; }
/* For assertions: the lanes in which a is -0. */
LANES_INLINE lm lf_is_minus_zero(lf a) { return lu_equal(lf_bits(a), lu_set1(0x80000000u)); }
/* Stores first + k for every set bit k below LANES, ascending, and returns their number. It always writes LANES
 * elements; those after the stored numbers are undefined. The bits from LANES on must be 0. */
LANES_INLINE uint32_t lu_store_bits(uint32_t *to, uint32_t bits, uint32_t first) {
  ASSERT_ALONE((uint64_t)bits >> LANES == 0);
  lu_store(to, lu_add(lu_set1(first), lu_set_bits(bits)));
  return count_bits(bits);
}
/* The same for the set lanes of m. */
LANES_INLINE uint32_t lu_store_set(uint32_t *to, lm m, uint32_t first) { return lu_store_bits(to, lm_bits(m), first); }

LANES_INLINE lf lf_abs(lf a) { return lf_from_bits(lu_and(lf_bits(a), lu_set1(0x7FFFFFFFu))); }
LANES_INLINE lf lf_negate(lf a) { return lf_from_bits(lu_xor(lf_bits(a), lu_set1(0x80000000u))); }
/* a where the mask is set, +0 elsewhere. */
LANES_INLINE lf lf_where(lm m, lf a) { return lf_select(m, a, lf_zero()); }
/* floor(a), for |a| < 2^31. */
LANES_INLINE lf lf_floor(lf a) {
  lf whole = lf_from_int(lf_truncate(a));
  return lf_sub(whole, lf_where(lf_greater(whole, a), lf_set1(1.0f)));
}
/* The distance from a to the nearest whole number, for |a| <= 2^22. It relies on rounding to nearest, which the
 * executor sets. */
LANES_INLINE lf lf_off_whole(lf a) {
  const lf whole_only = lf_set1(0x1.8p23f); /* between 2^23 and 2^24 every float is a whole number */
  return lf_abs(lf_sub(a, lf_sub(lf_add(a, whole_only), whole_only)));
}
/* floor(a) as a two's complement integer, for |a| < 2^31. */
LANES_INLINE lu lf_floor_int(lf a) {
  lu whole = lf_truncate(a);
  return lu_select(lf_greater(lf_from_int(whole), a), lu_sub(whole, lu_set1(1)), whole);
}
/* Whether a is neither NaN nor infinite. */
LANES_INLINE lm lf_is_finite(lf a) { return lf_less_equal(lf_abs(a), lf_set1(3.40282347e+38f)); }

#endif
