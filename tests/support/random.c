/* tests/support/random.c
 * SPDX-License-Identifier: MIT */
#include "support/random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

uint64_t test_seed(const char *suite, uint64_t fallback) {
  const char *text = getenv("THRONG_TEST_SEED");
  const uint64_t seed = text != NULL && text[0] != '\0' ? strtoull(text, NULL, 0) : fallback;
  printf("%s: THRONG_TEST_SEED=%" PRIu64 "\n", suite, seed);
  return seed;
}

test_rng rng_from(uint64_t seed) { return (test_rng){seed}; }

/* Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014. */
uint64_t rng_next(test_rng *rng) {
  uint64_t z = rng->state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

uint32_t rng_below(test_rng *rng, uint32_t limit) { return (uint32_t)((rng_next(rng) >> 32) * limit >> 32); }

float rng_float(test_rng *rng, float low, float high) {
  const float unit = (float)(rng_next(rng) >> 40) * 0x1p-24f;
  return low + (high - low) * unit;
}

bool rng_chance(test_rng *rng, float probability) { return rng_float(rng, 0.0f, 1.0f) < probability; }

float rng_pick(test_rng *rng, const float *values, uint32_t count) { return values[rng_below(rng, count)]; }

void rng_shuffle(test_rng *rng, uint32_t *order, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) order[k] = k;
  for (uint32_t k = count; k > 1; k--) {
    const uint32_t other = rng_below(rng, k), kept = order[k - 1];
    order[k - 1] = order[other];
    order[other] = kept;
  }
}
