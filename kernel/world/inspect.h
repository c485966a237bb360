/* inspect.h: the hash of one agent. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_WORLD_INSPECT_H
#define THRONG_KERNEL_WORLD_INSPECT_H

#include "state.h"

/* Returns the summand of the agent in a slot in throng_world_hash. */
uint64_t throng_inspect_hash_agent(const struct throng_world *world, uint32_t slot, uint32_t columns);

#endif
