/* settle.c: checks that agents are finite, inside the world and not too fast, and finds their bounds. settle does it
 * at the end of a frame, and lists the movers; inspect does it for columns that the host may have written.
 * SPDX-License-Identifier: MIT */
#include <float.h>

#include "passes/index/cell_keys.h"

/* The interval of an axis in which agents may be. Usually wrapping keeps an agent inside. A jump of very many box
 * lengths can end outside, because the wrap itself rounds. */
struct interval {
  lf low, high;
};
struct room {
  struct interval x, y, z;
};
LANES_INLINE struct room room_of(const float low[3], const float high[3]) {
  return (struct room){
      {lf_set1(low[0]), lf_set1(high[0])}, {lf_set1(low[1]), lf_set1(high[1])}, {lf_set1(low[2]), lf_set1(high[2])}};
}
LANES_INLINE lm inside_where(lm where, const struct interval *interval, lf p) {
  return lf_less_equal_where(lf_less_equal_where(where, p, interval->high), interval->low, p);
}
LANES_INLINE lm slow_where(lm where, lf v) { return lf_less_equal_where(where, lf_abs(v), lf_set1(MOST_SPEED)); }
/* The lanes of `where` that are inside and not too fast. A NaN fails both tests. */
LANES_INLINE lm good_where(lm where, const struct room *room, lv3 p, lv3 v, bool spatial) {
  where = inside_where(inside_where(where, &room->x, p.x), &room->z, p.z);
  where = slow_where(slow_where(where, v.x), v.z);
  return spatial ? slow_where(inside_where(where, &room->y, p.y), v.y) : where;
}
static void remember_bad(const uint32_t *id, struct strip *strip, uint32_t bad_lanes) {
  for (uint32_t k = 0; bad_lanes >> k; k++) {
    if ((bad_lanes >> k & 1) && (strip->bad_id == 0 || id[k] < strip->bad_id)) strip->bad_id = id[k];
  }
}

/* Running minimum and maximum over valid lanes. */
struct bounds {
  lv3 low, high;
};
LANES_INLINE struct bounds no_bounds(void) {
  const lf low = lf_set1(FLT_MAX), high = lf_set1(-FLT_MAX);
  return (struct bounds){{low, low, low}, {high, high, high}};
}
LANES_INLINE void widen(lf a, lm valid, lf *low, lf *high) {
  *low = lf_min(lf_select(valid, a, *low), *low);
  *high = lf_max(lf_select(valid, a, *high), *high);
}
LANES_INLINE void widen_bounds(struct bounds *bounds, lv3 p, lm valid, bool spatial) {
  widen(p.x, valid, &bounds->low.x, &bounds->high.x);
  if (spatial) widen(p.y, valid, &bounds->low.y, &bounds->high.y);
  widen(p.z, valid, &bounds->low.z, &bounds->high.z);
}
LANES_INLINE void reduce_axis(lf low, lf high, float *min, float *max) {
  const float lowest = lf_lowest(low), highest = lf_highest(high);
  *min = lowest < *min ? lowest : *min;
  *max = highest > *max ? highest : *max;
}
LANES_INLINE void reduce_bounds(const struct bounds *bounds, struct strip *strip, bool spatial) {
  reduce_axis(bounds->low.x, bounds->high.x, &strip->bounds_min[0], &strip->bounds_max[0]);
  if (spatial) reduce_axis(bounds->low.y, bounds->high.y, &strip->bounds_min[1], &strip->bounds_max[1]);
  reduce_axis(bounds->low.z, bounds->high.z, &strip->bounds_min[2], &strip->bounds_max[2]);
}

/* Returns the sum of the values of a facing, and of the yaw rate if `steered`. The sum is finite only if all values
 * are. */
LANES_INLINE lf turn_of(float *const *f, bool steered, uint32_t at, uint32_t lanes, bool spatial) {
  lf turn = lf_load_first(f[COLUMN_FACING_X] + at, lanes);
  if (spatial) {
    turn = lf_add(turn,
                  lf_add(lf_load_first(f[COLUMN_FACING_Y] + at, lanes), lf_load_first(f[COLUMN_FACING_Z] + at, lanes)));
  }
  return steered ? lf_add(turn, lf_load_first(f[COLUMN_YAW_RATE] + at, lanes)) : turn;
}

