/* throng/passes.h, EXPERIMENTAL: it may change in any minor version, and throng/throng.h does not include it.
 *
 * The passes by themselves, over the caller's own columns and without a world: index, neighbours, integration.
 * For an entity-component system that keeps its arrays, or its arrays of structures, and runs the passes as systems of its own:
 *
 *   throng_passes_build_grid(passes, &agents, &error);             copies positions and velocities into a grid
 *   throng_passes_run_neighbours(passes, dt, &wishes, &error);   what each rule wants, in the caller's order
 *   (the host's own systems change wishes.acceleration)
 *   throng_passes_run_integrate(passes, dt, &acceleration, &moved, &error);
 *
 * The bits are those of a world whose agents were added in the caller's order, whose facings are these to the bit (throng_agents_add
 * makes unit vectors of facings, the passes take them as they are) and whose groups have the same rules.
 * They cost about twice a throng_world_step's time: what is copied, in the caller's order, and sorted again. Arrays kept in the order
 * of the grid (throng_passes_get_order) cost less.
 * What remembers something from frame to frame is a world's alone: lists of behaviours, queues, steered yaws, scenery.
 * Calls on one throng_passes must not overlap; different ones may be used by different threads at once.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_PASSES_H
#define THRONG_PASSES_H

#include "base.h"
#include "agents.h"
#include "group.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The groups, and the memory that the passes work in. */
typedef struct throng_passes throng_passes;

/* A vector of every agent in the caller's memory, to read: agent k's components are k * stride bytes behind x, y and z.
 * stride 0 = sizeof(float), three arrays of their own; the size of a structure, fields of an array of structures.
 * Planar: y is not looked at and may be NULL. */
typedef struct throng_vectors {
  const float *x, *y, *z;
  size_t stride; /* bytes */
} throng_vectors;

/* Likewise, to write. x == NULL: not wanted. Planar: a y that is not NULL gets 0, but for positions, whose y stays. */
typedef struct throng_vectors_out {
  float *x, *y, *z;
  size_t stride; /* bytes */
} throng_vectors_out;

/* The agents of a frame. An error names agent k, from 0, as index k + 1 of error->agent, and so does its text. */
typedef struct throng_passes_agents_def {
  uint32_t count;
  uint64_t frame;          /* the number of the frame (default 0): what random draws and the turns of a neighbour budget go by */
  throng_vectors position; /* required, metres */
  throng_vectors velocity; /* required, m/s */
  throng_vectors facing;   /* default (x NULL): along the velocity, +z where that is 0. Planar: x is the yaw, radians, -pi to pi,
                              y and z are not looked at. Spatial: unit vectors, to a thousandth */
  throng_span group;             /* uint8_t, defined groups; default 0 */
  throng_span perception_radius; /* float, metres, 0 < r <= the world's; default, and where it is NaN, the group's */
  throng_span body_radius;       /* float, metres, >= 0; default likewise */
  throng_span mass;              /* float, kilograms, > 0 to 1e9; default likewise */
  uint32_t cookie;               /* set by throng_default_passes_agents_def; do not touch */
} throng_passes_agents_def;

/* Thread-safe. */
THRONG_API throng_passes_agents_def throng_default_passes_agents_def(void);

/* Makes the passes for worlds of a definition: its space, boundary, radius, law, update, seed, threads, instruction set, hooks
 * and, as room for so many agents, its capacity. Group 0 has the default definition. *passes is set only on success.
 * Errors: as throng_world_create. Thread-safe. */
THRONG_API throng_status throng_passes_create(const throng_world_def *def, throng_passes **passes, throng_error *error);

/* Frees everything. NULL is allowed. */
THRONG_API void throng_passes_destroy(throng_passes *passes);

/* Defines a group, as throng_world_set_group. It takes effect at the next call.
 * Errors: as throng_world_set_group; UNSUPPORTED (a list of behaviours, a queue, or THRONG_FACING_STEERED). */
THRONG_API throng_status throng_passes_set_group(throng_passes *passes, uint32_t group, const throng_group_def *def,
                                                 throng_error *error);

/* Copies the agents and puts them into grid order: what the next neighbours and integrate are about. Allocates where there are more
 * agents than ever before, or columns for the first time. After an error there is no grid; the caller's memory is never written.
 * Of several bad agents the first one is named, those whose position or velocity is bad after all others.
 * Errors: NULL_ARGUMENT, BAD_COOKIE, CAPACITY, OUT_OF_MEMORY; NOT_FINITE, OUT_OF_RANGE, BAD_VALUE, NO_GROUP (of an agent). */
THRONG_API throng_status throng_passes_build_grid(throng_passes *passes, const throng_passes_agents_def *agents,
                                            throng_error *error);

/* The order of the grid: order[n] is the caller's number, from 0, of the n-th agent in it. Who sorts his arrays by it now and
 * then has neighbours close by in memory, too. Errors: NULL_ARGUMENT, CAPACITY (less room than agents), NOT_INDEXED (no grid). */
THRONG_API throng_status throng_passes_get_order(const throng_passes *passes, uint32_t *order, uint32_t capacity,
                                             throng_error *error);

/* What the rules want, m/s^2: each rule before its weight (0 where the agent's group does not have it), and all of them as the
 * group combines them, within its limits. */
typedef struct throng_passes_wishes {
  throng_vectors_out separation, cohesion, alignment, avoidance, attraction;
  throng_vectors_out acceleration;
} throng_passes_wishes;

/* Writes what is wanted of `wishes`, in the caller's order. May be repeated. `dt` as in throng_world_steer.
 * Errors: NULL_ARGUMENT, BAD_VALUE, NOT_FINITE (dt), NOT_INDEXED (no grid). Never allocates. */
THRONG_API throng_status throng_passes_run_neighbours(throng_passes *passes, float dt, const throng_passes_wishes *wishes,
                                                  throng_error *error);

/* Where the agents then are. */
typedef struct throng_passes_moved {
  throng_vectors_out position, velocity;
  throng_vectors_out facing; /* planar: x is the yaw, and y and z are left alone */
} throng_passes_moved;

/* Moves the agents of the grid by accelerations in the caller's order: limits, drag, update, boundary, contact and facing as in
 * throng_world_integrate. What it writes may be what the grid was made from. All or nothing: on error nothing is written.
 * Errors: NULL_ARGUMENT, BAD_VALUE, NOT_FINITE (dt; of an agent), OUT_OF_RANGE (of an agent), NOT_INDEXED. Never allocates. */
THRONG_API throng_status throng_passes_run_integrate(throng_passes *passes, float dt, const throng_vectors *acceleration,
                                                 const throng_passes_moved *moved, throng_error *error);

/* The world behind it, to ask: throng_query_..., throng_world_view, throng_world_check. Its agents are those of the grid, agent k
 * under index k + 1, generation 1. NULL for NULL. Valid until destroy. */
THRONG_API const throng_world *throng_passes_get_world(const throng_passes *passes);

#ifdef __cplusplus
}
#endif

#endif
