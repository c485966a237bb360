/* encounters.c: finds the agents that scenery, blocked cells or the limits of a sweep may stop. Only these few need the
 * exact tests of frame/constrain.c. All comparisons leave room for rounding.
 * SPDX-License-Identifier: MIT */
#include <math.h>

#include "base/arithmetic.h"
#include "base/compiler.h"
#include "passes/block.h"
#include "scenery/scenery_internal.h"

/* Scenery cells. */

/* The scenery cells along an axis; positions are limited to the cells from `before` to `beyond`. `slack` bounds the
 * error of a position in cells: 8 * 2^-24 times the largest position. The offset, the inverse, the product, the sum
 * with the slack and the far edge each have a relative error of at most 2^-24. */
struct cell_axis {
  lf origin, inverse, before, beyond, slack;
};
LANES_INLINE struct cell_axis cell_axis(const struct cells *cells, int axis) {
  const float origin = cells_origin(cells, axis), size = (float)cells_count(cells, axis);
  const float more = cells->repeats[axis] ? 2.0f * size : 0.0f, farthest = fabsf(origin) + (size + more) * cells->cell;
  return (struct cell_axis){lf_set1(origin), lf_set1(1.0f / cells->cell), lf_set1(-0.5f - more),
                            lf_set1(size + 0.5f + more), lf_set1(farthest / cells->cell * 0x1p-21f)};
}
/* A position in cells from the origin; positions outside of the map are limited to half a cell beyond it. A map that
 * repeats does so twice to each side: its origin is in the box, and sweeps end at most half a period beyond the box. */
LANES_INLINE lf place_in_cells(const struct cell_axis *axis, lf p) {
  lf place = lf_mul(lf_sub(p, axis->origin), axis->inverse);
  return lf_min(lf_max(place, axis->before), axis->beyond);
}

/* The cells of a block's moves along an axis: that of the start, and how many cells a move may lead away from it. */
struct cell_moves {
  _Alignas(64) uint32_t start[LANES], away[LANES];
};
/* Returns the lanes that may leave their cell. */
LANES_INLINE lm find_cell_moves(const struct cells *cells, int k, lf from, lf to, struct cell_moves *moves) {
  const struct cell_axis axis = cell_axis(cells, k);
  const lf a = place_in_cells(&axis, from), b = place_in_cells(&axis, to);
  const lf low = lf_floor(lf_sub(lf_min(a, b), axis.slack)), high = lf_floor(lf_add(lf_max(a, b), axis.slack));
  lu_store(moves->start, lf_floor_int(a));
  lu_store(moves->away, lf_truncate(lf_sub(high, low)));
  return lf_less(low, high);
}
static inline size_t cell_of_map(const struct cells *cells, int axis, int32_t cell) {
  const int32_t count = (int32_t)cells_count(cells, axis);
  if (cells->repeats[axis]) return (size_t)cells_repeated(cell, (uint32_t)count);
  return cell < 0 ? 0 : (size_t)(cell < count ? cell : count - 1);
}
/* The bits of the lanes of `asked` that may come to a blocked cell. */
static OUT_OF_LINE uint32_t bits_to_blocked(const struct cells *cells, uint32_t asked,
                                            const struct cell_moves moves[2]) {
  uint32_t bits = 0;
  for (; asked; asked &= asked - 1) {
    const uint32_t k = lowest_bit(asked);
    const size_t x = cell_of_map(cells, 0, (int32_t)moves[0].start[k]);
    const size_t z = cell_of_map(cells, 1, (int32_t)moves[1].start[k]);
    const uint32_t away_x = moves[0].away[k], away_z = moves[1].away[k], away = away_x > away_z ? away_x : away_z;
    bits |= (uint32_t)(cells->steps[z * cells->width + x] <= away) << k;
  }
  return bits;
}
LANES_INLINE uint32_t bits_near_blocked(const struct cells *cells, lm who, lv3 from, lv3 to) {
  struct cell_moves moves[2];
  const lm leave_x = find_cell_moves(cells, 0, from.x, to.x, &moves[0]);
  const lm leave_z = find_cell_moves(cells, 1, from.z, to.z, &moves[1]);
  return bits_to_blocked(cells, lm_bits(lm_and(who, lm_or(leave_x, leave_z))), moves);
}

/* Shapes. */

/* Moves of a block. `need`: the distance from the start within which shapes count, and more than rounding errors. */
struct reaches {
  lv3 p;
  lf need;
};
LANES_INLINE struct reaches reaches_of(const struct frame *frame, uint32_t at, lv3 from, lv3 way, bool spatial) {
  struct lane_groups groups;
  load_groups(&groups, frame, at);
  const lf body = load_own_or_param(frame, &groups, at, COLUMN_BODY_RADIUS, PARAM_BODY_RADIUS);
  const lf reach = lf_add(lf_sqrt(lv3_dot(way, way, spatial)), body);
  lf size = lf_add(lf_add(lf_abs(from.x), lf_abs(from.z)), lf_add(reach, lf_set1(frame->grid->space->radius)));
  if (spatial) size = lf_add(size, lf_abs(from.y));
  return (struct reaches){from, lf_add(reach, lf_mul(size, lf_set1(0x1p-17f)))};
}

