/* fates.c: in a piece of a world, what a frame's exchange may do with the agents of a strip.
 * SPDX-License-Identifier: MIT */
#include "passes/block.h"

struct inner_box {
  lv3 low, high;
};
LANES_INLINE lv3 spread(const float v[3]) { return (lv3){lf_set1(v[0]), lf_set1(v[1]), lf_set1(v[2])}; }
/* The lanes whose position is inside; a NaN is outside. */
LANES_INLINE lm inside(const struct inner_box *box, lm where, lv3 p, bool spatial) {
  where = lf_less_equal_where(lf_less_equal_where(where, box->low.x, p.x), p.x, box->high.x);
  where = lf_less_equal_where(lf_less_equal_where(where, box->low.z, p.z), p.z, box->high.z);
  if (!spatial) return where;
  return lf_less_equal_where(lf_less_equal_where(where, box->low.y, p.y), p.y, box->high.y);
}

/* The lanes of a block that hold ghosts, and those whose own agent is outside the inner box. */
struct marks {
  lm ghost, border;
};
LANES_INLINE struct marks marks_at(const struct frame *frame, const struct inner_box *box, uint32_t at, uint32_t lanes,
                                   bool spatial) {
  const lm valid = lm_first(lanes);
  const lv3 p = load_lv3_first(frame->back->f + COLUMN_POSITION_X, at, lanes, spatial);
  const lm ghost = lu_test_where(valid, lu_load(frame->front->meta + at), lu_set1(META_GHOST));
  return (struct marks){ghost, lm_without(lm_without(valid, inside(box, valid, p, spatial)), ghost)};
}

LANES_INLINE bool find_fates(const struct frame *frame, const struct strip *strip, const float low[3],
                             const float high[3], uint32_t *fate, bool spatial) {
  const struct inner_box box = {spread(low), spread(high)};
  bool any = false; /* most strips have neither, and their fates are not written */
  for (uint32_t at = strip->begin; at < strip->end && !any; at += LANES) {
    const struct marks marks = marks_at(frame, &box, at, lanes_left(at, strip->end), spatial);
    any = lm_any(lm_or(marks.ghost, marks.border));
  }
  for (uint32_t at = strip->begin; at < strip->end && any; at += LANES) {
    const uint32_t lanes = lanes_left(at, strip->end);
    const struct marks marks = marks_at(frame, &box, at, lanes, spatial);
    const lu fates = lu_select(marks.border, lu_set1(FATE_BORDER), lu_set1(FATE_STAYS));
    lu_store_first(fate + at, lu_select(marks.ghost, lu_set1(FATE_LEAVES), fates), lanes);
  }
  return any;
}

bool THRONG_TABLE(fates)(const struct frame *frame, const struct strip *strip, const float low[3], const float high[3],
                         uint32_t *fate) {
  return CALL_IN_SPACE(is_spatial(frame), find_fates, frame, strip, low, high, fate);
}
