/* obstacles.c: behaviours that use circles and balls: obstacle avoidance (Bourg 4.3, Reynolds 1999) and hiding
 * (Reynolds 1999; Buckland, Programming Game AI by Example, ch. 3). Formulas: docs/ARITHMETIC.md, "Scenery".
 * SPDX-License-Identifier: MIT */
#include "passes/steering/aim.h"
#include "passes/steering/surroundings.h"

struct avoidance {
  lv3 heading, right;
  lf length, strength; /* length L of the feeler; the strength times L */
  lm nearest_only;
  lv3 sum;
  lf nearest; /* with nearest_only: squared distance of the obstacle in the sum */
};

LANES_INLINE void feel_obstacle(struct avoidance *felt, const struct feeler *feeler, lm here, const struct shape *ball,
                                bool spatial) {
  const lv3 d = from_agent(ball->a, feeler, spatial);
  const lf ahead = lv3_dot(d, felt->heading, spatial), reach = lf_add(lf_set1(ball->radius), feeler->body);
  const lv3 off = lv3_sub(d, lv3_scale(felt->heading, ahead, spatial), spatial);
  const lf aside = lv3_dot(off, off, spatial);
  lm in_way = lf_less_where(lf_less_where(here, lf_zero(), ahead), ahead, felt->length);
  in_way = lf_less_where(in_way, aside, lf_mul(reach, reach));
  if (!lm_any(in_way)) return;

  const lf little = lf_mul(lf_set1(1e-5f), reach), distance = lv3_dot(d, d, spatial);
  const lm central = lf_less_equal(aside, lf_mul(little, little));
  const lv3 away = lv3_scale(off, lf_div(lf_set1(-1.0f), lf_sqrt(aside)), spatial);
  const lv3 side = lv3_select(central, felt->right, away, spatial);
  const lf strength = lf_min(lf_div(felt->strength, lf_sqrt(distance)), lf_set1(1e12f));
  const lv3 push = lv3_scale(side, strength, spatial);
  const lm nearer = lf_less_where(in_way, distance, felt->nearest);
  const lv3 sum = lv3_select(in_way, lv3_add(felt->sum, push, spatial), felt->sum, spatial);
  const lv3 only = lv3_select(nearer, push, felt->sum, spatial);
  felt->nearest = lf_select(nearer, distance, felt->nearest);
  felt->sum = lv3_select(felt->nearest_only, only, sum, spatial);
}

/* Right of the heading for odd id indices, left of it for even ones. */
LANES_INLINE lv3 side_of_id(const struct frame *frame, uint32_t at, lv3 heading, bool spatial) {
  const lm odd = lu_test(lu_load(frame->front->id + at), lu_set1(1));
  const lv3 right = right_of(heading, spatial);
  return lv3_select(odd, right, lv3_negate(right, spatial), spatial);
}

LANES_INLINE void avoid_obstacles_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_AVOID_OBSTACLES)) continue;
    struct feeler feeler;
    load_feeler(&feeler, frame, &block, spatial);
    const lf speed = lv3_length(feeler.v, spatial);
    const lf ahead = lf_mul(ENTRY_VALUE(avoid_obstacles, look_ahead_time), speed);
    struct avoidance felt = {.sum = lv3_zero(), .nearest = lf_set1(INFINITY)};
    felt.heading = lv3_direction(feeler.v, spatial);
    felt.right = side_of_id(frame, at, felt.heading, spatial);
    felt.length = lf_min(lf_add(ENTRY_VALUE(avoid_obstacles, look_ahead), ahead), lf_set1(FEELER_MOST));
    felt.strength = lf_mul(ENTRY_VALUE(avoid_obstacles, strength), felt.length);
    felt.nearest_only = lf_greater(ENTRY_VALUE(avoid_obstacles, nearest_only), lf_zero());

    struct surroundings near;
    const struct shape *shape;
    look_around(&near, frame, &feeler, moving(&feeler, block.wants, spatial), lf_add(felt.length, feeler.body), true,
                false);
    while ((shape = next_shape(&near, spatial))) feel_obstacle(&felt, &feeler, near.here, shape, spatial);
    const lf limit = load_wanted_limit(frame, &block.groups, at, PARAM_MAX_ACCELERATION);
    store_entry(frame, strip, &block, lv3_clip(felt.sum, limit, spatial), spatial);
  }
}
DEFINE_BEHAVIOUR(avoid_obstacles)

/* The nearest hiding place so far. */
struct cover {
  lf reach, distance;
  lv3 place;  /* offset from the agent */
  lf nearest; /* squared length of the offset */
};

/* Tests the hiding place behind an obstacle, as seen from the target. */
LANES_INLINE void look_behind(struct cover *cover, const struct feeler *feeler, lm here, const struct shape *ball,
                              lv3 dp, bool spatial) {
  const lf radius = lf_set1(ball->radius);
  const lv3 d = from_agent(ball->a, feeler, spatial), away = lv3_sub(d, dp, spatial);
  const lf length = lv3_dot(away, away, spatial);
  const lf gap = lf_sub(lf_sqrt(lv3_dot(d, d, spatial)), radius);
  lm hides = lf_less_where(lf_less_equal_where(here, gap, cover->reach), lf_zero(), length);
  if (!lm_any(hides)) return;
  const lf behind = lf_add(lf_add(radius, feeler->body), cover->distance);
  const lv3 place = lv3_add(d, lv3_scale(away, lf_div(behind, lf_sqrt(length)), spatial), spatial);
  const lf square = lv3_dot(place, place, spatial);
  hides = lf_less_where(hides, square, cover->nearest);
  cover->place = lv3_select(hides, place, cover->place, spatial);
  cover->nearest = lf_select(hides, square, cover->nearest);
}

LANES_INLINE void hide_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_HIDE)) continue;
    struct feeler feeler;
    struct aim aim;
    load_feeler(&feeler, frame, &block, spatial);
    load_aim(&aim, frame, strip, &block, spatial);
    struct cover cover = {ENTRY_VALUE(hide, reach), ENTRY_VALUE(hide, distance), lv3_zero(), lf_set1(INFINITY)};

    struct surroundings near;
    const struct shape *shape;
    look_around(&near, frame, &feeler, lm_and(block.wants, aim.exists), cover.reach, true, false);
    while ((shape = next_shape(&near, spatial))) look_behind(&cover, &feeler, near.here, shape, aim.dp, spatial);
    const lf stop = ENTRY_VALUE(hide, target_radius), time = ENTRY_VALUE(hide, time_to_target);
    const lv3 way = way_to_place(&aim, frame, &block, cover.place, lv3_zero(), stop, time, true, spatial);
    const lv3 a = arrive_along(&aim, way, ENTRY_VALUE(hide, slow_radius), stop, time, spatial);
    const lm found = lf_less(cover.nearest, lf_set1(INFINITY));
    store_entry(frame, strip, &block, lv3_where(found, a, spatial), spatial);
  }
}
DEFINE_BEHAVIOUR(hide)
