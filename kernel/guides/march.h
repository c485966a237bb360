/* guides/march.h: the time that a front needs from the goals to each cell of a map. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_GUIDES_MARCH_H
#define THRONG_KERNEL_GUIDES_MARCH_H

#include <stddef.h>

#include <throng/flow_field.h>

#include "base/host_axes.h"
#include "scenery/cells.h"

#define MARCH_LISTS 4096u

enum march_kind {
  MARCH_BLOCKED = 1,   /* blocked, or beyond the map */
  MARCH_IMAGE = 2,     /* the image of a cell at the opposite edge */
  MARCH_HAS_IMAGE = 4, /* a cell at an edge across which the map repeats */
  MARCH_WAITS = 8      /* in a list */
};

/* Arrays of cells have one more row and column at each edge of the map: `stride` is width + 2. The cells there are
 * blocked or, where the map repeats, images of the cells at the opposite edge. */
struct march {
  uint32_t width, height, stride, cells;
  const struct cells *map;
  const float *cost; /* [height][width] NULL: 1 */
  const throng_flow_goal *goals;
  uint32_t goal_count;
  const throng_axes *axes; /* of the goals */
  double *time;            /* [cells] in cells of cost 1; INFINITY in blocked cells and where the front does not come */
  uint8_t *kind;           /* [cells] bits of enum march_kind */
  /* The waiting cells: their time has become less, and the front has not gone on from them since. Time is cut into
   * steps; each step has a list, first in first out, and the lists are used in turn. */
  uint32_t *next, *before; /* [cells] in the list; 0 at its ends: cell 0 is never in one */
  uint32_t *first, *last;  /* [MARCH_LISTS] 0: an empty list */
  uint32_t waiting;        /* cells in lists */
  double steps;            /* per unit of time */
};

/* The bytes of a march over a map; 0: more than there are addresses. */
size_t throng_march_bytes(uint32_t width, uint32_t height);
/* Begins with a front at no cell. The members up to `axes` must be set. `memory` has throng_march_bytes, aligned to 8
 * bytes; its content does not matter. */
void throng_march_begin(struct march *march, void *memory);
/* Computes the time of all cells. */
void throng_march_run(struct march *march);

/* The element of the map's cell (i, j). */
static inline uint32_t march_cell(const struct march *march, uint32_t i, uint32_t j) {
  return (j + 1) * march->stride + i + 1;
}
static inline throng_flow_goal march_goal(const throng_axes *axes, const throng_flow_goal *goal) {
  return (throng_flow_goal){axes_take_point(axes, goal->point), axes_take_length(axes, goal->radius)};
}

#endif
