/* tests/lanes/test_lanes.c: compares each lane operation with plain scalar C, for special and random values. Compiled
 * once per instruction set (THRONG_PASS_ISA, THRONG_LANES).
 * SPDX-License-Identifier: MIT */
#include "lanes/math.h"

#include "lanes/main.h"
#include "reference/reference_a.h"
#include "support/check.h"
#include "support/random.h"

#include <float.h>
#include <string.h>

#define PAIRS 8192 /* a multiple of every width */

static float left[PAIRS + 1], right[PAIRS + 1]; /* loads start at index 1, to test that they need no alignment */
static uint32_t bits_left[PAIRS + 1], bits_right[PAIRS + 1];

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static const float hostile[] = {0.0f,           -0.0f,    1.0f,           -1.0f,      0.5f,      1.5f,
                                -2.5f,          3.0f,     0x1p-149f,      -0x1p-149f, 0x1p-126f, 0x1.fffffep-127f,
                                FLT_MAX,        -FLT_MAX, INFINITY,       -INFINITY,  NAN,       0x1.000002p0f,
                                0x1.fffffep-1f, 0x1p23f,  0x1.000002p23f, 0x1p24f,    -0x1p30f,  0x1.fffffep30f,
                                1e-20f,         1e20f,    3.14159265f,    6.2831853f, 1e-6f,     16777215.0f};
#define HOSTILE (sizeof hostile / sizeof hostile[0])

/* Makes all pairs of special values, then random bits, neighbouring floats and ordinary numbers. */
static void make_values(uint64_t seed) {
  test_rng rng = rng_from(seed);
  for (uint32_t k = 0; k <= PAIRS; k++) {
    float a, b;
    if (k < HOSTILE * HOSTILE) {
      a = hostile[k / HOSTILE];
      b = hostile[k % HOSTILE];
    } else if (k % 3 == 0) {
      a = float_of((uint32_t)rng_next(&rng));
      b = rng_chance(&rng, 0.3f) ? nextafterf(a, rng_chance(&rng, 0.5f) ? 1e38f : -1e38f)
                                 : float_of((uint32_t)rng_next(&rng));
    } else if (k % 3 == 1) {
      a = hostile[rng_below(&rng, HOSTILE)];
      b = rng_float(&rng, -1000.0f, 1000.0f);
    } else {
      a = rng_float(&rng, -10.0f, 10.0f);
      b = rng_chance(&rng, 0.1f) ? a : rng_float(&rng, -10.0f, 10.0f);
    }
    left[k] = a;
    right[k] = b;
    bits_left[k] = rng_chance(&rng, 0.2f) ? bits_of(a) : (uint32_t)rng_next(&rng);
    bits_right[k] = rng_chance(&rng, 0.2f) ? bits_left[k] : (uint32_t)rng_next(&rng) >> rng_below(&rng, 32);
  }
}

/* Checks equal bits. All NaNs count as equal, because their payloads depend on the CPU. */
static void same_float(const char *what, float a, float b, float expected, float got) {
  if (bits_of(expected) == bits_of(got) || (isnan(expected) && isnan(got))) return;
  print_error("%s(%a, %a) = %a (%08x), expected %a (%08x)\n", what, (double)a, (double)b, (double)got, bits_of(got),
              (double)expected, bits_of(expected));
  fail();
}

static void same_bits(const char *what, uint32_t a, uint32_t b, uint32_t expected, uint32_t got) {
  if (expected == got) return;
  print_error("%s(%08x, %08x) = %08x, expected %08x\n", what, a, b, got, expected);
  fail();
}

