/* span.h: reads the host's spans. SPDX-License-Identifier: MIT */
#ifndef THRONG_SPAN_H
#define THRONG_SPAN_H

#include <throng/agents.h>

/* Element k of a span; elements have `bytes` bytes. */
static inline const void *span_at(throng_span span, size_t bytes, uint32_t k) {
  return (const char *)span.data + (size_t)k * (span.stride ? span.stride : bytes);
}

#endif
