/* passes/passes_internal.h: what a pass reads and writes. The sources below this folder are compiled once
 * per instruction set: THRONG_PASS_ISA names it, THRONG_LANES is its width. Each exports constant tables of
 * functions.
 *
 * A pass works on one strip: the agents [begin, end) of the committed columns, in grid order. It may read the front
 * columns of any agent. It writes only values of its own agents: in the strip's scratch, the back columns or the packed
 * data. The result must not depend on where strips and blocks begin and end.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_PASSES_INTERNAL_H
#define THRONG_KERNEL_PASSES_PASSES_INTERNAL_H

#include <throng/callback.h>
#include <throng/world.h>

#include "base/assertion.h"
#include "columns/columns.h"
#include "grid/grid.h"
#include "guides/attractors_internal.h"
#include "guides/flow_field_internal.h"
#include "guides/formation_internal.h"
#include "guides/path_internal.h"
#include "guides/speed_zones_internal.h"
#include "passes/group_table.h"
#include "passes/kinds.h"

struct cells;

/* The host's callbacks, by index; NULL: none. */
struct callbacks {
  throng_callback *call[THRONG_MAX_CALLBACKS];
  void *context[THRONG_MAX_CALLBACKS];
};

/* The data that a pass reads besides its strip; constant during a frame. */
struct frame {
  const struct columns *front; /* committed; in worlds with speed zones max_speed is that in the zones */
  struct columns *back;
  const struct id_table *ids; /* its slots are known if a live group has FEATURE_OWN_TARGETS and the frame steers */
  const struct grid *grid;
  const struct group_table *groups;
  const struct flow_field *flow_field; /* [THRONG_MAX_FLOW_FIELDS] */
  const struct path *path;             /* [THRONG_MAX_PATHS] */
  const struct pattern *pattern;       /* [THRONG_MAX_PATTERNS] */
  const struct formation *formation;   /* [THRONG_MAX_FORMATIONS] */
  const struct attractors *attractors;
  const struct speed_zones *speed_zones;
  const float *own_speed; /* the column max_speed as the host wrote it; NULL: no agent has a maximum speed of its own */
  const throng_world_def *def;
  const struct callbacks *callbacks;
  const struct scenery *scenery;
  const struct cells *cells;
  float *seen;   /* [agents][SEEN_FLOATS or SEEN_FLOATS_SPATIAL] packed agents: passes/reciprocal/seen_agents.h */
  float *wished; /* [agents] what reciprocal avoidance keeps for yielding: passes/blocked.h; NULL: nothing */
  float dt;
  float rate;      /* 1 / dt, at most 1e6; 0 if dt is 0 */
  uint64_t number; /* frames committed so far */
  bool contact;    /* this frame pushes solid bodies apart */
  bool sweeps;     /* scenery or cells may stop agents; positions are wrapped after that */
  bool profile;
};

/* What a frame does with an agent's rules over neighbours, in worlds with FEATURE_SLICED. */
enum due {
  DUE = 1 << 0,  /* evaluates them; it takes the kept acceleration instead if not */
  KEEPS = 1 << 1 /* the agent's period is above 1: their sum is kept for later frames */
};

#define STRIP_CAPACITY (STRIP_AGENTS + BLOCK_AGENTS)
#define TURN_OF_ALIGNMENT THRONG_MAX_BEHAVIOURS /* its place in strip->turn */
#define WALK_SCRATCH_BYTES (64u * 1024u) /* bytes that the passes of neighbours/ and reciprocal/ need with 16 lanes */

