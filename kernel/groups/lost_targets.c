/* lost_targets.c: counts and lists the agents that have lost a target. SPDX-License-Identifier: MIT */
#include "agents/lookup.h"
#include "agents/values.h"
#include "base/assertion.h"
#include "groups/behaviour_internal.h"

/* Whether a behaviour of the group has lost the target that all its agents share; whether one has THRONG_TARGET_OWN. */
struct lost_of_group {
  bool shared, owns;
};
static struct lost_of_group lost_of_group(const throng_world *world, uint32_t g) {
  ASSERT(world, g < world->group_room);
  const throng_group_def *def = &world->group[g];
  struct lost_of_group lost = {false, false};
  for (uint32_t k = 0; k < def->behaviour_count; k++) {
    const throng_behaviour *b = &def->behaviour[k];
    for (int which = 0; which < throng_behaviours_target_count(b->kind) && b->weight != 0.0f; which++) {
      const throng_target *target = behaviour_target(b, which);
      const bool agent = target->kind == THRONG_TARGET_AGENT;
      lost.shared = lost.shared || (agent && !throng_agents_is_valid(world, target->agent));
      lost.owns = lost.owns || target->kind == THRONG_TARGET_OWN;
    }
  }
  return lost;
}

/* Whether the agent in a slot had a target of its own that was removed. */
static bool lost_own_target(const throng_world *world, uint32_t slot) {
  throng_agent_id target;
  throng_value_load(world, THRONG_COLUMN_TARGET, slot, &target);
  return target.index != 0 && !throng_agents_is_valid(world, target);
}

uint32_t throng_world_lost_target_count(const throng_world *world) {
  struct lost_of_group lost[THRONG_MAX_GROUPS];
  uint32_t agents = 0;
  bool owns = false;
  for (uint32_t g = 0; world && g < THRONG_MAX_GROUPS; g++) {
    lost[g] = world->group_agents[g] > 0 ? lost_of_group(world, g) : (struct lost_of_group){false, false};
    if (lost[g].shared) agents += world_own_agents(world, g);
    owns = owns || (lost[g].owns && !lost[g].shared);
  }
  for (uint32_t slot = 0; owns && slot < world->agents.count; slot++) {
    const uint32_t meta = world->agents.front.meta[slot];
    const struct lost_of_group *of = &lost[meta_group(meta)];
    if (of->owns && !of->shared && !(meta & META_GHOST) && lost_own_target(world, slot)) agents++;
  }
  return agents;
}

throng_status throng_world_get_lost_agents(const throng_world *world, throng_agent_id *ids, uint32_t capacity,
                                           uint32_t *count, throng_error *error) {
  REQUIRE_POINTER(world, error);
  REQUIRE_POINTER(count, error);
  *count = throng_world_lost_target_count(world);
  if (capacity < *count) {
    return throng_fail(error, THRONG_ERROR_CAPACITY, "ids has room for %u, %u agents have lost a target", capacity,
                       *count);
  }
  if (*count == 0) return THRONG_OK;
  if (!ids) return throng_fail(error, THRONG_ERROR_NULL_ARGUMENT, "'ids' is NULL");
  struct lost_of_group lost[THRONG_MAX_GROUPS];
  uint32_t k = 0;
  for (uint32_t g = 0; g < world->group_room; g++) lost[g] = lost_of_group(world, g);
  throng_lookup_expect(world, world->agents.count);
  struct id_loop all = throng_lookup_all(world);
  for (uint32_t index; (index = lookup_next(&all)) != 0;) {
    const uint32_t slot = throng_lookup_slot(world, (throng_agent_id){index, 0, 0});
    const struct lost_of_group *of = &lost[meta_group(world->agents.front.meta[slot])];
    if (of->shared || (of->owns && lost_own_target(world, slot))) ids[k++] = throng_lookup_id_at(world, slot);
  }
  ASSERT(world, k == *count); /* both count alike */
  return THRONG_OK;
}