/* The lanes within their need of a plane. */
LANES_INLINE lm near_planes(const struct scenery *scenery, const struct reaches *reaches) {
  lm near = lm_first(0);
  for (uint32_t k = scenery_first_plane(scenery); k < scenery->shapes; k++) {
    const struct shape *plane = &scenery->shape[k];
    const float offset = (float)vec_dot(vec_of(plane->a), vec_of(plane->b));
    const lv3 normal = {lf_set1(plane->a[0]), lf_set1(plane->a[1]), lf_set1(plane->a[2])};
    const lf distance = lf_sub(lv3_dot(reaches->p, normal, true), lf_set1(offset));
    const lf need = lf_add(reaches->need, lf_set1(fabsf(offset) * 0x1p-20f));
    near = lm_or(near, lm_without(lm_first(LANES), lf_less_equal(need, distance)));
  }
  return near;
}

LANES_INLINE lf outside_along(const struct distance_table *distances, int axis, lf p) {
  return lf_max(lf_sub(lf_set1(distances->low[axis]), p), lf_sub(p, lf_set1(distances->high[axis])));
}
LANES_INLINE void store_cells_along(uint32_t cell[LANES], const struct distance_table *distances, int axis, lf p) {
  const lf place = lf_mul(lf_sub(p, lf_set1(distances->low[axis])), lf_set1(distances->inverse));
  const lf last = lf_set1((float)(distances->count[axis] - 1));
  lu_store(cell, lf_truncate(lf_min(lf_max(place, lf_zero()), last)));
}
/* The bits of the lanes of `asked` that are not surely clear of shapes: distance_table_is_clear() for a block. */
LANES_INLINE uint32_t bits_near_shapes(const struct distance_table *distances, lm asked, const struct reaches *reaches,
                                       bool spatial) {
  _Alignas(64) uint32_t cell[3][LANES];
  _Alignas(64) float need[LANES];
  const lv3 p = reaches->p;
  lf outside = lf_max(outside_along(distances, 0, p.x), outside_along(distances, 2, p.z));
  if (spatial) outside = lf_max(outside, outside_along(distances, 1, p.y));
  const uint32_t left = lm_bits(lm_without(asked, lf_less_equal(reaches->need, outside)));
  if (!left) return 0;
  store_cells_along(cell[0], distances, 0, p.x);
  if (spatial) store_cells_along(cell[1], distances, 1, p.y);
  store_cells_along(cell[2], distances, 2, p.z);
  lf_store(need, lf_mul(reaches->need, lf_set1(distances->inverse * (1.0f + 0x1p-20f))));
  uint32_t bits = 0;
  for (uint32_t k = 0; left >> k; k++) {
    const size_t row = (size_t)cell[2][k] * distances->count[1] + (spatial ? cell[1][k] : 0);
    bits |= (uint32_t) !(need[k] <= (float)distances->steps[row * distances->count[0] + cell[0][k]]) << k;
  }
  return bits & left;
}

/* The lanes that end beyond the limits of a sweep. */
LANES_INLINE lm beyond_limits(const struct space *space, lv3 to, bool spatial) {
  const lf p[3] = {to.x, to.y, to.z};
  lm within = lm_first(LANES);
  for (int c = 0; c < 3; c += spatial ? 1 : 2) {
    within = lm_and(within, lf_greater_equal(p[c], lf_set1(space->sweep_low[c])));
    within = lm_and(within, lf_less_equal(p[c], lf_set1(space->sweep_high[c])));
  }
  return lm_without(lm_first(LANES), within);
}

LANES_INLINE lm has_moved(lv3 from, lv3 to, bool spatial) {
  lm same = lm_and(lf_equal(from.x, to.x), lf_equal(from.z, to.z));
  if (spatial) same = lm_and(same, lf_equal(from.y, to.y));
  return lm_without(lm_first(LANES), same);
}

LANES_INLINE uint32_t encounters_of(const struct frame *frame, const struct strip *strip, float *const from[3],
                                    float *const to[3], uint32_t *list, bool spatial) {
  const struct scenery *scenery = frame->scenery;
  uint32_t count = 0;
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    const uint32_t lanes = lanes_left(at, strip->end);
    const lv3 a = load_lv3_first(from, at, lanes, spatial), b = load_lv3_first(to, at, lanes, spatial);
    const lm moved = lm_and(lm_first(lanes), has_moved(a, b, spatial));
    uint32_t bits = 0;
    if (frame->grid->space->periodic)
      bits = lm_bits(lm_and(lm_first(lanes), beyond_limits(frame->grid->space, b, spatial)));
    if (lm_any(moved)) {
      if (scenery->shapes) {
        const struct reaches reaches = reaches_of(frame, at, a, lv3_sub(b, a, spatial), spatial);
        if (scenery->distances.steps) bits |= bits_near_shapes(&scenery->distances, moved, &reaches, spatial);
        if (spatial && scenery->planes) bits |= lm_bits(lm_and(moved, near_planes(scenery, &reaches)));
      }
      if (!spatial && frame->cells->blocked) bits |= bits_near_blocked(frame->cells, moved, a, b);
    }
    count += lu_store_bits(list + count, bits, at);
  }
  return count;
}

uint32_t THRONG_TABLE(encounters)(const struct frame *frame, const struct strip *strip, float *const from[3],
                                  float *const to[3], uint32_t *list) {
  ASSERT_ALONE(strip->end - strip->begin <= STRIP_AGENTS);
  return CALL_IN_SPACE(is_spatial(frame), encounters_of, frame, strip, from, to, list);
}
