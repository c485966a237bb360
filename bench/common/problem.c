/* SPDX-License-Identifier: MIT */
#include "common/problem.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Replaces control characters, which quoted input may have, by '?'. The message stays one line and cannot control the
 * terminal. */
static void keep_printable(char *text) {
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c < 0x20 || c == 0x7F) *text = '?';
  }
}

bool problem_set(bench_problem *problem, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(problem->text, sizeof problem->text, format, arguments);
  va_end(arguments);
  keep_printable(problem->text);
  return false;
}

bool problem_add(bench_problem *problem, const char *text) {
  const size_t length = strlen(problem->text);
  snprintf(problem->text + length, sizeof problem->text - length, "%s", text);
  return false;
}

bool problem_at(bench_problem *problem, const char *file, uint64_t line, const char *format, ...) {
  char what[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  return problem_set(problem, "%s:%" PRIu64 ": %s", file, line, what);
}
