/* host_axes.h: values in the host's axes and length unit. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_BASE_HOST_AXES_H
#define THRONG_KERNEL_BASE_HOST_AXES_H

#include <stddef.h>

#include <throng/world.h>

/* Returns an error for impossible axes. NULL means throng's own. */
throng_status throng_axes_check(const throng_axes *axes, throng_error *error);
/* Whether the axes are throng's own with metres, so that nothing needs conversion. */
bool throng_axes_are_own(const throng_axes *axes);

/* Convert a vector from the host to throng, and back. `units` is 1 for directions, else axes->units_per_metre. */
void throng_axes_take(const throng_axes *axes, float units, const float host[3], float v[3]);
void throng_axes_give(const throng_axes *axes, float units, const float v[3], float host[3]);
/* Converts a yaw or its rate from the host to throng, or back; both conversions multiply by the same sign. The host's
 * yaw is about its vertical axis in the positive direction, by the rule of the host's hand. */
float throng_axes_turn(const throng_axes *axes, float angle);
/* Convert the lower and the upper corner of a box. */
void throng_axes_take_box(const throng_axes *axes, throng_vec3 *low, throng_vec3 *high);
void throng_axes_give_box(const throng_axes *axes, throng_vec3 *low, throng_vec3 *high);
/* Converts the smallest and the largest coordinates of positions to the host's axes. The results are in the order of
 * the host's axes. Converted back, they are within the limits `low` and `high`. */
void throng_axes_give_limits(const throng_axes *axes, const float low[3], const float high[3], float host_low[3],
                             float host_high[3]);
/* For error texts: a coordinate along throng's axis c and its limits, as the host has them. A 0 is never -0. */
struct axes_coordinate {
  char axis; /* the letter of the host's axis */
  double value, low, high;
};
struct axes_coordinate throng_axes_give_coordinate(const throng_axes *axes, int c, float value, float low, float high);
/* As throng_check_range for a coordinate along throng's axis c. The error names `point`, then the host's axis. */
throng_status throng_axes_check_coordinate(const throng_axes *axes, int c, float value, float low, float high,
                                           const char *point, throng_error *error);
/* Reorder the boundary of each axis: from the host's axes to throng's, and back. */
void throng_axes_take_boundary(const throng_axes *axes, const throng_boundary host[3], throng_boundary own[3]);
void throng_axes_give_boundary(const throng_axes *axes, const throng_boundary own[3], throng_boundary host[3]);
/* Swaps the components of a converted box's corners along reversed axes. */
void throng_axes_swap_corners(const throng_axes *axes, float low[3], float high[3]);

/* Converts the sign of a value along one of throng's axes to the host's direction of that axis, or back. */
static inline float axes_turned(throng_axis axis, float value) { return axis >= THRONG_AXIS_MINUS_X ? -value : value; }

/* Convert points, vectors and lengths. NULL axes change nothing. */
static inline throng_vec3 axes_take_point(const throng_axes *axes, throng_vec3 point) {
  if (!axes) return point;
  const float host[3] = {point.x, point.y, point.z};
  float v[3];
  throng_axes_take(axes, axes->units_per_metre, host, v);
  return (throng_vec3){v[0], v[1], v[2]};
}
static inline throng_vec3 axes_give_vector(const throng_axes *axes, float units, throng_vec3 vector) {
  const float v[3] = {vector.x, vector.y, vector.z};
  float host[3];
  throng_axes_give(axes, units, v, host);
  return (throng_vec3){host[0], host[1], host[2]};
}
static inline throng_vec3 axes_give_point(const throng_axes *axes, throng_vec3 point) {
  return axes ? axes_give_vector(axes, axes->units_per_metre, point) : point;
}
/* A vector for error texts: its components are never -0. NULL axes are throng's own. */
static inline throng_vec3 axes_show(const throng_axes *axes, float x, float y, float z) {
  const throng_vec3 host = axes_give_point(axes, (throng_vec3){x, y, z});
  return (throng_vec3){host.x + 0.0f, host.y + 0.0f, host.z + 0.0f};
}
static inline throng_vec3 axes_give_direction(const throng_axes *axes, throng_vec3 direction) {
  return axes ? axes_give_vector(axes, 1.0f, direction) : direction;
}
static inline float axes_take_length(const throng_axes *axes, float length) {
  return axes ? length / axes->units_per_metre : length;
}
static inline float axes_give_length(const throng_axes *axes, float length) {
  return axes ? length * axes->units_per_metre : length;
}

#endif
