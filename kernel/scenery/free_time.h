/* free_time.h: how long a point that moves stays clear of scenery, blocked cells and the faces of a box world. Formula:
 * docs/ARITHMETIC.md, "Free time of a target". SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_SCENERY_FREE_TIME_H
#define THRONG_KERNEL_SCENERY_FREE_TIME_H

#include "base/space.h"
#include "scenery/cells.h"
#include "scenery/scenery_internal.h"

/* Returns the time in seconds after which a point at q with velocity u meets something; `most` if it meets nothing
 * before, if it does not move, or if q.x is a NaN. In planar worlds y must be 0. */
float throng_free_time(const struct scenery *scenery, const struct cells *cells, const struct space *space,
                       const throng_world_def *def, const float q[3], const float u[3], float most);

#endif
