/* lanes/lanes16.h: 16 lanes, AVX-512 F, BW, DQ and VL. An operation that SIMDe lacks is an intrinsic. Emulating this
 * width would be very slow, so this file is used only for CPUs that have it. SPDX-License-Identifier: MIT */
#ifndef __AVX512F__
#error "lanes16.h needs -mavx512f -mavx512bw -mavx512dq -mavx512vl"
#endif
#include <immintrin.h>
#include <math.h>
#include <simde/x86/avx512.h>

typedef simde__m512 lf;
typedef simde__m512i lu;
/* The alignment keeps GCC 12 from packing adjacent masks of a struct into one integer. With -O2
 * and -O3 it then may store 16 bits of a mask, but load 64. */
typedef simde__mmask16 lm __attribute__((aligned(4)));
typedef lm lw;
typedef lu lc;

LANES_INLINE lf lf_set1(float a) { return simde_mm512_set1_ps(a); }
LANES_INLINE lf lf_load(const float *p) { return simde_mm512_loadu_ps(p); }
LANES_INLINE void lf_store(float *p, lf a) { simde_mm512_storeu_ps(p, a); }
LANES_INLINE lf lf_add(lf a, lf b) { return simde_mm512_add_ps(a, b); }
LANES_INLINE lf lf_sub(lf a, lf b) { return simde_mm512_sub_ps(a, b); }
LANES_INLINE lf lf_mul(lf a, lf b) { return simde_mm512_mul_ps(a, b); }
LANES_INLINE lf lf_div(lf a, lf b) { return simde_mm512_div_ps(a, b); }
LANES_INLINE lf lf_sqrt(lf a) { return simde_mm512_sqrt_ps(a); }
LANES_INLINE lf lf_min(lf a, lf b) { return simde_mm512_min_ps(a, b); }
LANES_INLINE lf lf_max(lf a, lf b) { return simde_mm512_max_ps(a, b); }

LANES_INLINE lm lf_less(lf a, lf b) { return simde_mm512_cmp_ps_mask(a, b, SIMDE_CMP_LT_OQ); }
LANES_INLINE lm lf_less_equal(lf a, lf b) { return simde_mm512_cmp_ps_mask(a, b, SIMDE_CMP_LE_OQ); }
LANES_INLINE lm lf_greater(lf a, lf b) { return simde_mm512_cmp_ps_mask(a, b, SIMDE_CMP_GT_OQ); }
LANES_INLINE lm lf_greater_equal(lf a, lf b) { return simde_mm512_cmp_ps_mask(a, b, SIMDE_CMP_GE_OQ); }
LANES_INLINE lm lf_equal(lf a, lf b) { return simde_mm512_cmp_ps_mask(a, b, SIMDE_CMP_EQ_OQ); }

LANES_INLINE lm lm_and(lm a, lm b) { return _kand_mask16(a, b); }
LANES_INLINE lm lm_or(lm a, lm b) { return _kor_mask16(a, b); }
/* a and not b */
LANES_INLINE lm lm_without(lm a, lm b) { return _kandn_mask16(b, a); }
LANES_INLINE uint32_t lm_bits(lm m) { return m; }
/* Comparisons in the lanes of m, in one instruction each; false in other lanes. */
LANES_INLINE lm lf_less_where(lm m, lf a, lf b) { return _mm512_mask_cmp_ps_mask(m, a, b, _CMP_LT_OQ); }
LANES_INLINE lm lf_less_equal_where(lm m, lf a, lf b) { return _mm512_mask_cmp_ps_mask(m, a, b, _CMP_LE_OQ); }
LANES_INLINE lm lf_equal_where(lm m, lf a, lf b) { return _mm512_mask_cmp_ps_mask(m, a, b, _CMP_EQ_OQ); }
LANES_INLINE lf lf_select(lm m, lf a, lf b) { return simde_mm512_mask_blend_ps(m, b, a); }
/* The lanes of m in which `asked` is clear or a > b. Where `asked` is clear, b must be neither NaN nor infinite. */
LANES_INLINE lm lf_greater_if(lm m, lm asked, lf a, lf b) {
  return lf_less_where(m, b, lf_select(asked, a, _mm512_set1_ps(INFINITY)));
}

LANES_INLINE lw lw_from_mask(lm m) { return m; }
LANES_INLINE lw lw_where(lm m, lw w) { return lm_and(m, w); }
/* sum + a where the mask is set, sum elsewhere; a may be anything where the mask is clear. */
LANES_INLINE lf lf_add_where(lf sum, lw m, lf a) { return simde_mm512_mask_add_ps(sum, m, sum, a); }
/* sum + a b where the mask is set, sum elsewhere; b comes from lf_inverse_where with the same mask. */
LANES_INLINE lf lf_add_product_where(lf sum, lw m, lf a, lf b) { return lf_add_where(sum, m, lf_mul(a, b)); }
/* count + 1 where the mask is set. Counts are integers, because float additions and minima share two pipes, but integer
 * additions use any free pipe. */
