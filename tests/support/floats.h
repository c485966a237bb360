/* tests/support/floats.h: a thread's floating-point environment: rounding, flush to zero, sticky flags.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_FENV_H
#define TEST_FENV_H

#include <stdbool.h>
#include <stdint.h>

typedef struct fp_environment {
  uint64_t control; /* MXCSR on x86-64, FPCR on AArch64, the rounding mode of fenv.h elsewhere */
} fp_environment;

typedef enum fp_kind {
  FLOATS_PLAIN = 0,
  FLOATS_FLUSH,  /* denormals are zeros, in and out */
  FLOATS_UPWARD, /* rounds up */
  FLOATS_TOWARD_ZERO,
  FLOATS_TRAPPING, /* exceptions are not masked: a careless library dies of SIGFPE */
  FLOATS_KIND_COUNT
} fp_kind;

fp_environment fp_get(void);
void fp_set(fp_environment environment);
/* What `kind` is on this machine; FLOATS_PLAIN where it has no such thing. */
fp_environment fp_make(fp_kind kind);
/* Equal but for the sticky exception flags. */
bool fp_equal(fp_environment a, fp_environment b);

#endif
