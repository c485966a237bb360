/* throng/axes.h: a host's axes and units, converted where values are copied in and out.
 *   throng is right-handed: +y up, metres, and a yaw of 0 faces +z; with +y up and +z ahead, +x is to the left. Say once which of
 * the host's axes those are, and hand that to throng_agents_def.axes, throng_agents_read_as and throng_agents_write_as:
 *
 *               hand   up  ahead  right  unit        throng's (x, y, z) is the host's   host's from throng's
 *     throng    right  +y  +z     -x     metre       (x, y, z)                          (x, y, z)
 *     Unity     left   +y  +z     +x     metre       (-x, y, z)                         (-x, y, z)
 *     Unreal    left   +z  +x     +y     centimetre  (-y, z, x) / 100                   (z, -x, y) * 100
 *     Godot     right  +y  -z     +x     metre       (-x, y, -z)                        (-x, y, -z)
 *
 *   Angles: a host's yaw turns about the one of its axes along which up or down lies, by the host's own hand; it is 0 where throng's
 * is. That is what the engines mean by Euler angle y (Unity, Godot) and Yaw (Unreal), but in radians: Unity and Unreal show
 * degrees. So throng's yaw changes its sign for Unity and Unreal, and stays for Godot.
 *   Arithmetic: to the host, a component changes its place and sign, and is then multiplied by units_per_metre; to throng it is
 * divided by it and then changes place and sign. Place and sign are exact (a 0 may become -0), so with 1 unit a metre what
 * is read and written back has the same bits. Each multiplication or division rounds once, by at most a relative 6e-8: with 100
 * units a metre 1 km is right to 0.06 mm, and what is read and written back may differ in the last bit. So write back what the
 * host has changed, and nothing else: an agent at a face of a box, or a radius that is the world's, may come back a last bit too
 * large, and the call refuses that. With a power of two nothing rounds. The same bits on every machine.
 *   Everything else that a world is told stays throng's: definitions of worlds, groups and scenery, points of queries, views of the
 * columns, arrays of the passes. throng_axes_to_throng and throng_axes_to_host convert those.
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

/* Which way throng's axes point in the host, and how long a metre is there. Wherever a pointer to one is taken, NULL means throng's
 * own axes and metres. Others than the presets are as good: z up and x ahead by the right hand, as in robotics, is {Y, Z, X};
 * a screen with y downwards, whose angles are 0 along x and clockwise, is {MINUS_Y, MINUS_Z, X} with pixels per metre. */
typedef struct throng_axes {
  throng_axis x, y, z;   /* the directions of throng's +x, +y, +z: one along each of the host's three axes */
  float units_per_metre; /* 1e-6 to 1e6 */
} throng_axes;

/* The table's rows. Thread-safe. */
THRONG_API throng_axes throng_axes_unity(void);
THRONG_API throng_axes throng_axes_unreal(void);
THRONG_API throng_axes throng_axes_godot(void);

/* Converts vectors that have a length in the host: positions, velocities, accelerations, sizes along axes. `to` may be `from`.
 * Infinities and NaN pass. (A direction comes out units_per_metre times too long or short; boxes may swap their corners.)
 * Errors: NULL_ARGUMENT (an array, with count > 0), BAD_VALUE, NOT_FINITE (axes); nothing is written then. Thread-safe. */
THRONG_API throng_status throng_axes_to_throng(const throng_axes *axes, const throng_vec3 *from, uint32_t count,
                                               throng_vec3 *to, throng_error *error);
THRONG_API throng_status throng_axes_to_host(const throng_axes *axes, const throng_vec3 *from, uint32_t count,
                                             throng_vec3 *to, throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
