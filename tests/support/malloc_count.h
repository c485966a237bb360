/* tests/support/malloc_count.h: counts this process's calls of the C library's allocator.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_MALLOC_COUNT_H
#define TEST_MALLOC_COUNT_H

#include <stdbool.h>
#include <stdint.h>

/* Whether calls are counted: only with glibc, and without sanitizers. */
bool malloc_is_counted(void);
/* Returns the number of calls of malloc, calloc, realloc, aligned_alloc and posix_memalign so far; 0 if they are not
 * counted. */
uint64_t malloc_count(void);

#endif
