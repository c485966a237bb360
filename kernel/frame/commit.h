/* commit.h: the end of a frame: is the new state sound, and then it is the state. SPDX-License-Identifier: MIT */
#ifndef THRONG_COMMIT_H
#define THRONG_COMMIT_H

#include "state.h"

/* Forgets what a worker's last frame left: counts, bounds, the smallest bad id. */
void throng_strip_reset(struct strip *strip);
/* OK, or the error of the agent with the smallest id. Before a frame: whether what stands in the accelerations is finite. */
throng_status throng_commit_check_accelerations(throng_world *world, throng_error *error);
/* After the strips have steered: whether every callback wrote numbers. */
throng_status throng_commit_check_callbacks(const throng_world *world, throng_error *error);
/* At its end: the workers' verdict on the back columns. */
throng_status throng_commit_check_frame(const throng_world *world, throng_error *error);
/* Indexes the back columns into the front ones. `kinds` are those of the behaviours that steered: they say which memory columns changed. */
void throng_commit_frame(throng_world *world, uint32_t kinds);
/* Sorts the front columns into grid order. Fails if the host has written a state that cannot be. */
throng_status throng_commit_index(struct throng_world *world, throng_error *error);

#endif
