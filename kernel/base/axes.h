/* axes.h: values in the host's axes and length unit. SPDX-License-Identifier: MIT */
#ifndef THRONG_BASE_AXES_H
#define THRONG_BASE_AXES_H

#include <stddef.h>

#include <throng/axes.h>

/* Whether axes are sound; NULL, throng's own, are. */
throng_status throng_axes_check(const throng_axes *axes, throng_error *error);
/* Whether they convert nothing. */
bool throng_axes_are_own(const throng_axes *axes);

/* A vector of the host as throng's, and back. For directions `units` is 1, for others axes->units_per_metre. */
void throng_axes_take(const throng_axes *axes, float units, const float host[3], float v[3]);
void throng_axes_give(const throng_axes *axes, float units, const float v[3], float host[3]);
/* A yaw, or its rate, in either direction: about the host's up axis, by the host's hand. */
float throng_axes_turn(const throng_axes *axes, float angle);
/* The two corners of a box along the axes. Along a reversed axis they swap. */
void throng_axes_take_box(const throng_axes *axes, throng_vec3 *low, throng_vec3 *high);
void throng_axes_give_box(const throng_axes *axes, throng_vec3 *low, throng_vec3 *high);

/* The same for points, vectors and lengths where axes may be NULL, throng's own: then nothing changes. */
static inline throng_vec3 axes_take_point(const throng_axes *axes, throng_vec3 point) {
  if (!axes) return point;
  const float host[3] = {point.x, point.y, point.z};
  float v[3];
  throng_axes_take(axes, axes->units_per_metre, host, v);
  return (throng_vec3){v[0], v[1], v[2]};
}
static inline throng_vec3 axes_give_point(const throng_axes *axes, throng_vec3 point) {
  if (!axes) return point;
  const float v[3] = {point.x, point.y, point.z};
  float host[3];
  throng_axes_give(axes, axes->units_per_metre, v, host);
  return (throng_vec3){host[0], host[1], host[2]};
}
static inline float axes_take_length(const throng_axes *axes, float length) {
  return axes ? length / axes->units_per_metre : length;
}
static inline float axes_give_length(const throng_axes *axes, float length) {
  return axes ? length * axes->units_per_metre : length;
}

#endif
