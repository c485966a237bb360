/* compiler.h: hints for compilers that know them. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_BASE_COMPILER_H
#define THRONG_KERNEL_BASE_COMPILER_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define OUT_OF_LINE __attribute__((noinline))
#define COLD __attribute__((noinline, cold)) /* out of line, and rarely called */
#else
#define OUT_OF_LINE
#define COLD
#endif

/* Prefetches the cache line `bytes` past `at`; any address is allowed. */
static inline void fetch(const void *at, size_t bytes) {
#if defined(__GNUC__)
  __builtin_prefetch((const void *)((uintptr_t)at + bytes));
#else
  (void)at;
  (void)bytes;
#endif
}

#endif
