/* tests/support/crowds.h: crowds made from a seed, and worlds made from crowds.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_CROWDS_H
#define TEST_CROWDS_H

#include "reference/crowd.h"
#include "support/random.h"

/* Where the agents stand: each layout is hostile to another part of the grid or of the arithmetic. */
typedef enum crowd_layout {
  LAYOUT_UNIFORM = 0, /* from 0 to 30 neighbours on average */
  LAYOUT_COINCIDENT,  /* piles of 2, 10 and many at one point, some an ulp beside it */
  LAYOUT_BORDERS,     /* on bin and row borders and up to three ulps beside them */
  LAYOUT_LATTICE,     /* on multiples of R/4, headings along the axes: distances and views exactly on their limits */
  LAYOUT_SEAM,        /* at the faces of the box; round 0 in unbounded worlds */
  LAYOUT_FAR,         /* near 2^20 R */
  LAYOUT_ALIASED,     /* clusters a power of two of bins or rows apart, over kilometres */
  LAYOUT_ONE_BIN,     /* everybody in one bin */
  LAYOUT_REACH,       /* pairs just within and just without each other's perception, near the origin and far from it */
  LAYOUT_MIRROR,      /* pairs that meet head-on, mirrored to the bit, and overlapping ones */
  LAYOUT_COUNT
} crowd_layout;

typedef struct crowd_recipe {
  throng_space space;
  throng_boundary boundary;
  crowd_layout layout;
  uint32_t count;
  bool plain_ids; /* indices 1, 2, 3, ... of generation 1, as throng_agents_add gives them; else gaps and generations */
  bool flocks;    /* groups that differ little from the default one: what the kernel's short cuts are for */
} crowd_recipe;

const char *crowd_layout_name(crowd_layout layout);
crowd *crowd_random(uint64_t seed, const crowd_recipe *recipe);
crowd *crowd_copy(const crowd *c);
void crowd_free(crowd *c);
/* A random crowd has groups whose bodies are solid now and then; this takes that away. */
void crowd_make_fluid(crowd *c);
/* And groups that ask for rarer rules over neighbours: this leaves the common ones. */
void crowd_make_common(crowd *c);
throng_group_def crowd_random_group(test_rng *rng, float radius, bool may_be_fast);
/* Lets some groups turn no faster than they can, and some of planar worlds steer their yaw. */
void crowd_random_turns(test_rng *rng, throng_group_def *g, bool spatial);

/* crowd_paths.c: random paths between the corners, with the agents' parameters on them (NaN where nobody follows a
 * path); a behaviour that follows one; and the crowd's paths into a world. */
void crowd_random_paths(crowd *c, test_rng *rng, const float low[3], const float high[3]);
void crowd_random_follower(test_rng *rng, throng_group_def *g, float radius, bool limited);
void crowd_set_paths(const crowd *c, throng_world *world);
bool crowd_follows(const crowd *c);

/* crowd_patterns.c: likewise random patterns and who plays them, in planar worlds; the crowd's patterns into a
 * world, and its agents' places in them. */
void crowd_random_patterns(crowd *c);
void crowd_set_patterns(const crowd *c, throng_world *world);
throng_status crowd_write_instructions(const crowd *c, throng_world *world, throng_error *error);
bool crowd_plays(const crowd *c);

/* crowd_formations.c: random formations, groups that keep them, and places that agents have; by a stream of its own,
 * so that the crowds are those that they would be without. And the crowd's formations into a world, before and after
 * the groups are set. */
void crowd_random_formations(crowd *c);
void crowd_set_formations(const crowd *c, throng_world *world);
throng_status crowd_write_places(const crowd *c, throng_world *world, throng_error *error);

typedef struct crowd_world_options {
  throng_isa isa;
  uint32_t threads;              /* 0 counts as 1 here */
  const throng_job_system *jobs; /* NULL: the library's own */
  const throng_allocator *allocator;
  uint32_t capacity;
  uint64_t history; /* not 0: other orders of adding, strangers added and removed between, seeded by it */
  bool profile;
  const throng_trace_hook *trace; /* NULL: none */
} crowd_world_options;

/* Fails the test if the world cannot be made. `options` may be NULL. */
throng_world *crowd_world(const crowd *c, const crowd_world_options *options);
/* The crowd's definition with the options in it. */
throng_world_def crowd_world_def(const crowd *c, const crowd_world_options *options);
/* Sets groups and adds all agents to an empty world. */
throng_status crowd_fill(const crowd *c, throng_world *world, throng_error *error);
/* Reads facing and wander memory back from the world: what the library made of facings given unnormalised or not at
 * all. */
void crowd_import(crowd *c, const throng_world *world);

#endif
