/* observer.h: measures of motion, from positions at 20 samples a second as a tracker of real pedestrians has them.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_VALIDATION_OBSERVER_H
#define BENCH_VALIDATION_OBSERVER_H

#include <stdint.h>
#include <stdio.h>

#include "common/files.h"
#include "walker.h"

/* A sum of samples and their number. */
typedef struct running_mean {
  double sum, count;
} running_mean;

static inline void mean_add(running_mean *mean, double value) { mean->sum += value, mean->count += 1; }
static inline double mean_of(const running_mean *mean) { return mean->sum / mean->count; }

typedef struct crowd_observer {
  float min_x, min_z, period_x, period_z; /* periods 0: not a torus */
  float body_radius;
  /* Over walkers and samples: m/s along the way, m/s^2, m/s^3, degrees per second of those faster than 0.1 m/s. */
  running_mean speed, acceleration, jerk, turn;
  running_mean overlapping; /* 1 for a walker more than 2 cm inside another, else 0 */
  double deepest;           /* metres: the deepest overlap */
  running_mean
      lane_order; /* ((same - other) / (same + other))^2, where these count the walkers of the same and of the other
                        way, within 8 m ahead or behind and 0.4 m to the sides */
  uint64_t hash;  /* of all positions */
  bool writes;
  output_file trajectories;
  /* A grid of the walkers, for the neighbours. */
  uint32_t columns, rows, *begin, *order;
} crowd_observer;

bool observer_open(crowd_observer *observer, float min_x, float min_z, float max_x, float max_z, bool torus,
                   float body_radius, bench_problem *problem);
/* Allocates memory for `count` walkers; observer->order may then hold other numbers between the calls. */
bool observer_reserve(crowd_observer *observer, uint32_t count, bench_problem *problem);
/* Begins the file of trajectories (output/trajectory_text.h). */
bool observer_write(crowd_observer *observer, const char *path, bench_problem *problem);
bool observer_finish(crowd_observer *observer, bool ok, bench_problem *problem);
void observer_close(crowd_observer *observer);

/* The shortest vector along an axis with this period. */
static inline double observer_shortest(double d, double period) {
  return period > 0 ? (d > period / 2 ? d - period : d < -period / 2 ? d + period : d) : d;
}

/* Takes a new position of a walker. `counts`: measures its motion. */
void observer_move(crowd_observer *observer, crowd_walker *walker, uint32_t index, uint32_t sample, float x, float z,
                   bool counts);
/* Measures overlaps, and lane order if `lanes`. */
void observer_neighbours(crowd_observer *observer, const crowd_walker *walkers, uint32_t count, bool lanes);

#endif
