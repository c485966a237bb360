/* speed_zones.c: see speed_zones_internal.h. SPDX-License-Identifier: MIT */
#include "guides/speed_zones_internal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/assertion.h"
#include "base/definitions.h"
#include "base/error.h"
#include "columns/columns.h"
#include "guides/flow_field_internal.h"

throng_speed_zone throng_default_speed_zone(void) {
  return (throng_speed_zone){
      .radius = 5.0f, .width = 10.0f, .length = 10.0f, .height = INFINITY, .factor = 0.5f, .mask = THRONG_ALL_LAYERS};
}

throng_speed_zones_def throng_default_speed_zones_def(void) {
  throng_speed_zones_def def;
  memset(&def, 0, sizeof def);
  def.raster.cell = 1.0f;
  def.raster.mask = THRONG_ALL_LAYERS;
  def.cookie = THRONG_SPEED_ZONES_COOKIE;
  return def;
}

static size_t raster_bytes(const struct cells *map) { return (size_t)map->width * map->height * sizeof(float); }

void throng_speed_zones_release(struct speed_zones *zones, const throng_allocator *allocator) {
  throng_release(allocator, zones->list, zones->count * sizeof *zones->list);
  throng_reach_release(&zones->reach, allocator);
  throng_release(allocator, zones->factor, raster_bytes(&zones->map));
  memset(zones, 0, sizeof *zones);
}

/* Checks zone k, and converts it to throng's axes. */
static throng_status read_zone(const struct space *space, const throng_speed_zone *given, uint32_t k,
                               struct speed_zone *read, throng_error *error) {
  static const char *const shapes[] = {"THRONG_SPEED_ZONE_CIRCLE", "THRONG_SPEED_ZONE_RECTANGLE", NULL};
  throng_speed_zone *z = &read->given;
  float p[3];
  char field[48];
  *z = *given;
  space_read_point(space, &given->centre, p);
  z->centre = (throng_vec3){p[0], p[1], p[2]};
  z->radius = axes_take_length(space->axes, given->radius);
  z->width = axes_take_length(space->axes, given->width);
  z->length = axes_take_length(space->axes, given->length);
  z->height = axes_take_length(space->axes, given->height);
  z->yaw = space->axes ? throng_axes_turn(space->axes, given->yaw) : given->yaw;
  TRY(throng_reach_check_point(space, p, "zones", k, "centre", error));
  snprintf(field, sizeof field, "zones[%u].shape", k);
  TRY(throng_check_enum((int64_t)given->shape, shapes, field, error));
  const bool circle = z->shape == THRONG_SPEED_ZONE_CIRCLE;
  const struct {
    const char *name;
    float value, low, high;
    bool infinite, used;
  } members[] = {{"radius", z->radius, FLT_MIN, space->limit, false, circle},
                 {"width", z->width, FLT_MIN, space->limit, false, !circle},
                 {"length", z->length, FLT_MIN, space->limit, false, !circle},
                 {"yaw", z->yaw, -MOST_ANGLE, MOST_ANGLE, false, !circle},
                 {"height", z->height, FLT_MIN, space->limit, true, true},
                 {"factor", z->factor, FLT_MIN, 4.0f, false, true}};
  for (size_t m = 0; m < sizeof members / sizeof *members; m++) {
    if (!members[m].used) continue;
    snprintf(field, sizeof field, "zones[%u].%s", k, members[m].name);
    TRY(throng_check_limit(members[m].value, members[m].low, members[m].high, members[m].infinite, field, error));
  }
  if (!circle) scalar_sincos(z->yaw, &read->sine, &read->cosine);
  read->radius_sq = z->radius * z->radius;
  read->half_width = 0.5f * z->width;
  read->half_length = 0.5f * z->length;
  read->half_height = 0.5f * z->height;
  return THRONG_OK;
}

/* Returns half the size of a zone's box along an axis, from half the size of the zone. It is larger by more than the
 * rounding errors of positions, corners, images, and of the test whether an agent is inside. */
static float zone_half(const struct grid_axis *axis, float centre, float half) {
  return half + 0x1p-18f * half + 0x1p-20f * (fabsf(centre) + axis->length + fabsf(axis->origin));
}

static void bound_zone(const struct space *space, struct speed_zone *zone) {
  const throng_speed_zone *z = &zone->given;
  const float sine = fabsf(zone->sine), cosine = fabsf(zone->cosine);
  float half_x = z->radius, half_z = z->radius;
  if (z->shape == THRONG_SPEED_ZONE_RECTANGLE) {
    half_x = 0.5f * (z->width * cosine + z->length * sine);
    half_z = 0.5f * (z->width * sine + z->length * cosine);
  }
  zone->half_x = zone_half(&space->axis[0], z->centre.x, half_x);
  zone->half_z = zone_half(&space->axis[2], z->centre.z, half_z);
}

