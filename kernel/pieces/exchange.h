/* exchange.h: the exchange of a frame in a piece of a world (throng/piece.h). A strip with ghosts, or with own agents
 * outside the inner box, waits: it is settled after the exchange. All functions but throng_exchange_begin are hooks
 * (struct world_hooks).
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PIECES_EXCHANGE_H
#define THRONG_KERNEL_PIECES_EXCHANGE_H

#include "frame/frame.h"

/* Returns OUT_OF_RANGE if an own agent is outside the outer box. */
throng_status throng_exchange_check(const throng_world *world, throng_error *error);
/* Agents of other pieces may push: all pieces run the same contact iterations. */
bool throng_exchange_has_contact(const throng_world *world);
/* Calls the host's `contact`. */
bool throng_exchange_contact(const throng_world *world, float *const position[3], bool pushed);
/* If the strip waits, its ghosts stay where they are. */
bool throng_exchange_defers(const throng_world *world, const struct frame *frame, const struct strip *strip);
/* When the strips of the rim have run (phases.h): calls the host's `begin`. */
void throng_exchange_begin(throng_world *world, const struct frame *frame);
/* Calls the host's `exchange`, and settles the strips that have waited. */
throng_status throng_exchange_run(throng_world *world, const struct frame *frame, throng_status status,
                                  throng_error *error);
/* Checks the outer box, and asks the other pieces whether all commit the frame. */
throng_status throng_exchange_agree(throng_world *world, throng_status status, throng_error *error);
/* Brings the counts, ids and marks of ghosts up to date. If the sort cannot handle the agents that come and go, it
 * moves the columns of `move` so that no agent comes or goes, and the old order cannot be used. */
uint32_t throng_exchange_commit(throng_world *world, struct grid_move *move);

#endif
