/* passes/follow_field.c: following a flow field (Reynolds 1999). The formula is that of ../ARITHMETIC.md, "Behaviours".
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "entry.h"

/* From the first sample on, in cells, kept among the samples. */
LANES_INLINE lf place_along(lf coordinate, lf origin, lf inverse, lf last) {
  lf place = lf_sub(lf_mul(lf_sub(coordinate, origin), inverse), lf_set1(0.5f));
  return lf_min(lf_max(place, lf_zero()), last);
}

/* The x and z of a lane's four samples: (i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1). */
struct corners {
  lf x[4], z[4];
};

/* Two loads of four floats a lane (neighbouring samples lie in one or two cache lines, and there may be many fields), then a
 * transposition that compilers make of shuffles. */
LANES_INLINE void load_corners(struct corners *corners, const struct frame *frame, lm there, lf number, lf i, lf j) {
  static const float none[4];
  uint32_t field_of[LANES], column[LANES], row[LANES];
  float sample[2][LANES][4], value[8][LANES];
  lu_store(field_of, lf_truncate(number));
  lu_store(column, lf_truncate(i));
  lu_store(row, lf_truncate(j));
  const uint32_t bits = lm_bits(there);
  for (uint32_t k = 0; k < LANES; k++) {
    const bool here = bits >> k & 1;
    const struct flow_field *field = &frame->flow_field[here ? field_of[k] : 0];
    const float *low = here ? field->vectors + (size_t)field->stride * row[k] + 2 * column[k] : none;
    memcpy(sample[0][k], low, sizeof none);
    memcpy(sample[1][k], here ? low + field->stride : none, sizeof none);
  }
  for (uint32_t k = 0; k < LANES; k++) {
    for (int c = 0; c < 8; c++) value[c][k] = sample[c / 4][k][c % 4];
  }
  for (int c = 0; c < 4; c++) {
    corners->x[c] = lf_load(value[2 * c]);
    corners->z[c] = lf_load(value[2 * c + 1]);
  }
}

LANES_INLINE lf mix(lf a, lf b, lf part) { return lf_add(a, lf_mul(lf_sub(b, a), part)); }
LANES_INLINE lf bilinear(const lf corner[4], lf fx, lf fz) {
  return mix(mix(corner[0], corner[1], fx), mix(corner[2], corner[3], fx), fz);
}
LANES_INLINE lf nearest(const lf corner[4], lm left, lm low) {
  return lf_select(low, lf_select(left, corner[0], corner[1]), lf_select(left, corner[2], corner[3]));
}

/* The field at p, for the lanes that are there. */
LANES_INLINE lv3 sample_field(const struct frame *frame, const struct strip *strip, const struct entry_block *block,
                              lm there, lf number, lv3 p) {
  lf inverse = load_entry_param(frame, strip, block, ENTRY_FIELD_INVERSE);
  lf u = place_along(p.x, load_entry_param(frame, strip, block, ENTRY_FIELD_ORIGIN_X), inverse,
                     load_entry_param(frame, strip, block, ENTRY_FIELD_LAST_X));
  lf w = place_along(p.z, load_entry_param(frame, strip, block, ENTRY_FIELD_ORIGIN_Z), inverse,
                     load_entry_param(frame, strip, block, ENTRY_FIELD_LAST_Z));
  lf i = lf_floor(u), j = lf_floor(w), fx = lf_sub(u, i), fz = lf_sub(w, j);
  struct corners corners;
  load_corners(&corners, frame, there, number, i, j);
  lv3 f = {bilinear(corners.x, fx, fz), lf_zero(), bilinear(corners.z, fx, fz)};
  lm clear = lf_greater(lv3_dot(f, f, false), lf_zero());
  lm left = lf_less(fx, lf_set1(0.5f)), low = lf_less(fz, lf_set1(0.5f));
  f.x = lf_select(clear, f.x, nearest(corners.x, left, low));
  f.z = lf_select(clear, f.z, nearest(corners.z, left, low));
  return f;
}

LANES_INLINE void follow_field_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct entry_block block;
    if (!load_entry(&block, frame, strip, at, THRONG_BEHAVIOUR_FOLLOW_FIELD)) continue;
    lv3 p = load_lv3(frame->front->f + COLUMN_POSITION_X, at, spatial),
        v = load_lv3(frame->front->f + COLUMN_VELOCITY_X, at, spatial);
    lf inverse = load_entry_param(frame, strip, &block, ENTRY_FIELD_INVERSE);
    lm there = lm_and(block.wants, lf_greater(inverse, lf_zero()));
    lv3 f = sample_field(frame, strip, &block, there, ENTRY_VALUE(follow_field.field), p);
    lf speed = load_param(frame, &block.groups, PARAM_DESIRED_SPEED);
    lv3 change = lv3_sub(lv3_scale(f, lf_mul(speed, lv3_inv_len(f, spatial)), spatial), v, spatial);
    lf rate = lf_div(lf_set1(1.0f), ENTRY_VALUE(follow_field.time_to_target));
    lv3 a = lv3_clip(lv3_scale(change, rate, spatial), load_limit(frame, &block.groups, at, PARAM_MAX_ACCELERATION),
                     spatial);
    store_entry(frame, strip, &block, lv3_where(there, a, spatial), spatial);
  }
}
DEFINE_BEHAVIOUR(follow_field)
