/* tests/support/crowds.h: crowds made from a seed, and worlds made from crowds.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_CROWDS_H
#define TEST_CROWDS_H

#include "reference/crowd.h"
#include "support/random.h"

/* The positions of the agents. Each layout stresses another part of the grid or of the arithmetic. */
typedef enum crowd_layout {
  LAYOUT_UNIFORM = 0, /* uniformly random, about 0.5 to 30 neighbours per agent */
  LAYOUT_COINCIDENT,  /* about 10 agents per point, some of them up to three ulps beside it */
  LAYOUT_BORDERS,     /* on bin and row borders and up to three ulps beside them */
  LAYOUT_LATTICE,     /* on multiples of R/4, headings along the axes: distances and views exactly on their limits */
  LAYOUT_SEAM,        /* at the faces of the region, and up to R/2 inside it */
  LAYOUT_FAR,         /* near 2^20 R */
  LAYOUT_ALIASED,     /* clusters that are multiples of a power of two of bins or rows apart */
  LAYOUT_ONE_BIN,     /* all agents in one bin */
  LAYOUT_REACH,       /* pairs R apart, give or take some ulps */
  LAYOUT_MIRROR,      /* pairs at mirrored positions with exactly opposite velocities */
  LAYOUT_COUNT
} crowd_layout;

/* Numbers of boundaries: a throng_boundary stands for itself along all axes; the others are mixes. */
#define CROWD_BOUNDARIES 6u
/* The boundary along axis 0, 1 or 2. */
throng_boundary crowd_boundary(uint32_t boundary, int axis);
/* Sets the boundary of a definition. */
void crowd_set_boundary(throng_world_def *def, uint32_t boundary);
/* Whether a world is periodic along some axis. */
bool crowd_wraps(const throng_world_def *def);

typedef struct crowd_recipe {
  throng_space space;
  uint32_t boundary; /* below CROWD_BOUNDARIES */
  crowd_layout layout;
  uint32_t count;
  bool plain_ids; /* true: id indices 1, 2, 3, ... of generation 1; false: indices with gaps, random generations */
  bool flocks;    /* groups that differ little from the default group, which the fast variants of passes serve */
} crowd_recipe;

const char *crowd_layout_name(crowd_layout layout);
crowd *crowd_random(uint64_t seed, const crowd_recipe *recipe);
crowd *crowd_copy(const crowd *c);
void crowd_free(crowd *c);
/* Makes all bodies penetrable (contact 0). Some random crowds have groups with solid bodies. */
void crowd_make_fluid(crowd *c);
/* Sets all blocked times to 0, so that no agent makes way in the first frames. */
void crowd_make_patient(crowd *c);
uint32_t crowd_random_mask(test_rng *rng);
float crowd_random_weight(test_rng *rng);
throng_group_def crowd_random_group(test_rng *rng, float radius, bool may_be_fast);
/* Gives half of the groups a yaw rate limit, and lets some of these steer their facing. */
void crowd_random_turns(test_rng *rng, throng_group_def *g);

/* crowd_rules.c: crowd_ask_more sets attraction, queues and the less common forms of rules, crowd_choose_forms laws of
 * groups, lateral separation, alignment that turns and paces; some random crowds have them. crowd_measure_in_bodies
 * gives some groups their radii in body lengths. Each uses a random stream of its own. crowd_make_common turns off all
 * but these radii, and gather. */
void crowd_ask_more(crowd *c, uint64_t seed);
void crowd_choose_forms(crowd *c, uint64_t seed, bool flocks);
void crowd_measure_in_bodies(crowd *c, uint64_t seed);
void crowd_make_common(crowd *c);

/* crowd_fields.c: makes half of the fields as long as the period of a periodic axis. */
void crowd_tile_field(const crowd *c, test_rng rng, crowd_field *field);

/* crowd_own.c: they give some agents masses, maximum speeds and targets of their own. Each uses a random stream of its
 * own. crowd_hunt lets some entries have these targets. */
void crowd_weigh(crowd *c, uint64_t seed);
void crowd_pace(crowd *c, uint64_t seed);
void crowd_hunt(crowd *c, uint64_t seed);

