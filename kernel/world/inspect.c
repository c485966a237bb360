/* inspect.c: a world's hash, and the check of its whole structure. SPDX-License-Identifier: MIT */
#include "world/inspect.h"

#include <string.h>

#include "agents/lookup.h"
#include "agents/values.h"
#include "base/arithmetic.h"
#include "base/assertion.h"
#include "base/float_environment.h"

uint64_t throng_inspect_hash_agent(const throng_world *world, uint32_t slot, uint64_t columns) {
  ASSERT(world, slot < world->agents.count);
  throng_agent_id id = throng_lookup_id_at(world, slot);
  uint64_t h = mix64((uint64_t)id.generation << 32 | id.index);
  for (int column = 0; column < THRONG_COLUMN_COUNT; column++) {
    if (!(columns & THRONG_BIT(column))) continue;
    uint32_t bits[3] = {0, 0, 0};
    throng_value_load(world, (throng_column)column, slot, bits);
    for (int c = 0; c < 3; c++) h = mix64(h + (bits[c] ^ (uint64_t)(3 * column + c + 1) << 32));
  }
  return h;
}

uint64_t throng_world_hash(const throng_world *world, uint64_t columns) {
  if (!world) return 0;
  if (columns == 0)
    columns =
        THRONG_BIT(THRONG_COLUMN_POSITION) | THRONG_BIT(THRONG_COLUMN_VELOCITY) | THRONG_BIT(THRONG_COLUMN_FACING);
  uint64_t sum = 0;
  for (uint32_t slot = 0; slot < world->agents.count; slot++) {
    if (!(world->agents.front.meta[slot] & META_GHOST)) sum += throng_inspect_hash_agent(world, slot, columns);
  }
  return sum;
}

static OUT_OF_LINE bool world_check_inner(const throng_world *world, throng_error *error) {
  if (!world) {
    throng_fail(error, THRONG_ERROR_NULL_ARGUMENT, "world is NULL");
    return false;
  }
  uint32_t in_groups[THRONG_MAX_GROUPS] = {0};
  throng_lookup_expect(world, world->agents.count);
  for (uint32_t slot = 0; slot < world->agents.count; slot++) {
    throng_agent_id id = throng_lookup_id_at(world, slot);
    in_groups[meta_group(world->agents.front.meta[slot])]++;
    throng_error stale;
    if (throng_lookup_check_id(world, id, "agent", &stale) != THRONG_OK || throng_lookup_slot(world, id) != slot) {
      throng_fail_agent(error, THRONG_ERROR_STALE_ID, id, "agent %u in slot %u: its id does not lead back to it",
                        id.index, slot);
      return false;
    }
  }
  if (world->agents.ids.live != world->agents.count || memcmp(in_groups, world->group_agents, sizeof in_groups) != 0) {
    throng_fail(error, THRONG_ERROR_BAD_VALUE, "live ids or group counts do not match the agents");
    return false;
  }
  const char *what = NULL;
  if (world->dirty || throng_grid_check(&world->grid, &world->agents.front, world->agents.count, &what)) return true;
  throng_fail(error, THRONG_ERROR_BAD_VALUE, "grid: %s", what);
  return false;
}

bool throng_world_check(const throng_world *world, throng_error *error) {
  RETURN_IN_FLOAT_ENVIRONMENT(bool, world_check_inner(world, error));
}

bool throng_inspect_after_call(const throng_world *world, throng_error *error) {
  return world->piece.exchanging || throng_world_check(world, error);
}
