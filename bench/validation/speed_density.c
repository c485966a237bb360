/* SPDX-License-Identifier: MIT */
#include "speed_density.h"

#include <math.h>

#define PERIOD 10 /* samples from one measurement to the next, and between the two places of a speed */
#define CLASS_WIDTH 0.5
#define FEWEST 20 /* samples: a class with fewer has no mean */

static void add_speed(speed_density *measure, const crowd_walker *walker, uint32_t i) {
  const int nearest = (int)floor(measure->density[i] / CLASS_WIDTH + 0.5) - 1;
  if (nearest < 0 || nearest >= SPEED_CLASSES) return;
  const double dx = (double)walker->x - measure->before[i].x, dz = (double)walker->z - measure->before[i].z;
  mean_add(&measure->speeds[nearest], sqrt(dx * dx + dz * dz) / (PERIOD * SAMPLE_SECONDS));
}

static void end_speeds(speed_density *measure, const crowd_trial *trial) {
  for (uint32_t i = 0; i < trial->count; i++) {
    const crowd_walker *walker = &trial->walkers[i];
    if (measure->density[i] > 0 && !walker->absent) add_speed(measure, walker, i);
    measure->before[i] = (voronoi_point){(double)walker->x, (double)walker->z};
    measure->density[i] = 0;
  }
}

static bool is_inside(const voronoi_rectangle *room, const crowd_walker *walker) {
  const double x = (double)walker->x, z = (double)walker->z;
  return !walker->absent && x >= room->min_x && x <= room->max_x && z >= room->min_z && z <= room->max_z;
}

static void measure_densities(speed_density *measure, const crowd_trial *trial) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < trial->count; i++) {
    if (!is_inside(&measure->corridor, &trial->walkers[i])) continue;
    measure->points[count] = (voronoi_point){(double)trial->walkers[i].x, (double)trial->walkers[i].z};
    measure->who[count++] = i;
  }
  voronoi_areas(&measure->corridor, measure->points, count, measure->order, measure->areas);
  for (uint32_t k = 0; k < count; k++) {
    const uint32_t i = measure->who[k];
    const double x = measure->points[k].x;
    if (trial->walkers[i].samples > PERIOD / 2 && x >= measure->min_x && x <= measure->max_x)
      measure->density[i] = 1 / measure->areas[k];
  }
}

void speed_density_watch(crowd_trial *trial, void *context) {
  const uint32_t phase = trial_sample(trial) % PERIOD;
  if (phase == 0) end_speeds(context, trial);
  if (phase == PERIOD / 2) measure_densities(context, trial);
}

uint32_t speed_density_means(const speed_density *measure, double *speeds) {
  uint32_t seen = 0;
  for (uint32_t k = 0; k < SPEED_CLASSES; k++) {
    const bool enough = measure->speeds[k].count >= FEWEST;
    speeds[k] = enough ? mean_of(&measure->speeds[k]) : NAN;
    seen += enough;
  }
  return seen;
}
