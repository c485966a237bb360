/* page_layout.c: lists the static parts of a scene for the page, which draws them.
 * SPDX-License-Identifier: MIT */
#include "page.h"

#include <math.h>

/* kernel.mjs reads these from memory. */
_Static_assert(sizeof(void *) == 4 && sizeof(scene_path) == 12, "addresses of 32 bits");
_Static_assert(sizeof(throng_attractor) == 32, "8 values");
_Static_assert(sizeof(scene_field) == 8 + SCENE_MAX_FIELD_GOALS * 16 && SCENE_MAX_FIELD_GOALS == 16, "16 goals");

static throng_vec3 lower(throng_vec3 a, throng_vec3 b) {
  return (throng_vec3){fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z)};
}

static throng_vec3 upper(throng_vec3 a, throng_vec3 b) {
  return (throng_vec3){fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z)};
}

static void find_extent(page_layout *layout, const bench_scene *scene, const bench_crowd *crowd) {
  layout->min = scene->world.box_min;
  layout->max = scene->world.box_max;
  if (crowd->count == 0) return;
  throng_vec3 min = crowd->position[0], max = min;
  for (uint32_t k = 1; k < crowd->count; k++) {
    min = lower(min, crowd->position[k]);
    max = upper(max, crowd->position[k]);
  }
  for (int axis = 0; axis < 3; axis++) {
    if (scene->world.boundary[axis] != THRONG_BOUNDARY_UNBOUNDED) continue;
    (&layout->min.x)[axis] = (&min.x)[axis];
    (&layout->max.x)[axis] = (&max.x)[axis];
  }
}

page_layout layout_of(const bench_scene *scene, const bench_crowd *crowd) {
  const scene_scenery *scenery = &scene->scenery;
  const scene_cells *cells = &scene->cells;
  page_layout layout = {.spatial = scene->world.space == THRONG_SPACE_SPATIAL,
                        .open = scene_is_open(scene),
                        .groups = scene->group_count,
                        .dt = scene->dt,
                        .perception_radius = scene->world.perception_radius,
                        .cells_wide = cells->width,
                        .cells_high = cells->height,
                        .blocked = cells->blocked,
                        .cell = cells->cell,
                        .cells_x = cells->origin_x,
                        .cells_z = cells->origin_z,
                        .circles = scenery->circle_count,
                        .centre = scenery->centre,
                        .radius = scenery->radius,
                        .walls = scenery->wall_count,
                        .from = scenery->from,
                        .to = scenery->to,
                        .boxes = scenery->box_count,
                        .box_min = scenery->box_min,
                        .box_max = scenery->box_max,
                        .planes = scenery->plane_count,
                        .point = scenery->point,
                        .normal = scenery->normal,
                        .paths = scene->path_count,
                        .path = scene->paths,
                        .fields = scene->field_count,
                        .field = scene->fields,
                        .zones = scene->zones.count,
                        .zone = scene->zones.list,
                        .raster_wide = scene->zones.raster.width,
                        .raster_high = scene->zones.raster.height,
                        .factor = scene->zones.factor,
                        .raster_cell = scene->zones.raster.cell,
                        .raster_x = scene->zones.raster.origin.x,
                        .raster_z = scene->zones.raster.origin.z,
                        .attractors = scene->attractors.count,
                        .attractor = scene->attractors.list};
  for (uint32_t g = 0; g < scene->group_count; g++)
    layout.body_radius = fmaxf(layout.body_radius, scene->groups[g].def.body_radius);
  for (int axis = 0; axis < 3; axis++)
    if (scene_has_axis(scene, axis) && scene->world.boundary[axis] == THRONG_BOUNDARY_PERIODIC)
      layout.periodic |= 1u << axis;
  find_extent(&layout, scene, crowd);
  return layout;
}
