/* groups/behaviour_internal.h: checks the groups' behaviours, and writes what the passes read of them.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_GROUPS_BEHAVIOUR_INTERNAL_H
#define THRONG_KERNEL_GROUPS_BEHAVIOUR_INTERNAL_H

#include <string.h>

#include "base/assertion.h"
#include "state.h"

/* Writes a value of group `g` to the table, unless the table already has it: all workers read the table in each frame,
 * and a write would take its cache line from their cores. */
static inline void group_table_set_bits(struct group_table *table, int param, uint32_t g, uint32_t bits) {
  ASSERT_ALONE(param >= 0 && param < PARAM_COUNT && g < THRONG_MAX_GROUPS);
  float *value = &group_row(table, param)[g];
  if (memcmp(value, &bits, sizeof bits) != 0) memcpy(value, &bits, sizeof bits);
}
static inline void group_table_set(struct group_table *table, int param, uint32_t g, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  group_table_set_bits(table, param, g, bits);
}

/* Return the number of targets of a kind, and target 0 or 1 of a behaviour. */
int throng_behaviours_target_count(throng_behaviour_kind kind);
static inline const throng_target *behaviour_target(const throng_behaviour *behaviour, int which) {
  ASSERT_ALONE(which == 0 || which == 1);
  return which == 0 ? &behaviour->target : &behaviour->other;
}
/* Checks the behaviours of a definition. */
throng_status throng_behaviours_check(const struct throng_world *world, const throng_group_def *def,
                                      throng_error *error);
/* Makes every -0 in the behaviours of a checked definition +0. */
void throng_behaviours_clear_signs(throng_group_def *def);
/* Whether an entry with a weight other than 0 is of this kind. */
bool throng_behaviours_have(const throng_group_def *def, throng_behaviour_kind kind);
/* Whether something drives the group's agents: cohesion, alignment, attraction, or a behaviour that neither only reacts
 * to scenery nor only turns. */
bool throng_behaviours_drive(const struct throng_world *world, const throng_group_def *def);
/* Writes position, velocity, facing and yaw rate (TARGET_PARAMS) of a target that all agents of a group share. Without
 * such a target the position is NaN. */
void throng_behaviours_target(const struct throng_world *world, const throng_target *target, float values[]);
/* Fills the table for group `g`: parameters, targets at the start of the frame, weights and priorities. */
void throng_behaviours_fill(const struct throng_world *world, struct group_table *table, uint32_t g, float dt);
/* Writes the definition of group `g` after a shift of origin to `shifted`. It returns an error if a target point cannot
 * be shifted exactly. */
throng_status throng_behaviours_shift(const struct throng_world *world, uint32_t g, const float shift[3],
                                      throng_group_def *shifted, throng_error *error);
/* Adds to the table what the definition of live group `g` needs: kinds, targets, brakes. */
void throng_behaviours_note(const struct throng_world *world, struct group_table *table, uint32_t g);

#endif
