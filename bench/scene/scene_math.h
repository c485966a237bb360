/* scene_math.h: random numbers and functions to place agents, with the same bits on every machine. The code that places
 * agents calls only sqrt, floor, ceil, fabs and fmax of the C library, whose results are the same everywhere.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_SCENE_MATH_H
#define BENCH_SCENE_MATH_H

#include <math.h>
#include <stdint.h>

/* splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014). */
typedef struct random_state {
  uint64_t state;
} random_state;

static inline uint64_t random_next(random_state *random) {
  uint64_t z = (random->state += UINT64_C(0x9E3779B97F4A7C15));
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

/* Returns the start of a sequence of random numbers. The sequence depends only on these three arguments. */
static inline random_state random_for(uint64_t seed, uint64_t stream, uint64_t index) {
  random_state random = {seed};
  random.state = random_next(&random) ^ stream;
  random.state = random_next(&random) ^ index;
  return random;
}

/* Returns a number in [0, 1). */
static inline double random_unit(random_state *random) { return (double)(random_next(random) >> 11) * 0x1p-53; }

/* Returns a float in [min, max); min if both are equal. If the value rounds to max, returns min. */
static inline float random_between(random_state *random, float min, float max) {
  float value = (float)((double)min + random_unit(random) * ((double)max - (double)min));
  return value < max ? value : min;
}

/* Computes sine and cosine of `turns`, a fraction of a turn in [0, 1), by a Taylor series within an eighth of a turn.
 * It is accurate to the last bits of a double. */
static inline void sincos_turns(double turns, double *sine, double *cosine) {
  int quarter = (int)(turns * 4 + 0.5);
  double a = (turns * 4 - quarter) * 1.57079632679489661923, z = a * a;
  double s = a * (1 - z / 6 * (1 - z / 20 * (1 - z / 42 * (1 - z / 72 * (1 - z / 110 * (1 - z / 156))))));
  double c = 1 - z / 2 * (1 - z / 12 * (1 - z / 30 * (1 - z / 56 * (1 - z / 90 * (1 - z / 132)))));
  switch (quarter & 3) {
  case 0:
    *sine = s, *cosine = c;
    break;
  case 1:
    *sine = c, *cosine = -s;
    break;
  case 2:
    *sine = -s, *cosine = -c;
    break;
  default:
    *sine = -c, *cosine = s;
    break;
  }
}

/* Returns the cube root of x; 0 if x <= 0. Newton's method from above decreases until it cannot decrease further. */
static inline double cube_root(double x) {
  double root = x > 1 ? x : 1, next;
  if (x <= 0) return 0;
  while ((next = root - (root - x / (root * root)) / 3) < root) root = next;
  return root;
}

#endif
