/* jobs_pool.h: a host's small thread pool, with the callbacks that throng calls. SPDX-License-Identifier: MIT */
#ifndef JOBS_POOL_H
#define JOBS_POOL_H

#include <throng/throng.h>

struct pool;

/* workers: including the thread that steps the world. Returns NULL if the threads cannot be created. */
struct pool *pool_create(uint32_t workers);
void pool_destroy(struct pool *pool);

/* The value for throng_world_def.jobs. */
throng_job_system pool_job_system(struct pool *pool);

#endif
