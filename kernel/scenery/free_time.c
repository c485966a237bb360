/* free_time.c: see free_time.h. SPDX-License-Identifier: MIT */
#include "scenery/free_time.h"

#include "scenery/rays.h"

/* Returns the fraction of the ray at which it meets a face of a box; 2 if it meets none. */
static double time_to_face(const struct space *space, const throng_world_def *def, const struct ray *ray) {
  const float low[3] = {def->box_min.x, def->box_min.y, def->box_min.z};
  const float high[3] = {def->box_max.x, def->box_max.y, def->box_max.z};
  const double from[3] = {ray->from.x, ray->from.y, ray->from.z}, way[3] = {ray->way.x, ray->way.y, ray->way.z};
  double part = 2.0;
  for (int c = 0; c < 3; c++) {
    if (way[c] == 0.0 || space->boundary[c] != THRONG_BOUNDARY_BOX) continue;
    const double time = ((double)(way[c] > 0.0 ? high[c] : low[c]) - from[c]) / way[c];
    if (time < part) part = time;
  }
  return part;
}

float throng_free_time(const struct scenery *scenery, const struct cells *cells, const struct space *space,
                       const throng_world_def *def, const float q[3], const float u[3], float most) {
  if (q[0] != q[0] || (u[0] == 0.0f && u[1] == 0.0f && u[2] == 0.0f)) return most;
  const double time = (double)most;
  const struct ray ray = {{(double)q[0], (double)q[1], (double)q[2]},
                          {(double)u[0] * time, (double)u[1] * time, (double)u[2] * time}};
  double part = scenery->shapes ? throng_ray_cast(scenery, &ray) : 2.0;
  if (cells->blocked) {
    const double cell =
        throng_cells_hit(cells, q[0], q[2], (float)(ray.from.x + ray.way.x), (float)(ray.from.z + ray.way.z));
    if (cell < part) part = cell;
  }
  const double face = time_to_face(space, def, &ray);
  if (face < part) part = face;
  return part <= 1.0 ? (float)(time * part) : most;
}
