/* throng/query.h: finds the agents near a point. Results are exact. Distances are in the x-z plane in planar worlds,
 * and to the minimum image in periodic ones.
 *   Definition: an agent's distance is the float that the query returns for it, in the host's unit of length. A query
 * with a radius finds an agent if and only if its distance is at most the radius, compared as floats; so a radius that
 * is an agent's distance finds that agent. All queries sort and choose by this distance. The rules of a frame compare
 * squares in metres instead. An agent whose distance is the perception radius to the last bit may therefore be found
 * here and not be a neighbour there, or be a neighbour there and not be found here.
 *   All queries are thread-safe between steps and never allocate. In a dirty world (throng_world_index says when it is
 * dirty) they return THRONG_ERROR_NOT_INDEXED. A batch uses the world's threads, so only one batch may run at a time: a
 * second one returns BUSY.
 *   After throng_agents_move and throng_agents_remove, until the next sort, each query also tests every agent that was
 * moved or that took the slot of a removed one. With 100 such agents a nearest query takes about 1.6 us more. Before
 * many queries, call throng_world_index: one sort then takes less time than these tests.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_QUERY_H
#define THRONG_QUERY_H

#include "base.h"
#include "group.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One result of a query. */
typedef struct throng_neighbour {
  throng_agent_id id;
  float distance; /* in the host's unit of length (throng/axes.h): the square root of the sum of the squared
                     differences, times units_per_metre; each operation is rounded to float */
} throng_neighbour;

/* Finds all agents within `radius` of `centre` whose layer is in `mask`. `centre` is finite and within 2^20 R of the
 * origin on each axis; along a PERIODIC axis it is in the box or on a face. `radius` is finite and at least 0, of
 * any size; an agent whose distance is the radius counts. Writes them to found[capacity], ascending by (distance, id
 * index), and their number to *count. If there are more than `capacity`, it returns CAPACITY: *count is right, and the
 * content of `found` is undefined. With found == NULL and capacity 0 it only counts, and returns OK.
 * Errors: NULL_ARGUMENT, BAD_VALUE, NOT_FINITE, OUT_OF_RANGE, NOT_INDEXED, CAPACITY. */
THRONG_API throng_status throng_world_query_radius(const throng_world *world, throng_vec3 centre, float radius,
                                                   uint32_t mask, throng_neighbour *found, uint32_t capacity,
                                                   uint32_t *count, throng_error *error);

/* Finds the k nearest agents to `centre` whose layer is in `mask`. Writes them to found[k], ascending by (distance, id
 * index), and their number to *count. The number is below k if there are fewer such agents.
 * Errors: NULL_ARGUMENT, BAD_VALUE (k = 0), NOT_FINITE, OUT_OF_RANGE, NOT_INDEXED. */
THRONG_API throng_status throng_world_query_nearest(const throng_world *world, throng_vec3 centre, uint32_t k,
                                                    uint32_t mask, throng_neighbour *found, uint32_t *count,
                                                    throng_error *error);

/* Do the same for `query_count` centres, in parallel on the world's threads. Only one batch per world may run at a
 * time: a second one, or one in a callback, returns BUSY. The results of query q go to found[q * capacity ...] (for
 * nearest: found[q * k ...]) and counts[q]. Returns CAPACITY if the results of some query do not fit: all counts are
 * right, and the results of the other queries are written. */
THRONG_API throng_status throng_world_query_radius_batch(throng_world *world, const throng_vec3 *centres,
                                                         uint32_t query_count, float radius, uint32_t mask,
                                                         throng_neighbour *found, uint32_t capacity, uint32_t *counts,
                                                         throng_error *error);
THRONG_API throng_status throng_world_query_nearest_batch(throng_world *world, const throng_vec3 *centres,
                                                          uint32_t query_count, uint32_t k, uint32_t mask,
                                                          throng_neighbour *found, uint32_t *counts,
                                                          throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
