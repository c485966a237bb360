/* passes/motion.c: from accelerations to velocities, positions, and the keys of the next index.
 * The formulas are those of ../ARITHMETIC.md, "Blend, integrate, constrain". SPDX-License-Identifier: MIT */
#include <float.h>

#include "boundary.h"

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

/* The cell along one axis, modulo the torus; the same arithmetic as throng_grid_cell. */
LANES_INLINE lu torus_cell(const struct grid_axis *axis, uint32_t bits, lf coordinate) {
  lu cell = lf_floor_int(lf_mul(lf_sub(coordinate, lf_set1(axis->origin)), lf_set1(axis->inverse)));
  if (axis->period) {
    lu last = lu_set1((uint32_t)axis->period - 1);
    cell = lu_select(lu_less_signed(cell, lu_set1(0)), lu_set1(0), cell);
    cell = lu_select(lu_less_signed(last, cell), last, cell);
  }
  return lu_and(cell, lu_set1((1u << bits) - 1));
}
/* x << bits, for a shift that is not a constant. */
LANES_INLINE lu shift_left(lu x, uint32_t bits) { return lu_mul(x, lu_set1(1u << bits)); }

LANES_INLINE lu cell_key(const struct grid *grid, lv3 p, bool spatial) {
  const struct torus *torus = &grid->next;
  lu row = torus_cell(&grid->axis[2], torus->bits_z, p.z);
  if (spatial) row = lu_or(shift_left(row, torus->bits_y), torus_cell(&grid->axis[1], torus->bits_y, p.y));
  return lu_or(shift_left(row, torus->bits_x), torus_cell(&grid->axis[0], torus->bits_x, p.x));
}

LANES_INLINE void keys_range(const struct grid *grid, const struct columns *columns, uint32_t begin, uint32_t end,
                             uint32_t *key, bool spatial) {
  for (uint32_t at = begin; at < end; at += LANES) {
    lv3 p = load_lv3(columns->f + COLUMN_POSITION_X, at, spatial);
    lu_store_first(key + at, cell_key(grid, p, spatial), lanes_left(at, end));
  }
}
static void keys(const struct grid *grid, const struct columns *columns, uint32_t begin, uint32_t end, uint32_t *key) {
  if (grid->spatial) {
    keys_range(grid, columns, begin, end, key, true);
  } else {
    keys_range(grid, columns, begin, end, key, false);
  }
}

/* Running minimum and maximum of the lanes that are there. */
LANES_INLINE void widen(lf a, lm valid, lf *low, lf *high) {
  *low = lf_min(lf_select(valid, a, *low), *low);
  *high = lf_max(lf_select(valid, a, *high), *high);
}
LANES_INLINE void reduce_bounds(lf low, lf high, float *min, float *max) {
  float l[LANES], h[LANES];
  lf_store(l, low);
  lf_store(h, high);
  for (int k = 0; k < LANES; k++) {
    *min = l[k] < *min ? l[k] : *min;
    *max = h[k] > *max ? h[k] : *max;
  }
}
LANES_INLINE lm in_range(lf p, float limit) { return lf_less_equal(lf_abs(p), lf_set1(limit)); }
/* Inside the faces: a leap of so many lengths that the wrap rounds has no place to end. */
LANES_INLINE lm inside(const throng_world_def *def, lf p, float min, float max) {
  if (def->boundary == THRONG_UNBOUNDED) return lf_equal(p, p);
  lm below = def->boundary == THRONG_PERIODIC ? lf_less(p, lf_set1(max)) : lf_less_equal(p, lf_set1(max));
  return lm_and(lf_greater_equal(p, lf_set1(min)), below);
}

static void remember_bad(const struct frame *frame, struct strip *strip, uint32_t at, uint32_t bad_lanes) {
  for (uint32_t k = 0; bad_lanes >> k; k++) {
    uint32_t id = frame->front->id[at + k];
    if ((bad_lanes >> k & 1) && (strip->bad_id == 0 || id < strip->bad_id)) strip->bad_id = id;
  }
}

/* The last look at the new state: is everything finite and in range, where does it lie, which cell is it in? */
LANES_INLINE void settle_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  float *const *f = frame->back->f;
  const struct grid *grid = frame->grid;
  const throng_world_def *def = frame->def;
  lv3 low = {lf_set1(FLT_MAX), lf_set1(FLT_MAX), lf_set1(FLT_MAX)};
  lv3 high = {lf_set1(-FLT_MAX), lf_set1(-FLT_MAX), lf_set1(-FLT_MAX)};
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    uint32_t lanes = lanes_left(at, strip->end);
    lm valid = lm_first(lanes);
    lv3 p = load_lv3_first(f + COLUMN_POSITION_X, at, lanes, spatial);
    lv3 v = load_lv3_first(f + COLUMN_VELOCITY_X, at, lanes, spatial);
    lf turn = lf_load_first(f[COLUMN_FACING_X] + at, lanes);

    lm good = lm_and(in_range(p.x, grid->limit), in_range(p.z, grid->limit));
    good = lm_and(good, lm_and(inside(def, p.x, def->box_min.x, def->box_max.x),
                               inside(def, p.z, def->box_min.z, def->box_max.z)));
    good = lm_and(good, lm_and(in_range(v.x, MOST_SPEED), in_range(v.z, MOST_SPEED)));
    if (spatial) {
      good = lm_and(good, lm_and(in_range(p.y, grid->limit), in_range(v.y, MOST_SPEED)));
      good = lm_and(good, inside(def, p.y, def->box_min.y, def->box_max.y));
      turn = lf_add(
          turn, lf_add(lf_load_first(f[COLUMN_FACING_Y] + at, lanes), lf_load_first(f[COLUMN_FACING_Z] + at, lanes)));
    } else if (frame->groups->features & FEATURE_STEERED_YAW) {
      turn = lf_add(turn, lf_load_first(f[COLUMN_YAW_RATE] + at, lanes));
    }
    good = lm_and(good, lf_is_finite(turn));
    uint32_t bad_lanes = lm_bits(lm_without(valid, good));
    if (bad_lanes) remember_bad(frame, strip, at, bad_lanes);

    widen(p.x, valid, &low.x, &high.x);
    if (spatial) widen(p.y, valid, &low.y, &high.y);
    widen(p.z, valid, &low.z, &high.z);
    lu_store_first(grid->key + at, cell_key(grid, p, spatial), lanes);
  }
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

const struct motion_passes THRONG_TABLE(motion) = {integrate, THRONG_TABLE(spin), THRONG_TABLE(face), settle, keys};
