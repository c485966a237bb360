/* cell_keys.h: computes the torus cells of a block's agents, and lists a strip's movers.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PASSES_INDEX_CELL_KEYS_H
#define THRONG_KERNEL_PASSES_INDEX_CELL_KEYS_H

#include "passes/block.h"

/* An axis' part of a key: the cell number along it, modulo the torus, times `unit`. */
struct key_axis {
  lf origin, inverse;
  bool periodic, unwraps;
  lu last, first, period, mask, unit;
};
LANES_INLINE struct key_axis key_axis(const struct grid_axis *axis, uint32_t bits, uint32_t bits_below) {
  return (struct key_axis){.origin = lf_set1(axis->origin),
                           .inverse = lf_set1(axis->inverse),
                           .periodic = axis->period != 0,
                           .unwraps = axis->first != 0,
                           .last = lu_set1((uint32_t)axis->period - 1),
                           .first = lu_set1((uint32_t)axis->first),
                           .period = lu_set1((uint32_t)axis->period),
                           .mask = lu_set1((1u << bits) - 1),
                           .unit = lu_set1(1u << bits_below)};
}
/* The same arithmetic as in throng_grid_cell and grid_fold. */
LANES_INLINE lu torus_cell(const struct key_axis *axis, lf coordinate) {
  lu cell = lf_floor_int(lf_mul(lf_sub(coordinate, axis->origin), axis->inverse));
  if (axis->periodic) {
    cell = lu_select(lu_less_signed(cell, lu_set1(0)), lu_set1(0), cell);
    cell = lu_select(lu_less_signed(axis->last, cell), axis->last, cell);
    if (axis->unwraps) cell = lu_select(lu_less_signed(cell, axis->first), lu_add(cell, axis->period), cell);
  }
  return lu_and(cell, axis->mask);
}

struct key_axes {
  struct key_axis x, y, z;
};
LANES_INLINE struct key_axes key_axes(const struct grid *grid, const struct torus *torus) {
  return (struct key_axes){.x = key_axis(&grid->space->axis[0], torus->bits_x, 0),
                           .y = key_axis(&grid->space->axis[1], torus->bits_y, torus->bits_x),
                           .z = key_axis(&grid->space->axis[2], torus->bits_z, torus->bits_x + torus->bits_y)};
}
LANES_INLINE lu cell_key(const struct key_axes *axes, lv3 p, bool spatial) {
  lu key = lu_or(lu_mul(torus_cell(&axes->z, p.z), axes->z.unit), torus_cell(&axes->x, p.x));
  return spatial ? lu_or(key, lu_mul(torus_cell(&axes->y, p.y), axes->y.unit)) : key;
}

/* The next cells of a strip's agents, and the positions of the movers in the strip. The number of movers is not a
 * member, so that it can stay in a register. */
struct changes {
  _Alignas(64) uint32_t next[STRIP_CAPACITY];
  uint32_t number[STRIP_CAPACITY];
};

/* changes->number has `count` movers. Appends those among the block of agents that begins at k in the strip. Returns
 * the new count. */
LANES_INLINE uint32_t add_changes(struct changes *changes, uint32_t count, const struct strip *strip, uint32_t k,
                                  lm valid) {
  const lm stay = lu_equal(lu_load(changes->next + k), lu_load(strip->cell + k));
  return lu_store_set(changes->number + count, lm_without(valid, stay), k);
}

/* Lists the strip's movers for the sort. If this worker also listed the movers of the strip before, the list continues
 * behind them, because that memory is still in the worker's cache. If not, the list begins at the index of the strip's
 * first slot, where no other worker writes. */
LANES_INLINE void list_strip_movers(const struct changes *changes, uint32_t count, const struct grid *grid,
                                    struct strip *strip) {
  const uint32_t first = strip->number == strip->listed_strips ? strip->listed_end : strip->begin;
  ASSERT_ALONE(first <= strip->begin); /* if not, another worker may write there */
  struct grid_mover *mover = grid->mover + first;
  for (uint32_t n = 0; n < count; n++) {
    const uint32_t k = changes->number[n];
    mover[n] = (struct grid_mover){strip->begin + k, strip->cell[k], changes->next[k]};
  }
  grid->lists[strip->number] = (struct grid_mover_list){first, count, false};
  strip->listed_strips = strip->number + 1;
  strip->listed_end = first + count;
}

#endif