LANES_INLINE lc lc_zero(void) { return simde_mm512_setzero_si512(); }
LANES_INLINE lc lc_add_where(lc count, lw m) {
  return simde_mm512_mask_add_epi32(count, m, count, simde_mm512_set1_epi32(1));
}
LANES_INLINE lf lf_from_count(lc count) { return _mm512_cvtepi32_ps(count); }
/* min(a, b), for a and b of at least 0: their bits, as integers, have the same order. */
LANES_INLINE lf lf_nearer(lf a, lf b) {
  return simde_mm512_castsi512_ps(_mm512_min_epu32(simde_mm512_castps_si512(a), simde_mm512_castps_si512(b)));
}

/* Called before code without lane operations, such as a host's callback. That code uses narrower registers; it runs at
 * half speed while the upper halves of the wide registers are in use. */
LANES_INLINE void lanes_rest(void) {
#if defined(__AVX__)
  _mm256_zeroupper();
#endif
}

LANES_INLINE float lf_lowest(lf a) { return _mm512_reduce_min_ps(a); }
LANES_INLINE float lf_highest(lf a) { return _mm512_reduce_max_ps(a); }

LANES_INLINE lu lf_bits(lf a) { return simde_mm512_castps_si512(a); }
LANES_INLINE lf lf_from_bits(lu a) { return simde_mm512_castsi512_ps(a); }
LANES_INLINE lu lf_truncate(lf a) { return _mm512_cvttps_epi32(a); }
LANES_INLINE lf lf_from_int(lu a) { return _mm512_cvtepi32_ps(a); }

