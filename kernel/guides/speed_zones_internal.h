/* guides/speed_zones_internal.h: the speed zones of a world as the pass reads them. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_GUIDES_SPEED_ZONES_INTERNAL_H
#define THRONG_KERNEL_GUIDES_SPEED_ZONES_INTERNAL_H

#include <throng/speed_zones.h>

#include "guides/reach.h"
#include "scenery/cells.h"

#define MOST_ZONED_SPEED 1e9f /* m/s: the largest max_speed that a group or an agent may have */

struct speed_zone {
  throng_speed_zone given; /* in throng's axes and metres */
  float sine, cosine;      /* of the yaw */
  float radius_sq, half_width, half_length, half_height;
  float half_x, half_z; /* half of the sides of its box on the ground */
};

struct speed_zones {
  uint32_t count;          /* 0: none */
  struct speed_zone *list; /* [count] in the caller's order */
  /* A box on the ground for each zone, a little larger than the zone. In spatial worlds too: zones at all heights are
   * found. */
  struct reach reach;
  struct cells map; /* the layout of the raster; width 0: no raster. It has no blocked cells */
  float *factor;    /* [map.height][map.width] */
  uint32_t mask;    /* of the raster: layers */
};

static inline bool speed_zones_exist(const struct speed_zones *zones) { return zones->count > 0 || zones->factor; }

/* Checks a definition, and makes the speed zones. On failure there is nothing to release. */
throng_status throng_speed_zones_make(const struct space *space, const throng_allocator *allocator,
                                      const throng_speed_zones_def *def, struct speed_zones *zones,
                                      throng_error *error);
void throng_speed_zones_release(struct speed_zones *zones, const throng_allocator *allocator);
/* As throng_scenery_check_shift and throng_scenery_shift. */
throng_status throng_speed_zones_check_shift(const struct speed_zones *zones, const float shift[3], float limit,
                                             throng_error *error);
/* The caller then calls throng_cells_fit_box for the map. */
void throng_speed_zones_shift(struct speed_zones *zones, const float shift[3]);

/* Returns the raster's factor at a position in the box; INFINITY in cells with a factor of 1, and outside. The raster
 * must exist. */
float throng_speed_raster_at(const struct speed_zones *zones, float x, float z);

/* Writes the costs of a map's cells: see throng_world_compute_zone_costs. */
throng_status throng_speed_zones_costs(const struct speed_zones *zones, const struct space *space,
                                       const throng_cells_def *cells, uint32_t layers, float *cost,
                                       throng_error *error);

#endif
