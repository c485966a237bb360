/* throng/axes.h: a host's axes and unit of length, given once in throng_world_def.axes. Values that calls copy in or
 * out are in the host's axes and unit. Exceptions, in throng's axes (+y up, a yaw of 0 toward +z) and metres: the
 * scalars of the definitions of worlds, groups and patterns; columns of plain numbers, such as THRONG_COLUMN_MASS;
 * views, edits, blocks of callbacks and the arrays of throng/passes.h; the vectors of a flow field's definition, and
 * the rows of fields and cells. The headers give ranges and units in throng's axes and metres. docs/INTEGRATION.md,
 * "Axes and units", has the axes of engines, and says how angles and corners change, how values round, and what hosts
 * with different axes share.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_AXES_H
#define THRONG_AXES_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A direction along one of the host's axes. */
typedef enum throng_axis {
  THRONG_AXIS_X = 0,
  THRONG_AXIS_Y,
  THRONG_AXIS_Z,
  THRONG_AXIS_MINUS_X,
  THRONG_AXIS_MINUS_Y,
  THRONG_AXIS_MINUS_Z
} throng_axis;

/* The directions of throng's axes in the host, and the host's unit of length. Where a function takes a pointer to a
 * throng_axes, NULL means throng's own axes and metres. Axes that no function below returns are possible too. Robotics
 * with z up and x ahead, right-handed, is {Y, Z, X}. A screen with y downward and angles clockwise from x is {MINUS_Y,
 * MINUS_Z, X}, with its pixels per metre. */
typedef struct throng_axes {
  throng_axis x, y, z;   /* the host's directions of throng's +x, +y and +z, each along a different axis of the host */
  float units_per_metre; /* 1e-6 to 1e6 */
} throng_axes;

/* The axes of throng and of three engines (docs/INTEGRATION.md). Thread-safe. */
THRONG_API throng_axes throng_axes_own(void);
THRONG_API throng_axes throng_axes_unity(void);
THRONG_API throng_axes throng_axes_unreal(void);
THRONG_API throng_axes throng_axes_godot(void);

/* Converts `count` vectors with a length: positions, velocities, accelerations, sizes along axes. `to` may be `from`.
 * Infinities and NaN are allowed. Two consequences: the length of a unit vector changes by the factor units_per_metre,
 * and a converted box_min may be greater than box_max along an axis.
 * Errors: NULL_ARGUMENT (an array, with count > 0), BAD_VALUE, NOT_FINITE (axes); nothing is written then.
 * Thread-safe. */
THRONG_API throng_status throng_axes_to_throng(const throng_axes *axes, const throng_vec3 *from, uint32_t count,
                                               throng_vec3 *to, throng_error *error);
THRONG_API throng_status throng_axes_to_host(const throng_axes *axes, const throng_vec3 *from, uint32_t count,
                                             throng_vec3 *to, throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
