/* tests/reference/reference_b.h: reference B. One step in double precision by the formulas of the books (M =
 * Millington, AI for Games, 3rd ed., ch. 3; B = Bourg & Seemann, AI for Game Developers; R = Reynolds 1999), with libm.
 * The order of operations is not that of the kernel. Every result has a bound on the error of a computation in float32;
 * the source derives it. A decision (in range? in view? which threat is first?) whose margin is less than 1e-4 of its
 * scale may differ between float and double, and both are right. Then ref_b_step fails and names the agent, so that the
 * test can move it.
 * SPDX-License-Identifier: MIT */
#ifndef REFERENCE_B_H
#define REFERENCE_B_H

#include "reference/crowd.h"

typedef struct ref_b_result {
  double position[3], velocity[3];
  double facing[3];                      /* planar: the yaw; the rest 0 */
  double position_bound, velocity_bound; /* bounds on the length of the difference between float and double */
  double facing_bound; /* planar: a bound on the difference of the yaw; spatial: on the length of the difference.
                          Infinite if the facing is ill-conditioned */
} ref_b_result;

/* Writes the state of every agent after a step of dt to results[count]. If a decision has too small a margin, returns
 * false and sets *culprit to the index in c->agents of the agent that it is about. */
bool ref_b_step(const crowd *c, double dt, ref_b_result *results, uint32_t *culprit);
/* Whether behaviours of this kind have a target and reference B can compute them. */
bool book_aims(throng_behaviour_kind kind);

#endif
