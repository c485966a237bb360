/* tests/support/brute_force.h: compares queries of a world with a search over all agents of its crowd.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_BRUTE_FORCE_H
#define TEST_BRUTE_FORCE_H

#include "support/crowds.h"

#define BRUTE_MOST 1100u

typedef struct answer {
  float d2;
  throng_neighbour neighbour;
} answer;

typedef struct bench {
  crowd *crowd;
  throng_world *world;
  answer all[BRUTE_MOST];
  throng_neighbour found[BRUTE_MOST];
} bench;

/* Creates a crowd and an indexed world of it. */
bench *brute_open(uint64_t seed, const crowd_recipe *recipe, uint32_t threads);
void brute_close(bench *b);
/* Returns the squared distance as a frame computes it: to the minimum image; in planar worlds of x and z only. */
float brute_squared_distance(const crowd *c, throng_vec3 from, throng_vec3 to);
/* Fail the test unless the query finds what the search finds. */
void brute_require_radius(bench *b, throng_vec3 centre, float radius, uint32_t mask);
void brute_require_nearest(bench *b, throng_vec3 centre, uint32_t k, uint32_t mask);
/* Returns a point that a query accepts; in half of the cases at an agent. */
throng_vec3 brute_random_centre(test_rng *rng, const crowd *c);

#endif
