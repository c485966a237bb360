/* sight.h: whether scenery and blocked cells hide two points from each other. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_SCENERY_SIGHT_H
#define THRONG_KERNEL_SCENERY_SIGHT_H

#include "scenery/cells.h"
#include "scenery/scenery_internal.h"

/* Whether something may hide points within `reach` of (x, y, z) from it: a quick test, false only if nothing can. */
bool throng_sight_is_limited(const struct scenery *scenery, const struct cells *cells, const float p[3], float reach);

/* Whether a shape or a blocked cell hides p and q from each other. */
bool throng_sight_is_blocked(const struct scenery *scenery, const struct cells *cells, const float p[3],
                             const float q[3]);

#endif