/* A worker's strip and scratch. Element k of every array belongs to agent begin + k. */
struct strip {
  uint32_t begin, end, number;
  float *acceleration[3];   /* points to `blended` or to columns; blend writes it, integrate reads it. In planar worlds
                             [1] is the angular acceleration about y, and is set only if some group steers its yaw */
  float *turning[TURNINGS]; /* spatial worlds with a steered facing: points to `turned` or to columns, as acceleration
                               does */
  float bounds_min[3], bounds_max[3]; /* bounds of the new, or of the inspected, positions */
  uint32_t bad_wish; /* smallest id index with an acceleration from a callback that is not finite; 0 = none */
  uint32_t bad_id;   /* smallest id index whose state is not finite or out of range; 0 = none */
  uint64_t candidates_tested, neighbours_found, lost_moves;
  uint64_t neighbours_ns, behaviours_ns, integrate_ns, constrain_ns, contact_ns;
  /* listed_strips: the movers of the strips below this number are listed in grid->mover. listed_end: the end of their
   * list. */
  uint32_t listed_strips, listed_end;
  bool pushed;    /* a contact iteration moved an agent of this worker */
  bool strayed;   /* a contact iteration moved one beyond the margin of the near lists */
  uint32_t entry; /* position in the groups' lists; the running behaviour writes rule[RULE_LIST + entry] */
  _Alignas(64) float rule[RULE_COUNT][3][STRIP_CAPACITY]; /* planar worlds: [1] of angular behaviours, and of
                                                             alignment that turns, is an angular acceleration */
  _Alignas(64) float blended[3][STRIP_CAPACITY];
  _Alignas(64) float lane[3][STRIP_CAPACITY];   /* unit vector along the queue line */
  _Alignas(64) float most[STRIP_CAPACITY];      /* maximum acceleration along it; INFINITY if no agent is ahead */
  _Alignas(64) float ahead[STRIP_CAPACITY];     /* of a pace: sum over the agents ahead; only with FEATURE_PACE */
  _Alignas(64) uint32_t target[STRIP_CAPACITY]; /* slot of the own target; the agent's own slot if it has none */
  _Alignas(64) float target_position[3][STRIP_CAPACITY]; /* values of the agents in these slots */
  _Alignas(64) float target_velocity[3][STRIP_CAPACITY];
  _Alignas(64) uint32_t cell[STRIP_CAPACITY]; /* torus cells in the committed order */
  uint32_t due_count;                         /* agents with DUE; this and the next: only with FEATURE_SLICED */
  _Alignas(64) uint32_t due[STRIP_CAPACITY];  /* bits of enum due */
  /* The lists of the neighbour walk. They are not on the stack, because they take three times the stack that callers
   * must provide. */
  _Alignas(64) unsigned char walk_scratch[WALK_SCRATCH_BYTES];
  /* Steered facings of spatial worlds: what each entry wants (entry.h, store_entry_turning), what alignment wants, and
   * their blend. */
  _Alignas(64) float turn[TURN_OF_ALIGNMENT + 1][3][STRIP_CAPACITY];
  _Alignas(64) float turned[TURNINGS][STRIP_CAPACITY];
};
/* Sets the strip to number `number` of the grid. */
static inline void strip_open(struct strip *strip, const struct grid *grid, uint32_t number) {
  ASSERT_ALONE(number < grid->strips);
  strip->begin = grid->strip_start[number];
  strip->end = grid->strip_start[number + 1];
  ASSERT_ALONE(strip->begin <= strip->end && strip->end - strip->begin <= STRIP_AGENTS);
  strip->number = number;
}

typedef void pass_function(const struct frame *frame, struct strip *strip);

/* passes/steering/blend.c */
struct behaviour_passes {
  pass_function *list;     /* behaviours of the groups' lists: writes rule[RULE_LIST…] and back memory columns */
  pass_function *blend;    /* weights, priorities and limit: writes acceleration[] */
  pass_function *progress; /* at the end of a frame: progress in patterns, in back memory columns */
};

/* passes/limits/: they change acceleration[] */
struct limit_passes {
  pass_function *queue;  /* limits it in queues */
  pass_function *pace;   /* of groups with a pace */
  pass_function *drive;  /* of vehicles */
  pass_function *propel; /* of rigid bodies, and turns them */
};

