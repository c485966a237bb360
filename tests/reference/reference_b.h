/* tests/reference/reference_b.h: reference B. One step in double precision, straight from the books' formulas (M =
 * Millington, AI for Games, 3rd ed., ch. 3; R = Reynolds 1999), with libm, in no particular order. It does not know how
 * the kernel computes; it knows how far float32 can be off: every result comes with a bound, derived in the source.
 * Where a decision (in range? in view? the first threat?) hangs on less than 1e-4 of its scale, it names the agent, so
 * that the test can move it: there float and double may rightly decide differently.
 * SPDX-License-Identifier: MIT */
#ifndef REFERENCE_B_H
#define REFERENCE_B_H

#include "reference/crowd.h"

typedef struct ref_b_result {
  double position[3], velocity[3];
  double facing[3];                      /* planar: the yaw; the rest 0 */
  double position_bound, velocity_bound; /* of the length of the difference */
  double facing_bound; /* of the angle (planar) or the difference's length; infinite where it is ill-conditioned */
} ref_b_result;

/* Steps every agent of the crowd by dt into results[count]. false: *culprit stands on a threshold. */
bool ref_b_step(const crowd *c, double dt, ref_b_result *results, uint32_t *culprit);
/* Whether it knows a kind that aims at a target. */
bool book_aims(throng_behaviour_kind kind);

#endif
