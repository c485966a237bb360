/* lanes/lanes4.h: 4 lanes. SIMDe makes them of SSE2, NEON, WebAssembly SIMD128 or plain C.
 * SPDX-License-Identifier: MIT */
#include <simde/x86/sse2.h>

typedef simde__m128 lf;
typedef simde__m128i lu;
typedef simde__m128 lm;
typedef lm lw;

LANES_INLINE lf lf_set1(float a) { return simde_mm_set1_ps(a); }
LANES_INLINE lf lf_load(const float *p) { return simde_mm_loadu_ps(p); }
LANES_INLINE void lf_store(float *p, lf a) { simde_mm_storeu_ps(p, a); }
LANES_INLINE lf lf_add(lf a, lf b) { return simde_mm_add_ps(a, b); }
LANES_INLINE lf lf_sub(lf a, lf b) { return simde_mm_sub_ps(a, b); }
LANES_INLINE lf lf_mul(lf a, lf b) { return simde_mm_mul_ps(a, b); }
LANES_INLINE lf lf_div(lf a, lf b) { return simde_mm_div_ps(a, b); }
LANES_INLINE lf lf_sqrt(lf a) { return simde_mm_sqrt_ps(a); }
LANES_INLINE lf lf_min(lf a, lf b) { return simde_mm_min_ps(a, b); }
LANES_INLINE lf lf_max(lf a, lf b) { return simde_mm_max_ps(a, b); }

LANES_INLINE lm lf_less(lf a, lf b) { return simde_mm_cmplt_ps(a, b); }
LANES_INLINE lm lf_less_equal(lf a, lf b) { return simde_mm_cmple_ps(a, b); }
LANES_INLINE lm lf_greater(lf a, lf b) { return simde_mm_cmplt_ps(b, a); }
LANES_INLINE lm lf_greater_equal(lf a, lf b) { return simde_mm_cmple_ps(b, a); }
LANES_INLINE lm lf_equal(lf a, lf b) { return simde_mm_cmpeq_ps(a, b); }

LANES_INLINE lm lm_and(lm a, lm b) { return simde_mm_and_ps(a, b); }
LANES_INLINE lm lm_or(lm a, lm b) { return simde_mm_or_ps(a, b); }
/* a and not b */
LANES_INLINE lm lm_without(lm a, lm b) { return simde_mm_andnot_ps(b, a); }
LANES_INLINE uint32_t lm_bits(lm m) { return (uint32_t)simde_mm_movemask_ps(m); }
LANES_INLINE lf lf_select(lm m, lf a, lf b) { return simde_mm_or_ps(simde_mm_and_ps(m, a), simde_mm_andnot_ps(m, b)); }

LANES_INLINE lw lw_from_mask(lm m) { return m; }
LANES_INLINE lw lw_where(lm m, lw w) { return simde_mm_and_ps(m, w); }
/* sum + a where the mask is set, sum elsewhere. sum must not be -0; a may be anything where the mask is clear. */
LANES_INLINE lf lf_add_where(lf sum, lw m, lf a) { return simde_mm_add_ps(sum, simde_mm_and_ps(m, a)); }
/* sum + a b where the mask is set, sum elsewhere. sum must not be -0. b must be finite and come from lf_inverse_where
 * with the same mask. The mask is applied to a and not to the product: if several products have the same a, the
 * compiler does it once. */
LANES_INLINE lf lf_add_product_where(lf sum, lw m, lf a, lf b) {
  return simde_mm_add_ps(sum, simde_mm_mul_ps(simde_mm_and_ps(m, a), b));
}
/* Counts are integers, and a set mask is -1. */
typedef lu lc;
LANES_INLINE lc lc_zero(void) { return simde_mm_setzero_si128(); }
LANES_INLINE lc lc_add_where(lc count, lw m) { return simde_mm_sub_epi32(count, simde_mm_castps_si128(m)); }
LANES_INLINE lf lf_from_count(lc count) { return simde_mm_cvtepi32_ps(count); }

/* Called before code without lane operations, such as a host's callback: see lanes8.h. Not needed at this width. */
LANES_INLINE void lanes_rest(void) {}

LANES_INLINE float lf_lowest(lf a) {
  lf b = simde_mm_min_ps(a, simde_mm_movehl_ps(a, a));
  return simde_mm_cvtss_f32(simde_mm_min_ps(b, simde_mm_shuffle_ps(b, b, 1)));
}
LANES_INLINE float lf_highest(lf a) {
  lf b = simde_mm_max_ps(a, simde_mm_movehl_ps(a, a));
  return simde_mm_cvtss_f32(simde_mm_max_ps(b, simde_mm_shuffle_ps(b, b, 1)));
}

