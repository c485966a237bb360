/* lookup.h: finds slots by ids, and ids by slots. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_AGENTS_LOOKUP_H
#define THRONG_KERNEL_AGENTS_LOOKUP_H

#include "state.h"

/* Returns the slot of a valid id. Thread-safe while the world does not change. */
uint32_t throng_lookup_slot(const struct throng_world *world, throng_agent_id id);
/* Prepares `lookups` lookups: if there are many, makes the table of slots. If `lookups` is the number of agents, there
 * is always a table. */
void throng_lookup_expect(const struct throng_world *world, uint32_t lookups);

/* Makes the table of slots in parallel, for a frame that reads it. */
void throng_lookup_know_all(struct throng_world *world);

/* Whether the id index belongs to a live agent that is no ghost. */
bool throng_lookup_is_own(const struct throng_world *world, uint32_t index);

/* A loop over the live agents that are no ghosts, by ascending id index. */
struct id_loop {
  const struct throng_world *world;
  uint32_t at;
};
struct id_loop throng_lookup_all(const struct throng_world *world);
/* Returns the next id index; 0 after the last one. */
static inline uint32_t lookup_next(struct id_loop *loop) {
  const struct agents *agents = &loop->world->agents;
  const bool ghosts = loop->world->piece.ghosts > 0;
  while (agents->ids.sparse && loop->at < agents->count) {
    const uint32_t slot = loop->world->grid.order[loop->at++];
    if (!ghosts || !(agents->front.meta[slot] & META_GHOST)) return agents->front.id[slot];
  }
  while (!agents->ids.sparse && ++loop->at <= agents->ids.used) {
    if (!(agents->ids.entry[loop->at].state & ID_LIVE)) continue;
    if (!ghosts || throng_lookup_is_own(loop->world, loop->at)) return loop->at;
  }
  return 0;
}
/* Goes past the next `count` agents of a loop. */
void throng_lookup_skip(struct id_loop *loop, uint32_t count);
/* Write to slots[count] the slots of a loop's next agents, or of the agents ids[count]. Call throng_lookup_expect
 * before. */
void throng_lookup_next_slots(struct id_loop *loop, uint32_t *slots, uint32_t count);
void throng_lookup_slots(const struct throng_world *world, const throng_agent_id *ids, uint32_t *slots, uint32_t count);

/* Return the id of the agent in a slot, or of the agent with a live id index. */
throng_agent_id throng_lookup_id_at(const struct throng_world *world, uint32_t slot);
throng_agent_id throng_lookup_id_of(const struct throng_world *world, uint32_t index);
/* Whether an id is that of a live agent of this world. */
static inline bool lookup_is_live(const struct throng_world *world, throng_agent_id id) {
  const struct id_entry *entry = ids_live(&world->agents.ids, id.index);
  return entry && entry->generation == id.generation && id.world == world->def.id_world;
}
/* Returns THRONG_OK if the id is valid; if not, STALE_ID or FOREIGN_ID, with a text that names argument `what`. */
throng_status throng_lookup_check_id(const struct throng_world *world, throng_agent_id id, const char *what,
                                     throng_error *error);
/* Does the same for element k of the argument `ids`, which is not valid. */
throng_status throng_lookup_refuse(const struct throng_world *world, const throng_agent_id *ids, uint32_t k,
                                   throng_error *error);
/* Does the same for element k of the argument `ids`. */
static inline throng_status lookup_check_ids(const struct throng_world *world, const throng_agent_id *ids, uint32_t k,
                                             throng_error *error) {
  return lookup_is_live(world, ids[k]) ? THRONG_OK : throng_lookup_refuse(world, ids, k, error);
}

#endif
