/* brake.c: stops agents that have lost all their targets. Formula: docs/ARITHMETIC.md, "Lost targets".
 * SPDX-License-Identifier: MIT */
#include "passes/steering/entry.h"

/* Returns the lanes whose agents are lost (every behaviour lacks its target, path, flow field or place) and whose group
 * brakes at this entry. */
LANES_INLINE lm find_lost(const struct frame *frame, const struct strip *strip, const struct lane_groups *groups,
                          uint32_t at) {
  const lm here = lu_equal(lf_bits(load_param(frame, groups, PARAM_LOST_ENTRY)), lu_set1(strip->entry));
  const lm lost = lm_and(here, lm_first(lanes_left(at, strip->end)));
  const lu needs = lf_bits(load_param(frame, groups, PARAM_LOST_NEEDS));
  const lf goal = load_goal(frame, at, false).x;
  const lm has_goal = lf_equal(goal, goal);
  lm has_place = lm_first(0);
  if (frame->front->f[COLUMN_FORMATION_PLACE]) {
    const lf own = lf_load(frame->front->f[COLUMN_FORMATION_PLACE] + at);
    has_place = lf_less(own, load_param(frame, groups, PARAM_LOST_PLACES));
  }
  lm keeps = lm_and(lu_test(needs, lu_set1(LOST_WITHOUT_GOAL)), has_goal);
  keeps = lm_or(keeps, lm_and(lu_test(needs, lu_set1(LOST_WITHOUT_PLACE)), has_place));
  keeps = lm_or(keeps, lm_and(lu_test(needs, lu_set1(LOST_WITHOUT_EITHER)), lm_and(has_goal, has_place)));
  if (frame->groups->features & FEATURE_OWN_TARGETS) {
    const lm has_target = have_targets(strip, at);
    keeps = lm_or(keeps, lm_and(lu_test(needs, lu_set1(LOST_WITHOUT_TARGET)), has_target));
    keeps = lm_or(keeps, lm_and(lu_test(needs, lu_set1(LOST_WITHOUT_BOTH)), lm_and(has_goal, has_target)));
    const lm follows = lu_test(needs, lu_set1(LOST_WITHOUT_TARGET_OR_PLACE));
    keeps = lm_or(keeps, lm_and(follows, lm_and(has_target, has_place)));
  }
  if (frame->front->f[COLUMN_PATTERN]) {
    const lf own = lf_load(frame->front->f[COLUMN_PATTERN] + at);
    keeps = lm_or(keeps, lm_and(lu_test(needs, lu_set1(LOST_WITHOUT_PATTERN)), lf_equal(own, own)));
  }
  return lm_without(lost, keeps);
}

/* Loads the deceleration that stops an agent at its maximum speed in the time_to_target of its group's entry. */
LANES_INLINE lf load_brake(const struct frame *frame, const struct lane_groups *groups, uint32_t at) {
  const lf brake = load_param(frame, groups, PARAM_LOST_BRAKE);
  if (!frame->front->f[COLUMN_MAX_SPEED]) return brake;
  const lf own = lf_load(frame->front->f[COLUMN_MAX_SPEED] + at), time = load_param(frame, groups, PARAM_LOST_TIME);
  return lf_select(lm_and(lf_equal(own, own), lf_greater(time, lf_zero())), lf_div(own, time), brake);
}

/* Lost agents wait where they are: those of groups that settle stand still there. */
LANES_INLINE void settle_lost(const struct frame *frame, struct strip *strip, uint32_t at, lm lost, bool spatial) {
  struct entry_block block;
  if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_ARRIVE)) return;
  const lm settles = lf_less_where(block.wants, lf_zero(), ENTRY_VALUE(arrive, settle));
  leave_out_rules(frame, strip, at - strip->begin, lm_and(lost, settles), spatial);
}

LANES_INLINE void brake_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  const lf one = lf_set1(1.0f);
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct lane_groups groups;
    load_groups(&groups, frame, at);
    const lm lost = find_lost(frame, strip, &groups, at);
    if (!lm_any(lost)) continue;
    const lf weight = load_weight(frame, &groups, at, RULE_LIST + (int)strip->entry);
    const lf part = load_param(frame, &groups, PARAM_LOST_PART);
    const lf at_once = lf_mul(lf_div(load_rate(frame, &groups, at, false), lf_max(lf_abs(weight), one)), part);
    const lf against = lf_select(lf_less(weight, lf_zero()), at_once, lf_negate(at_once));
    const lf most =
        lf_min(load_wanted_limit(frame, &groups, at, PARAM_MAX_ACCELERATION), load_brake(frame, &groups, at));
    const lv3 v = load_lv3(frame->front->f + COLUMN_VELOCITY_X, at, spatial);
    const lv3 brake = lv3_clip(lv3_scale(v, against, spatial), most, spatial);
    store_entry_where(strip, at - strip->begin, lost, brake, spatial);
    if (frame->groups->entry[strip->entry].gathers) settle_lost(frame, strip, at, lost, spatial);
  }
}

DEFINE_PASS(brake)
