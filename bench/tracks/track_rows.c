/* SPDX-License-Identifier: MIT */
#include "tracks/track_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 8
#define COLUMN_NAMES "frame id x z y vx vz vy"
static const char *const column_names[COLUMNS] = {"frame", "id", "x", "z", "y", "vx", "vz", "vy"};
static const double column_limits[COLUMNS] = {1e9, 1e9, 1e5, 1e5, 1e5, 1e3, 1e3, 1e3}; /* numbers, metres, m/s */
enum {
  FRAME = 0,
  ID = 1,
  X = 2,
  Z = 4,
  VX = 5,
  VZ = 7
}; /* the file calls the horizontal axes x and y, the world x and z */

typedef struct cut_line {
  const char *begin[COLUMNS], *end[COLUMNS];
  uint32_t columns; /* may be more than COLUMNS */
} cut_line;

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static cut_line cut(const line_reader *reader) {
  cut_line line = {0};
  for (const char *at = reader->begin; at < reader->end;) {
    const char *begin = at;
    while (at < reader->end && !is_blank(*at)) at++;
    if (at > begin && line.columns++ < COLUMNS) {
      line.begin[line.columns - 1] = begin;
      line.end[line.columns - 1] = at;
    }
    while (at < reader->end && is_blank(*at)) at++;
  }
  return line;
}

static bool refuse(const line_reader *reader, const cut_line *line, int column, const char *allowed,
                   bench_problem *problem) {
  const int shown = (int)(line->end[column] - line->begin[column]);
  return problem_at(problem, reader->text->file, reader->number, "column '%s': value '%.*s', allowed is %s",
                    column_names[column], shown < 40 ? shown : 40, line->begin[column], allowed);
}

static bool read_row(const line_reader *reader, const cut_line *line, text_row *row, bench_problem *problem) {
  double value[COLUMNS];
  if (line->columns != COLUMNS)
    return problem_at(problem, reader->text->file, reader->number,
                      "%u columns, allowed are the 8 columns " COLUMN_NAMES, line->columns);
  for (int k = 0; k < COLUMNS; k++) {
    const bool counts = k == FRAME || k == ID, number = text_to_double(line->begin[k], line->end[k], &value[k]);
    if (counts && !(number && value[k] >= 0 && value[k] <= column_limits[k] && value[k] == floor(value[k])))
      return refuse(reader, line, k, "a whole number from 0 to 1000000000", problem);
    if (!(number && fabs(value[k]) <= column_limits[k]))
      return refuse(reader, line, k, k < VX ? "a number from -100000 to 100000" : "a number from -1000 to 1000",
                    problem);
  }
  *row =
      (text_row){(uint32_t)value[FRAME], (uint32_t)value[ID], value[X], value[Z], value[VX], value[VZ], reader->number};
  return true;
}

static bool append(text_rows *list, const text_row *row) {
  if (list->count == list->capacity) {
    const size_t capacity = list->capacity ? list->capacity * 2 : 1024;
    text_row *rows = realloc(list->rows, capacity * sizeof *rows);
    if (!rows) return false;
    list->rows = rows;
    list->capacity = capacity;
  }
  list->rows[list->count++] = *row;
  return true;
}

static int by_id_and_line(const void *left, const void *right) {
  const text_row *a = left, *b = right;
  if (a->id != b->id) return a->id < b->id ? -1 : 1;
  return a->line < b->line ? -1 : a->line > b->line;
}

/* Checks that the lines are sorted: by frame; or by person, and those of each person by frame. `sorted` has the same
 * rows by id and line. */
static bool check_order(const text_row *rows, const text_row *sorted, size_t count, const char *file,
                        bench_problem *problem) {
  size_t by_frame = 1, by_person = 1; /* how far the rows are sorted in each way */
  while (by_frame < count && rows[by_frame].frame >= rows[by_frame - 1].frame) by_frame++;
  for (; by_person < count; by_person++) {
    const text_row *row = &rows[by_person], *before = row - 1;
    if (row->id == before->id && row->frame < before->frame) break;
    if (row->id != before->id) { /* the person's first line must be this one */
      size_t low = 0, high = count;
      while (low < high) {
        const size_t middle = (low + high) / 2;
        if (sorted[middle].id < row->id)
          low = middle + 1;
        else
          high = middle;
      }
      if (sorted[low].line != row->line) break;
    }
  }
  const size_t wrong = by_frame > by_person ? by_frame : by_person;
  if (wrong >= count) return true;
  return problem_at(problem, file, rows[wrong].line,
                    "frame %u of person %u after frame %u, allowed are lines sorted by frame, or by person and then by "
                    "frame",
                    rows[wrong].frame, rows[wrong].id, rows[wrong - 1].frame);
}

/* Sorts the rows by id and line, after which a frame that a person has twice is in two successive rows. */
static bool sort_rows(text_rows *list, const char *file, bench_problem *problem) {
  text_row *sorted = malloc(list->count * sizeof *sorted);
  if (!sorted) return problem_set(problem, "%s: too large for memory", file);
  memcpy(sorted, list->rows, list->count * sizeof *sorted);
  qsort(sorted, list->count, sizeof *sorted, by_id_and_line);
  const bool ok = check_order(list->rows, sorted, list->count, file, problem);
  free(list->rows);
  list->rows = sorted;
  const text_row *twice = NULL;
  for (size_t k = 1; k < list->count; k++)
    if (sorted[k].id == sorted[k - 1].id && sorted[k].frame == sorted[k - 1].frame &&
        (!twice || sorted[k].line < twice->line))
      twice = &sorted[k];
  if (!ok || !twice) return ok;
  return problem_at(problem, file, twice->line, "frame %u of person %u is in line %" PRIu64 " already, allowed once",
                    twice->frame, twice->id, twice[-1].line);
}

bool track_rows_read(text_rows *list, const bench_text *text, bench_problem *problem) {
  line_reader reader = {.text = text};
  *list = (text_rows){0};
  while (line_next(&reader)) {
    const cut_line line = cut(&reader);
    text_row row;
    if (line.columns == 0) continue;
    if (!read_row(&reader, &line, &row, problem)) return false;
    if (!append(list, &row)) return problem_set(problem, "%s: too large for memory", text->file);
  }
  return sort_rows(list, text->file, problem);
}