LANES_INLINE lu lu_set1(uint32_t a) { return simde_mm512_set1_epi32((int32_t)a); }
LANES_INLINE lu lu_load(const uint32_t *p) { return simde_mm512_loadu_si512(p); }
LANES_INLINE void lu_store(uint32_t *p, lu a) { simde_mm512_storeu_si512(p, a); }
LANES_INLINE lu lu_add(lu a, lu b) { return simde_mm512_add_epi32(a, b); }
LANES_INLINE lu lu_sub(lu a, lu b) { return simde_mm512_sub_epi32(a, b); }
LANES_INLINE lu lu_and(lu a, lu b) { return simde_mm512_and_si512(a, b); }
LANES_INLINE lu lu_or(lu a, lu b) { return simde_mm512_or_si512(a, b); }
LANES_INLINE lu lu_xor(lu a, lu b) { return simde_mm512_xor_si512(a, b); }
#define lu_shift_left(a, n) simde_mm512_slli_epi32(a, n)
#define lu_shift_right(a, n) simde_mm512_srli_epi32(a, n)
LANES_INLINE lu lu_mul(lu a, lu b) { return simde_mm512_mullo_epi32(a, b); }
LANES_INLINE lm lu_equal(lu a, lu b) { return simde_mm512_cmpeq_epi32_mask(a, b); }
LANES_INLINE lm lu_unequal(lu a, lu b) { return _mm512_cmpneq_epi32_mask(a, b); }
LANES_INLINE lm lu_less_signed(lu a, lu b) { return _mm512_cmplt_epi32_mask(a, b); }
/* Whether (a & b) != 0. */
LANES_INLINE lm lu_test(lu a, lu b) { return simde_mm512_test_epi32_mask(a, b); }
LANES_INLINE lm lu_less_signed_where(lm m, lu a, lu b) { return _mm512_mask_cmplt_epi32_mask(m, a, b); }
LANES_INLINE lm lu_test_where(lm m, lu a, lu b) { return _mm512_mask_test_epi32_mask(m, a, b); }
/* The numbers of the set bits, ascending; the lanes after them are undefined. */
LANES_INLINE lu lu_set_bits(uint32_t bits) {
  return _mm512_maskz_compress_epi32((lm)bits, _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
}
LANES_INLINE lu lu_select(lm m, lu a, lu b) { return simde_mm512_mask_blend_epi32(m, b, a); }

/* Lane k becomes the sum of lanes 0 to k. */
LANES_INLINE lu lu_prefix_sums(lu a) {
  const lu zero = _mm512_setzero_si512();
  a = lu_add(a, _mm512_alignr_epi32(a, zero, 15));
  a = lu_add(a, _mm512_alignr_epi32(a, zero, 14));
  a = lu_add(a, _mm512_alignr_epi32(a, zero, 12));
  return lu_add(a, _mm512_alignr_epi32(a, zero, 8));
}
/* The last lane's value in all lanes. */
LANES_INLINE lu lu_last(lu a) { return _mm512_permutexvar_epi32(_mm512_set1_epi32(15), a); }
/* For each clear bit k below LANES, ascending: stores the next element of `stream` to p[k]. The other elements of p do
 * not change. It may read LANES elements of `stream`. */
LANES_INLINE void lu_store_unset(uint32_t *p, uint32_t bits, const uint32_t *stream) {
  _mm512_mask_storeu_epi32(p, (lm)~bits, _mm512_maskz_expand_epi32((lm)~bits, lu_load(stream)));
}

/* Stores the first n lanes, 1 <= n <= LANES. */
LANES_INLINE void lf_store_first(float *p, lf a, uint32_t n) {
  ASSERT_FIRST(n);
  _mm512_mask_storeu_ps(p, (lm)(0xFFFFu >> (16 - n)), a);
}
LANES_INLINE void lu_store_first(uint32_t *p, lu a, uint32_t n) {
  ASSERT_FIRST(n);
  _mm512_mask_storeu_epi32(p, (lm)(0xFFFFu >> (16 - n)), a);
}

/* Lane k becomes table[index of lane k]. Every index must be below LANE_LOOKUP. */
#define LANE_LOOKUP 16u
LANES_INLINE lf lf_lookup(const float *table, lu index) {
  ASSERT_LOOKUP(index);
  return simde_mm512_permutexvar_ps(index, simde_mm512_loadu_ps(table));
}

/* The same for any index. */
LANES_INLINE lf lf_gather(const float *table, lu index) { return _mm512_i32gather_ps(index, table, 4); }

/* Lane k becomes window[number of lane k]; it is undefined if lu_outside_window is true for it. */
#define LANE_WINDOW 32u
LANES_INLINE lu lu_from_window(const uint32_t *window, lu number) {
  return _mm512_permutex2var_epi32(lu_load(window), number, lu_load(window + 16));
}
LANES_INLINE lm lu_outside_window(lu number) { return lu_test(number, lu_set1(~(LANE_WINDOW - 1))); }

/* Loads the first n lanes, 1 <= n <= LANES. The others are 0; their memory is not read. */
LANES_INLINE lf lf_load_first(const float *p, uint32_t n) {
  ASSERT_FIRST(n);
  return _mm512_maskz_loadu_ps((lm)(0xFFFFu >> (16 - n)), p);
}

/* Loads 4 floats from each lane's own address: to[c] gets float c of every lane. */
LANES_INLINE void lf_load_fours(lf to[4], const float *const from[16]) {
  lf row[4]; /* lanes k, k + 4, k + 8 and k + 12 */
  for (int k = 0; k < 4; k++) {
    row[k] = _mm512_castps128_ps512(_mm_loadu_ps(from[k]));
    row[k] = _mm512_insertf32x4(row[k], _mm_loadu_ps(from[k + 4]), 1);
    row[k] = _mm512_insertf32x4(row[k], _mm_loadu_ps(from[k + 8]), 2);
    row[k] = _mm512_insertf32x4(row[k], _mm_loadu_ps(from[k + 12]), 3);
  }
  lf low[2] = {_mm512_unpacklo_ps(row[0], row[2]), _mm512_unpacklo_ps(row[1], row[3])},
     high[2] = {_mm512_unpackhi_ps(row[0], row[2]), _mm512_unpackhi_ps(row[1], row[3])};
  to[0] = _mm512_unpacklo_ps(low[0], low[1]);
  to[1] = _mm512_unpackhi_ps(low[0], low[1]);
  to[2] = _mm512_unpacklo_ps(high[0], high[1]);
  to[3] = _mm512_unpackhi_ps(high[0], high[1]);
}
/* Stores the 4 floats of each of the first n lanes, 1 <= n <= LANES: from[c] has float c of every lane. A lane's
 * address is `stride` floats after that of the lane before it. */
LANES_INLINE void lf_store_fours(float *to, uint32_t stride, const lf from[4], uint32_t n) {
  ASSERT_FIRST(n);
  const __m512d low[2] = {_mm512_castps_pd(_mm512_unpacklo_ps(from[0], from[1])),
                          _mm512_castps_pd(_mm512_unpacklo_ps(from[2], from[3]))},
                high[2] = {_mm512_castps_pd(_mm512_unpackhi_ps(from[0], from[1])),
                           _mm512_castps_pd(_mm512_unpackhi_ps(from[2], from[3]))};
  _Alignas(64) float row[4][16]; /* lanes k, k + 4, k + 8 and k + 12 */
  _mm512_store_pd(row[0], _mm512_unpacklo_pd(low[0], low[1]));
  _mm512_store_pd(row[1], _mm512_unpackhi_pd(low[0], low[1]));
  _mm512_store_pd(row[2], _mm512_unpacklo_pd(high[0], high[1]));
  _mm512_store_pd(row[3], _mm512_unpackhi_pd(high[0], high[1]));
  for (uint32_t k = 0; k < n; k++) _mm_store_ps(to + k * stride, _mm_load_ps(row[k % 4] + k / 4 * 4));
}

/* Quarters are lanes 0 to 3, 4 to 7, 8 to 11 and 12 to 15. These return each quarter's minimum and maximum in all
 * four of its lanes. */
LANES_INLINE lf lf_quarter_lowest(lf a) {
  a = simde_mm512_min_ps(a, _mm512_permute_ps(a, 0xB1));
  return simde_mm512_min_ps(a, _mm512_permute_ps(a, 0x4E));
}
LANES_INLINE lf lf_quarter_highest(lf a) {
  a = simde_mm512_max_ps(a, _mm512_permute_ps(a, 0xB1));
  return simde_mm512_max_ps(a, _mm512_permute_ps(a, 0x4E));
}
/* to[q] holds quarter q four times. */
LANES_INLINE void lf_spread_quarters(lf to[4], lf a) {
  to[0] = _mm512_shuffle_f32x4(a, a, 0x00);
  to[1] = _mm512_shuffle_f32x4(a, a, 0x55);
  to[2] = _mm512_shuffle_f32x4(a, a, 0xAA);
  to[3] = _mm512_shuffle_f32x4(a, a, 0xFF);
}
LANES_INLINE __m256 lf_load_half(const float *a, const float *b) {
  return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(a)), _mm_load_ps(b), 1);
}
/* Loads 4 floats into each quarter, from its own address plus `after` floats. It loads by halves of 256 bits, because
 * some CPUs run an operation of 512 bits as two. */
