/* tests/reference/reference_b.h: reference B. One step in double precision by the formulas of the books (M =
 * Millington, AI for Games, 3rd ed., ch. 3; B = Bourg & Seemann, AI for Game Developers; R = Reynolds 1999), with
 * libm, in no particular order. It does not depend on how the kernel computes. Every result has a bound on float32's
 * error, derived in the source. If a decision (in range? in view? which threat is first?) depends on less than 1e-4 of
 * its scale, float and double may rightly decide differently. Then the step fails and names the agent, so that the
 * test can move it.
 * SPDX-License-Identifier: MIT */
#ifndef REFERENCE_B_H
#define REFERENCE_B_H

#include "reference/crowd.h"

typedef struct ref_b_result {
  double position[3], velocity[3];
  double facing[3];                      /* planar: the yaw; the rest 0 */
  double position_bound, velocity_bound; /* on the length of the difference */
  double facing_bound; /* on the angle (planar) or the difference's length; infinite if ill-conditioned */
} ref_b_result;

/* Computes the state of every agent after a step of dt in results[count]. Returns false if a decision of agent
 * c->agents[*culprit] is too close to call. */
bool ref_b_step(const crowd *c, double dt, ref_b_result *results, uint32_t *culprit);
/* Whether the kind has a target and reference B has its formula. */
bool book_aims(throng_behaviour_kind kind);

#endif
