/* tests/promises/golden_attractors.c: the attractors and speed zones of golden scenes. SPDX-License-Identifier: MIT */
#include "promises/golden.h"

/* Part of the box's side from its lowest corner, for attractor k. */
static throng_vec3 place(const throng_world_def *def, uint32_t k) {
  const float x = (float)(k * 11 % 32), y = (float)(k * 5 % 32), z = (float)(k * 19 % 32);
  const float side = def->box_max.x - def->box_min.x;
  return (throng_vec3){def->box_min.x + x * 0.03125f * side, def->box_min.y + y * 0.03125f * side,
                       def->box_min.z + z * 0.03125f * side};
}

void golden_set_attractors(throng_world *world, const char *scene_name) {
  enum { COUNT = 40 };
  throng_attractor list[COUNT];
  throng_attractors_def attractors = throng_default_attractors_def();
  throng_error error;
  const throng_world_def def = throng_world_get_def(world);
  const float side = def.box_max.x - def.box_min.x;
  for (uint32_t k = 0; k < COUNT; k++) {
    list[k] = throng_default_attractor();
    list[k].position = place(&def, k);
    list[k].strength = (float)(k % 9) - 3.0f;
    list[k].radius = side * (k % 10 == 0 ? 0.5f : 0.0625f * (float)(1 + k % 3));
    list[k].least_distance = 0.25f;
    list[k].law = k % 2 == 0 ? THRONG_ATTRACTOR_LINEAR : THRONG_ATTRACTOR_INVERSE_SQUARE;
    if (k % 7 == 3) list[k].mask = 1u << 5 | 1u;
  }
  attractors.attractors = list;
  attractors.count = COUNT;
  golden_check(throng_world_set_attractors(world, &attractors, &error), &error, scene_name);
}

void golden_set_zones(throng_world *world, const char *scene_name) {
  enum { COUNT = 24 };
  throng_speed_zone list[COUNT];
  throng_speed_zones_def zones = throng_default_speed_zones_def();
  throng_error error;
  const throng_world_def def = throng_world_get_def(world);
  const float side = def.box_max.x - def.box_min.x;
  for (uint32_t k = 0; k < COUNT; k++) {
    list[k] = throng_default_speed_zone();
    list[k].centre = place(&def, k);
    list[k].shape = k % 2 == 0 ? THRONG_SPEED_ZONE_CIRCLE : THRONG_SPEED_ZONE_RECTANGLE;
    list[k].radius = side * 0.03125f * (float)(1 + k % 4);
    list[k].width = side * 0.0625f * (float)(1 + k % 3);
    list[k].length = side * 0.125f * (float)(1 + k % 5);
    list[k].yaw = 0.375f * (float)(k % 9) - 1.5f;
    if (k % 3 == 0) list[k].height = side * 0.25f;
    list[k].factor = k % 5 == 4 ? 2.0f : 0.25f * (float)(1 + k % 3);
    if (k % 7 == 3) list[k].mask = 1u << 5 | 1u;
  }
  zones.zones = list;
  zones.count = COUNT;
  golden_check(throng_world_set_speed_zones(world, &zones, &error), &error, scene_name);
}
