/* passes/motion.c: from accelerations to velocities, positions, and who changes cell.
 * The formulas are those of ../ARITHMETIC.md, "Blend, integrate, constrain". SPDX-License-Identifier: MIT */
#include <float.h>

#include "boundary.h"
#include "cell_keys.h"

/* The three update rules (Millington 3.1.3), drag, the speed limit, and the world's boundary. */
LANES_INLINE void integrate_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  const lf dt = lf_set1(frame->dt), half_dt_sq = lf_set1(0.5f * frame->dt * frame->dt);
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    struct lane_groups groups;
    load_groups(&groups, frame, at);
    lv3 p = load_lv3(frame->front->f + COLUMN_POSITION_X, at, spatial);
    lv3 v = load_lv3(frame->front->f + COLUMN_VELOCITY_X, at, spatial);
    lv3 a = load_lv3(strip->acceleration, at - strip->begin, spatial);

    lv3 v1 = lv3_scale(lv3_add(v, lv3_scale(a, dt, spatial), spatial), load_param(frame, &groups, PARAM_DAMP), spatial);
    v1 = lv3_clip(v1, load_param(frame, &groups, PARAM_MAX_SPEED), spatial);
    lv3 step;
    switch (frame->def->update) {
    case THRONG_UPDATE_EXPLICIT:
      step = lv3_scale(v, dt, spatial);
      break;
    case THRONG_UPDATE_BALLISTIC:
      step = lv3_add(lv3_scale(v, dt, spatial), lv3_scale(a, half_dt_sq, spatial), spatial);
      break;
    default:
      step = lv3_scale(v1, dt, spatial);
      break;
    }
    p = lv3_add(p, step, spatial);
    contain_in_box(frame, &p, &v1, spatial);
    if (!frame->contact) wrap_round(frame, &p, spatial); /* contact measures ways, and wraps at its end */

    uint32_t lanes = lanes_left(at, strip->end);
    store_lv3(frame->back->f + COLUMN_POSITION_X, at, p, lanes, spatial);
    store_lv3(frame->back->f + COLUMN_VELOCITY_X, at, v1, lanes, spatial);
  }
}

static void integrate(const struct frame *frame, struct strip *strip) {
  if (frame->def->space == THRONG_SPATIAL) {
    integrate_strip(frame, strip, true);
  } else {
    integrate_strip(frame, strip, false);
  }
}

/* Running minimum and maximum of the lanes that are there. */
LANES_INLINE void widen(lf a, lm valid, lf *low, lf *high) {
  *low = lf_min(lf_select(valid, a, *low), *low);
  *high = lf_max(lf_select(valid, a, *high), *high);
}
LANES_INLINE void reduce_bounds(lf low, lf high, float *min, float *max) {
  const float lowest = lf_lowest(low), highest = lf_highest(high);
  *min = lowest < *min ? lowest : *min;
  *max = highest > *max ? highest : *max;
}
/* Where agents may end along an axis: within the grid's limit and the faces, from which a leap of so many lengths that the wrap rounds
 * has no place to end may lead out. */
struct interval {
  lf low, high;
};
LANES_INLINE struct interval interval_of(const struct frame *frame, float min, float max) {
  const float limit = frame->grid->limit;
  const throng_boundary boundary = frame->def->boundary;
  const bool below = boundary != THRONG_UNBOUNDED && min > -limit, above = boundary != THRONG_UNBOUNDED && max <= limit;
  const float most = boundary == THRONG_PERIODIC ? scalar_next_below(max) : max;
  return (struct interval){lf_set1(below ? min : -limit), lf_set1(above ? most : limit)};
}
LANES_INLINE lm inside_where(lm where, const struct interval *interval, lf p) {
  return lf_less_equal_where(lf_less_equal_where(where, p, interval->high), interval->low, p);
}
LANES_INLINE lm slow_where(lm where, lf v) { return lf_less_equal_where(where, lf_abs(v), lf_set1(MOST_SPEED)); }

static void remember_bad(const struct frame *frame, struct strip *strip, uint32_t at, uint32_t bad_lanes) {
  for (uint32_t k = 0; bad_lanes >> k; k++) {
    uint32_t id = frame->front->id[at + k];
    if ((bad_lanes >> k & 1) && (strip->bad_id == 0 || id < strip->bad_id)) strip->bad_id = id;
  }
}

/* The last look at the new state: is everything finite and in range, where does it lie, who has changed cell? */
LANES_INLINE void settle_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  float *const *f = frame->back->f;
  const throng_world_def *def = frame->def;
  const struct key_axes axes = key_axes(frame->grid, &frame->grid->next);
  struct changes changes;
  uint32_t count = 0;
  const struct interval x = interval_of(frame, def->box_min.x, def->box_max.x),
                        y = interval_of(frame, def->box_min.y, def->box_max.y),
                        z = interval_of(frame, def->box_min.z, def->box_max.z);
  const bool steered = frame->groups->features & FEATURE_STEERED_YAW;
  lv3 low = {lf_set1(FLT_MAX), lf_set1(FLT_MAX), lf_set1(FLT_MAX)};
  lv3 high = {lf_set1(-FLT_MAX), lf_set1(-FLT_MAX), lf_set1(-FLT_MAX)};
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    uint32_t lanes = lanes_left(at, strip->end);
    lm valid = lm_first(lanes);
    lv3 p = load_lv3_first(f + COLUMN_POSITION_X, at, lanes, spatial);
    lv3 v = load_lv3_first(f + COLUMN_VELOCITY_X, at, lanes, spatial);
    lf turn = lf_load_first(f[COLUMN_FACING_X] + at, lanes);

    lm good = inside_where(inside_where(valid, &x, p.x), &z, p.z);
    good = slow_where(slow_where(good, v.x), v.z);
    if (spatial) {
      good = slow_where(inside_where(good, &y, p.y), v.y);
      turn = lf_add(
          turn, lf_add(lf_load_first(f[COLUMN_FACING_Y] + at, lanes), lf_load_first(f[COLUMN_FACING_Z] + at, lanes)));
    } else if (steered) {
      turn = lf_add(turn, lf_load_first(f[COLUMN_YAW_RATE] + at, lanes));
    }
    good = lm_and(good, lf_is_finite(turn));
    uint32_t bad_lanes = lm_bits(lm_without(valid, good));
    if (bad_lanes) remember_bad(frame, strip, at, bad_lanes);

    widen(p.x, valid, &low.x, &high.x);
    if (spatial) widen(p.y, valid, &low.y, &high.y);
    widen(p.z, valid, &low.z, &high.z);
    lu_store(changes.next + (at - strip->begin), cell_key(&axes, p, spatial));
    count += add_changes(&changes, count, strip, at - strip->begin, valid);
  }
  list_strip_movers(&changes, count, frame->grid, strip);
  reduce_bounds(low.x, high.x, &strip->bounds_min[0], &strip->bounds_max[0]);
  if (spatial) reduce_bounds(low.y, high.y, &strip->bounds_min[1], &strip->bounds_max[1]);
  reduce_bounds(low.z, high.z, &strip->bounds_min[2], &strip->bounds_max[2]);
}

static void settle(const struct frame *frame, struct strip *strip) {
  if (frame->def->space == THRONG_SPATIAL) {
    settle_strip(frame, strip, true);
  } else {
    settle_strip(frame, strip, false);
  }
}

const struct motion_passes THRONG_TABLE(motion) = {integrate, THRONG_TABLE(spin), THRONG_TABLE(face), settle,
                                                   THRONG_TABLE(crossers)};
