/* room.h: allocates memory for more agents. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_AGENTS_ROOM_H
#define THRONG_KERNEL_AGENTS_ROOM_H

#include "state.h"

/* Returns CAPACITY if a world cannot have `agents` agents. Id indices have the same limit. */
throng_status throng_room_check(uint64_t agents, throng_error *error);
/* Allocates for `agents` agents and for id indices up to `indices`; with sparse ids, for as many indices as agents. The
 * capacity at least doubles unless `exactly`. */
throng_status throng_room_make(struct throng_world *world, uint64_t agents, uint64_t indices, bool exactly,
                               throng_error *error);
/* The same for id indices alone. It moves no column, so that a frame may call it. */
throng_status throng_room_make_ids(struct throng_world *world, uint64_t agents, uint64_t indices, throng_error *error);
/* Allocates more cells if `torus` has more than the grid has memory for. */
throng_status throng_room_make_torus(struct throng_world *world, const struct torus *torus, throng_error *error);
/* Allocates the workers' strips, unless the world has them. throng_room_make calls it for the first agents. */
throng_status throng_room_make_strips(struct throng_world *world, throng_error *error);
void throng_room_release_strips(struct throng_world *world);
/* Creates the columns that every world has, with the definition's capacity. */
throng_status throng_room_create_columns(struct throng_world *world, throng_error *error);
/* Releases columns, id table, grid and strips. */
void throng_room_release(struct throng_world *world);

#endif
