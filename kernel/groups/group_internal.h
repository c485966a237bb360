/* groups/group_internal.h: checks group definitions and fills the group table. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_GROUPS_GROUP_INTERNAL_H
#define THRONG_KERNEL_GROUPS_GROUP_INTERNAL_H

#include "state.h"

/* Checks whether a definition may be set. */
throng_status throng_groups_check(const struct throng_world *world, uint32_t group, const throng_group_def *def,
                                  throng_error *error);
/* Makes every -0 in a checked definition +0: a pass that divides by -0 gets -INFINITY. */
void throng_groups_clear_signs(throng_group_def *def);
/* throng_world_set_group by a caller that has claimed the world and set the float environment. */
throng_status throng_groups_set(struct throng_world *world, uint32_t group, const throng_group_def *def,
                                throng_error *error);
/* Whether the group's agents avoid each other reciprocally. */
static inline bool group_is_reciprocal(const throng_group_def *def) {
  return def->avoidance.weight > 0.0f && def->avoidance.form == THRONG_AVOIDANCE_RECIPROCAL;
}
/* Whether the group keeps a time gap, or counts oncoming agents. */
static inline bool group_keeps_gaps(const throng_group_def *def) {
  return def->pace.on && (def->pace.time_gap > 0.0f || def->pace.oncoming_weight > 0.0f);
}
/* Whether the group's agents read the courses of others (columns.h, seen). */
static inline bool group_reads_courses(const throng_group_def *def) {
  return group_is_reciprocal(def) || group_keeps_gaps(def);
}
/* The optional columns that a group with this definition needs: the bits of the columns. */
uint64_t throng_groups_columns(const throng_group_def *def);
/* Makes memory for the groups 0 to groups - 1: their definitions and their elements of the group table, which the next
 * frame fills. On OUT_OF_MEMORY nothing changes. Memory never shrinks: group numbers of removed agents stay legal. */
throng_status throng_groups_make_room(struct throng_world *world, uint32_t groups, throng_error *error);
void throng_groups_release(struct throng_world *world);
/* Whether the group has agents; in a piece of a world, also those that other pieces have. */
static inline bool group_is_live(const struct throng_world *world, uint32_t group) {
  return world->group_agents[group] > 0 || (world->piece.set && world->piece.groups->live[group]);
}
/* Fills world->groups for a frame of `dt` seconds. */
void throng_groups_build(struct throng_world *world, float dt);

#endif
