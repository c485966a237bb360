/* room.h: memory for more agents. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_AGENTS_ROOM_H
#define THRONG_KERNEL_AGENTS_ROOM_H

#include "state.h"

/* CAPACITY where `agents` are more than a world can have. The same limit holds for id indices. */
throng_status throng_room_check(uint64_t agents, throng_error *error);
/* Memory for `agents` agents and for id indices up to `indices`. The capacity at least doubles unless `exactly`. */
throng_status throng_room_make(struct throng_world *world, uint64_t agents, uint64_t indices, bool exactly,
                               throng_error *error);
/* The columns that every world has, with space for the definition's capacity. */
throng_status throng_room_create_columns(struct throng_world *world, throng_error *error);
/* Gives back columns, id table and grid. */
void throng_room_release(struct throng_world *world);

#endif
