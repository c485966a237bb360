/* scenery/scenery_internal.h: the shapes of a world, and a grid to find those near a point or line.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_SCENERY_SCENERY_INTERNAL_H
#define THRONG_KERNEL_SCENERY_SCENERY_INTERNAL_H

#include "scenery/cells.h"
#include "scenery/distance_table.h"
#include "scenery/shapes.h"

/* In worlds with periodic axes a shape has images: itself, shifted by one length or none along each periodic axis. The
 * scenery holds the images that come within half a period of the box. So shapes near a position in the box, or near a
 * line of at most half a period from there, are found without wrapping. Images differ from other shapes in nothing.
 *   All shapes but planes, which are infinite, are in a uniform grid. The grid only finds shapes that may be near;
 * results do not depend on it. */
struct scenery {
  struct shape *shape; /* [shapes] balls, walls, boxes, planes; each kind in the caller's order, and then its images */
  uint32_t shapes;     /* 0: no shapes */
  uint32_t balls;      /* number of balls, which come first */
  uint32_t planes;     /* number of planes, which come last */
  uint32_t first[SHAPE_KINDS], given[SHAPE_KINDS]; /* of each kind: the first shape, and how many the caller gave */
  bool spatial;
  double origin[3], cell, inverse;
  double slack;     /* larger than the rounding error of a coordinate */
  double largest;   /* metres: the largest extent along an axis of any shape except planes */
  int32_t cells[3]; /* along each axis; y: 1 in planar worlds. 0 if all shapes are planes */
  uint32_t *start;  /* [cells + 1] first entry of each cell */
  uint32_t *entry;  /* [entries] shapes, ascending in each cell */
  uint32_t entries;
  struct distance_table distances; /* of all shapes but planes */
};
/* Number of the first plane: the shapes before it are in the grid and in the table of distances. */
static inline uint32_t scenery_first_plane(const struct scenery *scenery) { return scenery->shapes - scenery->planes; }

#define MOST_IMAGES 26u
/* Writes the images of a shape that come within half a period of the box, and returns their number. */
uint32_t throng_shape_images(const struct space *space, const struct shape *shape, struct shape images[MOST_IMAGES]);
/* Checks that a shape is at most half a period long, and begins in the box, along periodic axes. A wall's second end
 * becomes its image nearest to the first. `a` and `b` are the names of the caller's arrays. */
throng_status throng_shape_fit_period(const struct space *space, struct shape *shape, const char *a, const char *b,
                                      uint32_t k, throng_error *error);
/* Makes a grid of about `cells_wanted` cells; false: no memory. */
bool throng_scenery_build_grid(struct scenery *scenery, double cells_wanted, const throng_allocator *allocator);
/* Checks a definition, and makes the scenery. Does not check where agents are. On failure there is nothing to
 * release. */
throng_status throng_scenery_make(const struct space *space, const throng_allocator *allocator,
                                  const throng_scenery_def *def, struct scenery *scenery, throng_error *error);
void throng_scenery_release(struct scenery *scenery, const throng_allocator *allocator);

/* The cells within `half` metres of a straight line, row by row along x. */
struct scenery_walk {
  const struct scenery *scenery;
  double from[3], way[3], half[3];
  double z_begin, z_end; /* the part of the line in this z row */
  int32_t z, z_last, y, y_last;
};
/* The shapes that may be within `half` of the line, each at least once. Their order does not matter. */
struct scenery_near {
  struct scenery_walk walk;
  uint32_t next, end; /* entries of this row */
  uint32_t plane;
};
struct scenery_near throng_scenery_near(const struct scenery *scenery, struct vec from, struct vec way, double half);
/* The next shape; false at the end. */
bool throng_scenery_next(struct scenery_near *near, uint32_t *shape);

#define SCENERY_LIST 64u
#define SCENERY_PAGE 1024u
#define SCENERY_MARKS (64 * SCENERY_PAGE)
/* Lists the shapes that may meet a box, some at a time. A bit per shape, from number `first` on, marks the shapes that
 * were found, so that a shape in many cells is listed once. A page of marks is valid only while its bit in `pages` is
 * set. */
struct scenery_list {
  const struct scenery *scenery;
  double low[3], high[3];
  uint32_t from, to; /* numbers still to mark */
  uint32_t count;
  uint32_t number[SCENERY_LIST]; /* ascending */
  uint32_t first, word;          /* word: the next word of the first page */
  uint64_t pages, mark[SCENERY_MARKS / 64];
};
/* Lists the next shapes; false at the end. `pages` and `word` must be 0 at first. */
bool throng_scenery_list(struct scenery_list *list);
/* Returns by how much a box around agents must be widened so that it meets every shape that the agents find within
 * `reach` in float arithmetic. The result includes the rounding errors of differences between positions. */
static inline double scenery_margin(const struct scenery *scenery, float reach) {
  return (double)reach + 0x1p-18 * ((double)reach + scenery->largest);
}

/* A quick test, because most points have no shape near them. If it is true, no shape is within `reach` of the point; if
 * it is false, there may be one. */
bool throng_scenery_is_empty(const struct scenery *scenery, struct vec p, double reach);

/* Whether no shape is nearer to p than `radius`. Radius 0: whether p is inside no shape. */
bool throng_scenery_is_free(const struct scenery *scenery, struct vec p, double radius);

/* Checks that every coordinate can be shifted exactly and stays within +-limit. Only then may the scenery be
 * shifted. */
throng_status throng_scenery_check_shift(const struct scenery *scenery, const float shift[3], float limit,
                                         throng_error *error);
void throng_scenery_shift(struct scenery *scenery, const float shift[3]);

#endif
