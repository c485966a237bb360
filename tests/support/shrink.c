/* tests/support/shrink.c
 * SPDX-License-Identifier: MIT */
#include "support/shrink.h"

#include <stdlib.h>
#include <string.h>

/* Copies `numbers` to `rest`, except those from index `from` to `from` + length - 1. Returns how many were copied. */
static uint32_t leave_out(const uint64_t *numbers, uint32_t count, uint32_t from, uint32_t length, uint64_t *rest) {
  const uint32_t after = from + length;
  memcpy(rest, numbers, from * sizeof *rest);
  memcpy(rest + from, numbers + after, (count - after) * sizeof *rest);
  return count - length;
}

uint32_t shrink(uint64_t *numbers, uint32_t count, fails_on *fails, void *context) {
  uint64_t *rest = malloc(((size_t)count + 1) * sizeof *rest);
  if (rest == NULL) abort();
  for (uint32_t length = count / 2 > 0 ? count / 2 : 1; length > 0;) {
    bool shorter = false;
    for (uint32_t from = 0; from + length <= count;) {
      const uint32_t left = leave_out(numbers, count, from, length, rest);
      if (!fails(rest, left, context)) {
        from += length;
        continue;
      }
      memcpy(numbers, rest, left * sizeof *rest);
      count = left;
      shorter = true;
    }
    if (length > 1 || !shorter) length /= 2; /* repeat with length 1 until no number can be left out */
  }
  free(rest);
  return count;
}
