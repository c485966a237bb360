/* throng/flow_field.h: directions over the ground, for crowds that share a goal.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_FLOW_FIELD_H
#define THRONG_FLOW_FIELD_H

#include "base.h"
#include "group.h"
#include "scenery.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many flow fields a world can have. */
#define THRONG_MAX_FLOW_FIELDS 64u

/* A grid of vectors in the x-z plane: sample (i, j) stands in the middle of its cell, at
 * (origin_x + (i + 1/2) cell, origin_z + (j + 1/2) cell). Between samples the field is bilinear, beyond the outermost ones
 * it is the nearest point's; where vectors cancel out to 0 it is the nearest sample. The behaviour takes only the direction of
 * what it samples: longer vectors count for more between samples, and a zero vector, which counts for nothing beside others,
 * means "stand still here" where it is alone. */
typedef struct throng_flow_field_def {
  uint32_t width, height;    /* samples along x and z, 1 to 16 384 each */
  float cell;                /* metres, 1e-3 to 1e6, and at least 2^-21 of the grid's largest coordinate */
  float origin_x, origin_z;
  const float *vectors;      /* 2 * width * height floats within +-1e9: x and z of each sample, row by row
                                (vectors[2 * (j * width + i)]). Copied */
  uint32_t cookie;           /* set by throng_default_flow_field_def; do not touch */
} throng_flow_field_def;

/* Thread-safe. */
THRONG_API throng_flow_field_def throng_default_flow_field_def(void);

/* Sets the world's flow field `number`, 0 to 63, or takes it away (def == NULL). In spatial worlds it is the same at every height
 * and has no vertical part. Errors: NULL_ARGUMENT, BAD_COOKIE, BAD_VALUE, NOT_FINITE, OUT_OF_MEMORY. */
THRONG_API throng_status throng_world_set_flow_field(throng_world *world, uint32_t number, const throng_flow_field_def *def,
                                                     throng_error *error);

/* The field at a point, as agents sample it (not its direction alone): y is 0. Errors: NULL_ARGUMENT, BAD_VALUE (number, or there is
 * no such field), NOT_FINITE. Thread-safe between steps. */
THRONG_API throng_status throng_world_sample_flow_field(const throng_world *world, uint32_t number, float x, float z,
                                                        throng_vec3 *vector, throng_error *error);

/* Where a computed field leads: the cell that holds (x, z), which must be free, and those free cells with their middles within
 * `radius` that are joined by such cells to it (or to another goal's area): an area ends at walls. Agents stop where they are well inside:
 * give a crowd room. */
typedef struct throng_flow_goal {
  float x, z;
  float radius; /* metres, 0 to 1e9 */
} throng_flow_goal;

/* The field over a map that leads to the nearest of `goal_count` goals (at least 1) the shortest way round its blocked
 * cells, as vectors for throng_flow_field_def with the map's width, height, cell and origin. An upwind solution of the eikonal equation
 * |grad T| = 1 (J. A. Sethian, A fast marching level set method for monotonically advancing fronts, 1996), first order: in the
 * open its ways are up to some per cent longer than straight ones. The grid's edge counts as blocked.
 *   vectors: 2 * width * height floats, x and z by cell.
 *     Free cells: of length 1, downhill in T; never toward a blocked neighbour, nor between two of them that touch at a corner.
 *     Goal cells, and free ones with no way to a goal: zero.
 *     Blocked cells: half a unit away from the wall, so that what is bilinear keeps off walls and corners; zero inside of
 *     walls, and beside goals and free cells that have no way.
 *   distance (may be NULL): width * height floats, T in metres: 0 in goal cells, INFINITY where blocked or where there is no way.
 * It takes about 16 bytes a cell from `allocator` (NULL: the default one) for the time of the call.
 * The same bits on every machine. Errors: NULL_ARGUMENT, BAD_COOKIE, BAD_VALUE, NOT_FINITE, OUT_OF_RANGE (a goal outside of the map),
 * BLOCKED (a goal in a blocked cell), OUT_OF_MEMORY; the arrays are then as they were. Thread-safe. */
THRONG_API throng_status throng_flow_field_compute(const throng_cells_def *cells, const throng_flow_goal *goals,
                                                   uint32_t goal_count, float *vectors, float *distance,
                                                   const throng_allocator *allocator, throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
