/* follow_field.c: follows a flow field (Reynolds 1999). Formula: docs/ARITHMETIC.md, "Behaviours".
 * SPDX-License-Identifier: MIT */
#include <math.h>

#include "passes/steering/route.h"

/* Returns a coordinate in cells from the first sample, limited to the range of the samples. Where the field repeats
 * (`repeat` above 0), the range ends at the first sample's next image. */
LANES_INLINE lf place_along(const struct frame *frame, const struct strip *strip, const struct entry_block *block,
                            int axis, lf coordinate, lf inverse, lf last) {
  lf origin = load_entry_param(frame, strip, block, ENTRY_FIELD_ORIGIN_X + axis);
  lf place = lf_sub(lf_mul(lf_sub(coordinate, origin), inverse), lf_set1(0.5f));
  if (frame->grid->space->axis[2 * axis].period != 0) {
    lf repeat = load_entry_param(frame, strip, block, ENTRY_FIELD_REPEAT_X + axis);
    lf turns = lf_floor(lf_div(place, lf_max(repeat, lf_set1(1.0f))));
    place = lf_sub(place, lf_mul(repeat, turns));
    last = lf_max(last, repeat);
  }
  return lf_min(lf_max(place, lf_zero()), last);
}

/* The x and z of four samples per lane: (i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1). */
struct corners {
  lf x[4], z[4];
};

/* Loads the four samples of the `there` lanes. The two samples of a row are in one or two cache lines. `stride`: floats
 * per row. */
LANES_INLINE void load_corners(struct corners *corners, const struct frame *frame, const struct entry_block *block,
                               lm there, lf number, lf i, lf j, lf stride) {
  static const float none[4];
  const lu next_row = lf_truncate(lf_where(there, stride)), column = lf_truncate(lf_where(there, lf_add(i, i)));
  uint32_t field_of[LANES], at[LANES], next[LANES];
  lu_store(field_of, lf_truncate(number));
  lu_store(at, lu_add(lu_mul(lf_truncate(j), next_row), column));
  lu_store(next, next_row);
  const uint32_t bits = lm_bits(there);
  ASSERT_ALONE(!bits || lf_highest(lf_where(there, number)) < (float)THRONG_MAX_FLOW_FIELDS);
  const float *low[LANES], *high[LANES];
  if (block->groups.uniform && bits) { /* all lanes follow one field */
    const float *vectors = frame->flow_field[field_of[0]].vectors;
    for (uint32_t k = 0; k < LANES; k++) low[k] = vectors + at[k];
  } else {
    for (uint32_t k = 0; k < LANES; k++) low[k] = bits >> k & 1 ? frame->flow_field[field_of[k]].vectors + at[k] : none;
  }
  for (uint32_t k = 0; k < LANES; k++) high[k] = low[k] + next[k];
  lf below[4], above[4];
  lf_load_fours(below, low);
  lf_load_fours(above, high);
  *corners =
      (struct corners){.x = {below[0], below[2], above[0], above[2]}, .z = {below[1], below[3], above[1], above[3]}};
}

LANES_INLINE lf mix(lf a, lf b, lf part) { return lf_add(a, lf_mul(lf_sub(b, a), part)); }
LANES_INLINE lf bilinear(const lf corner[4], lf fx, lf fz) {
  return mix(mix(corner[0], corner[1], fx), mix(corner[2], corner[3], fx), fz);
}
LANES_INLINE lf nearest(const lf corner[4], lm left, lm low) {
  return lf_select(low, lf_select(left, corner[0], corner[1]), lf_select(left, corner[2], corner[3]));
}

/* Returns the field at p, in the `there` lanes. If the interpolated vector counts as 0, the result is the nearest
 * sample, provided that it points toward its own position. So agents leave a line from which vectors diverge. */
