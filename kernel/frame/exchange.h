/* exchange.h: the exchange of a frame in a piece of a world (throng/piece.h). A strip with ghosts, or with own agents
 * outside the inner box, waits: it is settled after the exchange.
 *   If the host has a function `begin`, the strips of the rim run in phase 0. The host then begins to send, and the
 * other strips run in the phases after it. Contact iterations do the same for `contact_begin`. A strip's phase does not
 * change what it computes.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_FRAME_EXCHANGE_H
#define THRONG_KERNEL_FRAME_EXCHANGE_H

#include "state.h"

/* Returns whether a strip consists of ghosts alone, so that no pass needs to run for it. */
bool throng_exchange_skips(const throng_world *world, const struct strip *strip);
/* Returns whether a strip, whose agents have moved, must wait for the exchange. Its ghosts then stay where they are. */
bool throng_exchange_defers(const throng_world *world, const struct frame *frame, const struct strip *strip);
/* Returns the number of phases of a piece whose host begins to send early: 1 if the rim has all strips, which then have
 * phase 0. */
uint32_t throng_exchange_phases(throng_world *world);
/* Returns a strip's phase. */
uint32_t throng_exchange_phase_of(const throng_world *world, uint32_t strip, uint32_t phases);
/* After phase 0: calls the host's `begin`. */
void throng_exchange_begin(throng_world *world, const struct frame *frame);
/* Calls the host's exchange. `status` is that of the frame so far; returns it, or the error of the exchange. */
throng_status throng_exchange_call(throng_world *world, const struct frame *frame, throng_status status,
                                   throng_error *error);
/* Settles a strip that has waited, and lists the agents that leave. */
void throng_exchange_settle(throng_world *world, const struct frame *frame, struct strip *strip, uint32_t worker);
/* Returns OUT_OF_RANGE if an own agent of `columns` in slots [begin, end) is outside the outer box. The other function
 * does that at the end of a frame. */
throng_status throng_exchange_check(const throng_world *world, const struct columns *columns, uint32_t begin,
                                    uint32_t end, throng_error *error);
throng_status throng_exchange_check_frame(const throng_world *world, throng_error *error);
/* Forgets the arrivals of a frame that failed. */
void throng_exchange_discard(throng_world *world);
/* At the commit: brings the counts, ids and marks of ghosts up to date, and tells the sort which agents come and go. If
 * the sort cannot handle them, it moves the columns of `move` so that no agent comes or goes, and the old order cannot
 * be used. Returns the number of agents before the sort. */
uint32_t throng_exchange_commit(throng_world *world, struct grid_move *move);

#endif
