/* throng/flow_field.h: grids of directions over the ground, for crowds that share a goal.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_FLOW_FIELD_H
#define THRONG_FLOW_FIELD_H

#include "base.h"
#include "group.h"
#include "scenery.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The maximum number of a world's flow fields. */
#define THRONG_MAX_FLOW_FIELDS 64u

/* A grid of vectors in the x-z plane. Sample (i, j) is at the middle of its cell, (origin.x + (i + 1/2) cell, origin.z
 * + (j + 1/2) cell), in throng's axes: rows, samples and vectors are along throng's +x and +z for every host. Between
 * samples the field is interpolated bilinearly. Beyond the outermost samples it has the value of the nearest point of
 * the grid. Along a periodic axis a field repeats if it is as long as the period, within 2^-21 of the box's largest
 * coordinate: it has no outermost samples there, and is interpolated across the seam. Another length is allowed; such a
 * field ends at its outermost samples on that axis too. The length of the result is the wanted part of max_speed: at a
 * length of 0.3 agents walk at 0.3 max_speed, and a length above 1 counts as 1. Longer vectors have more influence
 * between samples. An interpolated vector counts as 0 if it is shorter than 1/16, and also shorter than 1/16 of the
 * longest sample around it: agents brake to rest. But if the nearest sample points toward its own position, the field
 * is that sample, so that agents leave a line from which vectors diverge. */
typedef struct throng_flow_field_def {
  uint32_t width, height; /* samples along x and z, 1 to 16 384 each */
  float cell;             /* a length, 1e-3 to 1e6 m, and at least 2^-21 of the grid's largest coordinate (default 1) */
  throng_vec3 origin;     /* in the host's axes; its component along throng's y is ignored */
  const float *vectors;   /* 2 * width * height floats within +-1e9: x and z of each sample, row by row
                             (vectors[2 * (j * width + i)]). Copied */
  uint32_t cookie;        /* set by throng_default_flow_field_def; do not touch */
} throng_flow_field_def;

/* Thread-safe. */
THRONG_API throng_flow_field_def throng_default_flow_field_def(void);

/* Sets one of the world's flow fields, 0 to 63, or removes it (def == NULL). In spatial worlds the field is the same
 * at every height and has no vertical component.
 * Errors: NULL_ARGUMENT, BAD_COOKIE, BAD_VALUE, NOT_FINITE, OUT_OF_MEMORY. */
THRONG_API throng_status throng_world_set_flow_field(throng_world *world, uint32_t index,
                                                     const throng_flow_field_def *def, throng_error *error);

/* Writes the field at a point to *vector, in the host's axes: the same vector that the behaviour uses, with its length.
 * Its component along throng's y is 0.
 * Errors: NULL_ARGUMENT, BAD_VALUE (index, or there is no such field), NOT_FINITE. Thread-safe between steps. */
THRONG_API throng_status throng_world_sample_flow_field(const throng_world *world, uint32_t index, throng_vec3 point,
                                                        throng_vec3 *vector, throng_error *error);

/* A goal of a computed field. It consists of the free cell that holds `point`, and of the free cells with their middles
 * within `radius` of `point` that connect to it (or to another goal's cells) through such cells. A goal therefore ends
 * at walls. Agents stop inside of the goal: a crowd needs a large goal. */
typedef struct throng_flow_goal {
  throng_vec3 point; /* in the host's axes; its component along throng's y is ignored */
  float radius;      /* a length, 0 to 1e9 m */
} throng_flow_goal;

/* Computes the flow field of a map: from every free cell the shortest route around blocked cells to the nearest of
 * `goal_count` goals (at least 1; equal goals are allowed). The map's edge is blocked. Source: the upwind solution of
 * |grad T| = cost (J. A. Sethian, A fast marching level set method for monotonically advancing fronts, 1996).
 *   - cells->cost (NULL: 1 everywhere): a metre in cell k counts as cost[k] metres, 1e-3 to 1e3.
 *   - vectors, 2 * width * height floats, x and z of each cell, for a throng_flow_field_def with the map's width,
 *     height, cell and origin: unit vectors downhill in T; 0 in goal cells and without a route. In blocked cells they
 *     have the length 1/2 and lead away from the wall; 0 inside of walls, and beside goals and cells without a route.
 *   - distance (may be NULL), width * height floats: T as a length, INFINITY in blocked cells and without a route.
 *   - axes: the host's axes, of the cells, the goals and T (NULL: throng's own, metres).
 *   It needs about 17 bytes per cell, and 32 KB, from `allocator` (NULL: the default one). docs/CATALOGUE.md, "Guides",
 * says how exact routes are. The result has the same bits on every machine. Thread-safe. Errors: NULL_ARGUMENT,
 * BAD_COOKIE, BAD_VALUE, NOT_FINITE, OUT_OF_RANGE (a goal outside of the map), BLOCKED (a goal in a blocked cell),
 * OUT_OF_MEMORY; the arrays are then unchanged. */
THRONG_API throng_status throng_flow_field_compute(const throng_axes *axes, const throng_cells_def *cells,
                                                   const throng_flow_goal *goals, uint32_t goal_count, float *vectors,
                                                   float *distance, const throng_allocator *allocator,
                                                   throng_error *error);

/* The same for a planar or spatial world. Along its periodic axes the map repeats: routes lead across the seam, and
 * the nearest image of a goal counts. The map must tile a periodic axis in whole cells: their length together is that
 * of the axis, within 2^-21 of the box's largest coordinate. Its origin and the goals are in the box or on its faces
 * there. `cells`, `goals` and `distance` are in the world's axes. It does not read the cells of
 * throng_world_set_cells.
 * Errors: as above; BAD_VALUE also for a map that does not tile a periodic axis, OUT_OF_RANGE also for an origin or a
 * goal outside of the box. Thread-safe between steps. */
THRONG_API throng_status throng_world_compute_flow_field(const throng_world *world, const throng_cells_def *cells,
                                                         const throng_flow_goal *goals, uint32_t goal_count,
                                                         float *vectors, float *distance,
                                                         const throng_allocator *allocator, throng_error *error);

/* One of several fields: the arguments that throng_world_compute_flow_field has for it, with the same ranges. */
typedef struct throng_flow_request {
  const throng_cells_def *cells; /* the map; requests may share it */
  const throng_flow_goal *goals; /* [goal_count] */
  uint32_t goal_count;           /* at least 1 */
  float *vectors;                /* 2 * width * height floats, in which the call writes the field */
  float *distance;               /* width * height floats, or NULL */
} throng_flow_request;

/* Computes `request_count` fields at once, each on one of the world's threads: the same bits as that many calls of
 * throng_world_compute_flow_field, on any number of threads. For example, the fields of all exits of a building. 0
 * requests: does nothing. Arrays that it writes must not overlap each other or what it reads.
 *   For each field that is computed at the same time (as many as there are threads, at most request_count) it needs the
 * memory of one field of the largest map, and about 100 bytes for each request, from `allocator` (NULL: the default
 * one), which it calls on the calling thread alone.
 *   It leaves the world as it is, but uses its threads. So it counts as a call that changes the world: beside another
 * such call, and in a callback, it returns BUSY. Functions that read the world may run beside it.
 *   Errors: as throng_world_compute_flow_field. The text begins with the first request that is wrong, as
 * "requests[2]: ". On any error all arrays are unchanged. */
THRONG_API throng_status throng_world_compute_flow_fields(throng_world *world, const throng_flow_request *requests,
                                                          uint32_t request_count, const throng_allocator *allocator,
                                                          throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
