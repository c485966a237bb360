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
  FLOATS_FLUSH,  /* denormal operands and results become 0 */
  FLOATS_UPWARD, /* rounds up */
  FLOATS_TOWARD_ZERO,
  FLOATS_TRAPPING, /* overflow, division by zero and invalid operations raise SIGFPE */
  FLOATS_KIND_COUNT
} fp_kind;

fp_environment fp_get(void);
void fp_set(fp_environment environment);
/* Returns an environment of this kind. If this machine does not support the kind, returns that of FLOATS_PLAIN. */
fp_environment fp_make(fp_kind kind);
/* Whether a and b are equal, apart from the sticky exception flags of x86-64. */
bool fp_equal(fp_environment a, fp_environment b);

#endif
