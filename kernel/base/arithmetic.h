/* arithmetic.h: the small functions of docs/ARITHMETIC.md in scalar C, for values computed once and not per agent.
 * They give the same bits as lanes/math.h. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_BASE_ARITHMETIC_H
#define THRONG_KERNEL_BASE_ARITHMETIC_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/assertion.h"

#define SCALAR_PI 3.14159265358979f
#define SCALAR_TWO_PI 6.28318530717959f
#define SCALAR_HALF_PI 1.57079632679490f

static inline float scalar_floor(float a) {
  float whole = (float)(int32_t)a;
  return whole > a ? whole - 1.0f : whole;
}

/* The largest float below a finite a. */
static inline float scalar_next_below(float a) {
  int32_t bits;
  memcpy(&bits, &a, sizeof bits);
  bits = a > 0.0f ? bits - 1 : a < 0.0f ? bits + 1 : INT32_MIN + 1;
  memcpy(&a, &bits, sizeof a);
  return a;
}

/* Sine and cosine for |a| < 100. Without branches, so that compilers vectorise loops over it. */
static inline void scalar_sincos(float a, float *sine, float *cosine) {
  const float quarters = a * 0.636619772367581f + 0.5f;
  const int32_t whole = (int32_t)quarters, quadrant = whole - ((float)whole > quarters); /* rounded down */
  const float n = (float)quadrant;
  const float r = ((a - n * 1.5703125f) - n * 4.83751296997070e-4f) - n * 7.54978995489188e-8f;
  const float z = r * r;
  const float s = r + (r * z) * (-0.16666654998479177f + z * (0.008332180627658869f + z * -0.00019517560677263836f));
  const float c =
      (1.0f - z * 0.5f) + (z * z) * (0.04166664711422686f + z * (-0.001388737760666463f + z * 2.443944687997078e-05f));
  const float of_sine = quadrant & 1 ? c : s, of_cosine = quadrant & 1 ? s : c;
  *sine = quadrant & 2 ? -of_sine : of_sine;
  *cosine = (quadrant + 1) & 2 ? -of_cosine : of_cosine;
}
static inline float scalar_cos(float a) {
  float sine, cosine;
  scalar_sincos(a, &sine, &cosine);
  return cosine;
}

static inline float scalar_atan2(float y, float x) {
  static const float p[8] = {-0.33333170957922703f,  0.1999421984063542f,   -0.14214831171763245f,
                             0.10681249503621397f,   -0.07585275054666252f, 0.04360688815460131f,
                             -0.016612940724144137f, 0.002982309455454701f};
  float ay = y < 0.0f ? -y : y, ax = x < 0.0f ? -x : x;
  float hi = ax > ay ? ax : ay, lo = ax < ay ? ax : ay;
  float q = hi > 0.0f ? lo / hi : 0.0f;
  float s = q * q, poly = p[7];
  for (int k = 6; k >= 0; k--) poly = p[k] + s * poly;
  float t = q + (q * s) * poly;
  if (ay > ax) t = SCALAR_HALF_PI - t;
  if (x < 0.0f) t = SCALAR_PI - t;
  return y < 0.0f ? -t : t;
}

/* Scales v to length 1. Returns false and leaves v unchanged if it is 0. In double precision no float's square
 * overflows or becomes 0. */
static inline bool scalar_normalise(float v[3]) {
  double length_sq = (double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] + (double)v[2] * (double)v[2];
  if (!(length_sq > 0.0)) return false;
  double inverse = 1.0 / sqrt(length_sq);
  for (int c = 0; c < 3; c++) v[c] = (float)((double)v[c] * inverse);
  return true;
}

/* Normalises a direction that the host gives. A direction whose length is within 1e-6 of 1 keeps its bits. So a host
 * can read a direction and write it back unchanged, although the passes and this function round differently. */
#define UNIT_TOLERANCE 1e-6
static inline void scalar_make_unit(float v[3]) {
  const double length_sq = (double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] + (double)v[2] * (double)v[2];
  if (fabs(sqrt(length_sq) - 1.0) > UNIT_TOLERANCE) scalar_normalise(v);
}

/* The 32-bit mixer of the random draws. */
static inline uint32_t scalar_mix(uint32_t h) {
  h = (h ^ h >> 16) * 0x7feb352du;
  h = (h ^ h >> 15) * 0x846ca68bu;
  return h ^ h >> 16;
}

/* A bijective mixer of 64 bits (the finaliser of splitmix64: Steele, Lea, Flood, 2014). */
static inline uint64_t mix64(uint64_t h) {
  h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
  h = (h ^ h >> 27) * 0x94d049bb133111ebu;
  return h ^ h >> 31;
}

/* 1 - exp(-dt / tau), by a short series for 1/1024 of the exponent and ten squarings: without libm the bits are the
 * same everywhere. */
static inline float smooth_factor(float dt, float tau) {
  double x = (double)dt / (double)tau;
  if (x > 50.0) return 1.0f;
  double y = x / 1024.0;
  double e = 1.0 - y * (1.0 - y / 2.0 * (1.0 - y / 3.0 * (1.0 - y / 4.0)));
  for (int k = 0; k < 10; k++) e = e * e;
  return (float)(1.0 - e);
}

/* Whether a - b is exact: its rounding error, which Knuth's two-sum gives exactly, is 0. */
static inline bool subtracts_exactly(float a, float b) {
  float d = a - b, b1 = a - d, a1 = d + b1;
  return (a - a1) + (b1 - b) == 0.0f;
}

/* Whether coordinate a can be moved by -b without rounding, to within +-limit. */
static inline bool shifts_exactly(float a, float b, float limit) {
  return b == 0.0f || (subtracts_exactly(a, b) && a - b >= -limit && a - b <= limit);
}

/* The next float above (`up`) or below a finite a. */
static inline float next_float(float a, bool up) {
  if (a == 0.0f) return up ? 0x1p-149f : -0x1p-149f;
  int32_t bits;
  memcpy(&bits, &a, sizeof bits);
  bits += (a > 0.0f) == up ? 1 : -1;
  memcpy(&a, &bits, sizeof a);
  return a;
}

/* Numbers the finite floats in ascending order; both zeros are 0. */
static inline int32_t float_rank(float a) {
  int32_t bits;
  memcpy(&bits, &a, sizeof bits);
  return bits >= 0 ? bits : INT32_MIN - bits;
}
static inline float float_of_rank(int32_t rank) {
  const int32_t bits = rank >= 0 ? rank : INT32_MIN - rank;
  float a;
  memcpy(&a, &bits, sizeof a);
  return a;
}
/* The number of the lowest set bit. */
static inline uint32_t lowest_bit(uint64_t bits) {
  ASSERT_ALONE(bits != 0);
#if defined(__GNUC__)
  return (uint32_t)__builtin_ctzll(bits);
#else
  uint32_t k = 0;
  while (!(bits >> k & 1)) k++;
  return k;
#endif
}

#endif
