/* lanes/math.h: the small functions of docs/ARITHMETIC.md as lane operations. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_LANES_MATH_H
#define THRONG_KERNEL_LANES_MATH_H

#include <math.h>

#include "lanes/lanes.h"

#define LANES_PI 3.14159265358979f
#define LANES_TWO_PI 6.28318530717959f
#define LANES_HALF_PI 1.57079632679490f

/* One vector per lane. With spatial == false y is not computed; `spatial` is a constant wherever these functions are
 * inlined. */
typedef struct lv3 {
  lf x, y, z;
} lv3;

LANES_INLINE lv3 lv3_zero(void) { return (lv3){lf_zero(), lf_zero(), lf_zero()}; }
LANES_INLINE lf lv3_dot(lv3 a, lv3 b, bool spatial) {
  lf sum = lf_mul(a.x, b.x);
  if (spatial) sum = lf_add(sum, lf_mul(a.y, b.y));
  return lf_add(sum, lf_mul(a.z, b.z));
}
LANES_INLINE lv3 lv3_add(lv3 a, lv3 b, bool spatial) {
  return (lv3){lf_add(a.x, b.x), spatial ? lf_add(a.y, b.y) : a.y, lf_add(a.z, b.z)};
}
LANES_INLINE lv3 lv3_sub(lv3 a, lv3 b, bool spatial) {
  return (lv3){lf_sub(a.x, b.x), spatial ? lf_sub(a.y, b.y) : a.y, lf_sub(a.z, b.z)};
}
LANES_INLINE lv3 lv3_scale(lv3 a, lf s, bool spatial) {
  return (lv3){lf_mul(a.x, s), spatial ? lf_mul(a.y, s) : a.y, lf_mul(a.z, s)};
}
LANES_INLINE lv3 lv3_select(lm m, lv3 a, lv3 b, bool spatial) {
  return (lv3){lf_select(m, a.x, b.x), spatial ? lf_select(m, a.y, b.y) : a.y, lf_select(m, a.z, b.z)};
}
LANES_INLINE lv3 lv3_where(lm m, lv3 a, bool spatial) { return lv3_select(m, a, lv3_zero(), spatial); }
LANES_INLINE lf lv3_length(lv3 a, bool spatial) { return lf_sqrt(lv3_dot(a, a, spatial)); }

/* A vector of length 2^-60 or less has no direction: its square would lose too many bits. */
#define LANES_LEAST_SQUARE 0x1p-120f

/* 1 / |a|; 0 if |a| <= 2^-60. */
LANES_INLINE lf lv3_inv_len(lv3 a, bool spatial) {
  lf q = lv3_dot(a, a, spatial);
  return lf_where(lf_greater(q, lf_set1(LANES_LEAST_SQUARE)), lf_div(lf_set1(1.0f), lf_sqrt(q)));
}
LANES_INLINE lv3 lv3_direction(lv3 a, bool spatial) { return lv3_scale(a, lv3_inv_len(a, spatial), spatial); }
LANES_INLINE lv3 lv3_cross(lv3 a, lv3 b) {
  return (lv3){lf_sub(lf_mul(a.y, b.z), lf_mul(a.z, b.y)), lf_sub(lf_mul(a.z, b.x), lf_mul(a.x, b.z)),
               lf_sub(lf_mul(a.x, b.y), lf_mul(a.y, b.x))};
}
LANES_INLINE lv3 lv3_negate(lv3 a, bool spatial) {
  return (lv3){lf_negate(a.x), spatial ? lf_negate(a.y) : a.y, lf_negate(a.z)};
}
/* a, scaled down to length m if it is longer. */
LANES_INLINE lv3 lv3_clip(lv3 a, lf m, bool spatial) {
  lf q = lv3_dot(a, a, spatial);
  lm longer = lf_greater(q, lf_mul(m, m));
  if (!lm_any(longer)) return a; /* the usual case saves the root and the division */
  lv3 along = a;
  lm beyond = lf_equal(q, lf_set1(INFINITY)); /* |a| >= 2^64: the square overflows */
  if (lm_any(beyond)) {
    along = lv3_select(beyond, lv3_scale(a, lf_set1(0x1p-66f), spatial), a, spatial);
    q = lv3_dot(along, along, spatial);
  }
  return lv3_select(longer, lv3_scale(along, lf_div(m, lf_sqrt(q)), spatial), a, spatial);
}

/* a limited to [-m, m]; NaN stays NaN. */
LANES_INLINE lf lf_clamp(lf a, lf m) {
  lf low = lf_select(lf_less(a, lf_negate(m)), lf_negate(m), a);
  return lf_select(lf_greater(a, m), m, low);
}

