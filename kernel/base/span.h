/* span.h: reads the host's spans. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_BASE_SPAN_H
#define THRONG_KERNEL_BASE_SPAN_H

#include <throng/agents.h>

#include "base/error.h"

/* Elements of a span have `bytes` bytes. Return the distance from one to the next, and element k. */
static inline size_t span_stride(throng_span span, size_t bytes) {
  return span.stride == 0 ? bytes : span.stride == THRONG_STRIDE_ONE ? 0 : span.stride;
}
static inline const void *span_at(throng_span span, size_t bytes, uint32_t k) {
  return (const char *)span.data + (size_t)k * span_stride(span, bytes);
}

/* Refuses a stride of 1 to bytes - 1: value k + 1 would begin inside value k. */
static inline throng_status span_check_stride(size_t stride, size_t bytes, const char *field, throng_error *error) {
  if (stride == 0 || stride >= bytes) return THRONG_OK; /* also THRONG_STRIDE_ONE, the largest size_t */
  return throng_fail(error, THRONG_ERROR_BAD_VALUE, "%s is %zu, allowed: 0, or at least the %zu bytes of an element",
                     field, stride, bytes);
}

#endif
