/* throng/passes.h, EXPERIMENTAL: it may change in any minor version, and throng/throng.h does not include it. The
 * passes index, neighbours and integrate, over the caller's own columns and without a world, for an entity-component
 * system:
 *
 *     throng_passes_build_grid(passes, &agents, &error);           copies positions and velocities into a grid
 *     throng_passes_run_neighbours(passes, dt, &wishes, &error);   the rules' accelerations, in the caller's order
 *     (the host's own systems change wishes.acceleration)
 *     throng_passes_run_integrate(passes, dt, &acceleration, &moved, &error);
 *
 * The bits are those of a world whose agents were added in the caller's order, with the same facings (throng_agents_add
 * normalises facings, the passes do not) and groups with the same rules. Arrays in grid order (throng_passes_get_order)
 * take less time. docs/INTEGRATION.md, "Your own arrays", says what they lack and cost. Calls on one throng_passes must
 * not overlap; different threads may use different throng_passes at once.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_PASSES_H
#define THRONG_PASSES_H

#include "agents.h"
#include "base.h"
#include "group.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The groups, the grid and the memory of the passes. */
typedef struct throng_passes throng_passes;

/* Input vectors in the caller's memory, one per agent: the components of agent k are k * stride bytes after x, y and
 * z. A stride of 0 is sizeof(float), for three separate arrays; the size of a structure is for fields of an array of
 * structures. Planar worlds ignore y, which may be NULL. */
typedef struct throng_vectors {
  const float *x, *y, *z;
  size_t stride; /* bytes */
} throng_vectors;

/* Output vectors, with the same layout. x == NULL: the output is not written. In planar worlds, y becomes 0 if it is
 * not NULL; the y of positions does not change. */
typedef struct throng_vectors_out {
  float *x, *y, *z;
  size_t stride; /* bytes */
} throng_vectors_out;

/* The agents of a frame. For agent k, from 0, an error has the index k + 1 in error->agent and in its text. */
typedef struct throng_passes_agents_def {
  uint32_t count;
  uint64_t frame;          /* the number of the frame (default 0), for random draws and the choice of representatives
                              of a neighbour budget */
  throng_vectors position; /* required, metres */
  throng_vectors velocity; /* required, m/s */
  throng_vectors facing;   /* default (x NULL): along the velocity; +z if that is 0. Planar: x is the yaw, radians,
                              -pi to pi; y and z are ignored. Spatial: unit vectors; a length may differ from 1 by up
                              to a thousandth */
  throng_span group;       /* uint8_t, defined groups; default 0 */
  throng_span perception_radius; /* float, metres, 0 < r <= the world's; NaN, or no array: the group's */
  throng_span body_radius;       /* float, metres, >= 0; NaN, or no array: the group's */
  throng_span mass;              /* float, kilograms, > 0 to 1e9; NaN, or no array: the group's */
  throng_span max_speed;         /* float, m/s, 0 to 1e9; NaN, or no array: the group's */
  uint32_t cookie;               /* set by throng_default_passes_agents_def; do not touch */
} throng_passes_agents_def;

/* Thread-safe. */
THRONG_API throng_passes_agents_def throng_default_passes_agents_def(void);

/* Creates passes from a world's definition. They use its space, boundary, radius, law, update, seed, threads,
 * instruction set and hooks; they allocate for its capacity. Group 0 has the default definition. *passes is set only
 * on success.
 * Errors: as throng_world_create. Thread-safe. */
THRONG_API throng_status throng_passes_create(const throng_world_def *def, throng_passes **passes, throng_error *error);

/* Releases the passes. NULL is allowed. */
THRONG_API void throng_passes_destroy(throng_passes *passes);

/* Defines a group as throng_world_set_group does, from the next call on.
 * Errors: as throng_world_set_group; UNSUPPORTED (behaviours, a queue, a pace, reciprocal avoidance, or
 * THRONG_FACING_STEERED). */
THRONG_API throng_status throng_passes_set_group(throng_passes *passes, uint32_t group, const throng_group_def *def,
                                                 throng_error *error);

/* Copies the agents and sorts them into grid order, for throng_passes_run_neighbours and throng_passes_run_integrate.
 * Allocates if there are more agents than in any call before, or a column is new. After an error there is no grid. The
 * caller's memory is never written. The error names the first agent with a bad value; positions and velocities are
 * checked after all other values.
 * Errors: NULL_ARGUMENT, BAD_COOKIE, CAPACITY, OUT_OF_MEMORY; NOT_FINITE, OUT_OF_RANGE, BAD_VALUE, NO_GROUP (of an
 * agent). */
THRONG_API throng_status throng_passes_build_grid(throng_passes *passes, const throng_passes_agents_def *agents,
                                                  throng_error *error);

/* Writes the grid order: order[n] is the caller's number, from 0, of agent n of the grid. A host that sometimes sorts
 * its arrays in this order keeps neighbours close together in memory.
 * Errors: NULL_ARGUMENT, CAPACITY (`capacity` is below the number of agents), NOT_INDEXED (no grid). */
THRONG_API throng_status throng_passes_get_order(const throng_passes *passes, uint32_t *order, uint32_t capacity,
                                                 throng_error *error);

/* The rules' accelerations in m/s^2: those of each rule before its weight (0 if the agent's group does not have the
 * rule), and `acceleration`, combined and limited as the group's definition says. */
typedef struct throng_passes_wishes {
  throng_vectors_out separation, cohesion, alignment, avoidance, attraction;
  throng_vectors_out acceleration;
} throng_passes_wishes;

/* Writes the outputs of `wishes` whose x is not NULL, in the caller's order. May be repeated. `dt` as in
 * throng_world_steer. Never allocates.
 * Errors: NULL_ARGUMENT, BAD_VALUE, NOT_FINITE (dt), NOT_INDEXED (no grid). */
THRONG_API throng_status throng_passes_run_neighbours(throng_passes *passes, float dt,
                                                      const throng_passes_wishes *wishes, throng_error *error);

/* The results of throng_passes_run_integrate. */
typedef struct throng_passes_moved {
  throng_vectors_out position, velocity;
  throng_vectors_out facing; /* planar: x is the yaw, and y and z do not change */
} throng_passes_moved;

/* Moves the agents of the grid by accelerations in the caller's order, with limits, drag, update, boundary, contact
 * and facing as in throng_world_integrate. A grid has no memory of earlier frames, so that no agent is impatient
 * ("Yielding", throng/group.h). The outputs may be the arrays that the grid was built from. All or nothing: on error
 * nothing is written. Never allocates.
 * Errors: NULL_ARGUMENT, BAD_VALUE, NOT_FINITE (dt; of an agent), OUT_OF_RANGE (of an agent), NOT_INDEXED. */
THRONG_API throng_status throng_passes_run_integrate(throng_passes *passes, float dt,
                                                     const throng_vectors *acceleration,
                                                     const throng_passes_moved *moved, throng_error *error);

/* The world of the passes, for throng_query_..., throng_world_view and throng_world_check. Its agents are those of
 * the grid; agent k has index k + 1 and generation 1. NULL for NULL. Valid until destroy. */
THRONG_API const throng_world *throng_passes_get_world(const throng_passes *passes);

#ifdef __cplusplus
}
#endif

#endif
