/* vector_lanes.h: the lane operations for 4 lanes with the compiler's own vectors. throng.c uses it where there are no
 * SSE2 intrinsics: AArch64, WebAssembly, plain C. Operations and bits are those of kernel/lanes/lanes4.h.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

typedef float lf __attribute__((vector_size(16)));
typedef uint32_t lu __attribute__((vector_size(16)));
typedef int32_t lm __attribute__((vector_size(16))); /* a lane has all bits set, or none */
typedef lm lw;

LANES_INLINE lu lf_bits(lf a) { return (lu)a; }
LANES_INLINE lf lf_from_bits(lu a) { return (lf)a; }
LANES_INLINE lu lu_set1(uint32_t a) { return (lu){a, a, a, a}; }
LANES_INLINE lf lf_set1(float a) { return (lf){a, a, a, a}; }
LANES_INLINE lf lf_load(const float *p) {
  lf a;
  memcpy(&a, p, sizeof a);
  return a;
}
LANES_INLINE void lf_store(float *p, lf a) { memcpy(p, &a, sizeof a); }
LANES_INLINE lu lu_load(const uint32_t *p) {
  lu a;
  memcpy(&a, p, sizeof a);
  return a;
}
LANES_INLINE void lu_store(uint32_t *p, lu a) { memcpy(p, &a, sizeof a); }

LANES_INLINE lm lf_less(lf a, lf b) { return a < b; }
LANES_INLINE lm lf_less_equal(lf a, lf b) { return a <= b; }
LANES_INLINE lm lf_greater(lf a, lf b) { return a > b; }
LANES_INLINE lm lf_greater_equal(lf a, lf b) { return a >= b; }
LANES_INLINE lm lf_equal(lf a, lf b) { return a == b; }

LANES_INLINE lm lm_and(lm a, lm b) { return a & b; }
LANES_INLINE lm lm_or(lm a, lm b) { return a | b; }
LANES_INLINE lm lm_without(lm a, lm b) { return a & ~b; }
LANES_INLINE uint32_t lm_bits(lm m) { return (uint32_t)((m[0] & 1) | (m[1] & 2) | (m[2] & 4) | (m[3] & 8)); }
LANES_INLINE lu lu_select(lm m, lu a, lu b) { return ((lu)m & a) | (~(lu)m & b); }
LANES_INLINE lf lf_select(lm m, lf a, lf b) { return (lf)lu_select(m, (lu)a, (lu)b); }

LANES_INLINE lf lf_add(lf a, lf b) { return a + b; }
LANES_INLINE lf lf_sub(lf a, lf b) { return a - b; }
LANES_INLINE lf lf_mul(lf a, lf b) { return a * b; }
LANES_INLINE lf lf_div(lf a, lf b) { return a / b; }
LANES_INLINE lf lf_sqrt(lf a) { return (lf){sqrtf(a[0]), sqrtf(a[1]), sqrtf(a[2]), sqrtf(a[3])}; }
LANES_INLINE lf lf_min(lf a, lf b) { return lf_select(a < b, a, b); }
LANES_INLINE lf lf_max(lf a, lf b) { return lf_select(a > b, a, b); }

LANES_INLINE lw lw_from_mask(lm m) { return m; }
LANES_INLINE lw lw_where(lm m, lw w) { return lm_and(m, w); }
LANES_INLINE lf lf_add_where(lf sum, lw m, lf a) { return sum + (lf)((lu)m & (lu)a); }
LANES_INLINE lf lf_add_product_where(lf sum, lw m, lf a, lf b) { return sum + (lf)((lu)m & (lu)a) * b; }
typedef lu lc;
LANES_INLINE lc lc_zero(void) { return (lu){0, 0, 0, 0}; }
LANES_INLINE lc lc_add_where(lc count, lw m) { return count - (lu)m; }
LANES_INLINE lf lf_from_count(lc count) { return __builtin_convertvector((lm)count, lf); }
LANES_INLINE void lanes_rest(void) {}

LANES_INLINE float lf_lowest(lf a) {
  float even = a[0] < a[2] ? a[0] : a[2], odd = a[1] < a[3] ? a[1] : a[3];
  return even < odd ? even : odd;
}
LANES_INLINE float lf_highest(lf a) {
  float even = a[0] > a[2] ? a[0] : a[2], odd = a[1] > a[3] ? a[1] : a[3];
  return even > odd ? even : odd;
}

