/* passes/passes.h: what a pass is given and what it promises. The sources in this directory are compiled once per
 * instruction set (THRONG_PASS_ISA names it, THRONG_LANES is its width); each exports one const table.
 *
 * A pass works on one strip: agents [begin, end) of the committed columns, in grid order. It reads any agent's front
 * columns and writes its own agents' lanes in the strip's scratch, in the back columns or where they are packed, never past
 * its own agents. Who changes cell it lists for the index.
 * Nothing that a strip's or block's borders decide may change a bit of the result.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_H
#define THRONG_KERNEL_PASSES_H

#include <throng/callback.h>
#include <throng/world.h>

#include "columns/columns.h"
#include "guides/flow_field.h"
#include "grid/grid.h"
#include "guides/formation.h"
#include "guides/path.h"
#include "passes/group_table.h"
#include "passes/kinds.h"

struct cells;

/* The caller's own behaviours; NULL: none of that number. */
struct callbacks {
  throng_callback *call[THRONG_MAX_CALLBACKS];
  void *context[THRONG_MAX_CALLBACKS];
};

/* Everything a pass reads beside its strip; constant during a frame. */
struct frame {
  const struct columns *front; /* committed */
  struct columns *back;
  const struct grid *grid;
  const struct group_table *groups;
  const struct flow_field *flow_field; /* [THRONG_MAX_FLOW_FIELDS] */
  const struct path *path;             /* [THRONG_MAX_PATHS] */
  const struct pattern *pattern;       /* [THRONG_MAX_PATTERNS] */
  const struct formation *formation;   /* [THRONG_MAX_FORMATIONS] */
  const throng_world_def *def;
  const struct callbacks *callbacks;
  const struct scenery *scenery;
  float dt;
  float rate;      /* 1 / dt, at most 1e6; 0 while dt is 0 */
  uint64_t number; /* frames committed so far */
  bool contact;    /* solid bodies are pushed apart this frame */
  bool profile;
};

#define STRIP_CAPACITY (STRIP_AGENTS + BLOCK_AGENTS)

/* One strip at work: a worker's scratch. Element k of every array belongs to agent begin + k. */
struct strip {
  uint32_t begin, end, number;
  float *acceleration[3];             /* where blend writes and integrate reads: the scratch below, or a column;
                                         in planar worlds [1] is angular, about y: unwritten unless a yaw is steered */
  float bounds_min[3], bounds_max[3]; /* of the new positions, or of those inspected */
  uint32_t bad_wish;                  /* smallest id index to which a callback gave what is no number; 0 = none */
  uint32_t bad_id;                    /* smallest id index whose state is not finite or out of range; 0 = none */
  uint64_t candidates_tested, neighbours_found;
  uint64_t neighbours_ns, behaviours_ns, integrate_ns, constrain_ns, contact_ns;
  /* Who changes cell is listed of strips up to the first of these, and of grid->mover up to the second. */
  uint32_t listed_strips, listed_end;
  bool pushed;    /* an iteration of contact moved somebody */
  uint32_t entry; /* of the lists, while a behaviour's pass runs: it writes rule[RULE_LIST + entry] */
  _Alignas(64) float rule[RULE_COUNT][3][STRIP_CAPACITY]; /* y of angular behaviours: their angular acceleration */
  _Alignas(64) float blended[3][STRIP_CAPACITY];
  _Alignas(64) float lane[3][STRIP_CAPACITY]; /* of a queue: where it leads, a unit vector */
  _Alignas(64) float most[STRIP_CAPACITY]; /* and the greatest acceleration along it; INFINITY where nobody is ahead */
  _Alignas(64) uint32_t cell[STRIP_CAPACITY]; /* of the committed order */
};
/* Begins strip `number`. */
static inline void strip_open(struct strip *strip, const struct grid *grid, uint32_t number) {
  strip->begin = grid->strip_start[number];
  strip->end = grid->strip_start[number + 1];
  strip->number = number;
}

typedef void pass_function(const struct frame *frame, struct strip *strip);

/* passes/behaviours.c */
struct behaviour_passes {
  pass_function *list;     /* every behaviour of the groups' lists: rule[RULE_LIST…], and the back memory columns */
  pass_function *blend;    /* weights, priorities and the limit: acceleration[] */
  pass_function *queue;    /* what of it those ahead leave room for */
  pass_function *drive;    /* what of it vehicles can do */
  pass_function *progress; /* at the end of a frame, how far the players of patterns have come: back memory columns */
};