/* passes/motion/motion.c */
struct motion_passes {
  pass_function *integrate; /* back velocity and position, within the boundary */
  pass_function *spin;      /* back yaw rate, and back facing of agents with steered yaw */
  pass_function *face;      /* back facing of the other agents */
  pass_function *settle;    /* passes/index/settle.c: movers, bounds, bad_id */
  pass_function *cells;     /* passes/index/sort.c: strip->cell */
  /* passes/index/sort.c: writes strip->cell and lists the movers after the host has moved agents; `columns` has their
   * new positions. */
  void (*changes)(const struct grid *grid, const struct columns *columns, struct strip *strip);
  /* passes/index/settle.c: checks slots [strip->begin, strip->end) of `columns`, which may be more than a strip has,
   * and widens the strip's bounds and sets bad_id. Moves positions on a face of a box to the nearest position
   * inside. */
  void (*inspect)(const throng_world_def *def, const struct grid *grid, const struct columns *columns,
                  struct strip *strip);
  /* passes/motion/encounters.c: lists the strip's agents that scenery, blocked cells or the limits of a sweep may stop
   * between `from` and `to`, and returns their number. `list` has STRIP_CAPACITY elements. */
  uint32_t (*encounters)(const struct frame *frame, const struct strip *strip, float *const from[3], float *const to[3],
                         uint32_t *list);
  pass_function *zone_speeds; /* passes/motion/zone_speeds.c: front max_speed, in worlds with speed zones */
  /* passes/index/fates.c, in a piece of a world: writes fate[] of the strip's agents: LEAVES for ghosts, BORDER for own
   * agents whose back position is outside the box [low, high], STAYS for others. Returns whether any does not stay. */
  bool (*fates)(const struct frame *frame, const struct strip *strip, const float low[3], const float high[3],
                uint32_t *fate);
};

/* What the contact iterations of a frame hand on: passes/motion/near_lists.h. */
struct near_lists {
  uint32_t *slot, *head; /* [agents][NEAR_OF_AGENT], [agents]; NULL: no lists, because ghosts move without a push */
  float *radius;         /* [agents] of solid bodies; NaN: not solid. The first iteration writes it */
  uint32_t *pushed[2];   /* [agents] whether the last even, and the last odd iteration pushed the agent's block */
  float margin;          /* metres */
  uint32_t iteration;
  bool hold; /* the lists are made, and have every agent that may touch */
};
/* passes/motion/contact.c. Positions are three arrays of all agents. */
struct contact_passes {
  /* One contact iteration: reads positions `from` of all agents, and writes positions `to` of the strip's agents,
   * within the world's box. Returns whether it pushed any. Needs the strip's cells in the first iteration, and sets
   * them itself later. */
  bool (*push)(const struct frame *frame, struct strip *strip, const struct near_lists *near, float *const from[3],
               float *const to[3]);
  /* After it, and after scenery: whether a pushed agent is farther than near->margin from where it was before
   * contact. */
  bool (*has_strays)(const struct frame *frame, const struct strip *strip, const struct near_lists *near,
                     float *const at[3]);
  /* After the last iteration: writes the positions `at`, and the velocities after the pushes, to the back columns. */
  void (*release)(const struct frame *frame, struct strip *strip, float *const at[3]);
};

struct neighbour_passes {
  pass_function *walk; /* the neighbour walk: writes rule[] of the rules in groups->rules */
  pass_function *due;  /* time slicing: writes strip->due and strip->due_count */
  /* The same as `walk` for the agents that are due alone. Returns false, and writes nothing that counts, if `walk` must
   * run instead. */
  bool (*walk_due)(const struct frame *frame, struct strip *strip);
  pass_function *pack; /* writes grid->packed of the strip's agents; NULL if no walk reads it */
  bool (*reads_packed)(const struct frame *frame); /* whether this frame's walk reads it */
};

/* passes/reciprocal/reciprocal.c; worlds with FEATURE_RECIPROCAL, the first one also with FEATURE_GAP */
struct reciprocal_passes {
  pass_function *pack;   /* writes frame->seen of the strip's agents */
  pass_function *filter; /* changes acceleration[] so that agents avoid each other */
};

struct sort_passes; /* grid/grid_place.h */

/* The passes of one instruction set. */
struct pass_table {
  throng_isa isa;
  const struct neighbour_passes *neighbours;
  const struct behaviour_passes *behaviours;
  const struct limit_passes *limits;
  const struct motion_passes *motion;
  const struct sort_passes *sort;
  const struct contact_passes *contact;
  const struct reciprocal_passes *reciprocal;
};

