/* tests/support/malloc_count.h: how often the C library's allocator was called by this process.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_MALLOC_COUNT_H
#define TEST_MALLOC_COUNT_H

#include <stdbool.h>
#include <stdint.h>

/* False where it cannot be counted: other C libraries, sanitizers. */
bool malloc_is_counted(void);
/* Calls of malloc, calloc, realloc, aligned_alloc, posix_memalign so far. */
uint64_t malloc_count(void);

#endif
