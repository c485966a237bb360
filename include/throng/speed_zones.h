/* throng/speed_zones.h: areas in which agents are slower, or faster: stairs, mud, snow, moving walkways. A world has
 * one list of zones, and one raster of factors. Groups need no behaviour for them. Source: RiMEA's test 13, walking
 * speed on stairs (RiMEA, Guideline for Microscopic Evacuation Analysis, 2016).
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_SPEED_ZONES_H
#define THRONG_SPEED_ZONES_H

#include "agents.h"
#include "base.h"
#include "group.h"
#include "scenery.h"

#ifdef __cplusplus
extern "C" {
#endif

#define THRONG_MAX_SPEED_ZONES 1000u /* of a world */

/* The shape of a zone, seen from above. */
typedef enum throng_speed_zone_shape {
  THRONG_SPEED_ZONE_CIRCLE = 0, /* within `radius` of the centre, along the ground (default) */
  THRONG_SPEED_ZONE_RECTANGLE   /* `width` by `length`, turned by `yaw` */
} throng_speed_zone_shape;

/* One zone. An agent is in it if its position at the beginning of the frame is inside or on the edge, by the minimum
 * image. So along a periodic axis a zone reaches at most half a period from its centre. A circle does not use width,
 * length and yaw. A rectangle does not use the radius. */
typedef struct throng_speed_zone {
  throng_vec3 centre; /* metres, within the limit of positions; along periodic axes in the box or on a face. y is
                         ignored in planar worlds */
  throng_speed_zone_shape shape;
  float radius;  /* circle: metres, > 0, at most the limit of positions (default 5) */
  float width;   /* rectangle: metres across its yaw, with the same range (default 10) */
  float length;  /* rectangle: metres along its yaw, with the same range (default 10) */
  float yaw;     /* rectangle: radians, -pi to pi (default 0); its length lies along (sin yaw, cos yaw) in x and z, as
                   facings do */
  float height;  /* metres, > 0, at most the limit of positions, or INFINITY (default: every height). In spatial worlds
                   the zone reaches height / 2 above and below its centre: a stair of one storey does not slow the
                   storey above */
  float factor;  /* multiplies the maximum speed of the agents inside, > 0 to 4 (default 0.5) */
  uint32_t mask; /* only agents of groups in these layers heed it (default THRONG_ALL_LAYERS) */
} throng_speed_zone;

/* A circle at the origin, with the defaults. Thread-safe. */
THRONG_API throng_speed_zone throng_default_speed_zone(void);

/* Factors on a grid, such as a map of terrain. Cells are those of throng_cells_def (throng/scenery.h): cell (i, j)
 * covers x in [origin.x + i cell, origin.x + (i + 1) cell) and z in the same way, in throng's axes; the far edges
 * belong to the last cells. Outside of the raster there is no zone. Along a periodic axis the raster repeats, and must
 * tile the axis as cells do. In spatial worlds it counts at every height. */
typedef struct throng_speed_raster {
  const float *factor;    /* width * height numbers, row by row (factor[j * width + i]), > 0 to 4; 1: no zone. Copied.
                             NULL, with width and height 0: no raster (default) */
  uint32_t width, height; /* cells along x and z, 1 to 16 384 each */
  float cell;             /* a length, 1e-3 to 1e6 m, and at least 2^-21 of the grid's largest coordinate (default 1) */
  throng_vec3 origin;     /* in the host's axes; its component along throng's y is ignored */
  uint32_t mask;          /* only agents of groups in these layers heed it (default THRONG_ALL_LAYERS) */
} throng_speed_raster;

/* The speed zones of a world. */
typedef struct throng_speed_zones_def {
  const throng_speed_zone *zones; /* [count]; copied */
  uint32_t count;                 /* 0 to 1000 (default 0) */
  throng_speed_raster raster;     /* default: none */
  uint32_t cookie;                /* set by throng_default_speed_zones_def; do not touch */
} throng_speed_zones_def;

/* A definition without zones and raster. Thread-safe. */
THRONG_API throng_speed_zones_def throng_default_speed_zones_def(void);

/* Replaces the world's speed zones and its raster, or removes them (def == NULL, or neither zones nor raster). All or
 * nothing. A frame multiplies an agent's max_speed, its own (THRONG_COLUMN_MAX_SPEED) or its group's, by the smallest
 * factor of the zones that the agent is in and of its raster cell. A cell with a factor of 1 does not count. The
 * product, at most 1e9 m/s, replaces max_speed everywhere, but the column keeps the host's value. An infinite max_speed
 * stays infinite. An agent that enters a slow zone at full speed has the lower speed at the end of the frame.
 *   Zones are in snapshots and recordings, and throng_world_shift_origin shifts them. To change one, set the whole list
 * again between two frames: 1 000 zones take milliseconds. A frame takes time for the zones that are near agents; with
 * a raster, also for every agent. The first zone or raster takes 4 bytes per agent, a raster 4 bytes per cell.
 *   Errors: NULL_ARGUMENT, BAD_COOKIE, BAD_VALUE and NOT_FINITE (which member of which zone, or of the raster; a raster
 * that does not tile a periodic axis), OUT_OF_RANGE (a centre beyond the world's limit; along a periodic axis, a centre
 * or the raster's origin outside of the box), OUT_OF_MEMORY. Not thread-safe with other calls on the world. */
THRONG_API throng_status throng_world_set_speed_zones(throng_world *world, const throng_speed_zones_def *def,
                                                      throng_error *error);

/* Writes the costs of a map's cells for throng_flow_field_compute and throng_world_compute_flow_field. A cost is 1 /
 * the smallest factor of the world's zones, and of its raster, at the middle of the cell, but at most 1000. It is 1
 * outside of all zones. A zone or raster counts only if its mask shares a layer with `layers`. Only width, height, cell
 * and origin of `cells` are read; in spatial worlds the middles are at the height of the origin. `cost` has width *
 * height numbers, row by row; cells->cost may be the same array. A zone smaller than a cell has no effect if it
 * contains no middle.
 * Errors: NULL_ARGUMENT, BAD_COOKIE, BAD_VALUE, NOT_FINITE; `cost` is then unchanged. Thread-safe between steps. */
THRONG_API throng_status throng_world_compute_zone_costs(const throng_world *world, const throng_cells_def *cells,
                                                         uint32_t layers, float *cost, throng_error *error);

/* Returns the number of the world's speed zones, without the raster; 0 for NULL. Thread-safe between steps. */
THRONG_API uint32_t throng_world_speed_zone_count(const throng_world *world);

#ifdef __cplusplus
}
#endif

#endif
