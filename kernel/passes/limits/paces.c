/* paces.c: limits accelerations along the velocity to the top speed that the crowd ahead allows. The neighbour walk has
 * summed this crowd (add_ahead). Formula: docs/ARITHMETIC.md, "Pace" and "Blend". SPDX-License-Identifier: MIT */
#include "passes/limits/cut.h"

/* Loads a value of the table's point k: one value for all lanes if all groups have the same table. */
LANES_INLINE lf load_pace_point(const struct frame *frame, const struct lane_groups *groups, int param) {
  const uint32_t like = frame->groups->pace_like;
  return like < THRONG_MAX_GROUPS ? lf_set1(group_row(frame->groups, param)[like]) : load_param(frame, groups, param);
}

/* The group's factor for a density: linear between two points, constant before the first and after the last. */
LANES_INLINE lf pace_factor(const struct frame *frame, const struct lane_groups *groups, lf density) {
  lf factor = load_pace_point(frame, groups, PARAM_PACE_FACTOR);
  for (int k = 0; k < (int)frame->groups->pace_points; k++) {
    const lf from = load_pace_point(frame, groups, PARAM_PACE_DENSITY + k);
    const lm past = lf_greater_equal(density, from);
    if (!lm_any(past)) break; /* no lane is past a later point */
    const lf rise = lf_mul(lf_sub(density, from), load_pace_point(frame, groups, PARAM_PACE_SLOPE + k));
    factor = lf_select(past, lf_add(load_pace_point(frame, groups, PARAM_PACE_FACTOR + k), rise), factor);
  }
  return factor;
}

/* The density of the people ahead, persons/m^2. */
LANES_INLINE lf density_ahead(const struct frame *frame, const struct lane_groups *groups, lf ahead) {
  lf people = lf_mul(ahead, load_param(frame, groups, PARAM_PACE_INVERSE));
  people = lf_add(load_param(frame, groups, PARAM_PACE_SELF), people);
  return lf_mul(people, load_param(frame, groups, PARAM_PACE_SHARE));
}

/* The direction of the velocity, or of the acceleration of an agent at rest. */
LANES_INLINE lv3 way_of(lv3 v, lv3 a, bool spatial) {
  const lv3 way = lv3_direction(v, spatial);
  const lm rests = lf_less_equal(lv3_dot(v, v, spatial), lf_set1(LANES_LEAST_SQUARE));
  return lm_any(rests) ? lv3_select(rests, lv3_direction(a, spatial), way, spatial) : way;
}

LANES_INLINE void pace_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  ASSERT_ALONE(frame->groups->features & FEATURE_PACE); /* the neighbour walk has written strip->ahead */
  ASSERT_ALONE(frame->groups->pace_points <= THRONG_PACE_POINTS);
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    const uint32_t k = at - strip->begin, lanes = lanes_left(at, strip->end);
    struct lane_groups groups;
    load_groups(&groups, frame, at);
    const lm paced = lf_greater(load_param(frame, &groups, PARAM_PACE_RADIUS_SQ), lf_zero());
    const lf factor = pace_factor(frame, &groups, density_ahead(frame, &groups, lf_load(strip->ahead + k)));
    const lf top = lf_mul(load_desired_speed(frame, &groups, at), factor);
    const lv3 v = load_lv3(frame->front->f + COLUMN_VELOCITY_X, at, spatial);
    const lv3 a = load_lv3_first(strip->acceleration, k, lanes, spatial);
    const lf most = lf_mul(lf_sub(top, lv3_length(v, spatial)), load_param(frame, &groups, PARAM_PACE_GRIP));
    const lv3 way = way_of(v, a, spatial);
    const lf along = lv3_dot(a, way, spatial);
    const lm fast = lm_and(lm_and(lm_first(lanes), paced), lf_greater(along, most));
    if (!lm_any(fast)) continue;
    const lv3 cut = cut_along(frame, &groups, at, a, way, lf_sub(along, most), spatial);
    store_lv3(strip->acceleration, k, lv3_select(fast, cut, a, spatial), lanes, spatial);
  }
}

DEFINE_PASS(pace)
