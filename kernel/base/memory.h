/* memory.h: allocates arrays, aligned to cache lines, with the host's allocator. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_BASE_MEMORY_H
#define THRONG_KERNEL_BASE_MEMORY_H

#include <stdint.h>

#include <throng/base.h>

/* Returns `size` zeroed bytes, aligned to 64 bytes (large blocks to 4096), or NULL. */
void *throng_allocate(const throng_allocator *allocator, size_t size);
/* Releases memory of throng_allocate; NULL is allowed. */
void throng_release(const throng_allocator *allocator, void *memory, size_t size);

#endif
