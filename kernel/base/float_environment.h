/* float_environment.h: the floating-point environment of a task: round to nearest, no flush-to-zero, no
 * denormals-are-zero, exceptions masked. Threads of games often set flush-to-zero (FTZ) and denormals-are-zero (DAZ); a
 * damped velocity would then differ from that on other machines.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_BASE_FLOAT_ENVIRONMENT_H
#define THRONG_KERNEL_BASE_FLOAT_ENVIRONMENT_H

#include <stdint.h>

#include "base/compiler.h"

#if defined(__SSE2__) || defined(_M_X64)
#include <xmmintrin.h>

struct float_environment {
  uint32_t mxcsr;
};

static inline struct float_environment float_environment_enter(void) {
  struct float_environment saved = {_mm_getcsr()};
  _mm_setcsr(0x1F80u); /* the reset value: all exceptions masked, to nearest, FTZ and DAZ off */
  return saved;
}
static inline void float_environment_leave(struct float_environment saved) { _mm_setcsr(saved.mxcsr); }

#elif defined(__aarch64__) && defined(__GNUC__)

struct float_environment {
  uint64_t fpcr;
};

static inline struct float_environment float_environment_enter(void) {
  struct float_environment saved;
  __asm__ volatile("mrs %0, fpcr" : "=r"(saved.fpcr));
  __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)0));
  return saved;
}
static inline void float_environment_leave(struct float_environment saved) {
  __asm__ volatile("msr fpcr, %0" : : "r"(saved.fpcr));
}

#else /* WebAssembly has only this environment; on other machines the host must keep it */

struct float_environment {
  char unused;
};

static inline struct float_environment float_environment_enter(void) { return (struct float_environment){0}; }
static inline void float_environment_leave(struct float_environment saved) { (void)saved; }

#endif

/* The body of a public function with arithmetic: runs its inner function in this environment, restores the caller's
 * environment and returns the result. The inner function must be OUT_OF_LINE; otherwise the compiler may move its
 * arithmetic out of the environment. */
#define RETURN_IN_FLOAT_ENVIRONMENT(type, call)                                                                        \
  do {                                                                                                                 \
    struct float_environment caller = float_environment_enter();                                                       \
    type answer = (call);                                                                                              \
    float_environment_leave(caller);                                                                                   \
    return answer;                                                                                                     \
  } while (0)

#endif
