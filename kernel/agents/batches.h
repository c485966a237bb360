/* batches.h: checks, stores and loads many values of a public column at once: what values.h does with one.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_AGENTS_BATCHES_H
#define THRONG_KERNEL_AGENTS_BATCHES_H

#include "agents/values.h"

#define BATCH 256u /* the maximum of `count` in the functions that take `from` and `count` */

/* Whether elements [from, from + count) may surely be written. If not, throng_value_check may allow them all the
 * same. */
bool throng_values_are_valid(const struct throng_world *world, struct column_span span, uint32_t from, uint32_t count);
/* Writes checked elements [from, from + count) to the agents in slots[count]. */
void throng_values_store(struct throng_world *world, struct column_span span, uint32_t from, uint32_t count,
                         const uint32_t *slots);
/* Creates the y array of positions if the world lacks it and some of the `count` elements has a y other than 0. */
throng_status throng_values_need_height(struct throng_world *world, struct column_span positions, uint32_t count,
                                        throng_error *error);

/* Writes the values of the agents slots[count] in the host's axes, one every `stride` bytes from `data` on. */
void throng_values_load(const struct throng_world *world, throng_column column, const uint32_t *slots, uint32_t count,
                        char *data, size_t stride);

#endif