/* Values outside the range of int32 become INT32_MIN, as with SSE2. */
LANES_INLINE lu lf_truncate(lf a) {
  lm fits = (a >= -0x1p31f) & (a < 0x1p31f);
  lm whole = __builtin_convertvector(lf_select(fits, a, lf_set1(0.0f)), lm);
  return lu_select(fits, (lu)whole, lu_set1(0x80000000u));
}
LANES_INLINE lf lf_from_int(lu a) { return __builtin_convertvector((lm)a, lf); }

LANES_INLINE lu lu_add(lu a, lu b) { return a + b; }
LANES_INLINE lu lu_sub(lu a, lu b) { return a - b; }
LANES_INLINE lu lu_mul(lu a, lu b) { return a * b; }
LANES_INLINE lu lu_and(lu a, lu b) { return a & b; }
LANES_INLINE lu lu_or(lu a, lu b) { return a | b; }
LANES_INLINE lu lu_xor(lu a, lu b) { return a ^ b; }
#define lu_shift_left(a, n) ((a) << (uint32_t)(n))
#define lu_shift_right(a, n) ((a) >> (uint32_t)(n))
LANES_INLINE lm lu_equal(lu a, lu b) { return a == b; }
LANES_INLINE lm lu_less_signed(lu a, lu b) { return (lm)a < (lm)b; }
LANES_INLINE lm lu_test(lu a, lu b) { return (a & b) != 0; }
LANES_INLINE lu lu_prefix_sums(lu a) { return (lu){a[0], a[0] + a[1], a[0] + a[1] + a[2], a[0] + a[1] + a[2] + a[3]}; }
LANES_INLINE lu lu_last(lu a) { return lu_set1(a[3]); }
LANES_INLINE lu lu_set_bits(uint32_t bits) {
  uint32_t bytes = set_lanes_of_4[bits];
  return (lu){bytes & 255, bytes >> 8 & 255, bytes >> 16 & 255, bytes >> 24};
}

LANES_INLINE void lu_store_unset(uint32_t *p, uint32_t bits, const uint32_t *stream) {
  for (uint32_t k = 0; k < 4; k++) {
    if (!(bits >> k & 1)) p[k] = *stream++;
  }
}
/* These functions store or load only the first n lanes, 1 <= n <= LANES. */
LANES_INLINE void lf_store_first(float *p, lf a, uint32_t n) { memcpy(p, &a, n * sizeof *p); }
LANES_INLINE void lu_store_first(uint32_t *p, lu a, uint32_t n) { memcpy(p, &a, n * sizeof *p); }
LANES_INLINE lf lf_load_first(const float *p, uint32_t n) {
  lf a = lf_set1(0.0f);
  memcpy(&a, p, n * sizeof *p);
  return a;
}

#define LANE_LOOKUP 256u
LANES_INLINE lf lf_lookup(const float *table, lu at) {
  return (lf){table[at[0]], table[at[1]], table[at[2]], table[at[3]]};
}
LANES_INLINE lf lf_gather(const float *table, lu at) { return lf_lookup(table, at); }

#define LANE_WINDOW 4u
LANES_INLINE lu lu_from_window(const uint32_t *window, lu number) {
  (void)number;
  return lu_load(window);
}
LANES_INLINE lm lu_outside_window(lu number) { return number != (lu){0, 1, 2, 3}; }

LANES_INLINE void lf_load_fours(lf to[4], const float *const from[4]) {
  for (int c = 0; c < 4; c++) to[c] = (lf){from[0][c], from[1][c], from[2][c], from[3][c]};
}
LANES_INLINE void lf_store_fours(float *to, uint32_t stride, const lf from[4], uint32_t n) {
  for (uint32_t k = 0; k < n; k++) lf_store(to + k * stride, (lf){from[0][k], from[1][k], from[2][k], from[3][k]});
}

LANES_INLINE lf lf_quarter_lowest(lf a) { return lf_set1(lf_lowest(a)); }
LANES_INLINE lf lf_quarter_highest(lf a) { return lf_set1(lf_highest(a)); }
LANES_INLINE void lf_spread_quarters(lf to[1], lf a) { to[0] = a; }
LANES_INLINE lf lf_load_quarters(const float *const from[1], uint32_t after) { return lf_load(from[0] + after); }
#define lf_quarter_element(a, k) lf_set1((a)[k])
