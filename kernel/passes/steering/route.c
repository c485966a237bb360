/* route.c: how a vehicle goes to a place that its turning circle does not let it reach directly. With brakes it backs
 * up; without brakes it drives on, and turns when it is far enough away. Formula: docs/ARITHMETIC.md, "Routes of
 * vehicles". SPDX-License-Identifier: MIT */
#include "passes/steering/route.h"

/* What a vehicle can do, and where its place lies. */
struct driver {
  lv3 facing, side;    /* side: unit vector perpendicular to the facing, toward the place */
  lf speed_sq, pace;   /* pace: velocity along the facing */
  lf ahead, aside;     /* coordinates of the place along facing and side */
  lf distance, square; /* of the place; square of the distance */
  lf beside;           /* how far the place is off the line of the facing, beyond what counts as there */
  lf radius;           /* of the smallest circle; 0: the agent finds no routes */
  lf lateral, rate;    /* largest acceleration to the side; fastest turn, rad/s */
  lf thrust, brake;
  lm behind, acts; /* acts: the agent is a vehicle and not there yet */
};

/* What the vehicle does: it backs up (in order to turn or not), or drives past the place, or neither. */
struct gear {
  lm backs, turns_back, passes;
};

LANES_INLINE void load_driver(struct driver *d, const struct frame *frame, const struct entry_block *block,
                              const struct route *route, bool spatial) {
  const lf zero = lf_zero(), half = lf_set1(0.5f);
  d->radius = load_param(frame, &block->groups, PARAM_TURN_RADIUS);
  d->lateral = lf_min(load_param(frame, &block->groups, PARAM_LATERAL), lf_mul(route->limit, half));
  const lm timed = lf_greater(route->time, zero);
  const lf steady = lf_select(timed, lf_div(half, lf_select(timed, route->time, half)), lf_set1(INFINITY));
  d->rate = lf_min(
      lf_min(load_param(frame, &block->groups, PARAM_TURN_RATE), load_max_yaw_rate(frame, &block->groups, block->at)),
      steady);
  d->brake = load_limit(frame, &block->groups, block->at, PARAM_BRAKE);
  d->thrust = load_limit(frame, &block->groups, block->at, PARAM_THRUST);

  d->facing = load_facing(frame, block->at, spatial);
  d->speed_sq = lv3_dot(route->v, route->v, spatial);
  d->pace = lv3_dot(route->v, d->facing, spatial);
  d->square = lv3_dot(route->dp, route->dp, spatial);
  d->distance = lf_sqrt(d->square);
  d->ahead = lv3_dot(route->dp, d->facing, spatial);
  d->behind = lf_less(d->ahead, zero);
  const lv3 off = lv3_sub(route->dp, lv3_scale(d->facing, d->ahead, spatial), spatial);
  d->aside = lf_sqrt(lv3_dot(off, off, spatial));
  const lm clear = lf_greater(d->aside, lf_mul(d->distance, lf_set1(1e-4f))); /* more than a rounding error */
  d->side =
      lv3_select(clear, lv3_scale(off, lv3_inv_len(off, spatial), spatial), right_of(d->facing, spatial), spatial);

  const lf near = lf_where(route->places, lf_max(route->near, lf_mul(d->radius, lf_set1(0.01f))));
  d->beside = lf_max(lf_sub(d->aside, near), zero);
  d->acts = lm_and(lf_greater(d->radius, zero), lf_greater(d->distance, near));
}

/* The place is inside a circle through the agent with diameter x where square < x * beside. */
LANES_INLINE struct gear choose_gear(const struct driver *d, const struct route *route) {
  const lf zero = lf_zero(), across = lf_add(d->radius, d->radius);
  const lm brakes = lf_greater(d->brake, zero), turns = lm_and(route->turns, brakes);
  /* A vehicle that drives backward goes on for longer than it would need to begin. */
  const lf longer = lf_select(lf_less(d->pace, zero), lf_set1(1.5f), lf_set1(1.0f)), reach = lf_mul(across, longer);
  const lf behind = lf_select(turns, across, lf_div(across, longer));
  const lm inside = lf_less(d->square, lf_mul(lf_select(d->behind, behind, reach), d->beside));
  const lm close = lm_without(lf_less(d->distance, lf_min(reach, route->backing)), inside);
  lm backs = lm_without(d->behind, lm_without(route->settles, close));
  backs = lm_and(lm_and(backs, brakes), lf_greater(route->backing, zero));

  struct gear gear;
  gear.turns_back = lm_and(lm_and(route->settles, turns), inside);
  gear.backs = lm_or(gear.turns_back, backs);

  /* The circle at the present speed. */
  lf circle = lf_max(d->radius, lf_div(d->speed_sq, d->lateral));
  circle = lf_max(circle, lf_div(lf_sqrt(d->speed_sq), d->rate));
  const lm misses = lf_less(d->square, lf_mul(lf_add(circle, circle), d->beside));
  const lf round = lf_sub(lf_add(d->distance, d->distance), lf_mul(d->ahead, lf_set1(0.5f)));
  const lm wide = lm_and(d->behind, lf_less(d->square, lf_mul(circle, round)));
  gear.passes = lm_without(lm_without(route->settles, turns), gear.backs);
  gear.passes = lm_and(gear.passes, lm_or(wide, lm_without(misses, d->behind)));
  return gear;
}

