/* crossings.c: finds agents that may cross a border of scenery cells in this frame. Only these few agents need the
 * exact test in frame/constrain.c. SPDX-License-Identifier: MIT */
#include <math.h>

#include "passes/block.h"
#include "scenery/cells.h"

/* The scenery cells along an axis; positions are limited to the cells from `before` to `beyond`. `slack` bounds the
 * error of a position in cells: 8 * 2^-24 times the largest position. The offset, the inverse, the product, the sum
 * with the slack and the far edge each have a relative error of at most 2^-24. */
struct cell_axis {
  lf origin, inverse, before, beyond, slack;
};
LANES_INLINE struct cell_axis cell_axis(float origin, float cell, uint32_t cells, bool repeats) {
  const float more = repeats ? 2.0f * (float)cells : 0.0f, size = (float)cells;
  const float farthest = fabsf(origin) + (size + more) * cell;
  return (struct cell_axis){lf_set1(origin), lf_set1(1.0f / cell), lf_set1(-0.5f - more), lf_set1(size + 0.5f + more),
                            lf_set1(farthest / cell * 0x1p-21f)};
}
/* A position in cells from the origin; positions outside of the map are limited to half a cell beyond it. A map that
 * repeats does so twice to each side: its origin is in the box, and sweeps end at most half a period beyond the box. */
LANES_INLINE lf place_in_cells(const struct cell_axis *axis, lf p) {
  lf place = lf_mul(lf_sub(p, axis->origin), axis->inverse);
  return lf_min(lf_max(place, axis->before), axis->beyond);
}
/* The lanes whose two positions are surely in one cell. */
LANES_INLINE lm stays(const struct cell_axis *axis, lf from, lf to) {
  lf a = place_in_cells(axis, from), b = place_in_cells(axis, to);
  lf low = lf_sub(lf_min(a, b), axis->slack), high = lf_add(lf_max(a, b), axis->slack);
  return lf_equal(lf_floor(low), lf_floor(high));
}

uint32_t THRONG_TABLE(crossers)(const struct cells *cells, const struct strip *strip, float *const from[3],
                                float *const to[3], uint32_t *list) {
  const struct cell_axis x = cell_axis(cells->origin_x, cells->cell, cells->width, cells->repeats[0]),
                         z = cell_axis(cells->origin_z, cells->cell, cells->height, cells->repeats[1]);
  uint32_t count = 0;
  ASSERT_ALONE(strip->end - strip->begin <= STRIP_AGENTS);
  for (uint32_t at = strip->begin; at < strip->end; at += LANES) {
    const uint32_t lanes = lanes_left(at, strip->end);
    const lv3 a = load_lv3_first(from, at, lanes, false), b = load_lv3_first(to, at, lanes, false);
    const lm stay = lm_and(stays(&x, a.x, b.x), stays(&z, a.z, b.z));
    count += lu_store_set(list + count, lm_without(lm_first(lanes), stay), at);
  }
  return count;
}