LANES_INLINE lf lf_load_quarters(const float *const from[4], uint32_t after) {
  const __m256 low = lf_load_half(from[0] + after, from[1] + after),
               high = lf_load_half(from[2] + after, from[3] + after);
  return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}
/* Element k of each quarter, in all four lanes of the quarter. */
#define lf_quarter_element(a, k) _mm512_permute_ps(a, (k)*0x55)

/* Moves the set lanes together, to the front; the lanes after them are undefined. */
LANES_INLINE lu lu_compress(lm m, lu a) { return _mm512_maskz_compress_epi32(m, a); }
/* lf_nearer(a, b) where the mask is set, a elsewhere. */
LANES_INLINE lf lf_nearer_where(lm m, lf a, lf b) {
  return simde_mm512_castsi512_ps(
      _mm512_mask_min_epu32(simde_mm512_castps_si512(a), m, simde_mm512_castps_si512(a), simde_mm512_castps_si512(b)));
}

LANES_INLINE lu lu_lesser_signed(lu a, lu b) { return _mm512_min_epi32(a, b); }
/* Pairs: two signed 16-bit integers per lane; they wrap around. */
LANES_INLINE lu lu_sub_pairs(lu a, lu b) { return _mm512_sub_epi16(a, b); }
/* The sum of the pair's two products. */
LANES_INLINE lu lu_dot_pairs(lu a, lu b) { return _mm512_madd_epi16(a, b); }
/* The minimum, or maximum, over all lanes of each of the pair's two integers. */
#define PAIRS_OF_ALL(name, lesser)                                                                                     \
  LANES_INLINE lu name(lu a) {                                                                                         \
    a = lesser(a, _mm512_shuffle_i64x2(a, a, 0x4E));                                                                   \
    a = lesser(a, _mm512_shuffle_i64x2(a, a, 0xB1));                                                                   \
    a = lesser(a, _mm512_shuffle_epi32(a, 0x4E));                                                                      \
    return lesser(a, _mm512_shuffle_epi32(a, 0xB1));                                                                   \
  }
PAIRS_OF_ALL(lu_lowest_pairs, _mm512_min_epi16)
PAIRS_OF_ALL(lu_highest_pairs, _mm512_max_epi16)
/* Returns a - high if a is above [low, high], a - low if a is below it, and 0 inside. */
LANES_INLINE lu lu_outside_pairs(lu low, lu high, lu a) {
  return lu_sub_pairs(a, _mm512_min_epi16(_mm512_max_epi16(a, low), high));
}
