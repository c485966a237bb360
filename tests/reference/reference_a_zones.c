/* tests/reference/reference_a_zones.c: reference A's speed zones (docs/ARITHMETIC.md, "Speed zones").
 * SPDX-License-Identifier: MIT */
#include "reference/reference_a_internal.h"
#include "reference/reference_map.h"

static bool is_inside(const frame *f, const throng_speed_zone *zone, vec p) {
  const vec d = frame_difference(f, zone->centre, p);
  if (f->spatial && !(fabsf(d.y) <= 0.5f * zone->height)) return false;
  if (zone->shape == THRONG_SPEED_ZONE_CIRCLE) return d.x * d.x + d.z * d.z <= zone->radius * zone->radius;
  const ref_angle yaw = ref_a_sincos(zone->yaw);
  const float across = d.x * yaw.cos - d.z * yaw.sin, along = d.x * yaw.sin + d.z * yaw.cos;
  return fabsf(across) <= 0.5f * zone->width && fabsf(along) <= 0.5f * zone->length;
}

/* Returns the raster's factor at p; 1 outside of the raster. */
static float raster_factor(const frame *f, vec p) {
  const throng_speed_raster *raster = &f->crowd->raster;
  throng_cells_def cells = throng_default_cells_def();
  cells.width = raster->width;
  cells.height = raster->height;
  cells.cell = raster->cell;
  cells.origin = raster->origin;
  const ref_map map = {&cells, {f->axis[0].periodic, f->axis[2].periodic}};
  size_t index;
  return ref_map_find(&map, p, &index) ? f->crowd->raster_factor[index] : 1.0f;
}

void ref_a_enter_zones(crowd *c) {
  frame f = {.crowd = c, .spatial = crowd_is_spatial(c)};
  for (int axis = 0; axis < 3; axis++) f.axis[axis] = ref_a_axis(&c->def, axis);
  for (uint32_t i = 0; i < c->count; i++) {
    crowd_agent *a = &c->agents[i];
    a->zone_factor = 0.0f;
    for (uint32_t k = 0; k < c->zone_count; k++) {
      const throng_speed_zone *zone = &c->zones[k];
      const bool counts = zone->mask >> crowd_group(c, a)->layer & 1 && is_inside(&f, zone, a->position);
      if (counts && (a->zone_factor == 0.0f || zone->factor < a->zone_factor)) a->zone_factor = zone->factor;
    }
    if (c->raster.width == 0 || !(c->raster.mask >> crowd_group(c, a)->layer & 1)) continue;
    const float factor = raster_factor(&f, a->position);
    if (factor != 1.0f && (a->zone_factor == 0.0f || factor < a->zone_factor)) a->zone_factor = factor;
  }
}
