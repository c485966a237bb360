/* tests/support/floats.c
 * SPDX-License-Identifier: MIT */
#include "support/floats.h"

#include <fenv.h>

#if defined(__x86_64__) || defined(_M_X64)
#include <xmmintrin.h>

fp_environment fp_get(void) { return (fp_environment){_mm_getcsr()}; }

void fp_set(fp_environment environment) { _mm_setcsr((unsigned)environment.control); }

fp_environment fp_make(fp_kind kind) {
  const unsigned masked = 0x1f80u;
  switch (kind) {
  case FLOATS_FLUSH:
    return (fp_environment){masked | 0x8040u};
  case FLOATS_UPWARD:
    return (fp_environment){masked | 0x4000u};
  case FLOATS_TOWARD_ZERO:
    return (fp_environment){masked | 0x6000u};
  case FLOATS_TRAPPING:
    return (fp_environment){masked & ~(0x0400u | 0x0200u | 0x0080u)}; /* overflow, by zero, invalid */
  default:
    return (fp_environment){masked};
  }
}

bool fp_equal(fp_environment a, fp_environment b) { return ((a.control ^ b.control) & ~(uint64_t)0x3f) == 0; }

#elif defined(__aarch64__)

fp_environment fp_get(void) {
  uint64_t control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  return (fp_environment){control};
}

void fp_set(fp_environment environment) { __asm__ volatile("msr fpcr, %0" : : "r"(environment.control)); }

fp_environment fp_make(fp_kind kind) {
  switch (kind) {
  case FLOATS_FLUSH:
    return (fp_environment){(uint64_t)1 << 24};
  case FLOATS_UPWARD:
    return (fp_environment){(uint64_t)1 << 22};
  case FLOATS_TOWARD_ZERO:
    return (fp_environment){(uint64_t)3 << 22};
  default:
    return (fp_environment){0}; /* FLOATS_TRAPPING too: most AArch64 CPUs cannot trap */
  }
}

bool fp_equal(fp_environment a, fp_environment b) { return a.control == b.control; }

#else

fp_environment fp_get(void) { return (fp_environment){(uint64_t)fegetround()}; }

void fp_set(fp_environment environment) { (void)fesetround((int)environment.control); }

fp_environment fp_make(fp_kind kind) {
  (void)kind;
  return (fp_environment){(uint64_t)FE_TONEAREST};
}

bool fp_equal(fp_environment a, fp_environment b) { return a.control == b.control; }

#endif