LANES_INLINE lu lf_bits(lf a) { return simde_mm_castps_si128(a); }
LANES_INLINE lf lf_from_bits(lu a) { return simde_mm_castsi128_ps(a); }
LANES_INLINE lu lf_truncate(lf a) { return simde_mm_cvttps_epi32(a); }
LANES_INLINE lf lf_from_int(lu a) { return simde_mm_cvtepi32_ps(a); }

LANES_INLINE lu lu_set1(uint32_t a) { return simde_mm_set1_epi32((int32_t)a); }
LANES_INLINE lu lu_load(const uint32_t *p) { return simde_mm_loadu_si128((const simde__m128i *)(const void *)p); }
LANES_INLINE void lu_store(uint32_t *p, lu a) { simde_mm_storeu_si128((simde__m128i *)(void *)p, a); }
LANES_INLINE lu lu_add(lu a, lu b) { return simde_mm_add_epi32(a, b); }
LANES_INLINE lu lu_sub(lu a, lu b) { return simde_mm_sub_epi32(a, b); }
LANES_INLINE lu lu_and(lu a, lu b) { return simde_mm_and_si128(a, b); }
LANES_INLINE lu lu_or(lu a, lu b) { return simde_mm_or_si128(a, b); }
LANES_INLINE lu lu_xor(lu a, lu b) { return simde_mm_xor_si128(a, b); }
#define lu_shift_left(a, n) simde_mm_slli_epi32(a, n)
#define lu_shift_right(a, n) simde_mm_srli_epi32(a, n)
LANES_INLINE lu lu_mul(lu a, lu b) { /* the low 32 bits; SSE2 multiplies only even lanes */
  lu even = simde_mm_mul_epu32(a, b);
  lu odd = simde_mm_mul_epu32(simde_mm_srli_epi64(a, 32), simde_mm_srli_epi64(b, 32));
  return simde_mm_unpacklo_epi32(simde_mm_shuffle_epi32(even, 0x08), simde_mm_shuffle_epi32(odd, 0x08));
}
LANES_INLINE lm lu_equal(lu a, lu b) { return simde_mm_castsi128_ps(simde_mm_cmpeq_epi32(a, b)); }
LANES_INLINE lm lu_less_signed(lu a, lu b) { return simde_mm_castsi128_ps(simde_mm_cmplt_epi32(a, b)); }
/* Lane k becomes the sum of lanes 0 to k. */
LANES_INLINE lu lu_prefix_sums(lu a) {
  a = lu_add(a, simde_mm_slli_si128(a, 4));
  return lu_add(a, simde_mm_slli_si128(a, 8));
}
/* The last lane's value in all lanes. */
LANES_INLINE lu lu_last(lu a) { return simde_mm_shuffle_epi32(a, 0xFF); }
/* Whether (a & b) != 0. */
LANES_INLINE lm lu_test(lu a, lu b) {
  lu none = simde_mm_cmpeq_epi32(simde_mm_and_si128(a, b), simde_mm_setzero_si128());
  return simde_mm_castsi128_ps(simde_mm_xor_si128(none, simde_mm_set1_epi32(-1)));
}
/* The numbers of the set bits, ascending; the lanes after them are undefined. */
LANES_INLINE lu lu_set_bits(uint32_t bits) {
  lu bytes = simde_mm_cvtsi32_si128((int32_t)set_lanes_of_4[bits]), zero = simde_mm_setzero_si128();
  return simde_mm_unpacklo_epi16(simde_mm_unpacklo_epi8(bytes, zero), zero);
}
LANES_INLINE lu lu_select(lm m, lu a, lu b) { return lf_bits(lf_select(m, lf_from_bits(a), lf_from_bits(b))); }

/* For each clear bit k below LANES, ascending: stores the next element of `stream` to p[k]. The other elements of p do
 * not change. It may read LANES elements of `stream`. */
LANES_INLINE void lu_store_unset(uint32_t *p, uint32_t bits, const uint32_t *stream) {
  if (bits == 0) {
    lu_store(p, lu_load(stream));
    return;
  }
  for (uint32_t k = 0; k < 4; k++) {
    if (!(bits >> k & 1)) p[k] = *stream++;
  }
}

/* Stores the first n lanes, 1 <= n <= LANES. */
LANES_INLINE void lf_store_first(float *p, lf a, uint32_t n) {
  ASSERT_FIRST(n);
  if (n == 4) {
    lf_store(p, a);
    return;
  }
  float all[4];
  lf_store(all, a);
  for (uint32_t k = 0; k < n; k++) p[k] = all[k];
}
LANES_INLINE void lu_store_first(uint32_t *p, lu a, uint32_t n) {
  ASSERT_FIRST(n);
  if (n == 4) {
    lu_store(p, a);
    return;
  }
  uint32_t all[4];
  lu_store(all, a);
  for (uint32_t k = 0; k < n; k++) p[k] = all[k];
}

