/* memory.c: the host's allocator, or the C library's. SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#include <malloc.h>
#endif

static size_t alignment_of(size_t size) { return size >= 65536 ? 4096 : 64; }

static size_t round_up(size_t size, size_t alignment) { return (size + alignment - 1) / alignment * alignment; }

static void *default_allocate(size_t size, size_t alignment) {
#if defined(_WIN32)
  return _aligned_malloc(size, alignment);
#else
  return aligned_alloc(alignment, size);
#endif
}

static void default_release(void *memory) {
#if defined(_WIN32)
  _aligned_free(memory);
#else
  free(memory);
#endif
}

void *throng_allocate(const throng_allocator *allocator, size_t size) {
  size_t alignment = alignment_of(size);
  if (size == 0 || size > SIZE_MAX - alignment) return NULL;
  size = round_up(size, alignment);
  void *memory = allocator->allocate ? allocator->allocate(size, alignment, allocator->context)
                                     : default_allocate(size, alignment);
  if (memory) memset(memory, 0, size);
  return memory;
}

void throng_release(const throng_allocator *allocator, void *memory, size_t size) {
  if (!memory) return;
  size_t alignment = alignment_of(size);
  if (allocator->release) {
    allocator->release(memory, round_up(size, alignment), alignment, allocator->context);
  } else {
    default_release(memory);
  }
}
