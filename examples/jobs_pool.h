/* jobs_pool.h: a host's small thread pool, and the functions by which throng uses it. SPDX-License-Identifier: MIT */
#ifndef JOBS_POOL_H
#define JOBS_POOL_H

#include <throng/throng.h>

struct pool;

/* Creates a pool. `workers` includes the thread that steps the world. Returns NULL if threads cannot be created. */
struct pool *pool_create(uint32_t workers);
void pool_destroy(struct pool *pool);

/* Returns the value for throng_world_def.jobs. */
throng_job_system pool_job_system(struct pool *pool);

#endif
