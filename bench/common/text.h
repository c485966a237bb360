/* Reads whole files, and numbers independently of the locale: no program here calls setlocale, so strtof, strtod and
 * printf use the "C" locale whatever the environment says.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_TEXT_H
#define BENCH_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/problem.h"

typedef struct bench_text {
  const char *file; /* its name in messages */
  char *data;       /* size bytes and a terminating 0; free with text_release */
  size_t size;
} bench_text;

/* Reads at most `limit` bytes; a longer file is a problem. */
bool text_read(bench_text *text, const char *file, size_t limit, bench_problem *problem);
void text_release(bench_text *text);

/* All of [begin, end) must be one decimal number: no blanks, no hexadecimal, no NaN or infinity. */
bool text_to_float(const char *begin, const char *end, float *value);
bool text_to_double(const char *begin, const char *end, double *value);
bool text_to_uint(const char *begin, const char *end, uint64_t *value);

/* Iterates over the lines of a text, without their ends ("\n" or "\r\n"). All but `text` starts at zero. */
typedef struct line_reader {
  const bench_text *text;
  size_t offset;
  uint64_t number; /* the current line, counted from 1 */
  const char *begin, *end;
} line_reader;

bool line_next(line_reader *reader);

#endif
