/* inspect.h: the hash of one agent. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_WORLD_INSPECT_H
#define THRONG_KERNEL_WORLD_INSPECT_H

#include "state.h"

/* Returns the part of throng_world_hash that the agent in a slot adds to the sum. */
uint64_t throng_inspect_hash_agent(const struct throng_world *world, uint32_t slot, uint64_t columns);

#endif
