/* aim.h: formulas shared by the behaviours with a target (docs/ARITHMETIC.md, "Behaviours").
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_STEERING_AIM_H
#define THRONG_KERNEL_PASSES_STEERING_AIM_H

#include <math.h>

#include "passes/steering/route.h"

struct aim {
  lv3 p, v, dp; /* dp: offset from the agent to its target */
  lm exists;
  lf limit, speed; /* A and S of the formulas */
  lv3 heading;     /* of a vehicle's route; 0 for others */
  lf fastest;      /* the largest speed on a vehicle's route; infinite for others */
};

/* In aim.c. Loads the block's agents and their targets. */
void THRONG_TABLE(load_aim_planar)(struct aim *aim, const struct frame *frame, const struct strip *strip,
                                   const struct entry_block *block);
void THRONG_TABLE(load_aim_spatial)(struct aim *aim, const struct frame *frame, const struct strip *strip,
                                    const struct entry_block *block);
LANES_INLINE void load_aim(struct aim *aim, const struct frame *frame, const struct strip *strip,
                           const struct entry_block *block, bool spatial) {
  (spatial ? THRONG_TABLE(load_aim_spatial) : THRONG_TABLE(load_aim_planar))(aim, frame, strip, block);
}

/* Returns the way that takes the place of dp. */
LANES_INLINE lv3 take_route(struct aim *aim, const struct frame *frame, const struct entry_block *block,
                            struct route *route) {
  route->v = aim->v;
  route->limit = aim->limit;
  THRONG_TABLE(find_route)(frame, block, route);
  aim->heading = route->heading;
  aim->fastest = route->fastest;
  return route->way;
}
/* Whether a place with velocity u counts as at rest for the agent. */
LANES_INLINE lm is_slow(const struct aim *aim, lv3 u, bool spatial) {
  const lf slow = lf_mul(aim->speed, lf_set1(0.25f));
  return lf_less_equal(lv3_dot(u, u, spatial), lf_mul(slow, slow));
}
/* The way of a vehicle to the place at dp, which moves with velocity u; dp for other agents. Where dp is shorter than
 * `near` the agent is there. `time`: the behaviour reaches its velocity within it; 0: as fast as it can. */
LANES_INLINE lv3 way_to_place(struct aim *aim, const struct frame *frame, const struct entry_block *block, lv3 dp,
                              lv3 u, lf near, lf time, bool stops, bool spatial) {
  if (!has_routes(frame)) return dp;
  const lm all = lm_first(LANES);
  struct route route = {.backing = lf_set1(INFINITY),
                        .dp = dp,
                        .near = near,
                        .time = time,
                        .places = all,
                        .turns = all,
                        .stops = stops ? all : lm_first(0)};
  route.settles = is_slow(aim, u, spatial);
  return take_route(aim, frame, block, &route);
}
/* The same for a place that moves as the entry's target does. */
LANES_INLINE lv3 way_to_target(struct aim *aim, const struct frame *frame, const struct strip *strip,
                               const struct entry_block *block, lv3 dp, lf near, lf time, bool stops, bool spatial) {
  if (!has_routes(frame)) return dp;
  const lv3 u = load_target_velocity(frame, strip, block, THE_TARGET, spatial);
  return way_to_place(aim, frame, block, dp, u, near, time, stops, spatial);
}
/* The same for the direction dp. */
LANES_INLINE lv3 way_along(struct aim *aim, const struct frame *frame, const struct entry_block *block, lv3 dp,
                           lf time) {
  if (!has_routes(frame)) return dp;
  const lm all = lm_first(LANES), none = lm_first(0);
  struct route route = {.backing = lf_set1(INFINITY),
                        .dp = dp,
                        .near = lf_zero(),
                        .time = time,
                        .places = none,
                        .settles = none,
                        .turns = all,
                        .stops = none};
  return take_route(aim, frame, block, &route);
}

/* clip((desired - v) * (1 / time), A). */
LANES_INLINE lv3 toward_velocity(const struct aim *aim, lv3 desired, lf time, bool spatial) {
  lv3 change = lv3_sub(desired, aim->v, spatial);
  return lv3_clip(lv3_scale(change, lf_div(lf_set1(1.0f), time), spatial), aim->limit, spatial);
}

