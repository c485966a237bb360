/* throng/path.h: polylines that agents follow (THRONG_BEHAVIOUR_FOLLOW_PATH, throng/behaviour.h). A point of a path is
 * given by its path parameter: metres along the path from its first point. The column THRONG_COLUMN_PATH_PARAMETER
 * (throng/agents.h) holds each follower's last parameter. throng_curve_flatten makes polylines of curves.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_PATH_H
#define THRONG_PATH_H

#include "agents.h"
#include "base.h"
#include "group.h"

#ifdef __cplusplus
extern "C" {
#endif

#define THRONG_MAX_PATHS 64u /* of a world: indices 0 to 63 */
/* The maximum number of a path's points. */
#define THRONG_MAX_PATH_POINTS 65536u

/* Straight segments from point to point. A path may cross and touch itself. In periodic worlds each segment goes to the
 * minimum image of the next point, so that a path may cross a seam. Agents follow the image of a segment whose middle
 * is nearest to them. */
typedef struct throng_path_def {
  throng_span points; /* `count` times 3 floats: metres, finite, within 2^20 R of the origin (PERIODIC: inside the box);
                         y is ignored in planar worlds. Copied */
  uint32_t count;     /* 2 to 65 536. Consecutive points must differ: every segment must make the path longer */
  bool closed;        /* a segment leads from the last point back to the first (default false) */
  uint32_t cookie;    /* set by throng_default_path_def; do not touch */
} throng_path_def;

/* Thread-safe. */
THRONG_API throng_path_def throng_default_path_def(void);

/* Sets one of the world's paths, 0 to 63, or removes it (def == NULL): the behaviour then gives no acceleration.
 * Followers keep their path parameters, limited to the new path; write NaN to make them search the whole path.
 * throng_world_shift_origin moves paths too.
 * Errors: NULL_ARGUMENT, BAD_COOKIE, BAD_VALUE (index, count, a point too far out, a segment without length),
 * NOT_FINITE, OUT_OF_MEMORY. Not thread-safe with any other call on the same world. */
THRONG_API throng_status throng_world_set_path(throng_world *world, uint32_t index, const throng_path_def *def,
                                               throng_error *error);

/* Returns the length of a path, which is its largest path parameter; 0 if there is no such path. Thread-safe between
 * steps. */
THRONG_API float throng_world_path_length(const throng_world *world, uint32_t index);

/* Curves that throng_curve_flatten makes points of. Sources: M 3.3.12; Catmull and Rom, 1974; for the centripetal form
 * Yuksel, Schaefer and Keyser, 2011. */
typedef enum throng_curve {
  THRONG_CURVE_BEZIER = 0,  /* cubic Bezier curves (default): points 0 to 3, then 3 to 6, and so on */
  THRONG_CURVE_CATMULL_ROM, /* through all points, with the tangent (next - previous point) / 2 at each. An open curve
                               has a point more before its first one: the second, mirrored at the first; the same at
                               its end */
  THRONG_CURVE_CENTRIPETAL  /* Catmull-Rom whose parameter grows with the root of the distance. It has no loops and
                               cusps between two points, also where points are unevenly spread */
} throng_curve;

/* A curve for throng_curve_flatten. */
typedef struct throng_curve_def {
  throng_span points; /* `count` times 3 floats, each finite, -1e12 to 1e12, in any unit and axes. Consecutive points of
                         Catmull-Rom curves must differ */
  uint32_t count;     /* up to 65 536; Catmull-Rom: 2 or more. Bezier: 4, 7, 10, ...; closed 3, 6, 9, ...: the last
                         piece ends at point 0 */
  throng_curve kind;
  bool closed;     /* the curve leads back to the first point (default false) */
  float tolerance; /* 1e-6 to 1e9, in the unit of the points (default 0.01) */
  uint32_t cookie; /* set by throng_default_curve_def; do not touch */
} throng_curve_def;

/* Thread-safe. */
THRONG_API throng_curve_def throng_default_curve_def(void);

/* Writes points on a curve to points[capacity], for throng_path_def.points. No point of the curve is farther than
 * `tolerance` from the straight segments between them, and no point of the segments is farther than that from the
 * curve, plus the rounding of the points to float: at most 2^-24 of each coordinate. Each cubic piece gets segments of
 * equal parameter length (docs/ARITHMETIC.md, "Curves"). *count is the number of points, 2 or more; consecutive ones
 * differ. A closed curve's first point is not repeated. All coordinates count, y also for planar worlds. It works
 * without a world and does not know its seams: in a periodic world the caller must move points outside of the box by
 * the box's lengths. If `points` is NULL, it only counts. Allocates nothing.
 * Thread-safe.
 * Errors: NULL_ARGUMENT, BAD_COOKIE, BAD_VALUE (kind, count, tolerance, also one that takes more than 65 535
 * segments, a stride, a point out of range or equal to the one before it, a curve that is only one point),
 * NOT_FINITE, CAPACITY (only *count is written). */
THRONG_API throng_status throng_curve_flatten(const throng_curve_def *def, throng_vec3 *points, uint32_t capacity,
                                              uint32_t *count, throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
