/* lanes/lanes8.h: 8 lanes, AVX2 through SIMDe. SPDX-License-Identifier: MIT */
#include <simde/x86/avx2.h>
#include <simde/x86/fma.h>

typedef simde__m256 lf;
typedef simde__m256i lu;
typedef simde__m256 lm;
typedef simde__m256 lw; /* 1.0 or 0.0 */

LANES_INLINE lf lf_set1(float a) { return simde_mm256_set1_ps(a); }
LANES_INLINE lf lf_load(const float *p) { return simde_mm256_loadu_ps(p); }
LANES_INLINE void lf_store(float *p, lf a) { simde_mm256_storeu_ps(p, a); }
LANES_INLINE lf lf_add(lf a, lf b) { return simde_mm256_add_ps(a, b); }
LANES_INLINE lf lf_sub(lf a, lf b) { return simde_mm256_sub_ps(a, b); }
LANES_INLINE lf lf_mul(lf a, lf b) { return simde_mm256_mul_ps(a, b); }
LANES_INLINE lf lf_div(lf a, lf b) { return simde_mm256_div_ps(a, b); }
LANES_INLINE lf lf_sqrt(lf a) { return simde_mm256_sqrt_ps(a); }
LANES_INLINE lf lf_min(lf a, lf b) { return simde_mm256_min_ps(a, b); }
LANES_INLINE lf lf_max(lf a, lf b) { return simde_mm256_max_ps(a, b); }

LANES_INLINE lm lf_less(lf a, lf b) { return simde_mm256_cmp_ps(a, b, SIMDE_CMP_LT_OQ); }
LANES_INLINE lm lf_less_equal(lf a, lf b) { return simde_mm256_cmp_ps(a, b, SIMDE_CMP_LE_OQ); }
LANES_INLINE lm lf_greater(lf a, lf b) { return simde_mm256_cmp_ps(a, b, SIMDE_CMP_GT_OQ); }
LANES_INLINE lm lf_greater_equal(lf a, lf b) { return simde_mm256_cmp_ps(a, b, SIMDE_CMP_GE_OQ); }
LANES_INLINE lm lf_equal(lf a, lf b) { return simde_mm256_cmp_ps(a, b, SIMDE_CMP_EQ_OQ); }

LANES_INLINE lm lm_and(lm a, lm b) { return simde_mm256_and_ps(a, b); }
LANES_INLINE lm lm_or(lm a, lm b) { return simde_mm256_or_ps(a, b); }
/* a and not b */
LANES_INLINE lm lm_without(lm a, lm b) { return simde_mm256_andnot_ps(b, a); }
LANES_INLINE uint32_t lm_bits(lm m) { return (uint32_t)simde_mm256_movemask_ps(m); }
LANES_INLINE lf lf_select(lm m, lf a, lf b) { return simde_mm256_blendv_ps(b, a, m); }

/* 1.0 where the mask is set, 0.0 elsewhere. */
LANES_INLINE lw lw_from_mask(lm m) { return simde_mm256_and_ps(m, simde_mm256_set1_ps(1.0f)); }
LANES_INLINE lw lw_where(lm m, lw w) { return simde_mm256_and_ps(m, w); }
/* sum + a where the mask is set, sum elsewhere. sum must not be -0. If a is not finite, the sum may become NaN even
 * where the mask is clear. This is the only fused operation of the library. Since a * 1 and a * 0 are exact, the fused
 * operation rounds once, as an addition does. */
LANES_INLINE lf lf_add_where(lf sum, lw m, lf a) { return simde_mm256_fmadd_ps(a, m, sum); }
/* 1 / a where the mask is set; elsewhere 0, or NaN if a is 0. Products with it then need no mask. */
LANES_INLINE lf lf_inverse_where(lw m, lf a) { return simde_mm256_div_ps(m, a); }
/* sum + a b where the mask is set, sum elsewhere. sum must not be -0, a must be finite, and b must come from
 * lf_inverse_where with the same mask. If b is NaN, the sum becomes NaN. */
LANES_INLINE lf lf_add_product_where(lf sum, lw m, lf a, lf b) {
  (void)m;
  return simde_mm256_add_ps(sum, simde_mm256_mul_ps(a, b));
}
/* Counts are floats, and a mask adds 1.0 or 0.0. */
typedef lf lc;
LANES_INLINE lc lc_zero(void) { return simde_mm256_setzero_ps(); }
LANES_INLINE lc lc_add_where(lc count, lw m) { return simde_mm256_add_ps(count, m); }
LANES_INLINE lf lf_from_count(lc count) { return count; }

