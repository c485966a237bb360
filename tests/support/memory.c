/* tests/support/memory.c
 * SPDX-License-Identifier: MIT */
#include "support/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define GUARD 0x5au
#define GUARD_BYTES 64u

/* Stored just before every block. */
typedef struct header {
  void *base;
  size_t size, alignment;
} header;

static void *allocate(size_t size, size_t alignment, void *context) {
  test_memory *m = context;
  m->calls++;
  if (alignment == 0 || (alignment & (alignment - 1)) != 0 || alignment > 4096) m->mistakes++;
  if (m->calls == m->fail_at) return NULL;
  const size_t align = alignment > sizeof(void *) ? alignment : sizeof(void *);
  if (size > SIZE_MAX / 2) return NULL;
  unsigned char *base = malloc(size + align + sizeof(header) + GUARD_BYTES);
  if (base == NULL) return NULL;
  unsigned char *memory = base + sizeof(header);
  memory += (align - (uintptr_t)memory % align) % align;
  const header h = {base, size, alignment};
  memcpy(memory - sizeof h, &h, sizeof h);
  memset(memory, 0xcd, size); /* the library must not expect zeros */
  memset(memory + size, GUARD, GUARD_BYTES);
  m->live++;
  m->live_bytes += size;
  return memory;
}

static void release(void *memory, size_t size, size_t alignment, void *context) {
  test_memory *m = context;
  if (memory == NULL) return;
  header h;
  memcpy(&h, (unsigned char *)memory - sizeof h, sizeof h);
  if (h.size != size || h.alignment != alignment) m->mistakes++;
  for (size_t k = 0; k < GUARD_BYTES; k++)
    if (((unsigned char *)memory)[h.size + k] != GUARD) {
      m->mistakes++;
      break;
    }
  m->live--;
  m->live_bytes -= h.size;
  free(h.base);
}

throng_allocator test_allocator(test_memory *memory) { return (throng_allocator){allocate, release, memory}; }
