/* Reads whole files and numbers. Numbers do not depend on the locale: no program here calls setlocale, so that strtof,
 * strtod and printf use the "C" locale.
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

/* Reads all of `file`. A file of more than `limit` bytes is a problem. */
bool text_read(bench_text *text, const char *file, size_t limit, bench_problem *problem);
/* Like text_read. Refuses files that are empty, blank or UTF-16, or have a byte order mark or zero bytes. */
bool text_read_plain(bench_text *text, const char *file, size_t limit, bench_problem *problem);
void text_release(bench_text *text);

/* Whether `text` is longer than `end` and ends with it. */
bool text_ends_with(const char *text, const char *end);

/* These functions read a number. All of [begin, end) must be one decimal number: no blanks, no hexadecimal digits, no
 * NaN or infinity. If not, they return false. */
bool text_to_float(const char *begin, const char *end, float *value);
bool text_to_double(const char *begin, const char *end, double *value);
bool text_to_uint(const char *begin, const char *end, uint64_t *value);

/* Iterates over the lines of a text. The caller sets `text` and zeroes the other members. */
typedef struct line_reader {
  const bench_text *text;
  size_t offset;
  uint64_t number;         /* the current line, counted from 1 */
  const char *begin, *end; /* the current line, without its end "\n" or "\r\n" */
} line_reader;

/* Moves to the next line. Returns false at the end of the text. */
bool line_next(line_reader *reader);

#endif
