/* tests/mpi/twin.h: the same small crowd twice: cut over the ranks, and whole on every rank. What is done to one is
 * done to the other; then their hashes must be equal.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_TWIN_H
#define TEST_TWIN_H

#include "mpi/ranks.h"

#define TWIN_SIDE 48.0f  /* metres: the box is from 0 to this along x and z */
#define TWIN_RADIUS 2.0f /* perception_radius */
#define TWIN_AGENTS 900u
#define TWIN_DT 0.05f
enum { WALKERS, FLYERS }; /* groups: walkers flock, are solid and call callback 0; flyers only keep their velocity */
#define EVERY_COLUMN ((THRONG_BIT(THRONG_COLUMN_COUNT) - 1) & ~THRONG_BIT(THRONG_COLUMN_ACCELERATION))

typedef struct twin {
  throng_world *whole;
  throng_mpi *mpi;
} twin;

/* Makes the whole world of a twin: a planar crowd. `seed` decides the positions. */
throng_world *twin_world(uint64_t seed, throng_boundary boundary);
twin open_twin(const throng_mpi_def *def, throng_boundary boundary);
void close_twin(twin *t);

/* Steps both, and checks that they are equal after each frame. */
void step_twin(twin *t, uint32_t frames);
void check_twin(const twin *t);
void sync_twin(twin *t);

/* Whether this rank owns the agent. */
bool owns(const twin *t, throng_agent_id id);
/* The rank that owns the agent: the same on all ranks. */
int owner_of(const twin *t, throng_agent_id id);
/* The id of the agent with an index of the first generation. */
throng_agent_id first_id(uint32_t index);

/* Do the same to both; sync_twin must follow. `adder`: the rank that adds. */
void move_in_twin(twin *t, throng_agent_id id, throng_vec3 position, throng_vec3 velocity);
void add_to_twin(twin *t, throng_agent_id id, throng_vec3 position, uint8_t group, int adder);
void remove_from_twin(twin *t, throng_agent_id id);

#endif
