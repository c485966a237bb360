/* route.h: how a vehicle goes to a place that its turning circle does not let it reach directly. Formula:
 * docs/ARITHMETIC.md, "Routes of vehicles". SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_STEERING_ROUTE_H
#define THRONG_KERNEL_PASSES_STEERING_ROUTE_H

#include <math.h>

#include "passes/steering/entry.h"

/* What a behaviour wants of its agents, and the routes of those that are vehicles. */
struct route {
  /* In: */
  lv3 v, dp;  /* dp: offset from the agent to its place, or a direction */
  lf limit;   /* A of the formulas */
  lf time;    /* the time in which the behaviour reaches the velocity that it wants; 0: it has no such time */
  lf near;    /* an agent whose place is not farther away is there */
  lf backing; /* the largest distance from which the agent drives back to a place behind it; 0: it never does */
  lm places;  /* dp leads to a place; in other lanes it is a direction */
  lm settles; /* the place hardly moves */
  lm turns;   /* the agent may drive back in order to turn */
  lm stops;   /* it is to stop at the place */
  /* Out: */
  lv3 way;     /* takes the place of dp */
  lf longer;   /* the length of the way, in lengths of dp */
  lv3 heading; /* the facing; its opposite where the agent is to drive backward; 0 in lanes that keep dp */
  lf fastest;  /* the largest speed along the heading; infinite in lanes that keep dp */
};

/* Whether some group's vehicles find routes. */
LANES_INLINE bool has_routes(const struct frame *frame) { return frame->groups->features & FEATURE_ROUTES; }

/* Only where has_routes(). Lanes without a vehicle keep dp. */
void THRONG_TABLE(find_route)(const struct frame *frame, const struct entry_block *block, struct route *route);

/* Returns the acceleration a, reduced where it would make a vehicle faster than its route allows. */
LANES_INLINE lv3 hold_back(const struct frame *frame, lv3 a, lv3 v, lv3 heading, lf fastest, bool spatial) {
  ASSERT_ALONE(has_routes(frame));
  const lf time = lf_set1(frame->dt > 0.25f ? frame->dt : 0.25f);
  const lf room = lf_div(lf_sub(fastest, lv3_dot(v, heading, spatial)), time);
  const lf excess = lf_max(lf_sub(lv3_dot(a, heading, spatial), room), lf_zero());
  return lv3_sub(a, lv3_scale(heading, excess, spatial), spatial);
}

#endif
