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

/* What one axis adds to a key: the cell's number, modulo the torus, in units of `unit`. */
struct key_axis {
  lf origin, inverse;
  bool periodic;
  lu last, mask, unit;
};
LANES_INLINE struct key_axis key_axis(const struct grid_axis *axis, uint32_t bits, uint32_t bits_below) {
  return (struct key_axis){.origin = lf_set1(axis->origin),
                           .inverse = lf_set1(axis->inverse),
                           .periodic = axis->period != 0,
                           .last = lu_set1((uint32_t)axis->period - 1),
                           .mask = lu_set1((1u << bits) - 1),
                           .unit = lu_set1(1u << bits_below)};
}
/* The same arithmetic as throng_grid_cell. */
LANES_INLINE lu torus_cell(const struct key_axis *axis, lf coordinate) {
  lu cell = lf_floor_int(lf_mul(lf_sub(coordinate, axis->origin), axis->inverse));
  if (axis->periodic) {
    cell = lu_select(lu_less_signed(cell, lu_set1(0)), lu_set1(0), cell);
    cell = lu_select(lu_less_signed(axis->last, cell), axis->last, cell);
  }
  return lu_and(cell, axis->mask);
}

struct key_axes {
  struct key_axis x, y, z;
};
LANES_INLINE struct key_axes key_axes(const struct grid *grid) {
  const struct torus *torus = &grid->next;
  return (struct key_axes){.x = key_axis(&grid->axis[0], torus->bits_x, 0),
                           .y = key_axis(&grid->axis[1], torus->bits_y, torus->bits_x),
                           .z = key_axis(&grid->axis[2], torus->bits_z, torus->bits_x + torus->bits_y)};
}
LANES_INLINE lu cell_key(const struct key_axes *axes, lv3 p, bool spatial) {
  lu key = lu_or(lu_mul(torus_cell(&axes->z, p.z), axes->z.unit), torus_cell(&axes->x, p.x));
  return spatial ? lu_or(key, lu_mul(torus_cell(&axes->y, p.y), axes->y.unit)) : key;
}

LANES_INLINE void keys_range(const struct grid *grid, const struct columns *columns, uint32_t begin, uint32_t end,
                             uint32_t *key, bool spatial) {
  const struct key_axes axes = key_axes(grid);
  for (uint32_t at = begin; at < end; at += LANES) {
    lv3 p = load_lv3(columns->f + COLUMN_POSITION_X, at, spatial);
    lu_store_first(key + at, cell_key(&axes, p, spatial), lanes_left(at, end));
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
/* Where agents may end along an axis: within the grid's limit and the faces, from which a leap of so many lengths that the wrap rounds
 * has no place to end may lead out. */
struct interval {
  lf low, high;
  bool open; /* high is not in it */
};
LANES_INLINE struct interval interval_of(const struct frame *frame, float min, float max) {
  const float limit = frame->grid->limit;
  const throng_boundary boundary = frame->def->boundary;
  const bool below = boundary != THRONG_UNBOUNDED && min > -limit, above = boundary != THRONG_UNBOUNDED && max <= limit;
  return (struct interval){lf_set1(below ? min : -limit), lf_set1(above ? max : limit),
                           above && boundary == THRONG_PERIODIC};
}
LANES_INLINE lm inside(const struct interval *interval, lf p) {
  lm below = interval->open ? lf_less(p, interval->high) : lf_less_equal(p, interval->high);
  return lm_and(below, lf_greater_equal(p, interval->low));
}
LANES_INLINE lm slow(lf v) { return lf_less_equal(lf_abs(v), lf_set1(MOST_SPEED)); }

static void remember_bad(const struct frame *frame, struct strip *strip, uint32_t at, uint32_t bad_lanes) {
  for (uint32_t k = 0; bad_lanes >> k; k++) {
    uint32_t id = frame->front->id[at + k];
    if ((bad_lanes >> k & 1) && (strip->bad_id == 0 || id < strip->bad_id)) strip->bad_id = id;
  }
}

/* The last look at the new state: is everything finite and in range, where does it lie, which cell is it in? */
LANES_INLINE void settle_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  float *const *f = frame->back->f;
  uint32_t *key = frame->grid->key;
  const throng_world_def *def = frame->def;
  const struct key_axes axes = key_axes(frame->grid);
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

    lm good = lm_and(lm_and(inside(&x, p.x), inside(&z, p.z)), lm_and(slow(v.x), slow(v.z)));
    if (spatial) {
      good = lm_and(good, lm_and(inside(&y, p.y), slow(v.y)));
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
    lu_store_first(key + at, cell_key(&axes, p, spatial), lanes);
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

const struct motion_passes THRONG_TABLE(motion) = {integrate, THRONG_TABLE(spin),     THRONG_TABLE(face),
                                                   settle,    THRONG_TABLE(crossers), keys};
