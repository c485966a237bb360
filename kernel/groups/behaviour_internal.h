/* groups/behaviour_internal.h: the groups' lists of behaviours: their checks, and what the passes read of them.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_GROUPS_BEHAVIOUR_INTERNAL_H
#define THRONG_KERNEL_GROUPS_BEHAVIOUR_INTERNAL_H

#include "state.h"

/* Whether a definition's list may be set. */
throng_status throng_behaviours_check(const struct throng_world *world, const throng_group_def *def,
                                      throng_error *error);
/* Whether some entry with a weight is of this kind. */
bool throng_behaviours_have(const throng_group_def *def, throng_behaviour_kind kind);
/* Position, velocity and facing (TARGET_PARAMS) of a target that is one for the group; a position of NaN where there
 * is none. */
void throng_behaviours_target(const struct throng_world *world, const throng_target *target, float values[]);
/* Fills the tables of group `g`: parameters, targets as they stand at the frame's start, weights and priorities. */
void throng_behaviours_fill(const struct throng_world *world, struct group_table *table, uint32_t g);
/* The point targets of group `g` after a shift of origin, into `shifted`; false where one cannot be shifted exactly. */
bool throng_behaviours_shift(const struct throng_world *world, uint32_t g, const float shift[3],
                             throng_group_def *shifted);
/* Adds what live group `g` has in its list to what the passes are to run. */
void throng_behaviours_note(const throng_group_def *def, struct group_table *table);

#endif
