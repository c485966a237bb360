/* values.h: one agent's value of one public column: is it allowed, put it in, get it out. Shared by adding, writing and
 * reading. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_AGENTS_VALUES_H
#define THRONG_KERNEL_AGENTS_VALUES_H

#include "state.h"

/* Whether `element` may be written; `k` is its place in the caller's array, for the text. */
throng_status throng_value_check(const struct throng_world *world, throng_column column, const void *element,
                                 uint32_t k, throng_error *error);
/* Makes the arrays of `column`, but not the y of positions in planar worlds. */
throng_status throng_value_need(struct throng_world *world, throng_column column, throng_error *error);
/* Likewise for each of a set of bits 1u << throng_column; what it made before it failed stays. */
throng_status throng_value_need_all(struct throng_world *world, uint32_t columns, throng_error *error);
/* Writes a checked element. */
void throng_value_store(struct throng_world *world, throng_column column, uint32_t slot, const void *element);
/* Faces the agent in a slot along its velocity, or along +z where the velocity is 0. */
void throng_value_default_facing(struct throng_world *world, uint32_t slot);
/* Reads; optional columns that are absent give their defaults. */
void throng_value_load(const struct throng_world *world, throng_column column, uint32_t slot, void *element);

/* What throng_world_steer left, as the host may see it; NULL where there is none. */
struct accelerations {
  float *linear[3], *yaw;
};
struct accelerations throng_value_accelerations(const struct throng_world *world);

#endif