LANES_INLINE lv3 sample_field(const struct frame *frame, const struct strip *strip, const struct entry_block *block,
                              lm there, lf number, lv3 p) {
  lf last_x = load_entry_param(frame, strip, block, ENTRY_FIELD_LAST_X), stride = lf_add(last_x, lf_set1(2.0f));
  lf last_z = load_entry_param(frame, strip, block, ENTRY_FIELD_LAST_Z);
  lf inverse = load_entry_param(frame, strip, block, ENTRY_FIELD_INVERSE);
  lf u = place_along(frame, strip, block, 0, p.x, inverse, last_x);
  lf w = place_along(frame, strip, block, 1, p.z, inverse, last_z);
  lf i = lf_min(lf_floor(u), last_x), j = lf_min(lf_floor(w), last_z), fx = lf_sub(u, i), fz = lf_sub(w, j);
  struct corners corners;
  load_corners(&corners, frame, block, there, number, i, j, lf_add(stride, stride));
  lv3 f = {bilinear(corners.x, fx, fz), lf_zero(), bilinear(corners.z, fx, fz)};
  const lf one = lf_set1(1.0f);
  lf longest = lf_zero();
  for (int k = 0; k < 4; k++) {
    longest = lf_max(longest, lf_add(lf_mul(corners.x[k], corners.x[k]), lf_mul(corners.z[k], corners.z[k])));
  }
  lm clear = lf_greater_equal(lv3_dot(f, f, false), lf_mul(lf_min(longest, one), lf_set1(FLOW_LEAST * FLOW_LEAST)));
  lm left = lf_less(fx, lf_set1(0.5f)), low = lf_less(fz, lf_set1(0.5f));
  lv3 s = {nearest(corners.x, left, low), lf_zero(), nearest(corners.z, left, low)};
  lv3 way = {lf_sub(lf_select(left, lf_zero(), one), fx), lf_zero(), lf_sub(lf_select(low, lf_zero(), one), fz)};
  lm leads_to_it = lf_greater(lv3_dot(s, way, false), lf_zero());
  return lv3_select(clear, f, lv3_where(leads_to_it, s, false), false);
}

/* What vehicles want: they turn while they drive forward, except where the field is weak, as near its goal. */
LANES_INLINE lv3 turn_to(const struct frame *frame, const struct strip *strip, const struct entry_block *at, lv3 f,
                         lv3 wanted, lv3 v, bool spatial) {
  const struct entry_block block = *at;
  const lm none = lm_first(0);
  struct route route = {
      .backing = lf_zero(), .v = v, .dp = wanted, .places = none, .settles = none, .turns = none, .stops = none};
  route.limit = load_limit(frame, &block.groups, block.at, PARAM_MAX_ACCELERATION);
  route.time = ENTRY_VALUE(follow_field, time_to_target);
  route.near = lf_zero();
  THRONG_TABLE(find_route)(frame, &block, &route);
  return lv3_select(lf_greater(lv3_dot(f, f, false), lf_set1(0.25f)), route.way, wanted, spatial);
}

LANES_INLINE void follow_field_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  lf rate = lf_zero();
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_FOLLOW_FIELD)) continue;
    lv3 p = load_lv3(frame->front->f + COLUMN_POSITION_X, at, spatial),
        v = load_lv3(frame->front->f + COLUMN_VELOCITY_X, at, spatial);
    lf inverse = load_entry_param(frame, strip, &block, ENTRY_FIELD_INVERSE);
    lm there = lm_and(block.wants, lf_greater(inverse, lf_zero()));
    lv3 f = sample_field(frame, strip, &block, there, ENTRY_VALUE(follow_field, index), p);
    lf speed = load_desired_speed(frame, &block.groups, at);
    lv3 wanted = lv3_scale(lv3_clip(f, lf_set1(1.0f), spatial), speed, spatial);
    if (has_routes(frame)) wanted = turn_to(frame, strip, &block, f, wanted, v, spatial);
    lv3 change = lv3_sub(wanted, v, spatial);
    if (at == strip->begin || !block.groups.uniform) { /* the same for all blocks if there is one group */
      rate = lf_div(lf_set1(1.0f), ENTRY_VALUE(follow_field, time_to_target));
    }
    lf limit = load_wanted_limit(frame, &block.groups, at, PARAM_MAX_ACCELERATION);
    lv3 a = lv3_clip(lv3_scale(change, rate, spatial), limit, spatial);
    store_entry(frame, strip, &block, lv3_where(there, a, spatial), spatial);
  }
}
DEFINE_BEHAVIOUR(follow_field)
