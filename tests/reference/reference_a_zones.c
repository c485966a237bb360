/* tests/reference/reference_a_zones.c: reference A's speed zones (docs/ARITHMETIC.md, "Speed zones").
 * SPDX-License-Identifier: MIT */
#include "reference/reference_a_internal.h"

static bool is_inside(const frame *f, const throng_speed_zone *zone, vec p) {
  const vec d = frame_difference(f, zone->centre, p);
  if (f->spatial && !(fabsf(d.y) <= 0.5f * zone->height)) return false;
  if (zone->shape == THRONG_SPEED_ZONE_CIRCLE) return d.x * d.x + d.z * d.z <= zone->radius * zone->radius;
  const ref_angle yaw = ref_a_sincos(zone->yaw);
  const float across = d.x * yaw.cos - d.z * yaw.sin, along = d.x * yaw.sin + d.z * yaw.cos;
  return fabsf(across) <= 0.5f * zone->width && fabsf(along) <= 0.5f * zone->length;
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
  }
}
