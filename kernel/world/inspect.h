/* inspect.h: the hash of one agent, and the check of the whole world. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_WORLD_INSPECT_H
#define THRONG_KERNEL_WORLD_INSPECT_H

#include "state.h"

/* Returns the part of throng_world_hash that the agent in a slot adds to the sum. */
uint64_t throng_inspect_hash_agent(const struct throng_world *world, uint32_t slot, uint64_t columns);

/* throng_world_check, but true in the middle of a frame, when a piece exchanges agents. For struct claim. */
bool throng_inspect_after_call(const struct throng_world *world, throng_error *error);

#endif
