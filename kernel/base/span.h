/* span.h: reads the host's spans. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_BASE_SPAN_H
#define THRONG_KERNEL_BASE_SPAN_H

#include <throng/agents.h>

/* Element k of a span; elements have `bytes` bytes. */
static inline const void *span_at(throng_span span, size_t bytes, uint32_t k) {
  const size_t stride = span.stride == 0 ? bytes : span.stride == THRONG_STRIDE_ONE ? 0 : span.stride;
  return (const char *)span.data + (size_t)k * stride;
}

#endif
