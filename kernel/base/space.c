/* space.c: see space.h. SPDX-License-Identifier: MIT */
#include "base/space.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/arithmetic.h"

static struct grid_axis axis_unbounded(float inverse) { return (struct grid_axis){.inverse = inverse}; }

static struct grid_axis axis_periodic(float min, float max, int cells_per_radius, float radius) {
  const float length = max - min;
  const int32_t cells = (int32_t)(cells_per_radius * (double)length / (double)radius);
  return (struct grid_axis){min, (float)cells / length, cells, length, 0, cells};
}

/* Positions are never on a face of a box, nor on the far faces of a periodic box. So floor(coordinate / cell) is always
 * a valid index into a host's array of cells. */
static void set_axis_limits(struct space *space, int k, float min, float max) {
  const bool free = k == 1 && !space->spatial, box = space->boundary[k] == THRONG_BOUNDARY_BOX;
  if (space->boundary[k] == THRONG_BOUNDARY_UNBOUNDED) {
    space->high[k] = free ? FLT_MAX : space->limit;
    space->low[k] = -space->high[k];
  } else {
    space->low[k] = box ? next_float(min, true) : min;
    space->high[k] = next_float(max, false);
  }
  space->stop_low[k] = box ? space->low[k] : -INFINITY;
  space->stop_high[k] = box ? space->high[k] : INFINITY;
  space->sweep_low[k] = space->axis[k].period ? min - 0.5f * space->axis[k].length : space->stop_low[k];
  space->sweep_high[k] = space->axis[k].period ? max + 0.5f * space->axis[k].length : space->stop_high[k];
}

/* `host` is the lower face of the host's box. Several of the host's coordinates convert to the same face. Returns the
 * one farthest inside, so that it is not below the face that the host gave. */
static float innermost(float host, float units) {
  const float face = host / units;
  while (host != 0.0f && next_float(host, true) / units == face) host = next_float(host, true);
  return host;
}

/* Sets the limits of values that the host gives or reads. */
static void set_host_limits(struct space *space, const throng_world_def *def) {
  throng_vec3 corner[2] = {def->box_min, def->box_max}, host_low = corner[0];
  if (space->axes) { /* if no float of the host converts to a face, the first coordinate beyond it takes its place */
    throng_axes_give_box(space->axes, &corner[0], &corner[1]);
    host_low = corner[0];
    throng_axes_take_box(space->axes, &corner[0], &corner[1]);
  }
  memcpy(space->face_low, &corner[0], sizeof space->face_low);
  memcpy(space->face_high, &corner[1], sizeof space->face_high);
  float point_low[3], point_high[3];
  for (int k = 0; k < 3; k++) {
    const bool periodic = space->boundary[k] == THRONG_BOUNDARY_PERIODIC;
    point_low[k] = periodic ? space->low[k] : -INFINITY;
    point_high[k] = periodic ? space->high[k] : INFINITY;
    if (space->boundary[k] != THRONG_BOUNDARY_UNBOUNDED) continue;
    space->face_low[k] = -INFINITY;
    space->face_high[k] = INFINITY;
  }
  if (!space->axes) return;
  throng_axes_give_limits(space->axes, space->low, space->high, space->host_low, space->host_high);
  const throng_axis all[3] = {space->axes->x, space->axes->y, space->axes->z};
  for (int c = 0; c < 3; c++) {
    const int place = (int)all[c] % 3;
    space->host_seam[place] = INFINITY;
    if (space->axis[c].period == 0) continue;
    space->host_near[place] = innermost((&host_low.x)[place], space->axes->units_per_metre);
    if (all[c] >= THRONG_AXIS_MINUS_X) space->host_seam[place] = space->host_high[place];
    if (all[c] < THRONG_AXIS_MINUS_X) space->host_low[place] = space->host_near[place];
  }
  throng_axes_give_limits(space->axes, point_low, point_high, space->host_point_low, space->host_point_high);
}

void throng_space_set_box(struct space *space, const throng_world_def *def) {
  const float min[3] = {def->box_min.x, def->box_min.y, def->box_min.z};
  const float max[3] = {def->box_max.x, def->box_max.y, def->box_max.z};
  for (int k = 0; k < 3; k++) set_axis_limits(space, k, min[k], max[k]);
  set_host_limits(space, def);
}

struct space throng_space_make(const throng_world_def *def) {
  const float radius = def->perception_radius;
  const float min[3] = {def->box_min.x, def->box_min.y, def->box_min.z};
  const float max[3] = {def->box_max.x, def->box_max.y, def->box_max.z};
  struct space space = {.spatial = def->space == THRONG_SPACE_SPATIAL, .radius = radius, .limit = space_limit(radius)};
  for (int k = 0; k < 3; k++) {
    if (k == 1 && !space.spatial) continue;
    const int cells_per_radius = k == 0 ? REACH_BINS : REACH_ROWS;
    space.boundary[k] = def->boundary[k];
    space.box |= def->boundary[k] == THRONG_BOUNDARY_BOX;
    space.axis[k] = axis_unbounded((float)cells_per_radius / radius);
    if (def->boundary[k] != THRONG_BOUNDARY_PERIODIC) continue;
    space.periodic = true;
    space.axis[k] = axis_periodic(min[k], max[k], cells_per_radius, radius);
    space.end[k] = max[k];
  }
  throng_space_set_box(&space, def);
  return space;
}
