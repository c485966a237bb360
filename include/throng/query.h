/* throng/query.h: who is near? Exact answers between steps, by the same distances as the frame (planar worlds: in the
 * x-z plane; periodic worlds: minimum image). All of these are thread-safe between steps and never allocate.
 * A world that is dirty answers THRONG_ERROR_NOT_INDEXED. A batch uses the world's own threads: one batch at a time.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_QUERY_H
#define THRONG_QUERY_H

#include "base.h"
#include "group.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One answer of a query. */
typedef struct throng_neighbour {
  throng_agent_id id;
  float distance; /* metres */
} throng_neighbour;

/* All agents within `radius` (>= 0, finite, any size; the border counts) of `centre` whose layer is in `mask`, ascending by
 * (distance, id index), into found[capacity]. *count is how many there are. Nobody is left out silently: if they are more than
 * capacity, answers CAPACITY, *count is right, and what found holds is unspecified. found may be NULL with capacity 0 to
 * count only (then OK).
 * Errors: NULL_ARGUMENT, BAD_VALUE, NOT_FINITE, OUT_OF_RANGE, NOT_INDEXED, CAPACITY. */
THRONG_API throng_status throng_world_query_radius(const throng_world *world, throng_vec3 centre, float radius, uint32_t mask,
                                             throng_neighbour *found, uint32_t capacity, uint32_t *count,
                                             throng_error *error);

/* The k nearest agents to `centre` whose layer is in `mask`, ascending by (distance, id index), into found[k]; *count is
 * min(k, how many there are). Errors: NULL_ARGUMENT, BAD_VALUE (k = 0), NOT_FINITE, OUT_OF_RANGE, NOT_INDEXED. */
THRONG_API throng_status throng_world_query_nearest(const throng_world *world, throng_vec3 centre, uint32_t k, uint32_t mask,
                                              throng_neighbour *found, uint32_t *count, throng_error *error);

/* The same for `query_count` centres at once, in parallel on the world's threads (so: one batch at a time per world).
 * Answers of query q go to found[q * capacity ...] and counts[q]. CAPACITY if any of them does not fit: every count is
 * right then, and the answers that fit are written. */
THRONG_API throng_status throng_world_query_radius_batch(throng_world *world, const throng_vec3 *centres, uint32_t query_count,
                                                   float radius, uint32_t mask, throng_neighbour *found,
                                                   uint32_t capacity, uint32_t *counts, throng_error *error);
THRONG_API throng_status throng_world_query_nearest_batch(throng_world *world, const throng_vec3 *centres,
                                                    uint32_t query_count, uint32_t k, uint32_t mask,
                                                    throng_neighbour *found, uint32_t *counts, throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
