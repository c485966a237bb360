/* tests/support/random.h: seeded random numbers (splitmix64) for tests; the same on every machine.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_RANDOM_H
#define TEST_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct test_rng {
  uint64_t state;
} test_rng;

/* Returns the environment's THRONG_TEST_SEED, or `fallback` if it is not set. Prints the seed, so that a failure can be
 * repeated. */
uint64_t test_seed(const char *suite, uint64_t fallback);

test_rng rng_from(uint64_t seed);
uint64_t rng_next(test_rng *rng);
uint32_t rng_below(test_rng *rng, uint32_t limit); /* 0 to limit - 1 */
float rng_float(test_rng *rng, float low, float high);
bool rng_chance(test_rng *rng, float probability);
float rng_pick(test_rng *rng, const float *values, uint32_t count);
/* Writes the numbers 0 to count - 1 to `order` in random order. */
void rng_shuffle(test_rng *rng, uint32_t *order, uint32_t count);

#endif