static struct shape box_of(const void *list, uint32_t k) {
  const struct speed_zone *zone = (const struct speed_zone *)list + k;
  const throng_vec3 p = zone->given.centre;
  return (struct shape){.kind = SHAPE_BOX,
                        .a = {p.x - zone->half_x, 0.0f, p.z - zone->half_z},
                        .b = {p.x + zone->half_x, 0.0f, p.z + zone->half_z}};
}

static throng_status check_speed_zones(const throng_speed_zones_def *def, throng_error *error) {
  if (def->cookie != THRONG_SPEED_ZONES_COOKIE) {
    return throng_fail(error, THRONG_ERROR_BAD_COOKIE,
                       "speed zones definition has a wrong cookie: it is not from throng_default_speed_zones_def()");
  }
  if (def->count > THRONG_MAX_SPEED_ZONES) {
    return throng_fail(error, THRONG_ERROR_BAD_VALUE, "speed_zones.count is %u, allowed: 0 to %u", def->count,
                       THRONG_MAX_SPEED_ZONES);
  }
  if (def->count > 0 && !def->zones) {
    return throng_fail(error, THRONG_ERROR_NULL_ARGUMENT, "speed_zones.zones is NULL");
  }
  return THRONG_OK;
}

/* Checks a raster, and writes its layout. */
static throng_status check_raster(const struct space *space, const throng_speed_raster *raster, struct map_frame *frame,
                                  throng_error *error) {
  *frame = throng_cells_frame(space->axes, "speed_zones.raster", raster->width, raster->height, raster->cell,
                              raster->origin);
  TRY(throng_cells_check_frame(space->axes, frame, space->limit, error));
  TRY(throng_cells_check_tiling(space, frame, error));
  if (!raster->factor) return throng_fail(error, THRONG_ERROR_NULL_ARGUMENT, "speed_zones.raster.factor is NULL");
  const size_t cells = (size_t)raster->width * raster->height;
  for (size_t k = 0; k < cells; k++) {
    char field[64];
    if (raster->factor[k] >= FLT_MIN && raster->factor[k] <= 4.0f) continue;
    snprintf(field, sizeof field, "speed_zones.raster.factor[%zu]", k);
    return throng_check_range(raster->factor[k], FLT_MIN, 4.0f, field, error);
  }
  return THRONG_OK;
}

/* Adds a raster to `zones`. On failure the caller releases what they hold. */
static throng_status fill_raster(const struct space *space, const throng_allocator *allocator,
                                 const throng_speed_raster *raster, struct speed_zones *zones, throng_error *error) {
  struct map_frame frame;
  TRY(check_raster(space, raster, &frame, error));
  const struct cells map = throng_cells_map(&frame, NULL);
  zones->factor = throng_allocate(allocator, raster_bytes(&map));
  if (!zones->factor) {
    return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for a raster of %zu bytes", raster_bytes(&map));
  }
  zones->map = map;
  zones->mask = raster->mask;
  memcpy(zones->factor, raster->factor, raster_bytes(&map));
  throng_cells_fit_box(&zones->map, space);
  return THRONG_OK;
}

/* Adds the list of a definition to `zones`. On failure the caller releases what they hold. */
static throng_status fill_speed_zones(const struct space *space, const throng_allocator *allocator,
                                      const throng_speed_zones_def *def, struct speed_zones *zones,
                                      throng_error *error) {
  struct space ground = *space;
  ground.spatial = false;
  ground.axis[1].period = 0;
  zones->count = def->count;
  zones->list = throng_allocate(allocator, def->count * sizeof *zones->list);
  for (uint32_t k = 0; zones->list && k < def->count; k++) {
    TRY(read_zone(space, &def->zones[k], k, &zones->list[k], error));
    bound_zone(space, &zones->list[k]);
  }
  if (zones->list && throng_reach_make(&ground, allocator, zones->list, def->count, box_of, &zones->reach)) {
    return THRONG_OK;
  }
  return throng_fail(error, THRONG_ERROR_OUT_OF_MEMORY, "no memory for %u speed zones", def->count);
}

throng_status throng_speed_zones_make(const struct space *space, const throng_allocator *allocator,
                                      const throng_speed_zones_def *def, struct speed_zones *zones,
                                      throng_error *error) {
  memset(zones, 0, sizeof *zones);
  TRY(check_speed_zones(def, error));
  const throng_speed_raster *raster = &def->raster;
  throng_status status = THRONG_OK;
  if (def->count > 0) status = fill_speed_zones(space, allocator, def, zones, error);
  if (status == THRONG_OK && (raster->factor || raster->width > 0 || raster->height > 0))
    status = fill_raster(space, allocator, raster, zones, error);
  if (status != THRONG_OK) throng_speed_zones_release(zones, allocator);
  return status;
}

