/* space.h: the world's geometry: planar or spatial, its period, and the cells of coordinates.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_BASE_SPACE_H
#define THRONG_KERNEL_BASE_SPACE_H

#include <string.h>

#include <throng/world.h>

#include "base/arithmetic.h"
#include "base/host_axes.h"

#define REACH_BINS 4 /* the perception radius R in bins */
#define REACH_ROWS 1 /* R in rows */

/* One axis: cell number = floor((x - origin) * inverse), along x in bins, along y and z in rows. */
struct grid_axis {
  float origin, inverse;
  int32_t period; /* periodic: cells per box length; otherwise 0 */
  float length;   /* periodic: metres per box length; otherwise 0 */
  /* Periodic: the agents are in `span` cells from `first` on; after the last cell of the period comes cell 0. Only in a
   * piece of a world this is not the whole period. Otherwise 0. */
  int32_t first, span;
};
/* Counts the cells of a periodic axis on beyond its period, so that those of a piece of a world have consecutive
 * numbers. */
static inline int32_t space_unwrap(const struct grid_axis *axis, int32_t cell) {
  return cell < axis->first ? cell + axis->period : cell;
}

struct space {
  bool spatial;
  bool periodic, box;          /* whether some axis is periodic, or has the faces of a box */
  throng_boundary boundary[3]; /* of each axis; planar: y is THRONG_BOUNDARY_UNBOUNDED */
  float radius;                /* R */
  float limit;                 /* the largest |coordinate| that a position may have */
  struct grid_axis axis[3];
  float end[3];                    /* periodic: box_max, which origin + length may miss by rounding; otherwise 0 */
  float low[3], high[3];           /* the smallest and the largest coordinate of a position; planar: y has no limit */
  float stop_low[3], stop_high[3]; /* where motion stops: low and high along axes with faces; infinite along others */
  /* The limits of a sweep: those at which motion stops, and half a period beyond the box along periodic axes, because
   * so far shapes and cells have images. */
  float sweep_low[3], sweep_high[3];
  float face_low[3], face_high[3]; /* the faces, as coordinates that hosts may give; infinite along unbounded axes */
  /* In the host's axes, for values that the host reads: low and high, and the limits of goals and target points, which
   * only periodic axes have. */
  float host_low[3], host_high[3], host_point_low[3], host_point_high[3];
  /* Along a periodic axis that the host has reversed, positions from host_seam on are on the host's far face. Hosts
   * read host_near instead, box_min of their axis: the same point. host_seam is infinite along other axes. */
  float host_seam[3], host_near[3];
  const throng_axes *axes; /* the host's axes; NULL: throng's own */
};

/* The limit of a world with this perception radius: 2^22 bins. */
static inline float space_limit(float radius) { return 4194304.0f * (radius * 0.25f); }

/* Returns the space of a checked definition. */
struct space throng_space_make(const throng_world_def *def);
/* Sets the limits of positions from the space's axes and the definition's box. Call it after either changed. */
void throng_space_set_box(struct space *space, const throng_world_def *def);

/* Returns the image of `to` that is nearest to `from` along an axis. passes/block.h has the same arithmetic for
 * lanes. */
static inline float space_image(const struct grid_axis *axis, float to, float from) {
  if (axis->period == 0) return to;
  const float d = to - from, half = axis->length * 0.5f;
  return to + (d > half ? -axis->length : d < -half ? axis->length : 0.0f);
}
/* Returns to - from along an axis, by the minimum image. */
static inline float space_difference(const struct grid_axis *axis, float to, float from) {
  return space_image(axis, to, from) - from;
}
/* Wraps a coordinate at most half a period beyond the box. The same arithmetic as in passes/motion/boundary.h. */
static inline float space_wrap(const struct space *space, int k, float p) {
  const float min = space->axis[k].origin, max = space->end[k], length = space->axis[k].length;
  if (space->axis[k].period == 0 || !(p < min || p >= max)) return p;
  float t = p - min;
  t -= length * scalar_floor(t / length);
  if (t < 0.0f) t += length;
  if (t >= length) t = 0.0f;
  return min + t >= max ? min : min + t;
}

/* Reads a host's throng_vec3; y is 0 in planar worlds. */
static inline void space_read_point(const struct space *space, const void *host, float p[3]) {
  throng_vec3 point;
  memcpy(&point, host, sizeof point);
  point = axes_take_point(space->axes, point);
  p[0] = point.x;
  p[1] = space->spatial ? point.y : 0.0f;
  p[2] = point.z;
}

/* Where a position that the host gave on a face is stored: the nearest position inside the faces of a box; along a
 * periodic axis, whose faces are one point, the lower face. */
static inline void space_hold(const struct space *space, float p[3]) {
  for (int k = 0; k < 3; k++) {
    const bool beyond = p[k] > space->high[k];
    if (p[k] < space->low[k] || (beyond && space->axis[k].period)) p[k] = space->low[k];
    if (p[k] > space->high[k]) p[k] = space->high[k];
  }
}
/* Holds a position, or a goal or target point (`point`), in the host's axes inside the converted box, where rounding
 * may have put it on a face or beyond. A position on the seam becomes box_min of the host's axis. */
static inline void space_hold_host(const struct space *space, bool point, float p[3]) {
  const float *low = point ? space->host_point_low : space->host_low;
  const float *high = point ? space->host_point_high : space->host_high;
  for (int k = 0; k < 3 && space->axes; k++) {
    if (p[k] < low[k]) p[k] = low[k];
    if (!point && p[k] >= space->host_seam[k]) p[k] = space->host_near[k];
    if (p[k] > high[k]) p[k] = high[k];
  }
}

#endif
