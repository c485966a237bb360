/* guides/pattern_internal.h: a pattern as the pass reads it. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_GUIDES_PATTERN_INTERNAL_H
#define THRONG_KERNEL_GUIDES_PATTERN_INTERNAL_H

#include <throng/pattern.h>

#include "base/memory.h"
#include "base/space.h"

struct pattern {
  uint32_t count;                          /* 0: no pattern */
  bool loop, stands;                       /* stands: only without a loop */
  bool steps;                              /* some instruction has a step or stands, or the pattern stands */
  bool holds;                              /* some instruction has a step back or stands, or the pattern stands */
  throng_pattern_instruction *instruction; /* [count] */
};

/* Checks a definition, and makes the pattern. On failure there is nothing to release. */
throng_status throng_pattern_make(const struct space *space, const throng_allocator *allocator,
                                  const throng_pattern_def *def, struct pattern *pattern, throng_error *error);
void throng_pattern_release(struct pattern *pattern, const throng_allocator *allocator);

#endif