/* Lane k becomes table[index of lane k]. */
LANES_INLINE lf lf_gather(const float *table, lu index) {
  uint32_t at[4];
  lu_store(at, index);
  float value[4] = {table[at[0]], table[at[1]], table[at[2]], table[at[3]]};
  return lf_load(value);
}
/* The same. Every index must be below LANE_LOOKUP: at this width that is every group. */
#define LANE_LOOKUP 256u
LANES_INLINE lf lf_lookup(const float *table, lu index) {
  ASSERT_LOOKUP(index);
  return lf_gather(table, index);
}

/* Lane k becomes window[number of lane k]; it is undefined if lu_outside_window is true for it. SSE2 cannot permute
 * lanes by numbers in a register. So at this width only the number k is inside the window for lane k. */
#define LANE_WINDOW 4u
LANES_INLINE lu lu_from_window(const uint32_t *window, lu number) {
  (void)number;
  return lu_load(window);
}
LANES_INLINE lm lu_outside_window(lu number) {
  return lu_test(simde_mm_xor_si128(number, simde_mm_set_epi32(3, 2, 1, 0)), simde_mm_set1_epi32(-1));
}

/* Loads the first n lanes, 1 <= n <= LANES. The others are 0; their memory is not read. */
LANES_INLINE lf lf_load_first(const float *p, uint32_t n) {
  ASSERT_FIRST(n);
  if (n == 4) return lf_load(p);
  float all[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (uint32_t k = 0; k < n; k++) all[k] = p[k];
  return lf_load(all);
}

/* Loads 4 floats from each lane's own address: to[c] gets float c of every lane. */
LANES_INLINE void lf_load_fours(lf to[4], const float *const from[4]) {
  lf row[4] = {lf_load(from[0]), lf_load(from[1]), lf_load(from[2]), lf_load(from[3])};
  lf low[2] = {simde_mm_unpacklo_ps(row[0], row[2]), simde_mm_unpacklo_ps(row[1], row[3])},
     high[2] = {simde_mm_unpackhi_ps(row[0], row[2]), simde_mm_unpackhi_ps(row[1], row[3])};
  to[0] = simde_mm_unpacklo_ps(low[0], low[1]);
  to[1] = simde_mm_unpackhi_ps(low[0], low[1]);
  to[2] = simde_mm_unpacklo_ps(high[0], high[1]);
  to[3] = simde_mm_unpackhi_ps(high[0], high[1]);
}

/* Stores the 4 floats of each of the first n lanes, 1 <= n <= LANES: from[c] has float c of every lane. A lane's
 * address is `stride` floats after that of the lane before it. */
LANES_INLINE void lf_store_fours(float *to, uint32_t stride, const lf from[4], uint32_t n) {
  ASSERT_FIRST(n);
  const lf low[2] = {simde_mm_unpacklo_ps(from[0], from[2]), simde_mm_unpacklo_ps(from[1], from[3])},
           high[2] = {simde_mm_unpackhi_ps(from[0], from[2]), simde_mm_unpackhi_ps(from[1], from[3])};
  const lf lane[4] = {simde_mm_unpacklo_ps(low[0], low[1]), simde_mm_unpackhi_ps(low[0], low[1]),
                      simde_mm_unpacklo_ps(high[0], high[1]), simde_mm_unpackhi_ps(high[0], high[1])};
  for (uint32_t k = 0; k < n; k++) lf_store(to + k * stride, lane[k]);
}

/* The block is one quarter: see lanes16.h. */
LANES_INLINE lf lf_quarter_lowest(lf a) {
  a = simde_mm_min_ps(a, simde_mm_shuffle_ps(a, a, 0xB1));
  return simde_mm_min_ps(a, simde_mm_shuffle_ps(a, a, 0x4E));
}
LANES_INLINE lf lf_quarter_highest(lf a) {
  a = simde_mm_max_ps(a, simde_mm_shuffle_ps(a, a, 0xB1));
  return simde_mm_max_ps(a, simde_mm_shuffle_ps(a, a, 0x4E));
}
LANES_INLINE void lf_spread_quarters(lf to[1], lf a) { to[0] = a; }
LANES_INLINE lf lf_load_quarters(const float *const from[1], uint32_t after) { return lf_load(from[0] + after); }
#define lf_quarter_element(a, k) simde_mm_shuffle_ps(a, a, (k)*0x55)