/* Gives some agents a maximum yaw rate and a weight of their own, and lets some groups measure in their agents' bodies;
 * writes these values to a world. */
void crowd_own_values(crowd *c, uint64_t seed);
throng_status crowd_write_own(const crowd *c, throng_world *world, throng_error *error);

/* With some seeds lets some groups steer by force, and gives some a moment of inertia; with others makes rigid bodies
 * of most groups with a steered yaw. */
void crowd_actuate(crowd *c, uint64_t seed);
/* Takes the limit of accelerations from some groups. */
void crowd_unlimit(crowd *c, uint64_t seed);

/* crowd_slicing.c: crowd_slice gives some groups and agents periods, and some agents a kept acceleration; some random
 * crowds have them. It uses a random stream of its own. crowd_make_unsliced makes all agents due in every frame. */
void crowd_slice(crowd *c, uint64_t seed);
void crowd_make_unsliced(crowd *c);

/* crowd_paths.c: random_paths makes paths between the corners, and path parameters of the agents (NaN if no group
 * follows a path). random_follower adds the behaviour to a group. set_paths sets the crowd's paths in a world. */
void crowd_random_paths(crowd *c, test_rng *rng, const float low[3], const float high[3]);
void crowd_random_follower(test_rng *rng, throng_group_def *g, float radius, bool limited);
void crowd_set_paths(const crowd *c, throng_world *world);
bool crowd_follows(const crowd *c);

/* crowd_patterns.c: random_patterns makes patterns, behaviours that play them and the agents' current instructions.
 * set_patterns and write_instructions put them into a world. */
void crowd_random_patterns(crowd *c);
void crowd_set_patterns(const crowd *c, throng_world *world);
throng_status crowd_write_instructions(const crowd *c, throng_world *world, throng_error *error);
bool crowd_plays(const crowd *c);

/* crowd_formations.c: random_formations makes formations, groups that keep them, and the agents' places. It uses a
 * random stream of its own, so everything else in the crowd is unchanged. set_formations and write_places put them into
 * a world; call write_places after the groups and agents have been added. */
void crowd_random_formations(crowd *c);
void crowd_set_formations(const crowd *c, throng_world *world);
throng_status crowd_write_places(const crowd *c, throng_world *world, throng_error *error);

/* crowd_attractors.c: random_attractors makes attractors, and groups that heed them, with a random stream of its own.
 * set_attractors sets them in a world. */
void crowd_random_attractors(crowd *c);
void crowd_set_attractors(const crowd *c, throng_world *world);
/* A position near an agent, or exactly there; in the box along periodic axes, within the limit along others. */
throng_vec3 crowd_near_agent(test_rng *rng, const crowd *c);

/* crowd_zones.c: random_zones makes speed zones with a random stream of its own. set_zones sets them in a world. */
void crowd_random_zones(crowd *c);
void crowd_set_zones(const crowd *c, throng_world *world);

typedef struct crowd_world_options {
  throng_isa isa;
  uint32_t threads;              /* 0 counts as 1 here */
  const throng_job_system *jobs; /* NULL: the library's own */
  const throng_allocator *allocator;
  uint32_t capacity;
  uint64_t history; /* not 0: seed of a random order of adding; extra agents are added and removed between */
  bool profile;
  const throng_trace_hook *trace; /* NULL: none */
} crowd_world_options;

/* Creates a world and fills it with the crowd; fails the test if a call fails. `options` may be NULL. */
throng_world *crowd_world(const crowd *c, const crowd_world_options *options);
/* Returns the crowd's world definition, changed by the options. `options` may be NULL. */
throng_world_def crowd_world_def(const crowd *c, const crowd_world_options *options);
/* Sets guides and groups, and adds all agents, in an empty world. */
throng_status crowd_fill(const crowd *c, throng_world *world, throng_error *error);
/* Reads facing and wander memory from the world into the crowd: the library normalises facings and chooses missing
 * ones. */
void crowd_import(crowd *c, const throng_world *world);

#endif
