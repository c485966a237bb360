/* throng/scenery.h: cells and shapes that stop agents.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_SCENERY_H
#define THRONG_SCENERY_H

#include "agents.h"
#include "base.h"
#include "group.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A map: a grid of blocked and free cells in the x-z plane of a planar world. Outside of it everything is free. Cell
 * (i, j) covers x in [origin.x + i cell, origin.x + (i + 1) cell) and z in [origin.z + j cell, origin.z + (j + 1)
 * cell), in throng's axes: i counts along throng's +x and j along its +z for every host. The map's far edges belong to
 * its last cells, so that there is no gap between the map and a world's box of the same size. Rounding may put a face
 * of the box a little beyond the map's edge. If this is at most 2^-21 of the map's largest coordinate on that axis (2
 * to 4 floats), there is no gap either: the cells at the edge extend to the face.
 *   Along a periodic axis the map repeats. It must tile the axis in whole cells: their length together is that of the
 * axis, up to 2^-21 of the box's largest coordinate there. The origin is in the box or on a face.
 * Feelers see cells across the seam: rays up to a period beyond the box, hug_walls and hide up to half a period from
 * the agent.
 *   For cells, agents are points. A step sweeps each agent's straight line through the cells. At the first blocked
 * cell the agent stops, loses the velocity into it, and slides along. No agent ends a frame in a blocked cell, at
 * any speed. */
typedef struct throng_cells_def {
  uint32_t width, height; /* cells along x and z, 1 to 16 384 each */
  float cell;             /* a length, 1e-3 to 1e6 m, and at least 2^-21 of the grid's largest coordinate (default 1) */
  throng_vec3 origin;     /* in the host's axes; its component along throng's y is ignored */
  const uint8_t *blocked; /* width * height bytes, row by row (blocked[j * width + i]); 0 = free. Copied */
  const float *cost;      /* width * height numbers in the same order, or NULL (default). Only computed flow fields
                             read it: throng/flow_field.h. throng_world_set_cells ignores it */
  uint32_t cookie;        /* set by throng_default_cells_def; do not touch */
} throng_cells_def;

/* Thread-safe. */
THRONG_API throng_cells_def throng_default_cells_def(void);

/* Sets the world's cells, or removes them (def == NULL). The world keeps two bytes per cell.
 * Errors: NULL_ARGUMENT, BAD_COOKIE, BAD_VALUE (also cells that do not tile a periodic axis), OUT_OF_RANGE (an origin
 * outside of the box along such an axis), UNSUPPORTED (a spatial world), BLOCKED (an agent is in a
 * blocked cell; it is named), OUT_OF_MEMORY. */
THRONG_API throng_status throng_world_set_cells(throng_world *world, const throng_cells_def *def, throng_error *error);

/* Obstacles, walls, boxes and planes that do not move; moving obstacles are agents. Every array is copied.
 *   A step sweeps each agent's straight line past the shapes near it. At the first shape the agent stops, loses the
 * velocity into it, and slides along; in a corner that it cannot slide out of it stops. The line from its old position
 * to its new one, and that of each contact iteration, never meets a wall, an obstacle, a box or the solid side of a
 * plane, at any speed. Walls that share an end leave no gap. An agent keeps its body radius away from shapes, whatever
 * deflects it: shapes, cells or a face of the box. If it began nearer, it keeps the distance that it had, so that an
 * agent whose body becomes larger does not jump. The distance also includes a clearance of about 2^-20 times the
 * largest of its coordinates, its step and R. An agent exactly on a wall may leave to either side. Cells and the
 * world's box stop the agent too. The shapes are in their own grid, so the time for an agent depends on the shapes near
 * its line, and on the number of planes.
 *   Along a periodic axis shapes reach across the seam: agents stop at their images, and see them. Centres, wall_from
 * and box_min are in the box or on its faces. A wall goes the short way to wall_to. A shape is at most half a period
 * long. Planes must not lie across a periodic axis: that component of their normal is 0.
 *   Source: containment (R: throng/group.h lists the sources). */
typedef struct throng_scenery_def {
  throng_span obstacle_centre; /* throng_vec3, metres: circles in planar worlds (y is ignored), balls in spatial ones */
  throng_span obstacle_radius; /* float, metres, > 0, at most the world's limit of positions */
  uint32_t obstacle_count;     /* 0 to 2^22 (default 0), as wall_count and box_count */
  throng_span wall_from;       /* throng_vec3, metres: two-sided straight walls of planar worlds (y is ignored) */
  throng_span wall_to;         /* throng_vec3, metres; must differ from wall_from */
  uint32_t wall_count;
  throng_span box_min; /* throng_vec3, metres: solid boxes along the axes, of spatial worlds */
  throng_span box_max; /* throng_vec3, metres; greater than box_min along each axis */
  uint32_t box_count;
  throng_span plane_point;  /* throng_vec3, metres: planes of spatial worlds, solid on one side */
  throng_span plane_normal; /* throng_vec3, not 0; it is normalised, and points to the free side */
  uint32_t plane_count;     /* 0 to 64 */
  uint32_t cookie;          /* set by throng_default_scenery_def; do not touch */
} throng_scenery_def;

/* A definition without shapes. Thread-safe. */
THRONG_API throng_scenery_def throng_default_scenery_def(void);

/* Replaces the world's scenery, or removes it (def == NULL, or no shapes). All or nothing.
 * Errors: NULL_ARGUMENT, BAD_COOKIE, BAD_VALUE and NOT_FINITE (which array, which element), OUT_OF_RANGE (beyond the
 * world's limit of positions, or outside of the box along a periodic axis), UNSUPPORTED (walls in spatial worlds;
 * boxes and planes in planar ones), BLOCKED (an agent is inside an obstacle, inside a box or behind a plane; it is
 * named), OUT_OF_MEMORY. */
THRONG_API throng_status throng_world_set_scenery(throng_world *world, const throng_scenery_def *def,
                                                  throng_error *error);

/* Returns whether an agent with this body radius could be at the point. It could if
 * - throng_agents_add would accept the point as a position: it is finite, within the world's limit and in its box or
 *   period, and it is not in a blocked cell, inside an obstacle or a box, or behind a plane. Surfaces are outside; and
 * - no blocked cell, obstacle, wall, box or plane is nearer to the point than `radius` (a length). A body may touch
 * them.
 * With a radius of 0 only the first condition matters, and walls do not count. Faces of the world's box and other
 * agents never count: bodies may extend over the faces. y is ignored in planar worlds. Note that a step keeps bodies
 * away from shapes, but only their centres out of blocked cells.
 * Returns false for NULL, and for a radius that is negative, infinite or NaN. Takes time for each scenery cell and
 * shape within `radius`. Thread-safe between steps. */
THRONG_API bool throng_world_is_free(const throng_world *world, throng_vec3 point, float radius);

#ifdef __cplusplus
}
#endif

#endif