LANES_INLINE void set_way(struct route *route, const struct driver *d, const struct gear *gear, bool spatial) {
  const lf zero = lf_zero(), four = lf_set1(4.0f);
  const lv3 heading = lv3_select(gear->backs, lv3_negate(d->facing, spatial), d->facing, spatial);
  const lv3 side = lv3_select(gear->turns_back, lv3_negate(d->side, spatial), d->side, spatial);
  const lf onward = lf_select(gear->backs, lf_negate(d->ahead), d->ahead);
  const lm wrong = lf_less(lf_select(gear->backs, lf_negate(d->pace), d->pace), zero);
  const lm detours = lm_or(gear->turns_back, gear->passes);
  const lf length = lf_select(detours, lf_add(d->distance, lf_add(d->radius, d->radius)), d->distance);
  route->longer = lf_select(lm_and(d->acts, detours), lf_div(length, d->distance), lf_set1(1.0f));

  /* Twice as far to the side as the circle to the place needs at this speed. */
  lf harder = lf_div(lf_mul(d->speed_sq, four), lf_mul(route->limit, d->distance));
  harder = lf_max(harder, lf_div(lf_mul(lf_mul(lf_sqrt(d->speed_sq), route->time), four), d->distance));
  const lf sideways = lf_mul(d->aside, lf_max(harder, lf_set1(1.0f)));
  const lm slight = lm_without(lf_greater_equal(onward, sideways), gear->turns_back); /* at most 45 degrees */
  const lv3 bent = lv3_add(route->dp, lv3_scale(side, lf_sub(sideways, d->aside), spatial), spatial);

  lv3 way = lv3_scale(lv3_add(heading, side, spatial), lf_mul(length, lf_set1(0.70710678f)), spatial);
  way = lv3_select(slight, lv3_scale(bent, lf_mul(length, lv3_inv_len(bent, spatial)), spatial), way, spatial);
  way = lv3_select(lm_without(slight, lf_greater(sideways, d->aside)), route->dp, way, spatial);
  way = lv3_select(lm_or(wrong, gear->passes), lv3_scale(heading, length, spatial), way, spatial);
  route->way = lv3_select(d->acts, way, route->dp, spatial);
  route->heading = lv3_where(d->acts, heading, spatial);
}

/* The speed at which the vehicle can still drive the circle to its place, and stop there. */
LANES_INLINE void set_fastest(struct route *route, const struct driver *d, const struct gear *gear) {
  const lf zero = lf_zero(), infinite = lf_set1(INFINITY);
  lf bend = lf_div(lf_mul(d->square, lf_set1(0.75f)), lf_add(d->beside, d->beside));
  bend = lf_select(lf_greater(d->beside, zero), bend, infinite);
  bend = lf_max(d->radius, lf_select(d->behind, lf_mul(d->distance, lf_set1(0.2f)), bend));
  const lf turning = lf_min(lf_sqrt(lf_mul(d->lateral, bend)), lf_mul(d->rate, bend));
  const lf slowing = lf_select(gear->backs, d->thrust, d->brake);
  const lf stopping =
      lf_select(lm_and(route->stops, lf_greater(slowing, zero)), lf_sqrt(lf_mul(slowing, d->distance)), infinite);
  const lm follows = lm_without(route->places, lf_greater(route->backing, zero));
  const lm bounded = lm_and(d->acts, lm_or(route->settles, follows));
  route->fastest = lf_select(bounded, lf_min(turning, stopping), infinite);
}

LANES_INLINE void find_route_in(const struct frame *frame, const struct entry_block *block, struct route *route,
                                bool spatial) {
  struct driver driver;
  load_driver(&driver, frame, block, route, spatial);
  const struct gear gear = choose_gear(&driver, route);
  set_way(route, &driver, &gear, spatial);
  set_fastest(route, &driver, &gear);
}

void THRONG_TABLE(find_route)(const struct frame *frame, const struct entry_block *block, struct route *route) {
  ASSERT_ALONE(has_routes(frame));
  CALL_IN_SPACE(is_spatial(frame), find_route_in, frame, block, route);
}
