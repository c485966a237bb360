/* tests/support/crowd_zones.c: random speed zones. SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/crowds.h"

#include <math.h>

static throng_speed_zone random_zone(test_rng *rng, const crowd *c) {
  static const float sizes[] = {0.1f, 0.7f, 2.0f, 5.0f, 40.0f};
  static const float factors[] = {0.05f, 0.4f, 0.4f, 1.0f, 1.5f, 4.0f};
  const float unit = c->def.perception_radius;
  throng_speed_zone zone = throng_default_speed_zone();
  zone.centre = crowd_near_agent(rng, c);
  zone.shape = (throng_speed_zone_shape)rng_below(rng, 2);
  zone.radius = unit * rng_pick(rng, sizes, 5);
  zone.width = unit * rng_pick(rng, sizes, 5);
  zone.length = unit * rng_pick(rng, sizes, 5);
  if (rng_chance(rng, 0.6f)) zone.yaw = rng_float(rng, -3.1415f, 3.1415f);
  if (rng_chance(rng, 0.5f)) zone.height = unit * rng_pick(rng, sizes, 5);
  zone.factor = rng_pick(rng, factors, 6);
  if (rng_chance(rng, 0.3f)) zone.mask = rng_below(rng, 16);
  return zone;
}

void crowd_random_zones(crowd *c) {
  test_rng rng = rng_from(c->seed + 0x20e5u);
  if (c->count == 0 || rng_chance(&rng, 0.6f)) return;
  c->zone_count = rng_below(&rng, CROWD_MAX_ZONES + 1);
  for (uint32_t k = 0; k < c->zone_count; k++) c->zones[k] = random_zone(&rng, c);
}

void crowd_set_zones(const crowd *c, throng_world *world) {
  throng_error error;
  throng_speed_zones_def def = throng_default_speed_zones_def();
  def.zones = c->zones;
  def.count = c->zone_count;
  require_ok(throng_world_set_speed_zones(world, &def, &error), &error);
}
