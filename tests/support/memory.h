/* tests/support/memory.h: an allocator that counts, checks sizes and alignment, and can fail on the k-th call.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_MEMORY_H
#define TEST_MEMORY_H

#include <throng/throng.h>

typedef struct test_memory {
  uint64_t calls; /* of allocate */
  uint64_t live;  /* blocks not released yet */
  uint64_t live_bytes;
  uint64_t fail_at;  /* this call of allocate (counted from 1) returns NULL; 0: none */
  uint64_t mistakes; /* releases with another size or alignment, bad alignments, overrun blocks */
} test_memory;

/* Returns an allocator that counts in `memory`, which must outlive the world. Not thread-safe: the library calls it
 * from one thread. */
throng_allocator test_allocator(test_memory *memory);

#endif