/* Called before code without lane operations, such as a host's callback. That code uses narrower registers; it runs at
 * half speed while the upper halves of the wide registers are in use. */
LANES_INLINE void lanes_rest(void) {
#if defined(__AVX__)
  _mm256_zeroupper();
#endif
}

LANES_INLINE float lf_lowest(lf a) {
  simde__m128 b = simde_mm_min_ps(simde_mm256_castps256_ps128(a), simde_mm256_extractf128_ps(a, 1));
  b = simde_mm_min_ps(b, simde_mm_movehl_ps(b, b));
  return simde_mm_cvtss_f32(simde_mm_min_ps(b, simde_mm_shuffle_ps(b, b, 1)));
}
LANES_INLINE float lf_highest(lf a) {
  simde__m128 b = simde_mm_max_ps(simde_mm256_castps256_ps128(a), simde_mm256_extractf128_ps(a, 1));
  b = simde_mm_max_ps(b, simde_mm_movehl_ps(b, b));
  return simde_mm_cvtss_f32(simde_mm_max_ps(b, simde_mm_shuffle_ps(b, b, 1)));
}

LANES_INLINE lu lf_bits(lf a) { return simde_mm256_castps_si256(a); }
LANES_INLINE lf lf_from_bits(lu a) { return simde_mm256_castsi256_ps(a); }
LANES_INLINE lu lf_truncate(lf a) { return simde_mm256_cvttps_epi32(a); }
LANES_INLINE lf lf_from_int(lu a) { return simde_mm256_cvtepi32_ps(a); }

LANES_INLINE lu lu_set1(uint32_t a) { return simde_mm256_set1_epi32((int32_t)a); }
LANES_INLINE lu lu_load(const uint32_t *p) { return simde_mm256_loadu_si256((const simde__m256i *)(const void *)p); }
LANES_INLINE void lu_store(uint32_t *p, lu a) { simde_mm256_storeu_si256((simde__m256i *)(void *)p, a); }
LANES_INLINE lu lu_add(lu a, lu b) { return simde_mm256_add_epi32(a, b); }
LANES_INLINE lu lu_sub(lu a, lu b) { return simde_mm256_sub_epi32(a, b); }
LANES_INLINE lu lu_and(lu a, lu b) { return simde_mm256_and_si256(a, b); }
LANES_INLINE lu lu_or(lu a, lu b) { return simde_mm256_or_si256(a, b); }
LANES_INLINE lu lu_xor(lu a, lu b) { return simde_mm256_xor_si256(a, b); }
#define lu_shift_left(a, n) simde_mm256_slli_epi32(a, n)
#define lu_shift_right(a, n) simde_mm256_srli_epi32(a, n)
LANES_INLINE lu lu_mul(lu a, lu b) { return simde_mm256_mullo_epi32(a, b); }
LANES_INLINE lm lu_equal(lu a, lu b) { return simde_mm256_castsi256_ps(simde_mm256_cmpeq_epi32(a, b)); }
LANES_INLINE lm lu_less_signed(lu a, lu b) { return simde_mm256_castsi256_ps(simde_mm256_cmpgt_epi32(b, a)); }
/* Whether (a & b) != 0. */
LANES_INLINE lm lu_test(lu a, lu b) {
  lu none = simde_mm256_cmpeq_epi32(simde_mm256_and_si256(a, b), simde_mm256_setzero_si256());
  return simde_mm256_castsi256_ps(simde_mm256_xor_si256(none, simde_mm256_set1_epi32(-1)));
}
/* Lane k becomes the sum of lanes 0 to k. */
LANES_INLINE lu lu_prefix_sums(lu a) {
  a = lu_add(a, simde_mm256_slli_si256(a, 4));
  a = lu_add(a, simde_mm256_slli_si256(a, 8));
  const lu low = simde_mm256_permute2x128_si256(a, a, 0x08); /* upper half: a's lower half; lower half: 0 */
  return lu_add(a, simde_mm256_shuffle_epi32(low, 0xFF));
}
/* The last lane's value in all lanes. */
LANES_INLINE lu lu_last(lu a) { return simde_mm256_permutevar8x32_epi32(a, simde_mm256_set1_epi32(7)); }
/* Indexed by 8 bits: the numbers of the set bits, ascending, one byte each. */
#define SET_LANE(b, k) ((b) / (1u << (k)) % 2 * (uint64_t)(k) << 8 * __builtin_popcount((b) % (1u << (k))))
#define SET_LANES(b)                                                                                                   \
  SET_LANE(b, 1) | SET_LANE(b, 2) | SET_LANE(b, 3) | SET_LANE(b, 4) | SET_LANE(b, 5) | SET_LANE(b, 6) | SET_LANE(b, 7)
