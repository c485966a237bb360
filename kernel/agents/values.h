/* values.h: checks, stores and loads one agent's value of a public column, for adding, writing and reading.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_AGENTS_VALUES_H
#define THRONG_KERNEL_AGENTS_VALUES_H

#include "state.h"

/* Checks whether `element` may be written. `k` is its index in the caller's array, for the text. */
throng_status throng_value_check(const struct throng_world *world, throng_column column, const void *element,
                                 uint32_t k, throng_error *error);
/* Creates the arrays of `column`, but not the y of positions in planar worlds. */
throng_status throng_value_need(struct throng_world *world, throng_column column, throng_error *error);
/* Creates the arrays of a set of columns, bits 1u << throng_column. After a failure, the arrays that were created
 * stay. */
throng_status throng_value_need_all(struct throng_world *world, uint32_t columns, throng_error *error);
/* Writes a checked element. */
void throng_value_store(struct throng_world *world, throng_column column, uint32_t slot, const void *element);
/* Sets the facing of the agent in a slot to the direction of its velocity, or to +z if that is 0. */
void throng_value_default_facing(struct throng_world *world, uint32_t slot);
/* Loads a value. An optional column that the world lacks has its default. */
void throng_value_load(const struct throng_world *world, throng_column column, uint32_t slot, void *element);

/* The accelerations of the last throng_world_steer; NULL if there are none. */
struct accelerations {
  float *linear[3], *yaw;
};
struct accelerations throng_value_accelerations(const struct throng_world *world);

#endif
