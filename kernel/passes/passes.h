/* passes/passes.h: what a pass is given and what it promises. The sources in this directory are compiled once per
 * instruction set (THRONG_PASS_ISA names it, THRONG_LANES is its width); each exports one const table.
 *
 * A pass works on one strip: agents [begin, end) of the committed columns, in grid order. It reads any agent's front
 * columns and writes its own agents' lanes in the strip's scratch or in the back columns, never past its own agents.
 * Nothing that a strip's or block's borders decide may change a bit of the result.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_PASSES_H
#define THRONG_PASSES_H

#include <throng/world.h>

#include "../columns.h"
#include "../grid.h"

/* The rules, in the order in which their weighted accelerations are added. */
enum rule {
  RULE_SEPARATION,
  RULE_COHESION,
  RULE_ALIGNMENT,
  RULE_AVOIDANCE,
  RULE_SEEK,
  RULE_ARRIVE,
  RULE_WANDER,
  RULE_COUNT
};
#define NEIGHBOUR_RULES 0x0Fu /* the bits 1u << rule of the rules over neighbours */

/* Per-group parameters, one table of 256 floats each: a block loads its lanes' values by group. */
enum param {
  PARAM_MAX_SPEED,
  PARAM_DESIRED_SPEED, /* max_speed where seek or arrive need it; 0 where it is infinite */
  PARAM_MAX_ACCELERATION,
  PARAM_DAMP, /* 1 / (1 + drag dt) */
  PARAM_BODY_RADIUS,
  PARAM_PERCEPTION_RADIUS,
  PARAM_VIEW,            /* signed square of cos(field of view / 2), -4 for all round */
  PARAM_SEPARATION_VIEW, /* likewise */
  PARAM_SEPARATION_RADIUS,
  PARAM_SEPARATION_STRENGTH,
  PARAM_ALIGNMENT_RATE, /* 1 / time_to_target */
  PARAM_HORIZON,
  PARAM_SEEK_RATE, /* 1 / time_to_target, 0 for the classic form */
  PARAM_SLOW_RADIUS,
  PARAM_TARGET_RADIUS,
  PARAM_ARRIVE_RATE,
  PARAM_WANDER_RADIUS,
  PARAM_WANDER_OFFSET,
  PARAM_WANDER_STEP,                      /* rate * sqrt(dt) */
  PARAM_FACING_FACTOR,                    /* of THRONG_FACING_SMOOTH; 1 = instant, 0 = fixed */
  PARAM_WEIGHT,                           /* RULE_COUNT tables from here on */
  PARAM_MASK = PARAM_WEIGHT + RULE_COUNT, /* 4 tables, of the rules over neighbours: layer masks, as bits */
  PARAM_COUNT = PARAM_MASK + 4
};

/* What the live groups need, beside the rules: decides which body of the neighbour pass runs. */
enum feature {
  FEATURE_VIEW = 1 << 0,              /* some field of view is less than all round */
  FEATURE_FLOCK_MASKS = 1 << 1,       /* some mask of cohesion or alignment leaves a live layer out */
  FEATURE_SEPARATION_RADIUS = 1 << 2, /* some separation radius is smaller than the perception radius */
  FEATURE_UNIFORM = 1 << 3,           /* there is one live group */
  FEATURE_SMOOTH_FACING = 1 << 4,     /* some group does not face its velocity at once */
  FEATURE_SEEK_RATE = 1 << 5,         /* some group seeks in the desired-velocity form */
  FEATURE_OTHER_MASKS = 1 << 6,       /* some mask of separation or avoidance leaves a live layer out */
  FEATURE_SEPARATION_VIEW = 1 << 7,   /* some separation's field of view is not its group's */
  FEATURE_BODY_RADII = 1 << 8         /* the groups' body radii differ */
};

struct group_table {
  float param[PARAM_COUNT][THRONG_MAX_GROUPS];
  uint32_t layer_bit[THRONG_MAX_GROUPS];
  uint32_t rules;    /* bits 1u << rule with a weight in a live group */
  uint32_t features; /* bits of enum feature over the live groups */
  uint32_t largest;  /* number of a live group */
};

/* Everything a pass reads beside its strip; constant during a frame. */
struct frame {
  const struct columns *front; /* committed */
  struct columns *back;
  const struct grid *grid;
  const struct group_table *groups;
  const throng_world_def *def;
  float dt;
  uint64_t number; /* frames committed so far */
  bool profile;
};

#define MOST_SPEED 1e18f  /* along an axis: its square is still finite */
#define BLOCK_AGENTS 16u  /* the widest block */
#define STRIP_AGENTS 256u /* at most as many agents a strip: its scratch stays in the L1 cache */
#define STRIP_CAPACITY (STRIP_AGENTS + BLOCK_AGENTS)

/* One strip at work: a worker's scratch. Element k of every array belongs to agent begin + k. */
struct strip {
  uint32_t begin, end;
  float *acceleration[3];             /* where blend writes and integrate reads: the scratch below, or a column */
  float bounds_min[3], bounds_max[3]; /* of the new positions */
  uint32_t bad_id;                    /* smallest id index whose result is not finite or out of range; 0 = none */
  uint64_t candidates_tested, neighbours_found;
  uint64_t neighbours_ns, behaviours_ns, integrate_ns, constrain_ns;
  _Alignas(64) float rule[RULE_COUNT][3][STRIP_CAPACITY];
  _Alignas(64) float blended[3][STRIP_CAPACITY];
};

typedef void pass_function(const struct frame *frame, struct strip *strip);

/* passes/behaviours.c */
struct behaviour_passes {
  pass_function *goals;  /* seek, arrive */
  pass_function *wander; /* and the back wander columns */
  pass_function *blend;  /* weights and the limit: acceleration[] */
};

/* passes/motion.c */
struct motion_passes {
  pass_function *integrate; /* back velocity and position, inside the boundary */
  pass_function *face;      /* back facing */
  pass_function *settle;    /* next cell keys, bounds, check */
  /* The keys of agents [begin, end) under the torus `grid->next`: for a world that is dirty. */
  void (*keys)(const struct grid *grid, const struct columns *columns, uint32_t begin, uint32_t end, uint32_t *key);
};

/* One instruction set's passes. */
struct pass_table {
  throng_isa isa;
  pass_function *const *neighbours; /* separation, cohesion, alignment, avoidance: rule[] of those in groups->rules */
  const struct behaviour_passes *behaviours;
  const struct motion_passes *motion;
};

/* THRONG_TABLE(neighbours) is throng_neighbours_avx2 in the AVX2 build, and so on. */
#define THRONG_PASTE2(name, isa) throng_##name##_##isa
#define THRONG_PASTE(name, isa) THRONG_PASTE2(name, isa)
#define THRONG_TABLE(name) THRONG_PASTE(name, THRONG_PASS_ISA)

#endif