/* passes/motion.c */
struct motion_passes {
  pass_function *integrate; /* back velocity and position, inside the boundary */
  pass_function *spin;      /* back yaw rate, and back facing of those whose yaw is steered */
  pass_function *face;      /* back facing of the others */
  pass_function *settle;    /* passes/index/settle.c: which agents change cell, bounds, bad_id */
  pass_function *cells;     /* passes/index/sort.c: the agents' cells of the committed order into strip->cell */
  /* passes/index/sort.c: the same where the host has moved the agents since, to `columns`. Also lists those that change cell,
   * as settle does. */
  void (*changes)(const struct grid *grid, const struct columns *columns, struct strip *strip);
  /* likewise, of slots [strip->begin, strip->end) of `columns`, however many: joins bounds and bad_id to the strip's, nothing else */
  void (*inspect)(const throng_world_def *def, const struct grid *grid, const struct columns *columns,
                  struct strip *strip);
  /* passes/crossings.c: lists those of the strip's agents who may cross a border of the map's cells between the positions `from` and
   * `to`: how many. `list` has room for STRIP_CAPACITY. */
  uint32_t (*crossers)(const struct cells *cells, const struct strip *strip, float *const from[3], float *const to[3],
                       uint32_t *list);
};

/* passes/contact.c. Positions are three arrays each, of all agents. */
struct contact_passes {
  /* One iteration: from the positions `from` of all to the positions `to` of the strip's agents, inside the world's faces. */
  void (*push)(const struct frame *frame, struct strip *strip, float *const from[3], float *const to[3]);
  /* The end: the positions `at` into the back columns, and what the pushes leave of the velocities. */
  void (*release)(const struct frame *frame, struct strip *strip, float *const at[3]);
};

struct neighbour_passes {
  pass_function *walk; /* separation, cohesion, alignment, avoidance: rule[] of those in groups->rules */
  pass_function *pack; /* grid->packed of the strip's agents; NULL where no walk reads it */
  bool (*reads_packed)(const struct frame *frame); /* whether this frame's may */
};

struct sort_passes; /* grid/grid_place.h */

/* One instruction set's passes. */
struct pass_table {
  throng_isa isa;
  const struct neighbour_passes *neighbours;
  const struct behaviour_passes *behaviours;
  const struct motion_passes *motion;
  const struct sort_passes *sort;
  const struct contact_passes *contact;
};

/* THRONG_TABLE(neighbours) is throng_neighbours_avx2 in the AVX2 build, and so on. */
#define THRONG_PASTE2(name, isa) throng_##name##_##isa
#define THRONG_PASTE(name, isa) THRONG_PASTE2(name, isa)
#define THRONG_TABLE(name) THRONG_PASTE(name, THRONG_PASS_ISA)

/* The pass of a behaviour kind: throng_behaviour_seek_avx2. It computes entry strip->entry for the lanes whose group has that kind there. */
#define BEHAVIOUR(name) THRONG_TABLE(behaviour_##name)
#ifdef THRONG_PASS_ISA
pass_function THRONG_TABLE(spin), THRONG_TABLE(face), THRONG_TABLE(settle),
    THRONG_TABLE(cells); /* facing.c, settle.c, sort.c; for motion.c's table */
void THRONG_TABLE(inspect)(const throng_world_def *def, const struct grid *grid, const struct columns *columns,
                           struct strip *strip);
void THRONG_TABLE(changes)(const struct grid *grid, const struct columns *columns, struct strip *strip);
uint32_t THRONG_TABLE(crossers)(const struct cells *cells, const struct strip *strip, float *const from[3],
                                float *const to[3], uint32_t *list); /* likewise */
pass_function THRONG_TABLE(queue),
    THRONG_TABLE(drive);              /* passes/queues.c and vehicles.c, for the table of behaviours.c */
pass_function THRONG_TABLE(progress); /* passes/patterns.c, likewise */
#define DECLARE(CONSTANT, name, needs, parameters) pass_function BEHAVIOUR(name);
#define WITHOUT(name, TYPE, member, value, low, high)
BEHAVIOUR_KINDS(DECLARE, WITHOUT)
#undef DECLARE
#undef WITHOUT
#endif

#endif
