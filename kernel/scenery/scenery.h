/* scenery.h: what stands in a world, in a grid of its own, and the motion through it. SPDX-License-Identifier: MIT */
#ifndef THRONG_SCENERY_INTERNAL_H
#define THRONG_SCENERY_INTERNAL_H

#include "scenery/cells.h"
#include "scenery/shapes.h"

/* A uniform grid over the shapes but the planes, which are everywhere. It only says who is near: no bit of a result depends
 * on it. */
struct scenery {
  struct shape *shape; /* [shapes]: balls, walls, boxes, planes, each in the caller's order */
  uint32_t shapes;     /* 0 = there are none */
  uint32_t balls;      /* the first so many */
  uint32_t planes;     /* the last so many */
  bool spatial;
  double origin[3], cell, inverse;
  double slack;     /* more than what rounding may do to a coordinate */
  double largest;   /* no shape but planes is longer than this along an axis, metres */
  int32_t cells[3]; /* along each axis; y: 1 in planar worlds. 0 where every shape is a plane */
  uint32_t *start;  /* [cells + 1] first entry of each cell */
  uint32_t *entry;  /* [entries] shapes, ascending in each cell */
  uint32_t entries;
};

/* Makes the grid, of about `cells_wanted` cells; false = no memory. */
bool throng_scenery_build_grid(struct scenery *scenery, double cells_wanted, const throng_allocator *allocator);
/* Checks a definition and makes the scenery of it, whatever agents are there. On failure nothing is left to release. */
throng_status throng_scenery_make(const struct space *space, const throng_allocator *allocator,
                                  const throng_scenery_def *def, struct scenery *scenery, throng_error *error);
void throng_scenery_release(struct scenery *scenery, const throng_allocator *allocator);

/* The cells that a straight way with `half` metres to each side of it leads through, row by row along x. */
struct scenery_walk {
  const struct scenery *scenery;
  double from[3], way[3], half[3];
  double z_begin, z_end; /* the part of the way in this z row */
  int32_t z, z_last, y, y_last;
};
/* The shapes that may lie within `half` of the way, each at least once, in no order that matters. */
struct scenery_near {
  struct scenery_walk walk;
  uint32_t next, end; /* entries of this row */
  uint32_t plane;
};
struct scenery_near throng_scenery_near(const struct scenery *scenery, struct vec from, struct vec way, double half);
/* The next one; false = there are no more. */
bool throng_scenery_next(struct scenery_near *near, uint32_t *shape);

#define SCENERY_LIST 64u
#define SCENERY_PAGE 1024u
#define SCENERY_MARKS (64 * SCENERY_PAGE)
/* The shapes that may meet a box, some at a time. They are sorted by marks, a bit for each number from `first` on, so that a shape
 * that lies in many cells is listed once. A page of them means something only while its bit is set. */
struct scenery_list {
  const struct scenery *scenery;
  double low[3], high[3];
  uint32_t from, to; /* the numbers yet to be marked */
  uint32_t count;
  uint32_t number[SCENERY_LIST]; /* ascending */
  uint32_t first, word;          /* word: of the first page, the one that is next */
  uint64_t pages, mark[SCENERY_MARKS / 64];
};
/* Lists the next ones; false = there are no more. To begin with, `pages` and `word` are 0. */
bool throng_scenery_list(struct scenery_list *list);
/* How far a box has to reach beyond those who feel in floats as far as `reach`: what rounding makes of their differences to
 * shapes is less than what is added here. */
static inline double scenery_margin(const struct scenery *scenery, float reach) {
  return (double)reach + 0x1p-18 * ((double)reach + scenery->largest);
}

/* Whether surely no shape is within `reach` of the point: a quick look, for the many that have none near. */
bool throng_scenery_is_empty(const struct scenery *scenery, struct vec p, double reach);

/* Whether no shape is nearer to p than `radius`: with 0, whether p is inside no shape. */
bool throng_scenery_is_free(const struct scenery *scenery, struct vec p, double radius);

/* Whether every coordinate can be shifted exactly, to within +-limit; then they may be. */
throng_status throng_scenery_check_shift(const struct scenery *scenery, const float shift[3], float limit,
                                         throng_error *error);
void throng_scenery_shift(struct scenery *scenery, const float shift[3]);

#endif
