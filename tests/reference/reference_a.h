/* tests/reference/reference_a.h: reference A, a frame in scalar float that tests every agent with every other. It
 * computes the expressions of docs/ARITHMETIC.md in their order and shares no code with the kernel. Its results must
 * equal the kernel's bit for bit. Compile it with -ffp-contract=off. Of scenery and cells only sight is part of it.
 * SPDX-License-Identifier: MIT */
#ifndef REFERENCE_A_H
#define REFERENCE_A_H

#include "reference/crowd.h"

typedef struct ref_angle {
  float sin, cos;
} ref_angle;

/* Small functions, public so that tests can call each one. */
float ref_a_wrap(float angle);
float ref_a_floor(float value);
ref_angle ref_a_sincos(float angle);
float ref_a_atan2(float y, float x);
float ref_a_smooth_factor(float dt, float time);
uint32_t ref_a_mix(uint32_t h);
float ref_a_draw(uint64_t seed, throng_agent_id id, uint64_t frame, uint32_t k);
float ref_a_binomial(uint64_t seed, throng_agent_id id, uint64_t frame, uint32_t k);

/* One axis of space. */
typedef struct ref_axis {
  bool exists; /* false: y of a planar world */
  bool periodic;
  bool boxed;
  float min, max, length;
  int32_t count; /* bins or rows per box length; periodic only */
  float scale;   /* bins or rows per metre */
} ref_axis;

/* axis 0 = x (bins), 1 = y, 2 = z (rows). */
ref_axis ref_a_axis(const throng_world_def *def, int axis);
float ref_a_image(const ref_axis *axis, float difference);
float ref_a_difference(const ref_axis *axis, float from, float to);
int32_t ref_a_key(const ref_axis *axis, float position);

/* Returns the time in seconds after which a point that starts at q with velocity u meets a face of a box world; `most`
 * if it meets no face before. */
float ref_a_time_to_face(const crowd *c, throng_vec3 q, throng_vec3 u, float most);

/* Sets every agent's accelerations and next_… values. Writes the agents' wander memory after the frame to
 * next_wander[count], unless that is NULL. */
void ref_a_steer(crowd *c, float dt, throng_vec3 *next_wander);
/* Does the rest of the frame, with the accelerations that ref_a_steer set. */
void ref_a_integrate(crowd *c, float dt, const throng_vec3 *next_wander);
/* Sets every agent's zone_factor. */
void ref_a_enter_zones(crowd *c);
/* Steers and integrates. */
void ref_a_step(crowd *c, float dt);

#endif
