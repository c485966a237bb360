/* speed_density.h: the mean speed of walkers at the same individual density.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_VALIDATION_SPEED_DENSITY_H
#define BENCH_VALIDATION_SPEED_DENSITY_H

#include "laboratory.h"
#include "voronoi.h"

#define SPEED_CLASSES 7 /* 0.5, 1, ... 3.5 persons/m2, each +- 0.25 */

/* Twice a second: the density of each walker between `min_x` and `max_x` is 1 / area of its Voronoi cell in the
 * corridor; its speed is the distance between its places a quarter of a second before and after, divided by the time,
 * as PedPy computes both. */
typedef struct speed_density {
  voronoi_rectangle corridor;
  double min_x, max_x;
  running_mean speeds[SPEED_CLASSES];
  voronoi_point before[LABORATORY_PEOPLE];
  double density[LABORATORY_PEOPLE]; /* 0: not measured now */
  /* Of those in the corridor, when densities are measured: */
  voronoi_point points[LABORATORY_PEOPLE];
  uint32_t who[LABORATORY_PEOPLE], order[LABORATORY_PEOPLE];
  double areas[LABORATORY_PEOPLE];
} speed_density;

/* A crowd_trial's `watch`; its context is a speed_density. */
void speed_density_watch(crowd_trial *trial, void *context);

/* Writes the mean speed of each class to speeds[SPEED_CLASSES], NaN for one with few samples. Returns the number of
 * other classes. */
uint32_t speed_density_means(const speed_density *measure, double *speeds);

#endif
