/* error.c: statuses and their texts. SPDX-License-Identifier: MIT */
#include "base/error.h"

#include <stdarg.h>

#include "base/text.h"

const char *throng_status_name(throng_status status) {
  switch (status) {
#define NAME(s)                                                                                                        \
  case s:                                                                                                              \
    return #s;
    NAME(THRONG_OK)
    NAME(THRONG_ERROR_NULL_ARGUMENT)
    NAME(THRONG_ERROR_BAD_COOKIE)
    NAME(THRONG_ERROR_BAD_VALUE)
    NAME(THRONG_ERROR_NOT_FINITE)
    NAME(THRONG_ERROR_OUT_OF_RANGE)
    NAME(THRONG_ERROR_OUT_OF_MEMORY)
    NAME(THRONG_ERROR_CAPACITY)
    NAME(THRONG_ERROR_STALE_ID)
    NAME(THRONG_ERROR_FOREIGN_ID)
    NAME(THRONG_ERROR_NO_GROUP)
    NAME(THRONG_ERROR_NOT_INDEXED)
    NAME(THRONG_ERROR_NOT_STEERED)
    NAME(THRONG_ERROR_BLOCKED)
    NAME(THRONG_ERROR_UNSUPPORTED)
    NAME(THRONG_ERROR_WRITE)
    NAME(THRONG_ERROR_BUSY)
#undef NAME
  }
  return "unknown status";
}

static throng_status fill(throng_error *error, throng_status status, throng_agent_id agent, const char *format,
                          va_list arguments) {
  if (error) {
    error->status = status;
    error->agent = agent;
    throng_text_format(error->text, sizeof error->text, format, arguments);
  }
  return status;
}

throng_status throng_fail(throng_error *error, throng_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fill(error, status, (throng_agent_id){0, 0, 0}, format, arguments);
  va_end(arguments);
  return status;
}

throng_status throng_fail_agent(throng_error *error, throng_status status, throng_agent_id agent, const char *format,
                                ...) {
  va_list arguments;
  va_start(arguments, format);
  fill(error, status, agent, format, arguments);
  va_end(arguments);
  return status;
}

throng_status throng_fail_busy(throng_error *error) {
  return throng_fail(
      error, THRONG_ERROR_BUSY,
      "'world' is busy: another call steps or changes it, or runs a batch; call again when that has ended");
}

throng_status throng_check_limit(float value, float low, float high, bool infinite, const char *field,
                                 throng_error *error) {
  if (value >= low && value <= high) return THRONG_OK;
  const bool finite = value - value == 0.0f; /* not so for NaN and infinities */
  if (infinite && value > 0.0f && !finite) return THRONG_OK;
  char allowed[80];
  throng_text_range(allowed, sizeof allowed, low, high, infinite);
  return throng_fail(error, finite ? THRONG_ERROR_BAD_VALUE : THRONG_ERROR_NOT_FINITE, "%s is %.9g, allowed: %s", field,
                     (double)value, allowed);
}

throng_status throng_check_range(float value, float low, float high, const char *field, throng_error *error) {
  return throng_check_limit(value, low, high, false, field, error);
}

throng_status throng_check_enum(int64_t value, const char *const *names, const char *field, throng_error *error) {
  for (int64_t k = 0; names[k]; k++) {
    if (value == k) return THRONG_OK;
  }
  char allowed[160];
  throng_text_names(allowed, sizeof allowed, names);
  return throng_fail(error, THRONG_ERROR_BAD_VALUE, "%s is %lld, allowed: %s", field, (long long)value, allowed);
}
