/* group_pace.h: the pace of groups: checks, and what passes read. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_GROUPS_GROUP_PACE_H
#define THRONG_KERNEL_GROUPS_GROUP_PACE_H

#include "groups/behaviour_internal.h"

/* Returns 1 / a quarter of the time; at most 1 / dt. */
static inline float grip_of(float time, float dt) {
  const float grip = 4.0f / time; /* critical damping of a queue */
  return grip * dt > 1.0f ? 1.0f / dt : grip;
}

/* Checks what a pace needs beyond the ranges of its fields. */
throng_status throng_pace_check(const throng_pace *pace, float perception, throng_error *error);
/* Writes the values of group g to the table. */
void throng_pace_fill(const throng_pace *pace, struct group_table *table, uint32_t g, float dt);
/* Notes the features and the points that group g needs. Call it for the live groups in turn. */
void throng_pace_note(const throng_world *world, struct group_table *table, uint32_t g, uint32_t live_layers);

#endif
