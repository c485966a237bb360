/* throng/path.h: polylines that agents follow (THRONG_BEHAVIOUR_FOLLOW_PATH, throng/behaviour.h). A point of a path is
 * given by its path parameter: metres along the path from its first point. The column THRONG_COLUMN_PATH_PARAMETER
 * (throng/agents.h) holds each follower's last parameter. The host must convert curves to polylines.
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

#ifdef __cplusplus
}
#endif

#endif
