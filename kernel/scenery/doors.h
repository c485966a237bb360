/* doors.h: whether a way leads through a door, which is a gap beside a wall or a row of blocked cells.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_SCENERY_DOORS_H
#define THRONG_KERNEL_SCENERY_DOORS_H

#include "scenery/cells.h"
#include "scenery/scenery_internal.h"

/* Whether the world has walls or blocked cells, which may have doors. */
bool throng_doors_exist(const struct scenery *scenery, const struct cells *cells);

/* Whether the straight line from p by `way` leads through a door: past a wall or an edge of a blocked cell, less than
 * four body radii beside it and at most `reach` from p, to the other side. It counts until the body is past the wall.
 * Planar worlds only. */
bool throng_doors_on_way(const struct scenery *scenery, const struct cells *cells, struct vec p, struct vec way,
                         double body, double reach);

#endif
