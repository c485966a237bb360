/* throng/path.h: polylines for agents to follow (THRONG_BEHAVIOUR_FOLLOW_PATH, throng/behaviour.h).
 * A place on a path is its parameter: metres along it from its first point. Each agent that follows has the parameter
 * where it was last, THRONG_COLUMN_PATH_PARAMETER (throng/agents.h). Curves are polylines that the host flattened.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_PATH_H
#define THRONG_PATH_H

#include "agents.h"
#include "base.h"
#include "group.h"

#ifdef __cplusplus
extern "C" {
#endif

#define THRONG_MAX_PATHS 64u        /* of a world: numbers 0 to 63 */
/* How many points a path can have. */
#define THRONG_MAX_PATH_POINTS 65536u

/* Straight segments from point to point. It may cross and touch itself. In periodic worlds each segment goes the short way
 * round, so that a path may run through a seam, and agents see the image of it that lies nearest to its middle. */
typedef struct throng_path_def {
  throng_span points; /* `count` times 3 floats: metres, finite, within 2^20 R of the origin (PERIODIC: inside the box);
                         y is ignored in planar worlds. Copied */
  uint32_t count;     /* 2 to 65 536. A point must not be the one before it: every segment makes the path longer */
  bool closed;        /* a segment leads from the last point back to the first (default false) */
  uint32_t cookie;    /* set by throng_default_path_def; do not touch */
} throng_path_def;

/* Thread-safe. */
THRONG_API throng_path_def throng_default_path_def(void);

/* Sets the world's path of that number, or takes it away (def == NULL): who follows it is left alone from then on. The
 * followers keep their parameters, which count as the nearest that the new path has; write NaN to have them look for their
 * place anew. throng_world_shift_origin moves the paths too.
 * Errors: NULL_ARGUMENT, BAD_COOKIE, BAD_VALUE (number, count, a point too far out, a segment without length), NOT_FINITE,
 * OUT_OF_MEMORY. Not thread-safe with any other call on the same world. */
THRONG_API throng_status throng_world_set_path(throng_world *world, uint32_t number, const throng_path_def *def,
                                               throng_error *error);

/* Metres: the largest parameter of a path; 0 where there is none. Thread-safe between steps. */
THRONG_API float throng_world_path_length(const throng_world *world, uint32_t number);

#ifdef __cplusplus
}
#endif

#endif