/* THRONG_TABLE(neighbours) is throng_neighbours_avx2 in the AVX2 objects, and so on. */
#define THRONG_PASTE2(name, isa) throng_##name##_##isa
#define THRONG_PASTE(name, isa) THRONG_PASTE2(name, isa)
#define THRONG_TABLE(name) THRONG_PASTE(name, THRONG_PASS_ISA)

/* The pass of a behaviour kind, such as throng_behaviour_seek_avx2. It computes the entry at position strip->entry for
 * agents whose group has that kind at this position. */
#define BEHAVIOUR(name) THRONG_TABLE(behaviour_##name)

static inline bool is_spatial(const struct frame *frame) { return frame->def->space == THRONG_SPACE_SPATIAL; }
/* Calls f(arguments…, spatial) with a constant: f is inlined, and so has code of its own for each space. */
#define CALL_IN_SPACE(spatial, f, ...) ((spatial) ? f(__VA_ARGS__, true) : f(__VA_ARGS__, false))
/* Define a pass, and the pass of a behaviour, which call name_strip(frame, strip, spatial). */
#define DEFINE_PASS(name)                                                                                              \
  void THRONG_TABLE(name)(const struct frame *frame, struct strip *strip) {                                            \
    CALL_IN_SPACE(is_spatial(frame), name##_strip, frame, strip);                                                      \
  }
#define DEFINE_BEHAVIOUR(name)                                                                                         \
  void BEHAVIOUR(name)(const struct frame *frame, struct strip *strip) {                                               \
    CALL_IN_SPACE(is_spatial(frame), name##_strip, frame, strip);                                                      \
  }

#ifdef THRONG_PASS_ISA
pass_function THRONG_TABLE(spin), THRONG_TABLE(face), THRONG_TABLE(settle), THRONG_TABLE(cells),
    THRONG_TABLE(zone_speeds); /* of facing.c, settle.c, sort.c and zone_speeds.c, for the table in
                                                       motion.c */
bool THRONG_TABLE(fates)(const struct frame *frame, const struct strip *strip, const float low[3], const float high[3],
                         uint32_t *fate);
void THRONG_TABLE(inspect)(const throng_world_def *def, const struct grid *grid, const struct columns *columns,
                           struct strip *strip);
void THRONG_TABLE(changes)(const struct grid *grid, const struct columns *columns, struct strip *strip);
uint32_t THRONG_TABLE(encounters)(const struct frame *frame, const struct strip *strip, float *const from[3],
                                  float *const to[3], uint32_t *list); /* of encounters.c */
pass_function THRONG_TABLE(queue), THRONG_TABLE(pace), THRONG_TABLE(drive),
    THRONG_TABLE(propel); /* of queues.c, paces.c, vehicles.c and rigid_bodies.c, for the table in limits.c */
pass_function THRONG_TABLE(pack_spatial),
    THRONG_TABLE(filter_spatial); /* of reciprocal_spatial.c, for the table in reciprocal.c */
pass_function THRONG_TABLE(walk_spatial),
    THRONG_TABLE(due); /* of neighbours_spatial.c, due.c and gathered.c, for the table in neighbours.c */
bool THRONG_TABLE(walk_due)(const struct frame *frame, struct strip *strip);
pass_function THRONG_TABLE(brake), THRONG_TABLE(gather), THRONG_TABLE(progress); /* of brake.c, gather.c, patterns.c */
/* In own_targets.c, for the list in blend.c: writes strip->target and the values of targets. */
pass_function THRONG_TABLE(find_targets);
/* In the same file, for entry.h: writes the values of the block's own targets, one per lane. */
void THRONG_TABLE(gather_of_targets)(const struct strip *strip, uint32_t at, const float *column, float value[]);
#define DECLARE(CONSTANT, name, needs, parameters) pass_function BEHAVIOUR(name);
#define WITHOUT(name, TYPE, member, value, low, high)
BEHAVIOUR_KINDS(DECLARE, WITHOUT)
#undef DECLARE
#undef WITHOUT
#endif

#endif
