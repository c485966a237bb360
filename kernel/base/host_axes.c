/* host_axes.c: see throng/axes.h. SPDX-License-Identifier: MIT */
#include "base/host_axes.h"

#include "base/arithmetic.h"
#include "base/assertion.h"
#include "base/error.h"
#include "base/float_environment.h"
#include "base/text.h"

#define LEAST_UNITS 1e-6f
#define MOST_UNITS 1e6f

throng_axes throng_axes_own(void) { return (throng_axes){THRONG_AXIS_X, THRONG_AXIS_Y, THRONG_AXIS_Z, 1.0f}; }

throng_axes throng_axes_unity(void) { return (throng_axes){THRONG_AXIS_MINUS_X, THRONG_AXIS_Y, THRONG_AXIS_Z, 1.0f}; }

throng_axes throng_axes_unreal(void) {
  return (throng_axes){THRONG_AXIS_MINUS_Y, THRONG_AXIS_Z, THRONG_AXIS_X, 100.0f};
}

throng_axes throng_axes_godot(void) {
  return (throng_axes){THRONG_AXIS_MINUS_X, THRONG_AXIS_Y, THRONG_AXIS_MINUS_Z, 1.0f};
}

/* Returns the host's axis, 0 to 2. */
static int place_of(throng_axis axis) { return (int)axis % 3; }

throng_status throng_axes_check(const throng_axes *axes, throng_error *error) {
  if (!axes) return THRONG_OK;
  const throng_axis all[3] = {axes->x, axes->y, axes->z};
  int taken_by[3] = {-1, -1, -1};
  for (int c = 0; c < 3; c++) {
    if ((unsigned)all[c] > THRONG_AXIS_MINUS_Z) {
      return throng_fail(error, THRONG_ERROR_BAD_VALUE, "axes.%c is %d, allowed: THRONG_AXIS_X to THRONG_AXIS_MINUS_Z",
                         "xyz"[c], (int)all[c]);
    }
    int *taken = &taken_by[place_of(all[c])];
    if (*taken >= 0) {
      return throng_fail(error, THRONG_ERROR_BAD_VALUE,
                         "axes.%c and axes.%c lie both along the host's %c, allowed: one each", "xyz"[*taken], "xyz"[c],
                         "xyz"[place_of(all[c])]);
    }
    *taken = c;
  }
  return throng_check_range(axes->units_per_metre, LEAST_UNITS, MOST_UNITS, "axes.units_per_metre", error);
}

bool throng_axes_are_own(const throng_axes *axes) {
  return axes->x == THRONG_AXIS_X && axes->y == THRONG_AXIS_Y && axes->z == THRONG_AXIS_Z &&
         axes->units_per_metre == 1.0f;
}

void throng_axes_take(const throng_axes *axes, float units, const float host[3], float v[3]) {
  ASSERT_ALONE(units > 0.0f);
  const throng_axis all[3] = {axes->x, axes->y, axes->z};
  for (int c = 0; c < 3; c++) v[c] = axes_turned(all[c], host[place_of(all[c])] / units);
}

void throng_axes_give(const throng_axes *axes, float units, const float v[3], float host[3]) {
  ASSERT_ALONE(units > 0.0f);
  const throng_axis all[3] = {axes->x, axes->y, axes->z};
  for (int c = 0; c < 3; c++) host[place_of(all[c])] = axes_turned(all[c], v[c]) * units;
}

/* Returns the angle about the positive direction of the host's vertical axis. Its sign is the product of two signs. A
 * conversion that mirrors reverses rotations about throng's up: this sign is (parity of the axes' order) (sign of x)
 * (sign of y) (sign of z). The positive direction of the host's vertical axis is up or down: this is the sign of y. So
 * the sign of y cancels. */
float throng_axes_turn(const throng_axes *axes, float angle) {
  const bool even = (place_of(axes->x) + 1) % 3 == place_of(axes->y);
  return axes_turned(axes->x, axes_turned(axes->z, even ? angle : -angle));
}

void throng_axes_swap_corners(const throng_axes *axes, float low[3], float high[3]) {
  const throng_axis all[3] = {axes->x, axes->y, axes->z};
  for (int c = 0; c < 3; c++) {
    if (all[c] < THRONG_AXIS_MINUS_X) continue;
    const float swapped = low[c];
    low[c] = high[c];
    high[c] = swapped;
  }
}

void throng_axes_take_boundary(const throng_axes *axes, const throng_boundary host[3], throng_boundary own[3]) {
  const throng_axis all[3] = {axes->x, axes->y, axes->z};
  for (int c = 0; c < 3; c++) own[c] = host[place_of(all[c])];
}
void throng_axes_give_boundary(const throng_axes *axes, const throng_boundary own[3], throng_boundary host[3]) {
  const throng_axis all[3] = {axes->x, axes->y, axes->z};
  for (int c = 0; c < 3; c++) host[place_of(all[c])] = own[c];
}

void throng_axes_take_box(const throng_axes *axes, throng_vec3 *low, throng_vec3 *high) {
  float corner[2][3] = {{low->x, low->y, low->z}, {high->x, high->y, high->z}}, v[2][3];
  for (int k = 0; k < 2; k++) throng_axes_take(axes, axes->units_per_metre, corner[k], v[k]);
  throng_axes_swap_corners(axes, v[0], v[1]);
  *low = (throng_vec3){v[0][0], v[0][1], v[0][2]};
  *high = (throng_vec3){v[1][0], v[1][1], v[1][2]};
}

/* Converting a value to the host's axes and back may change it by up to this many floats. */
#define MOST_FLOATS 4

