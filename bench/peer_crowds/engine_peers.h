/* engine_peers.h: the engines of engines/engine.h as peers.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_ENGINE_PEERS_H
#define BENCH_ENGINE_PEERS_H

#include "peer.h"

/* Writes the engines to the list, also those that were not built. Returns their number. */
int engine_peers_list(const peer_crowd **list);

#endif
