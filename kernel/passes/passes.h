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
#include "passes/kinds.h"

/* The rules, in the order in which their weighted accelerations are added: those over neighbours, then the groups' lists,
 * entry by entry. */
enum rule {
  RULE_SEPARATION,
  RULE_COHESION,
  RULE_ALIGNMENT,
  RULE_AVOIDANCE,
  RULE_ATTRACTION,
  RULE_LIST, /* THRONG_MAX_BEHAVIOURS rules from here on */
  RULE_COUNT = RULE_LIST + THRONG_MAX_BEHAVIOURS
};
#define NEIGHBOUR_RULES ((1u << RULE_LIST) - 1) /* the bits 1u << rule of the rules over neighbours */
#define MASK_QUEUE RULE_LIST                    /* the queue's layers stand behind those of the rules over neighbours */

/* How a group has its rules over neighbours, where that is not the common way. */
enum neighbour_form {
  FORM_NEAREST_ONLY = 1 << 0, /* of separation */
  FORM_COHESION_ARRIVE = 1 << 1,
  FORM_COHESION_LATERAL = 1 << 2,
  FORM_ALIGNMENT_LATERAL = 1 << 3,
  FORM_CONE = 1 << 4, /* avoidance by a cone */
  FORM_CONE_NEAREST = 1 << 5
};

/* Of a target. */
enum target_param {
  TARGET_POSITION,                       /* 3; NaN where there is none, or each agent has its own */
  TARGET_VELOCITY = TARGET_POSITION + 3, /* 3 */
  TARGET_FACING = TARGET_VELOCITY + 3,   /* 3; planar: the yaw and two unused */
  TARGET_PARAMS = TARGET_FACING + 3
};
/* Of one entry of a group's list. */
enum entry_param {
  ENTRY_PARAMETER,                                        /* THRONG_MAX_PARAMETERS: its kind's, in their order */
  ENTRY_TARGET = ENTRY_PARAMETER + THRONG_MAX_PARAMETERS, /* TARGET_PARAMS, and again for the other target */
  ENTRY_PARAMS = ENTRY_TARGET + 2 * TARGET_PARAMS,
  /* Of a flow field, in the place of a target: */
  ENTRY_FIELD_ORIGIN_X = ENTRY_TARGET,
  ENTRY_FIELD_ORIGIN_Z,
  ENTRY_FIELD_INVERSE, /* 1 / cell; 0 where there is no such field */
  ENTRY_FIELD_LAST_X,  /* the number of the last sample along x and z */
  ENTRY_FIELD_LAST_Z
};

/* Per-group parameters, one table of 256 floats each: a block loads its lanes' values by group. */
enum param {
  PARAM_MAX_SPEED,
  PARAM_DESIRED_SPEED, /* max_speed, 0 where it is infinite */
  PARAM_MAX_ACCELERATION,
  PARAM_DAMP, /* 1 / (1 + drag dt) */
  PARAM_BODY_RADIUS,
  PARAM_MASS,
  PARAM_CONTACT, /* the share of an overlap that is resolved; 0 = the group's bodies are not solid */
  PARAM_PERCEPTION_RADIUS,
  PARAM_VIEW,            /* signed square of cos(field of view / 2), -4 for all round */
  PARAM_SEPARATION_VIEW, /* likewise */
  PARAM_SEPARATION_RADIUS,
  PARAM_SEPARATION_STRENGTH,
  PARAM_ALIGNMENT_RATE, /* 1 / time_to_target */
  PARAM_HORIZON,
  PARAM_CONE, /* as PARAM_VIEW */
  PARAM_COHESION_SLOW,
  PARAM_COHESION_TARGET,
  PARAM_COHESION_TIME,
  PARAM_ATTRACTION_RADIUS,
  PARAM_ATTRACTION_STRENGTH,
  PARAM_QUEUE_WIDTH, /* 0 = no queue */
  PARAM_QUEUE_GAP,
  PARAM_QUEUE_ONCOMING,
  PARAM_QUEUE_RATE, /* 1 / time_to_target */
  PARAM_QUEUE_GRIP, /* 1 / the time in which an agent comes to the speed that it is allowed */
  PARAM_FACING_SPEED_SQ,
  PARAM_FACING_FACTOR, /* of THRONG_FACING_SMOOTH; 1 = instant, 0 = fixed, below 0 = steered */
  PARAM_MAX_TURN,      /* max_yaw_rate dt, at most 4: more than a turn can be */
  PARAM_MAX_YAW_RATE,  /* the rest is for THRONG_FACING_STEERED */
  PARAM_MAX_YAW_ACCELERATION,
  PARAM_YAW_DAMP, /* 1 / (1 + angular_drag dt) */
  PARAM_THRUST,   /* of THRONG_ACTUATION_VEHICLE; below 0 = free */
  PARAM_BRAKE,
  PARAM_LATERAL,
  PARAM_CURVATURE,                                 /* 1 / turning_radius */
  PARAM_THRESHOLD,                                 /* combine_threshold */
  PARAM_CHANCE,                                    /* THRONG_PRIORITIES tables: combine_chance */
  PARAM_WEIGHT = PARAM_CHANCE + THRONG_PRIORITIES, /* RULE_COUNT tables */
  PARAM_ENTRY = PARAM_WEIGHT + RULE_COUNT,         /* ENTRY_PARAMS tables for each entry of the lists */
  PARAM_FLOATS = PARAM_ENTRY + ENTRY_PARAMS * THRONG_MAX_BEHAVIOURS, /* from here on integers, as bits */
  PARAM_MASK = PARAM_FLOATS,                                         /* MASK_QUEUE + 1 tables: layer masks */
  PARAM_FORMS = PARAM_MASK + MASK_QUEUE + 1,                         /* bits of enum neighbour_form */
  PARAM_COMBINE,                                                     /* enum throng_combine */
  PARAM_PRIORITY,                                                    /* RULE_COUNT tables: 0 to 7 */
  PARAM_KIND = PARAM_PRIORITY + RULE_COUNT,               /* of each entry; NO_KIND where the list is shorter */
  PARAM_TARGET_KIND = PARAM_KIND + THRONG_MAX_BEHAVIOURS, /* of each entry, and again of its other target */
  PARAM_COUNT = PARAM_TARGET_KIND + 2 * THRONG_MAX_BEHAVIOURS
};
#define NO_KIND 0xFFFFFFFFu
#define NO_PRIORITY THRONG_PRIORITIES /* of angular behaviours: they are on no level */

