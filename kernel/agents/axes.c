/* axes.c: see throng/axes.h. SPDX-License-Identifier: MIT */
#include "agents/axes.h"

#include <string.h>

#include "base/float_environment.h"
#include "agents/values.h"
#include "base/assertion.h"

#define LEAST_UNITS 1e-6f
#define MOST_UNITS 1e6f

throng_axes throng_axes_unity(void) { return (throng_axes){THRONG_AXIS_MINUS_X, THRONG_AXIS_Y, THRONG_AXIS_Z, 1.0f}; }

throng_axes throng_axes_unreal(void) {
  return (throng_axes){THRONG_AXIS_MINUS_Y, THRONG_AXIS_Z, THRONG_AXIS_X, 100.0f};
}

throng_axes throng_axes_godot(void) {
  return (throng_axes){THRONG_AXIS_MINUS_X, THRONG_AXIS_Y, THRONG_AXIS_MINUS_Z, 1.0f};
}

/* The host's axis, 0 to 2, and the value with the direction's sign. */
static int place_of(throng_axis axis) { return (int)axis % 3; }
static float turned(throng_axis axis, float value) { return axis >= THRONG_AXIS_MINUS_X ? -value : value; }

throng_status throng_axes_check(const throng_axes *axes, throng_error *error) {
  if (!axes) return THRONG_OK;
  const throng_axis all[3] = {axes->x, axes->y, axes->z};
  int taken_by[3] = {-1, -1, -1};
  for (int c = 0; c < 3; c++) {
    if ((unsigned)all[c] > THRONG_AXIS_MINUS_Z) {
      return throng_fail(error, THRONG_ERROR_BAD_VALUE, "axes.%c is %d, allowed: 0 to %d", "xyz"[c], (int)all[c],
                         (int)THRONG_AXIS_MINUS_Z);
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

/* Converts a host's vector to throng's. `units` is 1 for a direction. */
static void take_vector(const throng_axes *axes, float units, const float host[3], float v[3]) {
  ASSERT_ALONE(units > 0.0f);
  const throng_axis all[3] = {axes->x, axes->y, axes->z};
  for (int c = 0; c < 3; c++) v[c] = turned(all[c], host[place_of(all[c])] / units);
}

static void give_vector(const throng_axes *axes, float units, const float v[3], float host[3]) {
  ASSERT_ALONE(units > 0.0f);
  const throng_axis all[3] = {axes->x, axes->y, axes->z};
  for (int c = 0; c < 3; c++) host[place_of(all[c])] = turned(all[c], v[c]) * units;
}

/* The angle by the host's hand about its up axis. A rotation's axis changes with the handedness of the map, (parity)
 * (sign of x) (sign of y) (sign of z); up has the sign of y, which cancels. */
static float turn_angle(const throng_axes *axes, float angle) {
  const bool even = (place_of(axes->x) + 1) % 3 == place_of(axes->y);
  return turned(axes->x, turned(axes->z, even ? angle : -angle));
}

static enum quantity quantity_of(const struct throng_world *world, throng_column column) {
  return (enum quantity)throng_column_rows[column].quantity[world->grid.space.spatial];
}
static bool is_converted(enum quantity quantity) { return quantity >= QUANTITY_LENGTH; }

const void *throng_axes_convert_given(const struct throng_world *world, const throng_axes *axes, throng_column column,
                                      const void *element, float room[3]) {
  const enum quantity quantity = quantity_of(world, column);
  if (!is_converted(quantity)) return element;
  const float units = axes->units_per_metre;
  float host[3];
  memcpy(host, element, column_bytes(column, world->grid.space.spatial));
  if (quantity == QUANTITY_VECTOR) take_vector(axes, units, host, room);
  if (quantity == QUANTITY_DIRECTION) take_vector(axes, 1.0f, host, room);
  if (quantity == QUANTITY_LENGTH) room[0] = host[0] / units;
  if (quantity == QUANTITY_ANGLE || quantity == QUANTITY_WAY) room[0] = turn_angle(axes, host[0]);
  if (quantity == QUANTITY_WAY) {
    room[1] = turned(axes->x, host[1] / units);
    room[2] = turned(axes->z, host[2] / units);
  }
  return room;
}

void throng_axes_convert_read(const struct throng_world *world, const throng_axes *axes, throng_column column,
                              void *element) {
  const enum quantity quantity = quantity_of(world, column);
  if (!is_converted(quantity)) return;
  const float units = axes->units_per_metre;
  float v[3], host[3];
  memcpy(v, element, column_bytes(column, world->grid.space.spatial));
  if (quantity == QUANTITY_VECTOR) give_vector(axes, units, v, host);
  if (quantity == QUANTITY_DIRECTION) give_vector(axes, 1.0f, v, host);
  if (quantity == QUANTITY_LENGTH) host[0] = v[0] * units;
  if (quantity == QUANTITY_ANGLE || quantity == QUANTITY_WAY) host[0] = turn_angle(axes, v[0]);
  if (quantity == QUANTITY_WAY) {
    host[1] = turned(axes->x, v[1]) * units;
    host[2] = turned(axes->z, v[2]) * units;
  }
  memcpy(element, host, column_bytes(column, world->grid.space.spatial));
}

/* Vectors of the caller's. */

typedef void convert_vector(const throng_axes *axes, float units, const float from[3], float to[3]);

static OUT_OF_LINE throng_status convert_all(convert_vector *convert, const throng_axes *axes, const throng_vec3 *from,
                                             uint32_t count, throng_vec3 *to, throng_error *error) {
  const throng_axes own = {THRONG_AXIS_X, THRONG_AXIS_Y, THRONG_AXIS_Z, 1.0f};
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
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status, convert_all(take_vector, axes, from, count, to, error));
}

throng_status throng_axes_to_host(const throng_axes *axes, const throng_vec3 *from, uint32_t count, throng_vec3 *to,
                                  throng_error *error) {
  RETURN_IN_FLOAT_ENVIRONMENT(throng_status, convert_all(give_vector, axes, from, count, to, error));
}
