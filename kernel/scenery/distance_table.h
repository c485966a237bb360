/* distance_table.h: tables that say at least how far scenery is. Passes leave out the agents that surely meet none.
 * The tables only exclude: results do not depend on them.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_SCENERY_DISTANCE_TABLE_H
#define THRONG_KERNEL_SCENERY_DISTANCE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "scenery/shapes.h"

/* Shapes of scenery except planes. A point outside of the table's box is as far from the shapes as the nearest point of
 * the box, or farther. */
struct distance_table {
  uint32_t count[3];     /* cells along each axis; planar: y is 1. 0: no table, because there are only planes */
  float low[3], high[3]; /* the box around all the shapes; planar: y is 0 */
  float cell, inverse;   /* metres; 1 / cell */
  uint8_t *steps;        /* [z][y][x]: the least distance of the cell's points from the shapes, in cells */
};

/* Makes the table of `count` shapes, none of them a plane. Returns false if there is no memory. */
bool throng_distance_table_make(const struct shape *shape, uint32_t count, bool spatial,
                                const throng_allocator *allocator, struct distance_table *distances);
/* Makes it again after the same shapes have been shifted. */
void throng_distance_table_shift(struct distance_table *distances, const struct shape *shape, uint32_t count,
                                 bool spatial);
void throng_distance_table_release(struct distance_table *distances, const throng_allocator *allocator);

/* Replaces the values of a table of cells, [count[2]][count[1]][count[0]]. Before, occupied cells are 0 and others are
 * 255. Afterwards a value is the number of steps to the nearest occupied cell, at most 255. A step leads to any of the
 * cells around a cell, also across a corner. `repeats`: along that axis, the first cell is next to the last. */
void throng_count_steps(uint8_t *steps, const uint32_t count[3], const bool repeats[3]);

/* The number of the cell along an axis that holds a coordinate, or the nearest one. */
static inline uint32_t distance_table_cell(const struct distance_table *distances, int axis, float coordinate) {
  const float cells = (coordinate - distances->low[axis]) * distances->inverse;
  const uint32_t last = distances->count[axis] - 1;
  return !(cells > 0.0f) ? 0 : cells < (float)last ? (uint32_t)cells : last;
}
/* Whether the point is surely at least `reach` metres away from every shape of the table. */
static inline bool distance_table_is_clear(const struct distance_table *distances, const float p[3], float reach) {
  float away = 0.0f, size = 0.0f;
  for (int c = 0; c < 3; c++) {
    const float below = distances->low[c] - p[c], above = p[c] - distances->high[c];
    away = below > away ? below : away;
    away = above > away ? above : away;
    size += fabsf(p[c]);
  }
  const float need = reach + 0x1p-18f * (reach + size); /* the rounding errors of floats are smaller */
  if (need < away || distances->count[0] == 0) return true;
  const size_t row =
      (size_t)distance_table_cell(distances, 2, p[2]) * distances->count[1] + distance_table_cell(distances, 1, p[1]);
  const uint8_t steps = distances->steps[row * distances->count[0] + distance_table_cell(distances, 0, p[0])];
  return need < (float)steps * distances->cell; /* not if both are 0: the point may be in a shape */
}

#endif
