/* state.h: what a world is made of. SPDX-License-Identifier: MIT */
#ifndef THRONG_STATE_H
#define THRONG_STATE_H

#include <throng/throng.h>

#include "scenery/cells.h"
#include "columns/columns.h"
#include "base/definitions.h"
#include "base/error.h"
#include "base/executor.h"
#include "guides/flow_field.h"
#include "guides/formation.h"
#include "grid/grid.h"
#include "columns/ids.h"
#include "passes/passes.h"
#include "guides/path.h"
#include "guides/pattern.h"
#include "scenery/scenery.h"
#include "base/trace.h"

#define MAX_AGENTS 2147483646u /* 2^31 - 2: an id index stays below the neighbour pass' "nobody" */

/* The watched agent, and what its rules wanted. */
struct watch {
  throng_agent_id agent;        /* index 0: nobody */
  uint32_t slot;                /* where it lies in this frame; UINT32_MAX: nobody is watched, or it is gone */
  throng_explanation now, last; /* of the frame at work; of the last that did not fail (agent 0: none) */
};

/* What decides about bits here belongs into a snapshot, too (snapshot.c). */
struct throng_world {
  throng_world_def def; /* as it runs: isa and thread_count resolved */
  struct executor executor;
  const struct pass_table *passes;

  struct agents agents;
  struct grid grid;
  struct cells cells;
  struct flow_field flow_field[THRONG_MAX_FLOW_FIELDS];
  struct scenery scenery;
  struct path path[THRONG_MAX_PATHS];
  struct pattern pattern[THRONG_MAX_PATTERNS];
  struct formation formation[THRONG_MAX_FORMATIONS];

  struct callbacks callbacks;
  throng_group_def group[THRONG_MAX_GROUPS];
  bool group_defined[THRONG_MAX_GROUPS];
  uint32_t group_agents[THRONG_MAX_GROUPS];
  struct group_table groups; /* what the passes read: rebuilt at the start of a frame */

  uint64_t frame;
  bool dirty;             /* agents were added, removed or moved since the last index */
  bool placed;            /* they lie where the last index put them: none was added or removed */
  bool steered;           /* acceleration[] and the back memory columns belong to the committed state */
  uint32_t steered_kinds; /* the kinds of behaviours that steered */

  struct strip *strips; /* [executor.workers] */
  throng_profile profile;
  struct tracer tracer;
  struct watch watch;
};

/* Where the agent in a slot stands: y is 0 in planar worlds. */
static inline struct vec agent_position(const struct throng_world *world, uint32_t slot) {
  float *const *f = world->agents.front.f;
  return (struct vec){(double)f[COLUMN_POSITION_X][slot],
                      world->grid.space.spatial ? (double)f[COLUMN_POSITION_Y][slot] : 0.0,
                      (double)f[COLUMN_POSITION_Z][slot]};
}

/* agents.c: memory. */
/* Room for `agents` agents and for id indices up to `indices`; the capacity at least doubles unless `exactly` so many are wanted. */
throng_status throng_room_make(struct throng_world *world, uint64_t agents, uint64_t indices, bool exactly,
                               throng_error *error);
/* Gives the world the columns [first, first + components), or fails with all as before. New elements are `fill`. */
throng_status throng_columns_need(struct throng_world *world, int first, int components, float fill,
                                  throng_error *error);
/* Makes the columns that contact works in, or fails with all as before. */
throng_status throng_columns_need_contact(struct throng_world *world, throng_error *error);
void throng_columns_release_contact(struct throng_world *world);
/* The yaw rate's, and an array for the angular accelerations; likewise. */
throng_status throng_columns_need_yaw_rate(struct throng_world *world, throng_error *error);
/* Takes away the columns that are not among those that the world `had`. */
void throng_columns_drop(struct throng_world *world, const struct columns *had);
/* The columns that every world has, with room for the definition's capacity. */
throng_status throng_room_create_columns(struct throng_world *world, throng_error *error);
void throng_room_release(struct throng_world *world);

/* Faces the agent in a slot along its velocity, +z where that is 0: who has no facing given. */
void throng_value_default_facing(throng_world *world, uint32_t slot);

/* world.c */
throng_status throng_world_check_def(const throng_world_def *def, throng_error *error);

/* group.c */
/* Whether a definition may be set. */
throng_status throng_groups_check(const struct throng_world *world, uint32_t group, const throng_group_def *def,
                                  throng_error *error);
/* The optional columns that a group with this definition needs: bits 1u << throng_column. */
uint32_t throng_groups_columns(const throng_group_def *def);
void throng_groups_build(struct throng_world *world, float dt);

/* world.c: what the agent in a slot adds to throng_world_hash. */
uint64_t throng_inspect_hash_agent(const struct throng_world *world, uint32_t slot, uint32_t columns);

/* commit.c: the index of the front columns by themselves; fails if the host has written what cannot be. */
throng_status throng_commit_index(struct throng_world *world, throng_error *error);

/* slots.c: the slot of a valid id. Thread-safe between changes of the world. */
uint32_t throng_lookup_slot(const struct throng_world *world, throng_agent_id id);
/* Before so many lookups: with all agents' ids what follows is sure to come from the table. */
void throng_lookup_expect(const struct throng_world *world, uint32_t lookups);

/* agents.c: an agent's id by its slot. */
throng_agent_id throng_lookup_id_at(const struct throng_world *world, uint32_t slot);
throng_agent_id throng_lookup_id_of(const struct throng_world *world, uint32_t index); /* of a live index */
/* OK, or STALE_ID or FOREIGN_ID with a text that names argument `what`. */
throng_status throng_lookup_check_id(const struct throng_world *world, throng_agent_id id, const char *what,
                                     throng_error *error);

#endif
