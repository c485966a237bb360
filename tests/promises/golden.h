/* tests/promises/golden.h: the golden scenes. SPDX-License-Identifier: MIT */
#ifndef GOLDEN_H
#define GOLDEN_H

#include <throng/throng.h>

/* The groups of a scene, a bit each, and what changes them. */
enum golden_rules {
  FLOCK = 1,
  WALKERS = 2,
  WANDERERS = 4,
  CROWDED = 8,
  COMMUTERS = 16,
  LIGHT = 32,
  HEAVY = 64,
  FOLLOWERS = 128,
  TURNERS = 256,
  VEHICLES = 512,
  STROLLERS = 1024,
  QUEUERS = 2048,
  BOIDS = 4096,
  PLAYERS = 8192,
  SPRINTERS = 16384,
  LURKERS = 32768,
  MARCHERS = 65536,
  HAULERS = 131072,
  SLICED = 262144,
  KINDS = 19, /* number of bits above; a bit below is no group */
  OWN_SPEEDS = 524288,
  OWN_TARGETS = 1048576,
  UPRIGHT = 2097152,
  STEERED = 4194304,     /* spatial worlds: facings are steered; those of every other group are upright */
  DRAWN = 8388608,       /* every group heeds attractors */
  SHIPS = 16777216,      /* groups with steered facings are rigid bodies */
  RECIPROCAL = 33554432, /* every group avoids reciprocally */
  PACED = 67108864,      /* groups have a pace */
  ZONED = 134217728,     /* the world has speed zones */
  OWN_LAWS = 268435456,  /* the laws of the groups' separation differ */
  LATERAL = 536870912,   /* groups separate to their side */
  TOGETHER = 1073741824  /* alignment turns steered facings */
};

size_t golden_scene_count(void);
const char *golden_scene_name(size_t number);
/* Creates the scene at frame 0; exits if that fails. `jobs` may be NULL: the library then uses its own threads. */
throng_world *golden_scene_world(size_t number, throng_isa isa, uint32_t threads, const throng_job_system *jobs);
/* Prints the error and exits unless `status` is THRONG_OK. */
void golden_check(throng_status status, const throng_error *error, const char *scene_name);

/* golden_groups.c: returns the groups of a kind, FLOCK to SLICED. golden_add adds a behaviour with a weight,
 * golden_pace a pace to the group with this number. */
throng_group_def golden_group(int kind, throng_space space);
void golden_pace(throng_group_def *g, uint8_t number);
throng_behaviour *golden_add(throng_group_def *g, throng_behaviour_kind kind, float weight);
/* Lets a group avoid reciprocally; `bit` determines its parameters. */
void golden_avoid(throng_group_def *g, uint32_t bit);

/* golden_attractors.c: sets 40 attractors in the scene's box. */
void golden_set_attractors(throng_world *world, const char *scene_name);
/* The same file: sets 24 speed zones. */
void golden_set_zones(throng_world *world, const char *scene_name);

#endif
