/* inspect.h: an agent's part of the world's hash. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_WORLD_INSPECT_H
#define THRONG_KERNEL_WORLD_INSPECT_H

#include "state.h"

/* What the agent in a slot adds to throng_world_hash. */
uint64_t throng_inspect_hash_agent(const struct throng_world *world, uint32_t slot, uint32_t columns);

#endif