LANES_INLINE void settle_strip(const struct frame *frame, struct strip *strip, bool spatial) {
  ASSERT_ALONE(strip->end - strip->begin <= STRIP_AGENTS);
  float *const *f = frame->back->f;
  const struct key_axes axes = key_axes(frame->grid, &frame->grid->next);
  const struct room room = room_of(frame->grid->space->low, frame->grid->space->high);
  const bool steered = frame->groups->features & FEATURE_STEERED_YAW;
  struct bounds bounds = no_bounds();
  struct changes changes;
  uint32_t count = 0;
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    const uint32_t lanes = lanes_left(at, strip->end);
    const lm valid = lm_first(lanes);
    const lv3 p = load_lv3_first(f + COLUMN_POSITION_X, at, lanes, spatial);
    const lv3 v = load_lv3_first(f + COLUMN_VELOCITY_X, at, lanes, spatial);
    lm good = good_where(valid, &room, p, v, spatial);
    good = lm_and(good, lf_is_finite(turn_of(f, steered, at, lanes, spatial)));
    const uint32_t bad_lanes = lm_bits(lm_without(valid, good));
    if (bad_lanes) remember_bad(frame->front->id + at, strip, bad_lanes);

    widen_bounds(&bounds, p, valid, spatial);
    lu_store(changes.next + (at - strip->begin), cell_key(&axes, p, spatial));
    count += add_changes(&changes, count, strip, at - strip->begin, valid);
  }
  list_strip_movers(&changes, count, frame->grid, strip);
  reduce_bounds(&bounds, strip, spatial);
}

void THRONG_TABLE(settle)(const struct frame *frame, struct strip *strip) {
  CALL_IN_SPACE(is_spatial(frame), settle_strip, frame, strip);
}

/* Moves positions that the host wrote on a face of the box to the nearest position inside, and those on the far face of
 * a periodic axis to the near face. */
LANES_INLINE lf off_face(const struct space *space, int k, float low, float high, lf p) {
  if (space->boundary[k] == THRONG_BOUNDARY_UNBOUNDED) return p;
  p = lf_select(lf_equal(p, lf_set1(high)), lf_set1(space->axis[k].period ? low : space->high[k]), p);
  return lf_select(lf_equal(p, lf_set1(low)), lf_set1(space->low[k]), p);
}
LANES_INLINE lv3 off_faces(const throng_world_def *def, const struct space *space, lv3 p, bool spatial) {
  p.x = off_face(space, 0, def->box_min.x, def->box_max.x, p.x);
  if (spatial) p.y = off_face(space, 1, def->box_min.y, def->box_max.y, p.y);
  p.z = off_face(space, 2, def->box_min.z, def->box_max.z, p.z);
  return p;
}

LANES_INLINE void inspect_slots(const throng_world_def *def, const struct grid *grid, const struct columns *columns,
                                struct strip *strip, bool spatial) {
  float *const *f = columns->f;
  const struct room room = room_of(grid->space->low, grid->space->high);
  const float *height = spatial ? NULL : f[COLUMN_POSITION_Y]; /* throng does not use it, but it must be finite */
  struct bounds bounds = no_bounds();
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    const uint32_t lanes = lanes_left(at, strip->end);
    const lm valid = lm_first(lanes);
    lv3 p = load_lv3_first(f + COLUMN_POSITION_X, at, lanes, spatial);
    if (grid->space->box || grid->space->periodic) {
      p = off_faces(def, grid->space, p, spatial);
      store_lv3(f + COLUMN_POSITION_X, at, p, lanes, spatial);
    }
    lm good = good_where(valid, &room, p, load_lv3(f + COLUMN_VELOCITY_X, at, spatial), spatial);
    if (height) good = lm_and(good, lf_is_finite(lf_load(height + at)));
    const uint32_t bad_lanes = lm_bits(lm_without(valid, good));
    if (bad_lanes) remember_bad(columns->id + at, strip, bad_lanes);
    widen_bounds(&bounds, p, valid, spatial);
  }
  reduce_bounds(&bounds, strip, spatial);
}

void THRONG_TABLE(inspect)(const throng_world_def *def, const struct grid *grid, const struct columns *columns,
                           struct strip *strip) {
  CALL_IN_SPACE(grid->space->spatial, inspect_slots, def, grid, columns, strip);
}
