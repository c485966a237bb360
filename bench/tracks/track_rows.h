/* Reads the lines of a recording, for tracks.c.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_TRACK_ROWS_H
#define BENCH_TRACK_ROWS_H

#include <stddef.h>

#include "common/text.h"

/* A line of a recording. */
typedef struct text_row {
  uint32_t frame, id;
  double x, z, vx, vz; /* metres and m/s */
  uint64_t line;
} text_row;

typedef struct text_rows {
  text_row *rows; /* free it, even after a problem */
  size_t count, capacity;
} text_rows;

/* Reads all lines, and checks their order and that no person has a frame twice. Sorts the rows by id and frame. */
bool track_rows_read(text_rows *list, const bench_text *text, bench_problem *problem);

#endif
