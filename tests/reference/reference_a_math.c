/* tests/reference/reference_a_math.c: reference A's small functions, random draws and space.
 * SPDX-License-Identifier: MIT */
#include "reference/reference_a.h"

#include <math.h>

#define PI 3.14159265358979f
#define TWO_PI 6.28318530717959f
#define HALF_PI 1.57079632679490f

float ref_a_wrap(float angle) {
  if (angle > PI) return angle - TWO_PI;
  if (angle <= -PI) return angle + TWO_PI;
  return angle;
}

float ref_a_floor(float value) {
  const float truncated = (float)(int32_t)value;
  return truncated > value ? truncated - 1.0f : truncated;
}

ref_angle ref_a_sincos(float angle) {
  const float n = ref_a_floor(angle * 0.636619772367581f + 0.5f);
  const float r = ((angle - n * 1.5703125f) - n * 4.83751296997070e-4f) - n * 7.54978995489188e-8f;
  const float z = r * r;
  const float s = r + (r * z) * (-0.16666654998479177f + z * (0.008332180627658869f + z * -0.00019517560677263836f));
  const float c =
      (1.0f - z * 0.5f) + (z * z) * (0.04166664711422686f + z * (-0.001388737760666463f + z * 2.443944687997078e-05f));
  switch ((uint32_t)(int32_t)n & 3u) {
  case 0:
    return (ref_angle){s, c};
  case 1:
    return (ref_angle){c, -s};
  case 2:
    return (ref_angle){-s, -c};
  default:
    return (ref_angle){-c, s};
  }
}

float ref_a_atan2(float y, float x) {
  static const float coefficient[8] = {-0.33333170957922703f,  0.1999421984063542f,   -0.14214831171763245f,
                                       0.10681249503621397f,   -0.07585275054666252f, 0.04360688815460131f,
                                       -0.016612940724144137f, 0.002982309455454701f};
  const float ay = fabsf(y), ax = fabsf(x);
  const float hi = ax > ay ? ax : ay;
  const float lo = ax < ay ? ax : ay;
  const float q = hi > 0.0f ? lo / hi : 0.0f;
  const float s = q * q;
  float polynomial = coefficient[7];
  for (int k = 6; k >= 0; k--) polynomial = polynomial * s + coefficient[k];
  float t = q + (q * s) * polynomial;
  if (ay > ax) t = HALF_PI - t;
  if (x < 0.0f) t = PI - t;
  if (y < 0.0f) t = -t;
  return t;
}

float ref_a_smooth_factor(float dt, float time) {
  const double x = (double)dt / (double)time;
  if (x > 50.0) return 1.0f;
  const double y = x / 1024.0;
  double e = 1.0 - y * (1.0 - y / 2.0 * (1.0 - y / 3.0 * (1.0 - y / 4.0)));
  for (int k = 0; k < 10; k++) e = e * e;
  return (float)(1.0 - e);
}

uint32_t ref_a_mix(uint32_t h) {
  h ^= h >> 16;
  h *= 0x7feb352du;
  h ^= h >> 15;
  h *= 0x846ca68bu;
  return h ^ h >> 16;
}

float ref_a_draw(uint64_t seed, throng_agent_id id, uint64_t frame, uint32_t k) {
  uint32_t h = ref_a_mix((uint32_t)seed + id.index);
  h = ref_a_mix(h ^ ((uint32_t)(seed >> 32) + id.generation));
  h = ref_a_mix(h ^ (uint32_t)frame);
  h = ref_a_mix(h ^ ((uint32_t)(frame >> 32) + k * 0x9e3779b9u));
  return (float)(h >> 8) * 0x1p-24f;
}

float ref_a_binomial(uint64_t seed, throng_agent_id id, uint64_t frame, uint32_t k) {
  return ref_a_draw(seed, id, frame, 2 * k) - ref_a_draw(seed, id, frame, 2 * k + 1);
}

ref_axis ref_a_axis(const throng_world_def *def, int axis) {
  const float min[3] = {def->box_min.x, def->box_min.y, def->box_min.z};
  const float max[3] = {def->box_max.x, def->box_max.y, def->box_max.z};
  const int per_radius = axis == 0 ? 4 : 1;
  ref_axis a = {.exists = axis != 1 || def->space == THRONG_SPACE_SPATIAL, .min = min[axis], .max = max[axis]};
  a.periodic = a.exists && def->boundary[axis] == THRONG_BOUNDARY_PERIODIC;
  a.boxed = a.exists && def->boundary[axis] == THRONG_BOUNDARY_BOX;
  a.length = a.max - a.min;
  if (a.periodic) {
    a.count = (int32_t)floor((double)per_radius * (double)a.length / (double)def->perception_radius);
    a.scale = (float)a.count / a.length;
  } else {
    a.scale = (float)per_radius / def->perception_radius;
  }
  return a;
}

float ref_a_image(const ref_axis *axis, float difference) {
  if (!axis->periodic) return 0.0f;
  if (difference > axis->length * 0.5f) return -axis->length;
  return difference < axis->length * -0.5f ? axis->length : 0.0f;
}

float ref_a_difference(const ref_axis *axis, float from, float to) {
  if (!axis->periodic) return to - from;
  return (to + ref_a_image(axis, to - from)) - from;
}

int32_t ref_a_key(const ref_axis *axis, float position) {
  if (!axis->periodic) return (int32_t)ref_a_floor(position * axis->scale);
  const int32_t key = (int32_t)ref_a_floor((position - axis->min) * axis->scale);
  return key < 0 ? 0 : (key >= axis->count ? axis->count - 1 : key);
}
