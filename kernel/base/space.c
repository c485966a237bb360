/* space.c: see space.h. SPDX-License-Identifier: MIT */
#include "base/space.h"

#include <float.h>
#include <string.h>

#include "base/arithmetic.h"

static struct grid_axis axis_unbounded(float inverse) { return (struct grid_axis){.inverse = inverse}; }

static struct grid_axis axis_periodic(float min, float max, int cells_per_radius, float radius) {
  const float length = max - min;
  const int32_t cells = (int32_t)(cells_per_radius * (double)length / (double)radius);
  return (struct grid_axis){min, (float)cells / length, cells, length};
}

/* Positions are never on a face of a box, nor on the far faces of a periodic box. So floor(coordinate / cell) is always
 * a valid index into a host's array of cells. */
void throng_space_set_box(struct space *space, const throng_world_def *def) {
  const float low[3] = {def->box_min.x, def->box_min.y, def->box_min.z};
  const float high[3] = {def->box_max.x, def->box_max.y, def->box_max.z};
  for (int k = 0; k < 3; k++) {
    const bool free = k == 1 && !space->spatial;
    if (free || def->boundary == THRONG_BOUNDARY_UNBOUNDED) {
      space->high[k] = free ? FLT_MAX : space->limit;
      space->low[k] = -space->high[k];
      continue;
    }
    space->low[k] = def->boundary == THRONG_BOUNDARY_BOX ? next_float(low[k], true) : low[k];
    space->high[k] = next_float(high[k], false);
  }
  throng_vec3 corner[2] = {def->box_min, def->box_max};
  if (space->axes) { /* if no float of the host converts to a face, the first coordinate beyond it takes its place */
    throng_axes_give_box(space->axes, &corner[0], &corner[1]);
    throng_axes_take_box(space->axes, &corner[0], &corner[1]);
  }
  memcpy(space->face_low, &corner[0], sizeof space->face_low);
  memcpy(space->face_high, &corner[1], sizeof space->face_high);
  if (space->axes) throng_axes_give_limits(space->axes, space->low, space->high, space->host_low, space->host_high);
}

struct space throng_space_make(const throng_world_def *def) {
  const float radius = def->perception_radius;
  struct space space = {.spatial = def->space == THRONG_SPACE_SPATIAL,
                        .periodic = def->boundary == THRONG_BOUNDARY_PERIODIC,
                        .radius = radius,
                        .limit = space_limit(radius)};
  if (space.periodic) {
    space.axis[0] = axis_periodic(def->box_min.x, def->box_max.x, REACH_BINS, radius);
    if (space.spatial) space.axis[1] = axis_periodic(def->box_min.y, def->box_max.y, REACH_ROWS, radius);
    space.axis[2] = axis_periodic(def->box_min.z, def->box_max.z, REACH_ROWS, radius);
    space.end[0] = def->box_max.x;
    space.end[1] = def->box_max.y;
    space.end[2] = def->box_max.z;
  } else {
    space.axis[0] = axis_unbounded(4.0f / radius);
    if (space.spatial) space.axis[1] = axis_unbounded(1.0f / radius);
    space.axis[2] = axis_unbounded(1.0f / radius);
  }
  throng_space_set_box(&space, def);
  return space;
}