#define SET_LANES_4(b) SET_LANES(b), SET_LANES((b) + 1), SET_LANES((b) + 2), SET_LANES((b) + 3)
#define SET_LANES_16(b) SET_LANES_4(b), SET_LANES_4((b) + 4), SET_LANES_4((b) + 8), SET_LANES_4((b) + 12)
#define SET_LANES_64(b) SET_LANES_16(b), SET_LANES_16((b) + 16), SET_LANES_16((b) + 32), SET_LANES_16((b) + 48)
static const uint64_t set_lanes_of_8[256] = {SET_LANES_64(0u), SET_LANES_64(64u), SET_LANES_64(128u),
                                             SET_LANES_64(192u)};
/* The numbers of the set bits, ascending; the lanes after them are undefined. */
LANES_INLINE lu lu_set_bits(uint32_t bits) {
  return simde_mm256_cvtepu8_epi32(simde_mm_set_epi64x(0, (int64_t)set_lanes_of_8[bits]));
}
LANES_INLINE lu lu_select(lm m, lu a, lu b) { return simde_mm256_blendv_epi8(b, a, lf_bits(m)); }

/* For each clear bit k below LANES, ascending: stores the next element of `stream` to p[k]. The other elements of p do
 * not change. It may read LANES elements of `stream`. */
LANES_INLINE void lu_store_unset(uint32_t *p, uint32_t bits, const uint32_t *stream) {
  const lu lane_bits = simde_mm256_set_epi32(128, 64, 32, 16, 8, 4, 2, 1);
  const lu set = lu_and(lu_set1(bits), lane_bits), clear = simde_mm256_cmpeq_epi32(set, simde_mm256_setzero_si256());
  const lu number =
      lu_sub(simde_mm256_set1_epi32(-1), lu_prefix_sums(clear)); /* a clear lane's number among the clear lanes */
  lu_store(p, simde_mm256_blendv_epi8(lu_load(p), simde_mm256_permutevar8x32_epi32(lu_load(stream), number), clear));
}

/* A mask with all bits of the first n lanes set, 1 <= n <= LANES. */
LANES_INLINE lu window_of(uint32_t n) {
  static const int32_t window[16] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};
  return simde_mm256_loadu_si256((const simde__m256i *)(const void *)(window + 8 - n));
}
/* Stores the first n lanes, 1 <= n <= LANES. */
LANES_INLINE void lu_store_first(uint32_t *p, lu a, uint32_t n) {
  ASSERT_FIRST(n);
  if (n == 8) { /* the usual case: on some CPUs a masked store costs as much as ten plain ones */
    lu_store(p, a);
    return;
  }
  simde_mm256_maskstore_epi32((int32_t *)(void *)p, window_of(n), a);
}
/* Loads the first n lanes, 1 <= n <= LANES. The others are 0; their memory is not read. */
LANES_INLINE lf lf_load_first(const float *p, uint32_t n) {
  ASSERT_FIRST(n);
  return simde_mm256_maskload_ps(p, window_of(n));
}
LANES_INLINE void lf_store_first(float *p, lf a, uint32_t n) { lu_store_first((uint32_t *)(void *)p, lf_bits(a), n); }

/* Lane k becomes table[index of lane k]. Every index must be below LANE_LOOKUP. */
#define LANE_LOOKUP 8u
LANES_INLINE lf lf_lookup(const float *table, lu index) {
  ASSERT_LOOKUP(index);
  return simde_mm256_permutevar8x32_ps(simde_mm256_loadu_ps(table), index);
}

/* The same for any index. */
LANES_INLINE lf lf_gather(const float *table, lu index) { return simde_mm256_i32gather_ps(table, index, 4); }

