/* constrain.h: stops a strip's agents at scenery and blocked cells. Each function moves agents along straight lines
 * from the positions `from` toward `to`; where something stops an agent, it changes `to` and the velocity (NULL:
 * none). SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_FRAME_CONSTRAIN_H
#define THRONG_KERNEL_FRAME_CONSTRAIN_H

#include "passes/passes_internal.h"
#include "scenery/scenery_internal.h"

/* For a world with scenery, cells or both. An agent that was in a free cell ends in a free cell. Positions beyond the
 * limit of the space are unchanged. */
void throng_constrain(const struct frame *frame, const struct motion_passes *passes, const struct strip *strip,
                      float *const from[3], float *const to[3], float *const velocity[3]);

/* Wraps the strip's new positions in worlds with scenery or cells. An agent that rounding would then put inside a shape
 * or a blocked cell does not move. */
void throng_constrain_wrap(const struct frame *frame, const struct strip *strip);

/* Keeps the blocked times that have grown in this frame, where scenery, a blocked cell or a face of the box is near.
 * Only there can agents that block one another be stuck for long. The others become shorter. */
void throng_constrain_blocked(const struct frame *frame, const struct strip *strip);

#endif
