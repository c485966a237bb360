/* A message of one line that says what is wrong with an input.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_PROBLEM_H
#define BENCH_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct bench_problem {
  char text[512];
} bench_problem;

#if defined(__GNUC__)
#define PROBLEM_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define PROBLEM_PRINTF(text, first)
#endif

/* These functions return false, so that a check can end with `return problem_set(...)`. */
bool problem_set(bench_problem *problem, const char *format, ...) PROBLEM_PRINTF(2, 3);
/* Sets a message that begins with "FILE:LINE: ". */
bool problem_at(bench_problem *problem, const char *file, uint64_t line, const char *format, ...) PROBLEM_PRINTF(4, 5);
/* Adds to the message. */
bool problem_add(bench_problem *problem, const char *text);

#endif