/* Lane k becomes window[number of lane k]; it is undefined if lu_outside_window is true for it. */
#define LANE_WINDOW 16u
LANES_INLINE lu lu_from_window(const uint32_t *window, lu number) {
  lf low = simde_mm256_permutevar8x32_ps(lf_from_bits(lu_load(window)), number),
     high = simde_mm256_permutevar8x32_ps(lf_from_bits(lu_load(window + 8)), number);
  return lf_bits(simde_mm256_blendv_ps(low, high, lf_from_bits(lu_shift_left(number, 28))));
}
LANES_INLINE lm lu_outside_window(lu number) { return lu_test(number, lu_set1(~(LANE_WINDOW - 1))); }

/* Loads 4 floats from each lane's own address: to[c] gets float c of every lane. */
LANES_INLINE void lf_load_fours(lf to[4], const float *const from[8]) {
  lf row[4]; /* lanes k and k + 4 */
  for (int k = 0; k < 4; k++) {
    row[k] = simde_mm256_castps128_ps256(simde_mm_loadu_ps(from[k]));
    row[k] = simde_mm256_insertf128_ps(row[k], simde_mm_loadu_ps(from[k + 4]), 1);
  }
  lf low[2] = {simde_mm256_unpacklo_ps(row[0], row[2]), simde_mm256_unpacklo_ps(row[1], row[3])},
     high[2] = {simde_mm256_unpackhi_ps(row[0], row[2]), simde_mm256_unpackhi_ps(row[1], row[3])};
  to[0] = simde_mm256_unpacklo_ps(low[0], low[1]);
  to[1] = simde_mm256_unpackhi_ps(low[0], low[1]);
  to[2] = simde_mm256_unpacklo_ps(high[0], high[1]);
  to[3] = simde_mm256_unpackhi_ps(high[0], high[1]);
}

/* Stores the 4 floats of each of the first n lanes, 1 <= n <= LANES: from[c] has float c of every lane. A lane's
 * address is `stride` floats after that of the lane before it. */
LANES_INLINE void lf_store_fours(float *to, uint32_t stride, const lf from[4], uint32_t n) {
  ASSERT_FIRST(n);
  const lf low[2] = {simde_mm256_unpacklo_ps(from[0], from[1]), simde_mm256_unpacklo_ps(from[2], from[3])},
           high[2] = {simde_mm256_unpackhi_ps(from[0], from[1]), simde_mm256_unpackhi_ps(from[2], from[3])};
  const lf row[4] = {simde_mm256_shuffle_ps(low[0], low[1], 0x44), simde_mm256_shuffle_ps(low[0], low[1], 0xEE),
                     simde_mm256_shuffle_ps(high[0], high[1], 0x44),
                     simde_mm256_shuffle_ps(high[0], high[1], 0xEE)}; /* lanes k and k + 4 */
  simde__m128 lane[8];
  for (uint32_t k = 0; k < 4; k++) {
    lane[k] = simde_mm256_castps256_ps128(row[k]);
    lane[k + 4] = simde_mm256_extractf128_ps(row[k], 1);
  }
  for (uint32_t k = 0; k < n; k++) simde_mm_storeu_ps(to + k * stride, lane[k]);
}

/* Quarters are lanes 0 to 3 and 4 to 7: see lanes16.h. */
LANES_INLINE lf lf_quarter_lowest(lf a) {
  a = simde_mm256_min_ps(a, simde_mm256_permute_ps(a, 0xB1));
  return simde_mm256_min_ps(a, simde_mm256_permute_ps(a, 0x4E));
}
LANES_INLINE lf lf_quarter_highest(lf a) {
  a = simde_mm256_max_ps(a, simde_mm256_permute_ps(a, 0xB1));
  return simde_mm256_max_ps(a, simde_mm256_permute_ps(a, 0x4E));
}
LANES_INLINE void lf_spread_quarters(lf to[2], lf a) {
  to[0] = simde_mm256_permute2f128_ps(a, a, 0x00);
  to[1] = simde_mm256_permute2f128_ps(a, a, 0x11);
}
LANES_INLINE lf lf_load_quarters(const float *const from[2], uint32_t after) {
  return simde_mm256_insertf128_ps(simde_mm256_castps128_ps256(simde_mm_loadu_ps(from[0] + after)),
                                   simde_mm_loadu_ps(from[1] + after), 1);
}
#define lf_quarter_element(a, k) simde_mm256_permute_ps(a, (k)*0x55)