/* Seek (Millington 3.3.3); with a time, its desired-velocity form. */
LANES_INLINE lv3 seek_along(const struct aim *aim, lv3 dp, lf time, bool spatial) {
  lf inverse = lv3_inv_len(dp, spatial);
  lm timed = lf_greater(time, lf_zero());
  lv3 a = lv3_scale(dp, lf_mul(aim->limit, inverse), spatial);
  if (!lm_any(timed)) return a;
  lv3 desired = lv3_scale(dp, lf_mul(lf_min(aim->speed, aim->fastest), inverse), spatial);
  lv3 smooth = toward_velocity(aim, desired, lf_select(timed, time, lf_set1(1.0f)), spatial);
  return lv3_select(timed, smooth, a, spatial);
}
/* Seek along the way that way_to_place() or way_along() has returned. */
LANES_INLINE lv3 seek_by_route(const struct aim *aim, const struct frame *frame, lv3 way, lf time, bool spatial) {
  lv3 a = seek_along(aim, way, time, spatial);
  if (!has_routes(frame)) return a;
  return lv3_select(lf_greater(time, lf_zero()), a, hold_back(frame, a, aim->v, aim->heading, aim->fastest, spatial),
                    spatial);
}
/* How an agent chases (Bourg & Seemann 2.4): by a constant thrust, and a constant turn outside a dead band. */
struct pursuit {
  lf turn, sine; /* fraction of A to the side; sine of the dead band */
  lf slow;       /* no thrust within this distance */
  lm evades;     /* it always thrusts */
};
LANES_INLINE lv3 chase_along(const struct aim *aim, const struct pursuit *how, lv3 facing, lv3 d, bool spatial) {
  lf q = lv3_dot(d, d, spatial), along = lv3_dot(facing, d, spatial);
  lv3 aside = lv3_sub(d, lv3_scale(facing, along, spatial), spatial);
  lf off = lv3_dot(aside, aside, spatial);
  lm behind = lf_less(along, lf_zero());
  lm turns = lm_or(behind, lf_greater(off, lf_mul(lf_mul(how->sine, how->sine), q)));
  lv3 side = lv3_scale(aside, lv3_inv_len(aside, spatial), spatial);
  side = lv3_select(lm_without(behind, lf_greater(off, lf_zero())), right_of(facing, spatial), side, spatial);
  lf sideways = lf_where(turns, lf_mul(lf_abs(how->turn), aim->limit));
  lf thrust = lf_where(lm_or(how->evades, lf_greater(q, lf_mul(how->slow, how->slow))), aim->limit);
  lv3 a = lv3_add(lv3_scale(facing, thrust, spatial), lv3_scale(side, sideways, spatial), spatial);
  return lv3_clip(a, aim->limit, spatial);
}
/* The desired velocity of arrive (Millington 3.3.4). */
LANES_INLINE lv3 arrive_velocity(const struct aim *aim, lv3 dp, lf slow_radius, lf target_radius, bool spatial) {
  lf distance = lf_sqrt(lv3_dot(dp, dp, spatial));
  lf divisor = lf_select(lf_greater(slow_radius, lf_zero()), slow_radius, lf_set1(1.0f));
  lf slow = lf_div(lf_mul(aim->speed, distance), divisor);
  lf speed = lf_select(lf_less(distance, slow_radius), slow, aim->speed);
  speed = lf_select(lf_less_equal(distance, target_radius), lf_zero(), lf_min(speed, aim->fastest));
  return lv3_scale(dp, lf_mul(speed, lv3_inv_len(dp, spatial)), spatial);
}
LANES_INLINE lv3 arrive_along(const struct aim *aim, lv3 dp, lf slow_radius, lf target_radius, lf time, bool spatial) {
  return toward_velocity(aim, arrive_velocity(aim, dp, slow_radius, target_radius, spatial), time, spatial);
}

/* Returns min(|d| / S, most): the time to move by d at full speed, limited. */
LANES_INLINE lf time_to_reach(const struct aim *aim, lv3 d, lf most, bool spatial) {
  return lf_min(lf_div(lf_sqrt(lv3_dot(d, d, spatial)), aim->speed), most);
}
/* Returns the position, after `time`, of a point at d that moves with velocity u. */
LANES_INLINE lv3 after(lv3 d, lv3 u, lf time, bool spatial) { return lv3_add(d, lv3_scale(u, time, spatial), spatial); }

#endif
