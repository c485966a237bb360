/* values.h: checks, stores and loads one agent's value of a public column, for adding, writing and reading.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_AGENTS_VALUES_H
#define THRONG_KERNEL_AGENTS_VALUES_H

#include "state.h"

/* Returns a radius of a group's definition in metres: "Body lengths" in throng/group.h. */
static inline float group_metres(const throng_group_def *def, float radius) {
  return def->radii_in_bodies ? radius * (2.0f * def->body_radius) : radius;
}
/* Returns the perception radius of a group's agents that have none of their own. `most`: the world's. */
static inline float group_perception(const throng_group_def *def, float most) {
  return def->perception_radius > 0.0f ? group_metres(def, def->perception_radius) : most;
}

/* Whether the values of a column are magnitudes: lengths, times and numbers of at least 0. */
static inline bool value_is_magnitude(const struct column_row *row) {
  return row->low >= 0.0f && row->quantity[0] != QUANTITY_ID;
}
/* Returns the bits that the world keeps for a checked value, so that equal worlds have equal hashes: one NaN for
 * "none"; and +0 for the -0 of a magnitude, because a pass that divides by -0 gets -INFINITY. */
static inline float value_stored(const struct column_row *row, float value) {
  if (row->flags & COLUMN_MAY_BE_NAN && value != value) return NAN;
  return value_is_magnitude(row) ? value + 0.0f : value;
}

/* The host's values of a column, in the host's axes. */
struct column_span {
  throng_column column;
  throng_span span;
};
/* Returns element k of a span, in throng's axes. A converted element is in `room`. */
const void *throng_value_take(const struct throng_world *world, struct column_span span, uint32_t k, float room[3]);

/* Checks whether `element` may be written. The error text names it by k, its index in the caller's array. */
throng_status throng_value_check(const struct throng_world *world, throng_column column, const void *element,
                                 uint32_t k, throng_error *error);
/* Checks an element of the saved agent `id`, number k of a file or of records. Unlike throng_value_check it takes no
 * direction whose length is not 1 within 1e-3, because its bits are kept; any finite way of a pattern, because frames
 * write it; and a target that was removed. The error names the agent. */
throng_status throng_value_check_saved(const struct throng_world *world, throng_column column, const float element[3],
                                       throng_agent_id id, uint32_t k, throng_error *error);
/* Creates the arrays of `column` if the world lacks them. It does not create the y array of positions in a planar
 * world: adding and writing create that one, when an agent has a height. */
throng_status throng_value_need(struct throng_world *world, throng_column column, throng_error *error);
/* Creates that array if the world lacks it. */
throng_status throng_value_need_y(struct throng_world *world, throng_error *error);
/* Does the same as throng_value_need for every column whose bit is set in `columns`. Arrays that it created before a
 * failure are kept. */
throng_status throng_value_need_all(struct throng_world *world, uint64_t columns, throng_error *error);
/* Writes a checked element. */
void throng_value_store(struct throng_world *world, throng_column column, uint32_t slot, const void *element);
/* Forgets the kept acceleration of the agent in a slot, so that the agent is due in the next frame. */
void throng_value_make_due(struct throng_world *world, uint32_t slot);
/* Sets the facing of the agent in a slot to the direction of its velocity, or to +z if that is 0. */
void throng_value_default_facing(struct throng_world *world, uint32_t slot);
/* Writes the agent's value to *element: the column's default if the world lacks the column; the group's value if the
 * agent has no such value of its own; 0 for accelerations that do not exist. */
void throng_value_load(const struct throng_world *world, throng_column column, uint32_t slot, void *element);
/* The arrays of the last throng_world_steer. All are NULL if there are no accelerations. linear[1] is NULL in planar
 * worlds. yaw is NULL if no live group steers its yaw. */
struct accelerations {
  float *linear[3], *yaw;
};
struct accelerations throng_value_accelerations(const struct throng_world *world);

#endif
