/* throng/axes.h: a host's axes and unit of length, given once in throng_world_def.axes.
 * throng is right-handed: +y up, metres, and a yaw of 0 faces +z. With +y up and +z ahead, +x is to the left. A
 * throng_axes gives the host's axis for each of throng's:
 *
 *               hand   up  ahead  right  unit        throng's (x, y, z) is the host's   host's from throng's
 *     throng    right  +y  +z     -x     metre       (x, y, z)                          (x, y, z)
 *     Unity     left   +y  +z     +x     metre       (-x, y, z)                         (-x, y, z)
 *     Unreal    left   +z  +x     +y     centimetre  (-y, z, x) / 100                   (z, -x, y) * 100
 *     Godot     right  +y  -z     +x     metre       (-x, y, -z)                        (-x, y, -z)
 *
 * Values in the host's axes and unit: all values that calls copy in or out, except the values in throng's axes below:
 *   vectors with a length: positions, velocities, goals and accelerations of agents; target points; the world's box;
 *     shapes of the scenery; origins of cells and flow fields; goals of computed fields; points of paths and queries;
 *     shifts of the origin; the vectors of an explanation;
 *   lengths: radii, distances, the side of a cell, path parameters, the length of a path, maximum speeds of agents, the
 *     max_acceleration of an explanation, and a formation's places (right, up, forward);
 *   directions, which change only their axes: facings and wander directions of spatial worlds, normals of planes,
 *     sampled vectors of flow fields;
 *   angles, which turn in the host's direction: yaws, their rates and accelerations, wander angles of planar worlds.
 * A pattern's way has the turn first, then two lengths along the host's directions of throng's x and z.
 * Values in throng's axes and metres: the scalars of worlds' and groups' definitions; THRONG_COLUMN_MASS and the other
 * columns of plain numbers; views, edits and blocks of callbacks, and the arrays of throng/passes.h, which are the
 * columns themselves; the vectors of a flow field's definition, and the rows of fields and cells, which run along
 * throng's +x and +z. throng_axes_to_throng and throng_axes_to_host convert vectors among these values.
 * The headers give ranges and units of all values after conversion to throng's axes: metres, metres per second, +y up.
 * Axes are no part of a world's hash or snapshot: a world that loads a snapshot keeps its own axes, and
 * throng_snapshot_get_def gives throng's own.
 * Angles: a host's yaw turns about its vertical axis, in the direction that the rule of the host's hand (right or
 * left) gives; it is 0 where throng's is 0. This is Euler angle y in Unity and Godot and Yaw in Unreal, but in radians:
 * Unity and Unreal show degrees. So throng's yaw changes its sign for Unity and Unreal, and not for Godot.
 * Arithmetic: toward the host, a component changes its place and sign and is then multiplied by units_per_metre.
 * Toward throng, it is divided by units_per_metre and then changes place and sign. Place and sign are exact, but a 0
 * may become -0. With 1 unit per metre, or another power of two, values that are read and written back have the same
 * bits. Otherwise each multiplication or division rounds once, by at most a relative 6e-8: with 100 units per metre,
 * 1 km is accurate to 0.06 mm. A value that is read and written back may then differ in the last bit. A radius
 * equal to the world's may become a last bit too large, and the call refuses it. So write back only what the host
 * changed. The bits are the same on every machine.
 * Positions at a face: when a host reads a position, rounding could put it on a face of the box or beyond. The host
 * then gets the last of its floats inside the box. This holds for the box whose corners the host gave, and for the box
 * that throng_world_get_def returns. So calls accept the position when the host writes it back, and as a goal or as the
 * centre of a query.
 * The corners of a box are the smaller and the larger one in the host's axes. Both faces of a PERIODIC axis are one
 * point. The columns have it as the near face in throng's axes; the host reads it as box_min, also along a reversed
 * axis.
 * Error texts have coordinates of positions, points, corners and velocities, with their limits, and the radius of a
 * query in the host's axes and unit. A text may differ from the host's number by its last bit. Other values in texts,
 * those of throng_world_shift_origin and those of throng/piece.h are in throng's axes and metres.
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
 * throng_axes, NULL means throng's own axes and metres. Other axes than those of the table above are possible. Robotics
 * with z up and x ahead, right-handed, is {Y, Z, X}. A screen with y downward, whose angles are 0 along x and
 * clockwise, is {MINUS_Y, MINUS_Z, X} with pixels per metre. */
typedef struct throng_axes {
  throng_axis x, y, z;   /* the host's directions of throng's +x, +y and +z, each along a different axis of the host */
  float units_per_metre; /* 1e-6 to 1e6 */
} throng_axes;

/* The rows of the table above. Thread-safe. */
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
