/* jobs_pool.h: a small thread pool of a host's, as throng wants one. SPDX-License-Identifier: MIT */
#ifndef JOBS_POOL_H
#define JOBS_POOL_H

#include <throng/throng.h>

struct pool;

/* `workers` in all, the thread that steps the world among them. NULL if they cannot be had. */
struct pool *pool_create(uint32_t workers);
void pool_destroy(struct pool *pool);

/* What goes into throng_world_def.jobs. */
throng_job_system pool_job_system(struct pool *pool);

#endif