/* Returns the host's coordinate that converts to the value nearest to v which is at least v (`above`), or at most v.
 * `axis` is the host's axis for the axis of throng's that v is along. */
static float give_beyond(throng_axis axis, float units, float v, bool above) {
  const bool up = above != (axis >= THRONG_AXIS_MINUS_X);
  float host = axes_turned(axis, v) * units;
  for (int k = 0; k < MOST_FLOATS; k++) {
    const float back = axes_turned(axis, host / units);
    if (above ? back >= v : back <= v) break;
    host = next_float(host, up);
  }
  return host;
}

void throng_axes_give_limits(const throng_axes *axes, const float low[3], const float high[3], float host_low[3],
                             float host_high[3]) {
  const throng_axis all[3] = {axes->x, axes->y, axes->z};
  for (int c = 0; c < 3; c++) {
    const int place = place_of(all[c]);
    const bool reversed = all[c] >= THRONG_AXIS_MINUS_X;
    const float first = give_beyond(all[c], axes->units_per_metre, low[c], true);
    const float last = give_beyond(all[c], axes->units_per_metre, high[c], false);
    host_low[place] = reversed ? last : first;
    host_high[place] = reversed ? first : last;
  }
}

/* Returns a face of the box as a coordinate of the host. It converts to the face; if no coordinate does, to the first
 * one beyond it. So positions that the host reads are inside this face. */
static float give_face(throng_axis axis, float units, float face, bool high) {
  const float host = give_beyond(axis, units, face, high),
              inner = next_float(host, high == (axis >= THRONG_AXIS_MINUS_X));
  return axes_turned(axis, host / units) != face && axes_turned(axis, inner / units) == face ? inner : host;
}

void throng_axes_give_box(const throng_axes *axes, throng_vec3 *low, throng_vec3 *high) {
  const float v[2][3] = {{low->x, low->y, low->z}, {high->x, high->y, high->z}};
  const throng_axis all[3] = {axes->x, axes->y, axes->z};
  float corner[2][3];
  for (int c = 0; c < 3; c++) {
    const bool reversed = all[c] >= THRONG_AXIS_MINUS_X;
    for (int k = 0; k < 2; k++) {
      corner[reversed ? 1 - k : k][place_of(all[c])] = give_face(all[c], axes->units_per_metre, v[k][c], k == 1);
    }
  }
  *low = (throng_vec3){corner[0][0], corner[0][1], corner[0][2]};
  *high = (throng_vec3){corner[1][0], corner[1][1], corner[1][2]};
}

static throng_axis axis_of(const throng_axes *axes, int c) { return c == 0 ? axes->x : c == 1 ? axes->y : axes->z; }

/* Returns the host's coordinate for an error text. */
static double show(const throng_axes *axes, throng_axis axis, float value) {
  if (!(value - value == 0.0f)) return (double)axes_turned(axis, value); /* not finite */
  return (double)(give_face(axis, axes->units_per_metre, value, true) + 0.0f);
}

struct axes_coordinate throng_axes_give_coordinate(const throng_axes *axes, int c, float value, float low, float high) {
  const throng_axes own = throng_axes_own();
  if (!axes) axes = &own;
  const throng_axis axis = axis_of(axes, c);
  const bool reversed = axis >= THRONG_AXIS_MINUS_X;
  return (struct axes_coordinate){"xyz"[place_of(axis)], show(axes, axis, value),
                                  show(axes, axis, reversed ? high : low), show(axes, axis, reversed ? low : high)};
}

throng_status throng_axes_check_coordinate(const throng_axes *axes, int c, float value, float low, float high,
                                           const char *point, throng_error *error) {
  if (value >= low && value <= high) return THRONG_OK;
  const struct axes_coordinate host = throng_axes_give_coordinate(axes, c, value, low, high);
  const bool finite = value - value == 0.0f;
  char allowed[80];
  throng_text_range(allowed, sizeof allowed, (float)host.low, (float)host.high, false);
  return throng_fail(error, finite ? THRONG_ERROR_BAD_VALUE : THRONG_ERROR_NOT_FINITE, "%s.%c is %.9g, allowed: %s",
                     point, host.axis, host.value, allowed);
}

/* The caller's vectors. */

typedef void convert_vector(const throng_axes *axes, float units, const float from[3], float to[3]);

static OUT_OF_LINE throng_status convert_all(convert_vector *convert, const throng_axes *axes, const throng_vec3 *from,
                                             uint32_t count, throng_vec3 *to, throng_error *error) {
  const throng_axes own = throng_axes_own();
  TRY(throng_axes_check(axes, error));
  if (count == 0) return THRONG_OK;
  REQUIRE_POINTER(from, error);
  REQUIRE_POINTER(to, error);
  if (!axes) axes = &own;
  for (uint32_t k = 0; k < count; k++) {
    const float v[3] = {from[k].x, from[k].y, from[k].z};
    float converted[3];
    convert(axes, axes->units_per_metre, v, converted);
    to[k] = (throng_vec3){converted[0], converted[1], converted[2]};
  }
  return THRONG_OK;
}

throng_status throng_axes_to_throng(const throng_axes *axes, const throng_vec3 *from, uint32_t count, throng_vec3 *to,
                                    throng_error *error) {
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status, convert_all(throng_axes_take, axes, from, count, to, error));
}

throng_status throng_axes_to_host(const throng_axes *axes, const throng_vec3 *from, uint32_t count, throng_vec3 *to,
                                  throng_error *error) {
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status, convert_all(throng_axes_give, axes, from, count, to, error));
}
