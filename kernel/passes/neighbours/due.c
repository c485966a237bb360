/* due.c: time slicing. It finds the agents of a strip whose rules over neighbours a frame evaluates.
 * Formulas: docs/ARITHMETIC.md, "Time slicing". SPDX-License-Identifier: MIT */
#include "passes/blocked.h"

/* Loads each agent's period, less 1. */
LANES_INLINE lu load_period(const struct frame *frame, const struct lane_groups *groups, uint32_t at) {
  lu period = lf_bits(load_param(frame, groups, PARAM_PERIOD));
  const float *own = frame->front->f[COLUMN_STEER_PERIOD];
  if (own) {
    const lf value = lf_load(own + at);
    const lm has = lf_equal(value, value); /* NaN: no own value */
    period = lu_select(has, lu_sub(lf_truncate(lf_where(has, value)), lu_set1(1)), period);
  }
  return lu_and(period, lf_bits(load_param(frame, groups, PARAM_LONGEST_PERIOD)));
}

/* Impatient agents are due in every frame, so that they heed the rules that impatience leaves them. */
void THRONG_TABLE(due)(const struct frame *frame, struct strip *strip) {
  const lu none = lu_set1(0), frame_number = lu_set1((uint32_t)frame->number);
  ASSERT_ALONE(frame->groups->features & FEATURE_SLICED);
  strip->due_count = 0;
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct lane_groups groups;
    load_groups(&groups, frame, at);
    const lu period = load_period(frame, &groups, at);
    const lu turn = lu_add(frame_number, lu_mix(lu_load(frame->front->id + at)));
    const lf kept = lf_load(frame->front->f[COLUMN_KEPT_X] + at);
    lm waits = lm_and(lf_equal(kept, kept), lu_test(turn, period));
    if (frame->groups->features & FEATURE_YIELD) {
      const lm solid = lf_greater(load_param(frame, &groups, PARAM_CONTACT), lf_zero());
      waits = lm_without(waits, lm_and(solid, load_impatient(frame->front, at)));
    }
    const lu due = lu_select(waits, none, lu_set1(DUE));
    lu_store(strip->due + (at - strip->begin), lu_or(due, lu_select(lu_test(period, period), lu_set1(KEEPS), none)));
    strip->due_count += lm_count(lm_without(lm_first(lanes_left(at, strip->end)), waits));
  }
}
