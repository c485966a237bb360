/* state.h: the struct of a world. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_STATE_H
#define THRONG_KERNEL_STATE_H

#include <throng/piece.h>
#include <throng/throng.h>

#include "base/claim.h"
#include "base/definitions.h"
#include "base/error.h"
#include "base/executor.h"
#include "base/trace.h"
#include "columns/columns.h"
#include "columns/ids.h"
#include "grid/grid.h"
#include "grid/grid_displaced.h"
#include "guides/attractors_internal.h"
#include "guides/flow_field_internal.h"
#include "guides/formation_internal.h"
#include "guides/path_internal.h"
#include "guides/pattern_internal.h"
#include "guides/speed_zones_internal.h"
#include "passes/passes_internal.h"
#include "scenery/cells.h"
#include "scenery/scenery_internal.h"

#define MAX_AGENTS                                                                                                     \
  2147483646u /* 2^31 - 2: an id index is then less than the value for "no threat" in the neighbour walk */

/* The watched agent, and the accelerations of its rules. */
struct watch {
  throng_agent_id agent;        /* index 0: none */
  uint32_t slot;                /* the agent's slot in this frame; UINT32_MAX if no agent is watched or if it was
                                   removed */
  bool due;                     /* rules over neighbours are evaluated for the agent in this frame */
  throng_explanation now, last; /* explanations of the current frame, and of the last frame that did not fail and in
                                   which the agent was due (id index 0: there was none) */
};

/* Objects that the host sets. An object that is not set is all zero. While none of a list is set, the list is a
 * constant one that all worlds share. world/objects.c and record/snapshot_objects.c have a row for each kind. */
struct objects {
  struct cells cells;
  struct scenery scenery;
  const struct flow_field *flow_field; /* [THRONG_MAX_FLOW_FIELDS] */
  const struct path *path;             /* [THRONG_MAX_PATHS] */
  const struct pattern *pattern;       /* [THRONG_MAX_PATTERNS] */
  const struct formation *formation;   /* [THRONG_MAX_FORMATIONS] */
  struct attractors attractors;
  struct speed_zones speed_zones;
};

/* What a piece of a world knows of each group. */
struct piece_groups {
  uint32_t ghosts[THRONG_MAX_GROUPS];
  bool live[THRONG_MAX_GROUPS]; /* it has agents somewhere in the world */
};

/* A piece of a larger world: throng/piece.h. */
struct piece_state {
  throng_piece_def def;
  bool set;                         /* the world is a piece */
  bool exchanging;                  /* its exchange is running, or its `begin` */
  bool beginning;                   /* its `begin` is running: only strips of the rim have moved */
  bool written[COLUMN_COUNT];       /* in the exchange: the back array has the new values */
  float inner_min[3], inner_max[3]; /* the inner box */
  float rim;                        /* metres: how far inside of it the rim reaches */
  throng_status begun;              /* what this frame's `begin` returned, and its error */
  throng_error begun_error;
  uint32_t ghosts;             /* of agents.count */
  struct piece_groups *groups; /* NULL: the world is no piece */
  uint64_t changes;            /* throng_piece_changes */
  /* In this frame's exchange: elements of agents.border; agents in slots from agents.count on; agents that leave. */
  uint32_t border_count, arrivals, departures;
};

struct frame_run;

/* What a piece of a world does besides what a whole world does. A whole world has throng_whole_hooks (frame/whole.c),
 * which do nothing; a piece has those of pieces/piece.c. */
struct world_hooks {
  /* The host has written a column of agents. */
  void (*wrote)(throng_world *world, throng_column column);
  /* Before a dirty world is sorted: returns an error if an agent is where this world must not have one. */
  throng_status (*check)(const throng_world *world, throng_error *error);
  /* Whether a frame needs contact. */
  bool (*has_contact)(const throng_world *world);
  /* Runs a stage over the strips: of a step, of a contact iteration, or of the settle after contact. */
  void (*run)(struct frame_run run);
  /* Whether a strip, whose agents have moved, must wait for `exchange`, which then settles it. */
  bool (*defers)(const throng_world *world, const struct frame *frame, const struct strip *strip);
  /* Before the first contact iteration and after each: returns whether there is another one. `pushed`: an agent was
   * pushed. */
  bool (*contact)(const throng_world *world, float *const position[3], bool pushed);
  /* After all strips: agents come and go. `status` is that of the frame so far; returns it, or an error. */
  throng_status (*exchange)(throng_world *world, const struct frame *frame, throng_status status, throng_error *error);
  /* At the end of a frame: returns THRONG_OK if it is to be committed. `status` as before. */
  throng_status (*agree)(throng_world *world, throng_status status, throng_error *error);
  /* At the commit: tells the sort which agents come and go. Returns the number of agents before the sort. */
  uint32_t (*commit)(throng_world *world, struct grid_move *move);
};