/* What the live groups need, beside the rules: decides which body of the neighbour pass runs. */
enum feature {
  FEATURE_VIEW = 1 << 0,              /* some field of view is less than all round */
  FEATURE_FLOCK_MASKS = 1 << 1,       /* some mask of cohesion or alignment leaves a live layer out */
  FEATURE_SEPARATION_RADIUS = 1 << 2, /* some separation radius is smaller than the perception radius */
  FEATURE_UNIFORM = 1 << 3,           /* there is one live group */
  FEATURE_SMOOTH_FACING = 1 << 4,     /* some group does not face its velocity at once and always */
  FEATURE_COMBINE = 1 << 5,           /* some group does not simply blend by weight */
  FEATURE_OTHER_MASKS = 1 << 6,       /* some mask of separation or avoidance leaves a live layer out */
  FEATURE_SEPARATION_VIEW = 1 << 7,   /* some separation's field of view is not its group's */
  FEATURE_BODY_RADII = 1 << 8,        /* the groups' body radii differ */
  FEATURE_CONTACT = 1 << 9,           /* some group's bodies are solid */
  FEATURE_TURN_LIMIT = 1 << 10,       /* some max_yaw_rate is finite */
  FEATURE_STEERED_YAW = 1 << 11,      /* some group has THRONG_FACING_STEERED */
  FEATURE_VEHICLES = 1 << 12,         /* some group has THRONG_ACTUATION_VEHICLE */
  FEATURE_MORE_RULES = 1 << 13,       /* some group's rules over neighbours need passes/neighbour_more.h */
  FEATURE_QUEUE = 1 << 14,            /* some group queues */
  FEATURE_BLIND_SEPARATION = 1 << 15, /* some separation's field of view is less than all round */
  FEATURE_PERCEPTION_RADII = 1 << 16  /* the groups' perception radii differ */
};
#define FEATURE_MASKS (FEATURE_FLOCK_MASKS | FEATURE_OTHER_MASKS)

struct cells;

/* What the live groups have in one place of their lists. */
struct entry_use {
  uint32_t kinds;      /* bits of the kinds that stand there */
  uint32_t targets[2]; /* bits of their kinds of target, and of the other one */
  bool mixed;          /* some live group has another kind there, or none: a pass writes its own lanes alone */
  bool turns;          /* some kind there is angular */
};

struct group_table {
  float param[PARAM_COUNT][THRONG_MAX_GROUPS];
  uint32_t layer_bit[THRONG_MAX_GROUPS];
  uint32_t layers;                        /* how many the live groups are in */
  uint32_t live_layer[THRONG_MAX_LAYERS]; /* [layers] their bits */
  uint32_t layer_row[THRONG_MAX_GROUPS];  /* of a live group: which of them it is in */

  uint32_t rules;  /* bits 1u << rule with a weight in a live group */
  uint32_t kinds;  /* bits 1u << throng_behaviour_kind of the entries with a weight in a live group */
  uint32_t levels; /* bits 1u << priority of the rules with a weight */
  struct entry_use entry[THRONG_MAX_BEHAVIOURS];
  uint32_t features; /* bits of enum feature over the live groups */
  uint32_t largest;  /* number of a live group */
  float solid_body;  /* the largest body radius of the live groups with contact */
};

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

#define MOST_SPEED 1e18f   /* along an axis: its square is still finite */
#define MOST_YAW_RATE 1e4f /* a frame's turn is still exact to a thousandth */
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
#define WITHOUT(name, member, initial, low, high)
BEHAVIOUR_KINDS(DECLARE, WITHOUT)
#undef DECLARE
#undef WITHOUT
#endif

#endif