throng_status throng_speed_zones_check_shift(const struct speed_zones *zones, const float shift[3], float limit,
                                             throng_error *error) {
  for (uint32_t k = 0; k < zones->count; k++) {
    TRY(throng_reach_check_shift(&zones->list[k].given.centre, "centre", k, shift, limit, error));
  }
  throng_error of_map;
  if (!zones->factor || throng_cells_check_shift(&zones->map, shift, limit, &of_map) == THRONG_OK) return THRONG_OK;
  return throng_fail(error, of_map.status, "raster: %.150s", of_map.text);
}

void throng_speed_zones_shift(struct speed_zones *zones, const float shift[3]) {
  for (uint32_t k = 0; k < zones->count; k++) {
    for (int c = 0; c < 3; c++) (&zones->list[k].given.centre.x)[c] -= shift[c];
  }
  throng_reach_shift(&zones->reach, zones->list, box_of, shift);
  if (zones->factor) throng_cells_shift(&zones->map, shift);
}

float throng_speed_raster_at(const struct speed_zones *zones, float x, float z) {
  ASSERT_ALONE(zones->factor);
  uint32_t cell;
  if (!throng_cells_find(&zones->map, x, z, &cell)) return INFINITY;
  return zones->factor[cell] == 1.0f ? INFINITY : zones->factor[cell];
}

/* Whether a position is in the zone. passes/motion/zone_speeds.c has the same arithmetic for lanes. */
static bool zone_contains(const struct space *space, const struct speed_zone *zone, const float p[3]) {
  const throng_vec3 c = zone->given.centre;
  const float x = space_difference(&space->axis[0], p[0], c.x), y = space_difference(&space->axis[1], p[1], c.y),
              z = space_difference(&space->axis[2], p[2], c.z);
  if (space->spatial && !(fabsf(y) <= zone->half_height)) return false;
  if (zone->given.shape == THRONG_SPEED_ZONE_CIRCLE) return x * x + z * z <= zone->radius_sq;
  return fabsf(x * zone->cosine - z * zone->sine) <= zone->half_width &&
         fabsf(x * zone->sine + z * zone->cosine) <= zone->half_length;
}

static float cost_at(const struct speed_zones *zones, const struct space *space, uint32_t layers, const float p[3]) {
  float factor = zones->factor && zones->mask & layers ? throng_speed_raster_at(zones, p[0], p[2]) : INFINITY;
  const struct vec at = {(double)p[0], 0.0, (double)p[2]}, none = {0.0, 0.0, 0.0};
  struct scenery_near near = throng_scenery_near(&zones->reach.areas, at, none, 0.0);
  uint32_t area;
  while (throng_scenery_next(&near, &area)) {
    ASSERT_ALONE(zones->reach.of[area] < zones->count);
    const struct speed_zone *zone = &zones->list[zones->reach.of[area]];
    if (!(zone->given.mask & layers) || !zone_contains(space, zone, p)) continue;
    if (zone->given.factor < factor) factor = zone->given.factor;
  }
  if (factor == INFINITY) return 1.0f;
  return 1.0f / factor < MOST_COST ? 1.0f / factor : MOST_COST;
}

throng_status throng_speed_zones_costs(const struct speed_zones *zones, const struct space *space,
                                       const throng_cells_def *cells, uint32_t layers, float *cost,
                                       throng_error *error) {
  struct map_frame map;
  float origin[3];
  TRY(throng_cells_read_frame(space->axes, cells, space->limit, &map, error));
  space_read_point(space, &cells->origin, origin);
  if (!isfinite(origin[1])) {
    return throng_fail(error, THRONG_ERROR_NOT_FINITE, "cells.origin.y is %g, must be finite", (double)origin[1]);
  }
  for (uint32_t j = 0; j < map.height; j++) {
    for (uint32_t i = 0; i < map.width; i++) {
      const float x = (float)((double)map.origin_x + (i + 0.5) * (double)map.cell),
                  z = (float)((double)map.origin_z + (j + 0.5) * (double)map.cell);
      const float p[3] = {space_wrap(space, 0, x), origin[1], space_wrap(space, 2, z)};
      cost[(size_t)j * map.width + i] = speed_zones_exist(zones) ? cost_at(zones, space, layers, p) : 1.0f;
    }
  }
  return THRONG_OK;
}
