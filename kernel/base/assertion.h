/* assertion.h: assertions: conditions that hold unless the library has a defect. They are compiled in if NDEBUG is not
 * defined, and in hardened builds (THRONG_ASSERTIONS). ASSERT calls the world's hook. ASSERT_ALONE is for code without
 * a pointer to a world: it calls abort().
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_BASE_ASSERTION_H
#define THRONG_KERNEL_BASE_ASSERTION_H

#include <stdlib.h>

#include <throng/base.h>

static inline void throng_assertion_failed(const throng_assert_hook *hook, const char *condition, const char *file,
                                           int line) {
  if (hook->failed) {
    hook->failed(condition, file, line, hook->context);
  } else {
    abort();
  }
}

#if defined(NDEBUG) && !defined(THRONG_ASSERTIONS)
#define ASSERT(world, condition)                                                                                       \
  ((void)sizeof((condition) ? 1 : 0)) /* the names count as used, and nothing is computed */
#define ASSERT_ALONE(condition) ((void)sizeof((condition) ? 1 : 0))
#else
#define ASSERT(world, condition)                                                                                       \
  ((condition) ? (void)0 : throng_assertion_failed(&(world)->def.assertion, #condition, __FILE__, __LINE__))
#define ASSERT_ALONE(condition) ((condition) ? (void)0 : abort())
#endif

#endif
