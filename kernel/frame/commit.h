/* commit.h: the end of a frame: checks the new state, then makes it the committed state.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_FRAME_COMMIT_H
#define THRONG_KERNEL_FRAME_COMMIT_H

#include "state.h"

/* Resets a worker's counts, bounds and smallest bad id. */
void throng_strip_reset(struct strip *strip);
/* These three functions return OK, or the error of the agent with the smallest id index. This one runs before
 * integrate, and checks that the accelerations are finite. */
throng_status throng_commit_check_accelerations(throng_world *world, throng_error *error);
/* After steer: checks that every callback wrote finite accelerations. */
throng_status throng_commit_check_callbacks(const throng_world *world, throng_error *error);
/* At the end of a frame: checks that the new state in the back columns is finite and in range. */
throng_status throng_commit_check_frame(const throng_world *world, throng_error *error);
/* Lists the back arrays that a frame has written; the others take their values from the front. `kinds` as below. */
static inline void commit_list_written(const throng_world *world, uint64_t kinds, bool written[COLUMN_COUNT]) {
  const struct column_writers writers = {kinds, (world->groups.features & FEATURE_STEERED_YAW) != 0,
                                         (world->groups.features & FEATURE_YIELD) != 0};
  throng_columns_list_written(&writers, world->space.spatial, written);
}
/* Sorts the back columns into the front columns, and increases the frame number. `kinds`: bits of the kinds of
 * behaviours that took part in the frame; only their memory columns have changed. */
void throng_commit_frame(throng_world *world, uint64_t kinds);
/* Sorts the front columns into grid order. Fails if the host has written a state that is not allowed. */
throng_status throng_commit_index(struct throng_world *world, throng_error *error);
/* Does the same under this torus, which must be one that the grid can have. */
throng_status throng_commit_index_under(struct throng_world *world, const struct torus *torus, throng_error *error);

#endif
