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

/* Whether a raster may begin there: floats can distinguish its cells, and it is not too far out. */
static bool fits_along(const crowd *c, float origin, float cell, uint32_t cells) {
  const float farthest = fabsf(origin) + cell * (float)cells;
  return cell >= 1e-3f && cell <= 1e6f && cell >= 0x1p-20f * farthest && farthest <= 0x1p19f * c->def.perception_radius;
}

/* Adds a raster round an agent. One that cannot tile the periodic axes, or is not allowed there, is left out. */
static void add_raster(crowd *c, test_rng *rng) {
  static const float factors[] = {1.0f, 1.0f, 0.05f, 0.4f, 0.7f, 2.0f};
  const throng_vec3 min = c->def.box_min, max = c->def.box_max, near = crowd_near_agent(rng, c);
  const float length[2] = {max.x - min.x, max.z - min.z};
  throng_speed_raster raster = throng_default_speed_zones_def().raster;
  uint32_t count[2] = {1 + rng_below(rng, 8), 1 + rng_below(rng, 8)};
  raster.cell = c->def.perception_radius * rng_float(rng, 0.2f, 3.0f);
  raster.origin = (throng_vec3){near.x - raster.cell * rng_float(rng, 0.0f, (float)count[0]), 0,
                                near.z - raster.cell * rng_float(rng, 0.0f, (float)count[1])};
  bool fitted = false;
  for (int k = 0; k < 2; k++) {
    if (c->def.boundary[2 * k] != THRONG_BOUNDARY_PERIODIC) continue;
    if (!fitted) raster.cell = length[k] / (float)count[k];
    if (fitted) count[k] = (uint32_t)(length[k] / raster.cell + 0.5f);
    (&raster.origin.x)[2 * k] = rng_float(rng, (&min.x)[2 * k], (&max.x)[2 * k]);
    fitted = true;
    if (raster.cell * (float)count[k] != length[k]) return;
  }
  if (count[0] * count[1] == 0 || count[0] * count[1] > CROWD_MAX_RASTER) return;
  if (!fits_along(c, raster.origin.x, raster.cell, count[0]) || !fits_along(c, raster.origin.z, raster.cell, count[1]))
    return;
  raster.width = count[0];
  raster.height = count[1];
  if (rng_chance(rng, 0.3f)) raster.mask = rng_below(rng, 16);
  for (uint32_t k = 0; k < CROWD_MAX_RASTER; k++) c->raster_factor[k] = rng_pick(rng, factors, 6);
  c->raster = raster;
}

void crowd_random_zones(crowd *c) {
  test_rng rng = rng_from(c->seed + 0x20e5u);
  if (c->count > 0 && rng_chance(&rng, 0.3f)) add_raster(c, &rng);
  if (c->count == 0 || rng_chance(&rng, 0.6f)) return;
  c->zone_count = rng_below(&rng, CROWD_MAX_ZONES + 1);
  for (uint32_t k = 0; k < c->zone_count; k++) c->zones[k] = random_zone(&rng, c);
}

void crowd_set_zones(const crowd *c, throng_world *world) {
  throng_error error;
  throng_speed_zones_def def = throng_default_speed_zones_def();
  def.zones = c->zones;
  def.count = c->zone_count;
  if (c->raster.width > 0) def.raster = c->raster;
  if (c->raster.width > 0) def.raster.factor = c->raster_factor;
  require_ok(throng_world_set_speed_zones(world, &def, &error), &error);
}
