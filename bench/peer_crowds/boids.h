/* boids.h: a boid's sums over neighbours and its motion, for peers that only search neighbours. If `dimensions` is a
 * constant, the compiler unrolls the loops.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_BOIDS_H
#define BENCH_BOIDS_H

#include <math.h>

#include "peer.h"

typedef struct boid {
  float position[3], velocity[3];
  uint32_t id; /* its index in the arrays of peer_task */
} boid;

typedef struct boid_sums {
  float separation[3], offset[3], velocity[3];
  uint32_t count;
} boid_sums;

#define BOID_NEAREST_SQUARED 1e-12f /* minimum of d2, because separation divides by d2 */

/* `d` is the vector to the neighbour, d2 = dot(d, d). */
static inline void boid_sums_add(boid_sums *sums, int dimensions, const float *d, float d2, const float *velocity) {
  float weight = 1.0f / fmaxf(d2, BOID_NEAREST_SQUARED);
  for (int a = 0; a < dimensions; a++) {
    sums->separation[a] += d[a] * weight;
    sums->offset[a] += d[a];
    sums->velocity[a] += velocity[a];
  }
  sums->count++;
}

static inline float boid_length(const float *v, int dimensions) {
  float squared = 0;
  for (int a = 0; a < dimensions; a++) squared += v[a] * v[a];
  return sqrtf(squared);
}

/* Adds weight * v. If v is longer than `limit`, it is first scaled to that length. */
static inline void boid_add_clipped(float *sum, int dimensions, const float *v, float limit, float weight) {
  float length = boid_length(v, dimensions);
  float scale = length > limit ? weight * limit / length : weight;
  for (int a = 0; a < dimensions; a++) sum[a] += v[a] * scale;
}

static inline void boid_steer(float *acceleration, const boid *self, const boid_sums *sums, const peer_rules *rules,
                              int dimensions) {
  if (sums->count == 0) return;
  float wanted[3];
  for (int a = 0; a < dimensions; a++) wanted[a] = sums->separation[a] * -(rules->separation_strength * rules->radius);
  boid_add_clipped(acceleration, dimensions, wanted, rules->max_acceleration, rules->separation_weight);

  float length = boid_length(sums->offset, dimensions);
  float pull = length > 0 ? rules->cohesion_weight * rules->max_acceleration / length : 0;
  for (int a = 0; a < dimensions; a++) acceleration[a] += sums->offset[a] * pull;

  for (int a = 0; a < dimensions; a++)
    wanted[a] = (sums->velocity[a] / (float)sums->count - self->velocity[a]) / rules->time_to_target;
  boid_add_clipped(acceleration, dimensions, wanted, rules->max_acceleration, rules->alignment_weight);
}

/* Returns the boid one frame later. It moves with the new velocity, and stops at the faces of the box. */
static inline boid boid_move(const boid *self, const boid_sums *sums, const peer_rules *rules, int dimensions) {
  boid moved = {{0}, {0}, self->id};
  float blend[3] = {0}, wanted[3], acceleration[3] = {0};
  boid_steer(blend, self, sums, rules, dimensions);
  boid_add_clipped(acceleration, dimensions, blend, rules->max_acceleration, 1);
  for (int a = 0; a < dimensions; a++) wanted[a] = self->velocity[a] + acceleration[a] * rules->dt;
  boid_add_clipped(moved.velocity, dimensions, wanted, rules->max_speed, 1);
  for (int a = 0; a < dimensions; a++) {
    float p = self->position[a] + moved.velocity[a] * rules->dt;
    if (p < rules->box_min[a]) moved.velocity[a] = fmaxf(moved.velocity[a], 0);
    if (p > rules->box_max[a]) moved.velocity[a] = fminf(moved.velocity[a], 0);
    moved.position[a] = fminf(fmaxf(p, rules->box_min[a]), rules->box_max[a]);
  }
  return moved;
}

#endif