/* a plus a multiple of 2 pi, in (-pi, pi], for |a| < 3 pi. */
LANES_INLINE lf lf_wrap_angle(lf a) {
  lf low = lf_select(lf_less_equal(a, lf_set1(-LANES_PI)), lf_add(a, lf_set1(LANES_TWO_PI)), a);
  return lf_select(lf_greater(a, lf_set1(LANES_PI)), lf_sub(a, lf_set1(LANES_TWO_PI)), low);
}

/* Sine and cosine for |a| < 100: Cody-Waite reduction to [-pi/4, pi/4], then minimax polynomials (Remez exchange). */
LANES_INLINE void lf_sincos(lf a, lf *sine, lf *cosine) {
  lf n = lf_floor(lf_add(lf_mul(a, lf_set1(0.636619772367581f)), lf_set1(0.5f)));
  lf r = lf_sub(a, lf_mul(n, lf_set1(1.5703125f)));
  r = lf_sub(r, lf_mul(n, lf_set1(4.83751296997070e-4f)));
  r = lf_sub(r, lf_mul(n, lf_set1(7.54978995489188e-8f)));
  lf z = lf_mul(r, r);

  lf ps = lf_add(lf_set1(0.008332180627658869f), lf_mul(z, lf_set1(-0.00019517560677263836f)));
  ps = lf_add(lf_set1(-0.16666654998479177f), lf_mul(z, ps));
  lf s = lf_add(r, lf_mul(lf_mul(r, z), ps));

  lf pc = lf_add(lf_set1(-0.001388737760666463f), lf_mul(z, lf_set1(2.443944687997078e-05f)));
  pc = lf_add(lf_set1(0.04166664711422686f), lf_mul(z, pc));
  lf c = lf_add(lf_sub(lf_set1(1.0f), lf_mul(z, lf_set1(0.5f))), lf_mul(lf_mul(z, z), pc));

  lu quadrant = lf_truncate(n);
  lm swapped = lu_test(quadrant, lu_set1(1));
  lu sine_sign = lu_shift_left(lu_and(quadrant, lu_set1(2)), 30);
  lu cosine_sign = lu_shift_left(lu_and(lu_add(quadrant, lu_set1(1)), lu_set1(2)), 30);
  *sine = lf_from_bits(lu_xor(lf_bits(lf_select(swapped, c, s)), sine_sign));
  *cosine = lf_from_bits(lu_xor(lf_bits(lf_select(swapped, s, c)), cosine_sign));
}

/* The angle of (x, y), in (-pi, pi]; 0 for (0, 0). */
LANES_INLINE lf lf_atan2(lf y, lf x) {
  static const float p[8] = {-0.33333170957922703f,  0.1999421984063542f,   -0.14214831171763245f,
                             0.10681249503621397f,   -0.07585275054666252f, 0.04360688815460131f,
                             -0.016612940724144137f, 0.002982309455454701f};
  lf ay = lf_abs(y), ax = lf_abs(x);
  lf hi = lf_max(ax, ay), lo = lf_min(ax, ay);
  lf q = lf_where(lf_greater(hi, lf_zero()), lf_div(lo, hi));
  lf s = lf_mul(q, q);
  lf poly = lf_set1(p[7]);
  for (int k = 6; k >= 0; k--) poly = lf_add(lf_set1(p[k]), lf_mul(s, poly));
  lf t = lf_add(q, lf_mul(lf_mul(q, s), poly));
  t = lf_select(lf_greater(ay, ax), lf_sub(lf_set1(LANES_HALF_PI), t), t);
  t = lf_select(lf_less(x, lf_zero()), lf_sub(lf_set1(LANES_PI), t), t);
  return lf_select(lf_less(y, lf_zero()), lf_negate(t), t);
}

/* The 32-bit mixer of the counter-based random numbers: docs/ARITHMETIC.md. */
LANES_INLINE lu lu_mix(lu h) {
  h = lu_mul(lu_xor(h, lu_shift_right(h, 16)), lu_set1(0x7feb352du));
  h = lu_mul(lu_xor(h, lu_shift_right(h, 15)), lu_set1(0x846ca68bu));
  return lu_xor(h, lu_shift_right(h, 16));
}
/* A float in [0, 1) from the top 24 bits. */
LANES_INLINE lf lu_to_uniform(lu h) { return lf_mul(lf_from_int(lu_shift_right(h, 8)), lf_set1(0x1p-24f)); }

#endif
