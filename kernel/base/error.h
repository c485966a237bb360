/* error.h: fills the error of a failing call. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_BASE_ERROR_H
#define THRONG_KERNEL_BASE_ERROR_H

#include <throng/base.h>

#if defined(__MINGW32__) && !defined(__clang__)
/* With -std=c11, MinGW's printf follows C11. But its GCC checks the attribute format(printf) by the rules of
 * Microsoft's old library, which lacks %zu. */
#define THRONG_PRINTF(text, first) __attribute__((format(gnu_printf, text, first)))
#elif defined(__GNUC__)
#define THRONG_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define THRONG_PRINTF(text, first)
#endif

/* Fills *error (if not NULL), and returns `status`. */
throng_status throng_fail(throng_error *error, throng_status status, const char *format, ...) THRONG_PRINTF(3, 4);
throng_status throng_fail_agent(throng_error *error, throng_status status, throng_agent_id agent, const char *format,
                                ...) THRONG_PRINTF(4, 5);

/* Fills *error (if not NULL), and returns THRONG_ERROR_BUSY: another call has claimed the world (base/claim.h). */
throng_status throng_fail_busy(throng_error *error);

/* Returns THRONG_OK if `value` is finite and low <= value <= high. If not, the error names field, value and range. */
throng_status throng_check_range(float value, float low, float high, const char *field, throng_error *error);
/* The same. If `infinite` is true, INFINITY is allowed too. */
throng_status throng_check_limit(float value, float low, float high, bool infinite, const char *field,
                                 throng_error *error);
/* Returns THRONG_OK if `value` is the position of a name in `names`, a list that ends with NULL. If not, the error
 * lists the names. */
throng_status throng_check_enum(int64_t value, const char *const *names, const char *field, throng_error *error);

/* Returns the status of `call` from the calling function, unless it is THRONG_OK. */
#define TRY(call)                                                                                                      \
  do {                                                                                                                 \
    throng_status try_status = (call);                                                                                 \
    if (try_status != THRONG_OK) return try_status;                                                                    \
  } while (0)

#define REQUIRE_POINTER(pointer, error)                                                                                \
  do {                                                                                                                 \
    if (!(pointer)) return throng_fail(error, THRONG_ERROR_NULL_ARGUMENT, "'%s' is NULL", #pointer);                   \
  } while (0)

#endif
