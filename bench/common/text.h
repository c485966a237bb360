/* Text in: whole files, and numbers that do not depend on the locale.
 * No program here calls setlocale, so strtof, strtod and printf stay in the "C" locale, whatever the environment says.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_TEXT_H
#define BENCH_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/problem.h"

typedef struct bench_text {
  const char *file; /* the caller's name for it */
  char *data;       /* size bytes and a terminating 0; free with text_release */
  size_t size;
} bench_text;

/* Reads at most `limit` bytes; a longer file is a problem. */
bool text_read(bench_text *text, const char *file, size_t limit, bench_problem *problem);
void text_release(bench_text *text);

/* The whole of [begin, end) must be the number: no blanks, no hexadecimal, no names for NaN or infinity. */
bool text_to_float(const char *begin, const char *end, float *value);
bool text_to_double(const char *begin, const char *end, double *value);
bool text_to_uint(const char *begin, const char *end, uint64_t *value);

/* Lines of a text one by one, without their end ("\n" or "\r\n"). Starts zeroed but for `text`. */
typedef struct line_reader {
  const bench_text *text;
  size_t offset;
  uint64_t number; /* of the current line, from 1 */
  const char *begin, *end;
} line_reader;

bool line_next(line_reader *reader);

#endif
