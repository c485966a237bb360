/* frame/constrain.h: the constrain pass stops a strip's agents at what stands in the world. Each function moves agents
 * from the positions `from` along a straight line toward the positions `to`, and changes `to` and their velocities
 * (NULL: none) where something is in the way. SPDX-License-Identifier: MIT */
#ifndef THRONG_FRAME_CONSTRAIN_H
#define THRONG_FRAME_CONSTRAIN_H

#include "passes/passes.h"
#include "scenery/scenery.h"

/* A world with scenery, with or without cells. */
void throng_constrain_to_scenery(const struct scenery *scenery, const struct cells *cells, const struct frame *frame,
                                 const struct strip *strip, float *const from[3], float *const to[3],
                                 float *const velocity[3]);
/* A world with cells alone. An agent that was in a free cell ends in one. Positions beyond `limit` are unchanged. */
void throng_constrain_to_cells(const struct cells *cells, const struct motion_passes *passes, const struct strip *strip,
                               float limit, float *const from[3], float *const to[3], float *const velocity[3]);

#endif