/* Compares `operation` on vectors a, b with `expression` on the floats x, y of each lane where `condition` holds. */
#define FLOATS(operation, expression, condition)                                                                       \
  for (uint32_t k = 1; k + LANES <= PAIRS + 1; k += LANES) {                                                           \
    const lf a = lf_load(left + k), b = lf_load(right + k);                                                            \
    (void)a, (void)b;                                                                                                  \
    float result[LANES];                                                                                               \
    lf_store(result, operation);                                                                                       \
    for (uint32_t lane = 0; lane < LANES; lane++) {                                                                    \
      const float x = left[k + lane], y = right[k + lane];                                                             \
      (void)x, (void)y;                                                                                                \
      if (condition) same_float(#operation, x, y, expression, result[lane]);                                           \
    }                                                                                                                  \
  }

#define COMPARES(operation, expression)                                                                                \
  for (uint32_t k = 1; k + LANES <= PAIRS + 1; k += LANES) {                                                           \
    const lf a = lf_load(left + k), b = lf_load(right + k);                                                            \
    (void)a, (void)b;                                                                                                  \
    const uint32_t result = lm_bits(operation);                                                                        \
    assert_true(LANES == 32 || result >> LANES == 0);                                                                  \
    for (uint32_t lane = 0; lane < LANES; lane++) {                                                                    \
      const float x = left[k + lane], y = right[k + lane];                                                             \
      (void)x, (void)y;                                                                                                \
      same_bits(#operation, bits_of(x), bits_of(y), (expression) ? 1u : 0u, result >> lane & 1u);                      \
    }                                                                                                                  \
  }

#define INTEGERS(operation, expression)                                                                                \
  for (uint32_t k = 1; k + LANES <= PAIRS + 1; k += LANES) {                                                           \
    const lu a = lu_load(bits_left + k), b = lu_load(bits_right + k);                                                  \
    (void)a, (void)b;                                                                                                  \
    uint32_t result[LANES];                                                                                            \
    lu_store(result, operation);                                                                                       \
    for (uint32_t lane = 0; lane < LANES; lane++) {                                                                    \
      const uint32_t x = bits_left[k + lane], y = bits_right[k + lane];                                                \
      (void)x, (void)y;                                                                                                \
      same_bits(#operation, x, y, expression, result[lane]);                                                           \
    }                                                                                                                  \
  }

#define INTEGER_COMPARES(operation, expression)                                                                        \
  for (uint32_t k = 1; k + LANES <= PAIRS + 1; k += LANES) {                                                           \
    const lu a = lu_load(bits_left + k), b = lu_load(bits_right + k);                                                  \
    const uint32_t result = lm_bits(operation);                                                                        \
    for (uint32_t lane = 0; lane < LANES; lane++) {                                                                    \
      const uint32_t x = bits_left[k + lane], y = bits_right[k + lane];                                                \
      same_bits(#operation, x, y, (expression) ? 1u : 0u, result >> lane & 1u);                                        \
    }                                                                                                                  \
  }

static void arithmetic(void **state) {
  (void)state;
  FLOATS(lf_add(a, b), x + y, true)
  FLOATS(lf_sub(a, b), x - y, true)
  FLOATS(lf_mul(a, b), x * y, true)
  FLOATS(lf_div(a, b), x / y, true)
  FLOATS(lf_sqrt(a), sqrtf(x), true)
  FLOATS(lf_min(a, b), x < y ? x : y, true)
  FLOATS(lf_max(a, b), x > y ? x : y, true)
  FLOATS(lf_abs(a), float_of(bits_of(x) & 0x7fffffffu), true)
  FLOATS(lf_negate(a), float_of(bits_of(x) ^ 0x80000000u), true)
  FLOATS(lf_zero(), 0.0f, true)
  FLOATS(lf_set1(-2.5f), -2.5f, true)
}

static void comparisons(void **state) {
  (void)state;
  COMPARES(lf_less(a, b), x < y)
  COMPARES(lf_less_equal(a, b), x <= y)
  COMPARES(lf_greater(a, b), x > y)
  COMPARES(lf_greater_equal(a, b), x >= y)
  COMPARES(lf_equal(a, b), x == y)
  COMPARES(lf_is_finite(a), isfinite(x))
  COMPARES(lm_and(lf_less(a, b), lf_less(a, lf_zero())), x < y && x < 0.0f)
  COMPARES(lm_or(lf_less(a, b), lf_less(a, lf_zero())), x < y || x < 0.0f)
  COMPARES(lm_without(lf_less(a, b), lf_less(a, lf_zero())), x < y && !(x < 0.0f))
}

/* Returns sum + a / a^2 where the mask is set, and `sum` elsewhere, as separation does. */
LANES_INLINE lf add_share_where(lf sum, lw where, lf a) {
  return lf_add_product_where(sum, where, a, lf_inverse_where(where, lf_mul(a, a)));
}

static void selections(void **state) {
  (void)state;
  FLOATS(lf_select(lf_less(a, b), a, b), x < y ? x : y, true)
  FLOATS(lf_select(lf_greater(a, lf_zero()), b, lf_set1(7.0f)), x > 0.0f ? y : 7.0f, true)
  FLOATS(lf_where(lf_less(a, b), b), x < y ? y : 0.0f, true)
  /* Selection computes nothing, so even NaN payloads must be equal. */
  for (uint32_t k = 1; k + LANES <= PAIRS + 1; k += LANES) {
    const lf a = lf_load(left + k), b = lf_load(right + k);
    uint32_t result[LANES];
    lu_store(result, lf_bits(lf_select(lf_less(a, b), b, a)));
    for (uint32_t lane = 0; lane < LANES; lane++) {
      const float x = left[k + lane], y = right[k + lane];
      same_bits("select", bits_of(x), bits_of(y), x < y ? bits_of(y) : bits_of(x), result[lane]);
    }
  }
  /* The operations are not defined for a sum of -0 or a summand that is not finite; the passes have neither. */
  FLOATS(lf_add_where(a, lw_from_mask(lf_less(b, lf_set1(1.0f))), b), y < 1.0f ? x + y : x,
         isfinite(y) && bits_of(x) != 0x80000000u)
  FLOATS(lf_add_where(a, lw_from_mask(lf_greater(a, b)), b), x > y ? x + y : x,
         isfinite(y) && bits_of(x) != 0x80000000u)
  FLOATS(lf_add_where(a, lw_where(lf_greater(a, b), lw_from_mask(lf_less(b, lf_set1(1.0f)))), b),
         x > y && y < 1.0f ? x + y : x, isfinite(y) && bits_of(x) != 0x80000000u)
  FLOATS(add_share_where(a, lw_from_mask(lf_greater(a, b)), b), x > y ? x + y * (1.0f / (y * y)) : x,
         isfinite(y) && y * y > 0.0f && isfinite(1.0f / (y * y)) && bits_of(x) != 0x80000000u)
}

/* Counts by zero to three masks, and the smaller of two distances. */
static void counts(void **state) {
  (void)state;
  FLOATS(lf_from_count(lc_add_where(lc_zero(), lw_from_mask(lf_greater(a, b)))), x > y ? 1.0f : 0.0f, true)
  FLOATS(lf_from_count(lc_add_where(
             lc_add_where(lc_add_where(lc_zero(), lw_from_mask(lf_less(a, b))), lw_from_mask(lf_greater(a, lf_zero()))),
             lw_from_mask(lf_greater(b, lf_zero())))),
         (float)((x < y) + (x > 0.0f) + (y > 0.0f)), true)
  FLOATS(lf_nearer(lf_abs(a), lf_abs(b)), fabsf(x) < fabsf(y) ? fabsf(x) : fabsf(y), !isnan(x) && !isnan(y))
}

/* lf_add_where may be a fused operation, but must give the same bits as an "and" with the mask, then an addition. */
static void exact_addition(void **state) {
  (void)state;
  test_rng rng = rng_from(23);
  for (uint32_t round = 0; round < 200000; round++) {
    float sum[LANES], value[LANES], wanted[LANES], got[LANES];
    uint32_t chosen[LANES];
    for (uint32_t k = 0; k < LANES; k++) {
      const bool hard = rng_chance(&rng, 0.3f), near = rng_chance(&rng, 0.3f);
      do {
        sum[k] = hard ? hostile[rng_below(&rng, HOSTILE)] : float_of((uint32_t)rng_next(&rng));
      } while (bits_of(sum[k]) == 0x80000000u); /* the passes have no sum of -0 */
      /* A value near -sum cancels it: the results are small, denormal or 0. */
      if (near)
        value[k] = float_of((bits_of(sum[k]) ^ 0x80000000u) + rng_below(&rng, 64) - 32);
      else
        value[k] = hard ? hostile[rng_below(&rng, HOSTILE)] : float_of((uint32_t)rng_next(&rng));
      if (!isfinite(value[k])) value[k] = 0x1p-149f; /* the passes have no infinite summand */
      chosen[k] = rng_chance(&rng, 0.5f) ? UINT32_MAX : 0;
    }
    const lm mask = lu_equal(lu_load(chosen), lu_set1(UINT32_MAX));
    lf_store(got, lf_add_where(lf_load(sum), lw_from_mask(mask), lf_load(value)));
    lf_store(wanted, lf_add(lf_load(sum), lf_from_bits(lu_and(lu_load(chosen), lf_bits(lf_load(value))))));
    for (uint32_t k = 0; k < LANES; k++)
      same_float(chosen[k] ? "add_where" : "add_where not", sum[k], value[k], wanted[k], got[k]);
  }
}

/* Comparisons of the lanes in a mask. */
static void masked_compares(void **state) {
  (void)state;
  const float one = 1.0f;
  FLOATS(lf_where(lf_less_where(lf_greater(b, lf_zero()), a, b), lf_set1(one)), y > 0.0f && x < y ? one : 0.0f, true)
  FLOATS(lf_where(lf_less_equal_where(lf_less(a, lf_set1(one)), a, b), lf_set1(one)), x < one && x <= y ? one : 0.0f,
         true)
  FLOATS(lf_where(lf_equal_where(lf_less(a, lf_set1(one)), a, b), lf_set1(one)), x < one && x == y ? one : 0.0f, true)
  FLOATS(lf_where(lf_greater_if(lf_less(a, lf_set1(2.0f * one)), lf_less(a, lf_set1(one)), a, b), lf_set1(one)),
         x < 2.0f * one && (x >= one || x > y) ? one : 0.0f, y < INFINITY)
  INTEGERS(lu_select(lu_less_signed_where(lu_test(a, lu_set1(4)), a, b), a, b),
           (x & 4) && (int32_t)x < (int32_t)y ? x : y)
  INTEGERS(lu_select(lu_test_where(lu_less_signed(a, b), a, lu_set1(0x10001)), a, b),
           (int32_t)x < (int32_t)y && (x & 0x10001) ? x : y)
}

/* For every mask: the number of its lanes, and their list. */
static void set_lanes(void **state) {
  (void)state;
  for (uint32_t bits = 0; bits < 1u << LANES; bits++) {
    uint32_t all[LANES], lanes[LANES], count = 0;
    for (uint32_t k = 0; k < LANES; k++) all[k] = bits >> k & 1;
    const lm mask = lu_equal(lu_load(all), lu_set1(1));
    lu_store(lanes, lu_set_bits(bits));
    for (uint32_t k = 0; k < LANES; k++)
      if (all[k]) assert_int_equal(lanes[count++], k);
    assert_int_equal(lm_count(mask), count);
    uint32_t from_seven[LANES];
    assert_int_equal(lu_store_set(from_seven, mask, 7), count);
    for (uint32_t k = 0; k < count; k++) assert_int_equal(from_seven[k], 7 + lanes[k]);
    uint32_t from_nine[LANES];
    assert_int_equal(lu_store_bits(from_nine, bits, 9), count);
    for (uint32_t k = 0; k < count; k++) assert_int_equal(from_nine[k], 9 + lanes[k]);
    uint32_t rest[LANES] = {0}, next = 0; /* lanes that are not set get consecutive elements */
    lu_store_unset(rest, bits, bits_left);
    for (uint32_t k = 0; k < LANES; k++) assert_int_equal(rest[k], all[k] ? 0 : bits_left[next++]);
#if LANES == 16
    uint32_t together[LANES];
    lu_store(together, lu_compress(mask, lu_load(bits_left)));
    for (uint32_t k = 0; k < count; k++) assert_int_equal(together[k], bits_left[lanes[k]]);
#endif
  }
  for (uint32_t k = 0; k < LANES; k++) assert_int_equal(lm_bits(lm_lane(k)), 1u << k);
}

/* Minimum and maximum over the lanes, for finite numbers. */
static void extremes(void **state) {
  (void)state;
  test_rng rng = rng_from(5);
  for (uint32_t round = 0; round < 1000; round++) {
    float value[LANES], low = INFINITY, high = -INFINITY;
    for (uint32_t k = 0; k < LANES; k++) {
      value[k] = rng_float(&rng, -10.0f, 10.0f);
      low = value[k] < low ? value[k] : low;
      high = value[k] > high ? value[k] : high;
    }
    assert_true(lf_lowest(lf_load(value)) == low && lf_highest(lf_load(value)) == high);
  }
}

static void conversions(void **state) {
  (void)state;
  FLOATS(lf_floor(a), (float)floor((double)x) + 0.0f, fabsf(x) < 0x1p31f)
  FLOATS(lf_off_whole(a), fabsf(x - rintf(x)), fabsf(x) <= 0x1p22f)
  FLOATS(lf_from_int(lf_truncate(a)), (float)(int32_t)x, fabsf(x) < 0x1p31f)
  FLOATS(lf_from_bits(lf_bits(a)), x, true)
  FLOATS(lf_from_bits(lf_floor_int(a)), float_of((uint32_t)(int32_t)floor((double)x)), fabsf(x) < 0x1p31f)
  INTEGERS(lf_bits(lf_from_int(a)), bits_of((float)(int32_t)x))
}

static void integers(void **state) {
  (void)state;
  INTEGERS(lu_add(a, b), x + y)
  INTEGERS(lu_sub(a, b), x - y)
  INTEGERS(lu_mul(a, b), x * y)
  INTEGERS(lu_and(a, b), x & y)
  INTEGERS(lu_or(a, b), x | y)
  INTEGERS(lu_xor(a, b), x ^ y)
  INTEGERS(lu_shift_left(a, 1), x << 1)
  INTEGERS(lu_shift_left(a, 13), x << 13)
  INTEGERS(lu_shift_left(a, 31), x << 31)
  INTEGERS(lu_shift_right(a, 1), x >> 1)
  INTEGERS(lu_shift_right(a, 8), x >> 8)
  INTEGERS(lu_shift_right(a, 31), x >> 31)
  INTEGERS(lu_set1(0xdeadbeefu), 0xdeadbeefu)
  INTEGERS(lu_select(lu_less_signed(a, b), b, a), (int32_t)x < (int32_t)y ? y : x)
  INTEGER_COMPARES(lu_equal(a, b), x == y)
  INTEGER_COMPARES(lu_less_signed(a, b), (int32_t)x < (int32_t)y)
  INTEGER_COMPARES(lu_test(a, b), (x & y) != 0)
}

static void first_lanes(void **state) {
  (void)state;
  uint32_t iota[LANES];
  lu_store(iota, lu_iota());
  for (uint32_t k = 0; k < LANES; k++) assert_int_equal(iota[k], k);
  for (uint32_t n = 0; n <= LANES; n++) {
    assert_int_equal(lm_bits(lm_first(n)), (1u << n) - 1u);
    assert_true(lm_any(lm_first(n)) == (n > 0));
  }
  for (uint32_t n = 1; n <= LANES; n++) {
    float floats[LANES + 2];
    uint32_t words[LANES + 2];
    for (uint32_t k = 0; k < LANES + 2; k++) floats[k] = -7.0f, words[k] = 77u;
    lf_store_first(floats + 1, lf_load(left + 1), n);
    lu_store_first(words + 1, lu_load(bits_left + 1), n);
    assert_true(floats[0] == -7.0f && words[0] == 77u); /* the element before the result is unchanged */
    for (uint32_t k = 1; k < LANES + 2; k++) {
      assert_int_equal(bits_of(floats[k]), k <= n ? bits_of(left[k]) : bits_of(-7.0f));
      assert_int_equal(words[k], k <= n ? bits_left[k] : 77u);
    }
  }
}

/* lf_lookup with indices inside the table. */
static void lookups(void **state) {
  (void)state;
  for (uint32_t k = 1; k + LANE_LOOKUP <= PAIRS + 1; k += LANES) {
    float floats[LANES];
    lf_store(floats, lf_lookup(left + k, lu_and(lu_load(bits_left + k), lu_set1(LANE_LOOKUP - 1))));
    for (uint32_t lane = 0; lane < LANES; lane++) {
      const uint32_t index = bits_left[k + lane] % LANE_LOOKUP;
      same_bits("lf_lookup", bits_left[k + lane], index, bits_of(left[k + index]), bits_of(floats[lane]));
    }
  }
}

/* Lanes whose index is not outside the window get the window's element. */
static void windows(void **state) {
  (void)state;
  for (uint32_t k = 1; k + LANE_WINDOW <= PAIRS + 1; k += LANES) {
    uint32_t got[LANES], at[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++) { /* 1/3 random, 1/3 inside the window, 1/3 the lane's number */
      const uint32_t any = bits_left[k + lane];
      at[lane] = any % 3 == 0 ? any : any % 3 == 1 ? any / 3 % LANE_WINDOW : lane;
    }
    lu_store(got, lu_from_window(bits_right + k, lu_load(at)));
    const uint32_t outside = lm_bits(lu_outside_window(lu_load(at)));
    for (uint32_t lane = 0; lane < LANES; lane++) {
      assert_int_equal(outside >> lane & 1, LANES == 4 ? at[lane] != lane : at[lane] >= LANE_WINDOW);
      if (outside >> lane & 1) continue;
      same_bits("lu_from_window", k, at[lane], bits_right[k + at[lane]], got[lane]);
    }
  }
}

static void sums(void **state) {
  (void)state;
  for (uint32_t k = 1; k + LANES <= PAIRS + 1; k += LANES) {
    uint32_t got[LANES], last[LANES], sum = 0;
    const lu all = lu_prefix_sums(lu_load(bits_left + k));
    lu_store(got, all);
    lu_store(last, lu_last(all));
    for (uint32_t lane = 0; lane < LANES; lane++) {
      sum += bits_left[k + lane];
      same_bits("lu_prefix_sums", k, lane, sum, got[lane]);
      same_bits("lu_last", k, lane, got[LANES - 1], last[lane]);
    }
  }
}

/* Loads four floats per lane, and stores them. */
static void fours(void **state) {
  (void)state;
  test_rng rng = rng_from(23);
  const float *from[LANES];
  float got[4][LANES];
  lf columns[4];
  for (uint32_t k = 0; k < LANES; k++) from[k] = left + rng_below(&rng, PAIRS - 4);
  lf_load_fours(columns, from);
  for (uint32_t c = 0; c < 4; c++) lf_store(got[c], columns[c]);
  for (uint32_t k = 0; k < LANES; k++)
    for (uint32_t c = 0; c < 4; c++) assert_int_equal(bits_of(got[c][k]), bits_of(from[k][c]));
  enum { STRIDE = 8 };
  for (uint32_t n = 1; n <= LANES; n++) {
    _Alignas(16) float rows[(LANES + 1) * STRIDE];
    for (uint32_t k = 0; k < (LANES + 1) * STRIDE; k++) rows[k] = -7.0f;
    lf_store_fours(rows + 4, STRIDE, columns, n);
    for (uint32_t k = 0; k < (LANES + 1) * STRIDE; k++) {
      const bool written = k % STRIDE >= 4 && k / STRIDE < n;
      assert_int_equal(bits_of(rows[k]), bits_of(written ? from[k / STRIDE][k % STRIDE - 4] : -7.0f));
    }
  }
}

#define QUARTERS (LANES / 4) /* lanes 0 to 3, 4 to 7 and so on; finite numbers */
static void quarters(void **state) {
  (void)state;
  test_rng rng = rng_from(29);
  for (uint32_t round = 0; round < 1000; round++) {
    _Alignas(16) float value[LANES + 4];
    float low[LANES], high[LANES], spread[QUARTERS][LANES], elements[4][LANES];
    for (uint32_t k = 0; k < LANES + 4; k++) value[k] = rng_float(&rng, -10.0f, 10.0f);
    lf_store(low, lf_quarter_lowest(lf_load(value)));
    lf_store(high, lf_quarter_highest(lf_load(value)));
    lf all[QUARTERS];
    lf_spread_quarters(all, lf_load(value));
    uint32_t row[QUARTERS];
    const float *from[QUARTERS];
    for (uint32_t q = 0; q < QUARTERS; q++) from[q] = value + 4 * (row[q] = rng_below(&rng, QUARTERS));
    const lf rows = lf_load_quarters(from, 4);
    lf_store(elements[0], lf_quarter_element(rows, 0));
    lf_store(elements[1], lf_quarter_element(rows, 1));
    lf_store(elements[2], lf_quarter_element(rows, 2));
    lf_store(elements[3], lf_quarter_element(rows, 3));
    for (uint32_t q = 0; q < QUARTERS; q++) lf_store(spread[q], all[q]);
    for (uint32_t k = 0; k < LANES; k++) {
      const float *own = value + k / 4 * 4;
      assert_true(low[k] == fminf(fminf(own[0], own[1]), fminf(own[2], own[3])));
      assert_true(high[k] == fmaxf(fmaxf(own[0], own[1]), fmaxf(own[2], own[3])));
      for (uint32_t q = 0; q < QUARTERS; q++) {
        assert_true(spread[q][k] == value[4 * q + k % 4]);
        assert_true(elements[q][k] == value[4 * row[k / 4] + 4 + q]);
      }
    }
  }
#if LANES == 16
  INTEGER_COMPARES(lu_unequal(a, b), x != y)
  FLOATS(lf_nearer_where(lf_less(b, lf_zero()), lf_abs(a), lf_abs(b)), y < 0.0f && fabsf(y) < fabsf(x) ? -y : fabsf(x),
         !isnan(x) && !isnan(y))
#endif
}

#if LANES == 16
/* Two signed 16-bit integers per lane. */
static int32_t half(uint32_t x, int number) { return (int16_t)(x >> 16 * number); }
static uint32_t pair(int32_t low, int32_t high) { return ((uint32_t)low & 0xFFFFu) | (uint32_t)high << 16; }
static int32_t beyond(int32_t low, int32_t high, int32_t a) { return a < low ? a - low : a > high ? a - high : 0; }

static void pairs(void **state) {
  (void)state;
  INTEGERS(lu_sub_pairs(a, b), pair(half(x, 0) - half(y, 0), half(x, 1) - half(y, 1)))
  INTEGERS(lu_dot_pairs(a, b), (uint32_t)(half(x, 0) * half(y, 0)) + (uint32_t)(half(x, 1) * half(y, 1)))
  INTEGERS(lu_outside_pairs(a, a, b), pair(half(y, 0) - half(x, 0), half(y, 1) - half(x, 1)))
  const lu low_pairs = lu_set1(pair(-9000, 70)), high_pairs = lu_set1(pair(-8000, 20000));
  INTEGERS(lu_outside_pairs(low_pairs, high_pairs, b),
           pair(beyond(-9000, -8000, half(y, 0)), beyond(70, 20000, half(y, 1))))
  INTEGERS(lu_lesser_signed(a, b), (int32_t)x < (int32_t)y ? x : y)
  for (uint32_t k = 0; k + LANES <= PAIRS; k++) {
    int32_t low[2] = {INT16_MAX, INT16_MAX}, high[2] = {INT16_MIN, INT16_MIN};
    for (uint32_t lane = 0; lane < LANES; lane++) {
      for (int number = 0; number < 2; number++) {
        const int32_t value = half(bits_left[k + lane], number);
        if (value < low[number]) low[number] = value;
        if (value > high[number]) high[number] = value;
      }
    }
    uint32_t lowest[LANES], highest[LANES];
    lu_store(lowest, lu_lowest_pairs(lu_load(bits_left + k)));
    lu_store(highest, lu_highest_pairs(lu_load(bits_left + k)));
    for (uint32_t lane = 0; lane < LANES; lane++) {
      assert_int_equal(lowest[lane], pair(low[0], low[1]));
      assert_int_equal(highest[lane], pair(high[0], high[1]));
    }
  }
}
#endif

/* Angles: the same bits as reference A's scalar functions, and close to libm's results. */
static void angles(void **state) {
  (void)state;
  test_rng rng = rng_from(17);
  double worst = 0.0, worst_arc = 0.0;
  for (uint32_t round = 0; round < 20000; round++) {
    float in[LANES], other[LANES], sines[LANES], cosines[LANES], arcs[LANES], wraps[LANES];
    for (uint32_t k = 0; k < LANES; k++) {
      const float range = rng_pick(&rng, (const float[]){3.2f, 99.9f, 1e-3f}, 3);
      in[k] =
          round < HOSTILE && k == 0 && fabsf(hostile[round]) < 99.0f ? hostile[round] : rng_float(&rng, -range, range);
      other[k] = rng_chance(&rng, 0.1f) ? 0.0f : (rng_chance(&rng, 0.1f) ? in[k] : rng_float(&rng, -3.0f, 3.0f));
    }
    lf s, c;
    lf_sincos(lf_load(in), &s, &c);
    lf_store(sines, s);
    lf_store(cosines, c);
    lf_store(arcs, lf_atan2(lf_load(in), lf_load(other)));
    for (uint32_t k = 0; k < LANES; k++) {
      const ref_angle wanted = ref_a_sincos(in[k]);
      same_float("sin", in[k], 0, wanted.sin, sines[k]);
      same_float("cos", in[k], 0, wanted.cos, cosines[k]);
      same_float("atan2", in[k], other[k], ref_a_atan2(in[k], other[k]), arcs[k]);
      worst =
          fmax(worst, fmax(fabs((double)sines[k] - sin((double)in[k])), fabs((double)cosines[k] - cos((double)in[k]))));
      if (in[k] != 0.0f || other[k] != 0.0f) {
        /* The remainder, because lf_atan2 may give pi where atan2 gives -pi (y = -0, x < 0). */
        const double off = (double)arcs[k] - atan2((double)in[k], (double)other[k]);
        worst_arc = fmax(worst_arc, fabs(remainder(off, 6.283185307179586)));
      }
      in[k] *= 0.09f; /* below 3 pi */
    }
    lf_store(wraps, lf_wrap_angle(lf_load(in)));
    for (uint32_t k = 0; k < LANES; k++) {
      same_float("wrap", in[k], 0, ref_a_wrap(in[k]), wraps[k]);
      assert_true(fabs(remainder((double)wraps[k] - (double)in[k], 6.283185307179586)) < 1e-6);
    }
  }
  print_message("sine and cosine off by at most %.3g, the arc tangent by %.3g\n", worst, worst_arc);
  assert_true(worst < 2e-7 && worst_arc < 5e-7);
}

/* Returns the z of (x, y, z), clipped to the length `most`. */
static float clipped_z(float x, float y, float z, float most) {
  float q = x * x + y * y + z * z;
  if (!(q > most * most)) return z;
  if (isinf(q)) x *= 0x1p-66f, y *= 0x1p-66f, z *= 0x1p-66f, q = x * x + y * y + z * z;
  return z * (most / sqrtf(q));
}

static void vectors(void **state) {
  (void)state;
  for (uint32_t spatial = 0; spatial < 2; spatial++)
    for (uint32_t k = 1; k + 3 * LANES <= PAIRS; k += LANES) {
      const lv3 a = {lf_load(left + k), lf_load(right + k), lf_load(left + k + LANES)};
      const lv3 b = {lf_load(right + k + LANES), lf_load(left + k + 2 * LANES), lf_load(right + k + 2 * LANES)};
      float dots[LANES], lens[LANES], clipped[LANES];
      lf_store(dots, lv3_dot(a, b, spatial != 0));
      lf_store(lens, lv3_inv_len(a, spatial != 0));
      lf_store(clipped, lv3_clip(a, b.x, spatial != 0).z);
      for (uint32_t lane = 0; lane < LANES; lane++) {
        const uint32_t i = k + lane;
        const float x = left[i], y = right[i], z = left[i + LANES];
        const float u = right[i + LANES], v = left[i + 2 * LANES], w = right[i + 2 * LANES];
        const float dot = spatial ? x * u + y * v + z * w : x * u + z * w;
        const float q = spatial ? x * x + y * y + z * z : x * x + z * z;
        same_float("dot", x, u, dot, dots[lane]);
        same_float("inv_len", x, z, q > 0x1p-120f ? 1.0f / sqrtf(q) : 0.0f, lens[lane]);
        same_float("clip", z, u, clipped_z(x, spatial ? y : 0.0f, z, u), clipped[lane]);
      }
    }
}

static void random_numbers(void **state) {
  (void)state;
  INTEGERS(lu_mix(a), ref_a_mix(x))
  INTEGERS(lf_bits(lu_to_uniform(a)), bits_of((float)(x >> 8) * 0x1p-24f))
}

int test_lanes_main(void) {
  print_message("%d lanes\n", LANES);
  make_values(test_seed("test_lanes", 12));
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(arithmetic),
    cmocka_unit_test(comparisons),
    cmocka_unit_test(selections),
    cmocka_unit_test(counts),
    cmocka_unit_test(exact_addition),
    cmocka_unit_test(masked_compares),
    cmocka_unit_test(set_lanes),
    cmocka_unit_test(extremes),
    cmocka_unit_test(conversions),
    cmocka_unit_test(integers),
    cmocka_unit_test(first_lanes),
    cmocka_unit_test(angles),
    cmocka_unit_test(vectors),
    cmocka_unit_test(random_numbers),
    cmocka_unit_test(lookups),
    cmocka_unit_test(windows),
    cmocka_unit_test(sums),
    cmocka_unit_test(fours),
    cmocka_unit_test(quarters),
#if LANES == 16
    cmocka_unit_test(pairs),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