/* A member that influences results must also be saved in snapshots (record/snapshot.c). */
struct throng_world {
  throng_world_def def; /* with isa and thread_count as chosen by create */
  struct executor executor;
  const struct pass_table *passes;

  struct space space;
  struct agents agents;
  struct grid grid;
  struct objects objects;
  struct callbacks callbacks;
  throng_group_def *group; /* [group_room] */
  uint32_t group_room;     /* there is memory for the groups below this number */
  bool group_defined[THRONG_MAX_GROUPS];
  uint32_t group_agents[THRONG_MAX_GROUPS];
  struct group_table groups; /* the table that passes read; filled at the start of a frame */

  struct piece_state piece;
  const struct world_hooks *hooks;

  uint64_t frame;
  bool has_previous;      /* the columns of previous poses are known: a frame has written them since the last load or
                             throng_world_edit */
  bool dirty;             /* positions were written, agents added, or too many moved or removed: queries fail */
  bool written;           /* the host may have written positions in slots without marks */
  bool placed;            /* the slots that have other agents than after the last sort are marked (struct displaced) */
  bool removed;           /* an agent was removed since the last sort: views fail */
  uint32_t added_from;    /* first slot of the agents that were added since the last sort; UINT32_MAX: none */
  bool steered;           /* acceleration[] and the back memory columns are those of the committed state */
  uint64_t steered_kinds; /* the kinds of behaviours that steered last */
  float wished_dt;        /* of the last steering, if it wrote agents.wished; 0 if not */

  /* In worlds with speed zones frames read these columns: those of agents.front, but with agents.zoned_speed as
   * max_speed. */
  struct columns zoned;

  struct strip *strips; /* [strip_count] */
  uint32_t strip_count; /* executor.workers; 0 until the world has had agents, or is a piece */
  throng_profile profile;
  struct tracer tracer;
  struct watch watch;

  struct claim claim; /* of the call that changes the world or runs its passes */
};

/* Whether agents were added, removed or moved since the last sort. A frame needs a sort then. A world that is not dirty
 * but has changed is indexed for queries alone. */
static inline bool world_has_changed(const struct throng_world *world) {
  return world->dirty || grid_has_changed(&world->grid);
}

/* Adds 1 or -1 to the counts of agents that an agent with this meta is in. */
static inline void world_count_agent(struct throng_world *world, uint32_t meta, int change) {
  world->group_agents[meta_group(meta)] += (uint32_t)change;
  if (!(meta & META_GHOST)) return;
  world->piece.ghosts += (uint32_t)change;
  world->piece.groups->ghosts[meta_group(meta)] += (uint32_t)change;
}
/* The agents of a group that are no ghosts. */
static inline uint32_t world_own_agents(const struct throng_world *world, uint32_t group) {
  const struct piece_groups *groups = world->piece.groups;
  return world->group_agents[group] - (groups ? groups->ghosts[group] : 0);
}
/* Returns UNSUPPORTED if the world has ghosts. */
static inline throng_status world_refuse_ghosts(const struct throng_world *world, const char *what,
                                                throng_error *error) {
  if (world->piece.ghosts == 0) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_UNSUPPORTED, "the world has %u ghosts: throng_piece_drop_ghosts before %s",
                     world->piece.ghosts, what);
}

/* Returns UNSUPPORTED if the world is a piece. */
static inline throng_status world_refuse_piece(const struct throng_world *world, const char *why, throng_error *error) {
  if (!world->piece.set) return THRONG_OK;
  return throng_fail(error, THRONG_ERROR_UNSUPPORTED, "the world is a piece: %s", why);
}

/* The position of the agent in a slot; y is 0 in planar worlds. */
static inline struct vec agent_position(const struct throng_world *world, uint32_t slot) {
  float *const *f = world->agents.front.f;
  return (struct vec){(double)f[COLUMN_POSITION_X][slot],
                      world->space.spatial ? (double)f[COLUMN_POSITION_Y][slot] : 0.0,
                      (double)f[COLUMN_POSITION_Z][slot]};
}

#endif
