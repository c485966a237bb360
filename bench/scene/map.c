/* SPDX-License-Identifier: MIT */
#include "scene/map.h"

#include <stdlib.h>
#include <string.h>

#include "common/text.h"

#define MAX_SIDE 16384u
#define MAX_MAP_BYTES ((size_t)MAX_SIDE * (MAX_SIDE + 2) + 4096)

static bool refuse(const line_reader *reader, const char *field, const char *allowed, bench_problem *problem) {
  int shown = (int)(reader->end - reader->begin);
  return problem_at(problem, reader->text->file, reader->number, "field '%s': value '%.*s', allowed %s", field,
                    shown < 40 ? shown : 40, reader->begin, allowed);
}

static bool expect_line(line_reader *reader, const char *field, bench_problem *problem) {
  if (line_next(reader)) return true;
  return problem_at(problem, reader->text->file, reader->number + 1, "field '%s': the file ends here", field);
}

static bool expect_words(line_reader *reader, const char *field, const char *words, bench_problem *problem) {
  if (!expect_line(reader, field, problem)) return false;
  size_t length = strlen(words);
  if ((size_t)(reader->end - reader->begin) == length && memcmp(reader->begin, words, length) == 0) return true;
  return refuse(reader, field, words, problem);
}

/* Reads a line such as "height 256". */
static bool expect_side(line_reader *reader, const char *field, uint32_t *side, bench_problem *problem) {
  if (!expect_line(reader, field, problem)) return false;
  size_t length = strlen(field);
  uint64_t value;
  if ((size_t)(reader->end - reader->begin) > length + 1 && memcmp(reader->begin, field, length) == 0 &&
      reader->begin[length] == ' ' && text_to_uint(reader->begin + length + 1, reader->end, &value) && value >= 1 &&
      value <= MAX_SIDE) {
    *side = (uint32_t)value;
    return true;
  }
  return refuse(reader, field, "the name of the field and a number of cells from 1 to 16384", problem);
}

static bool read_row(line_reader *reader, scene_cells *cells, uint32_t row, bench_problem *problem) {
  if (!line_next(reader))
    return problem_at(problem, reader->text->file, reader->number + 1,
                      "field 'map': the file ends after %u rows, allowed are the %u rows of its height", row,
                      cells->height);
  size_t width = (size_t)(reader->end - reader->begin);
  if (width != cells->width)
    return problem_at(problem, reader->text->file, reader->number,
                      "field 'map': a row of %zu cells, allowed are the %u cells of its width", width, cells->width);
  uint8_t *blocked = cells->blocked + (size_t)row * cells->width;
  for (uint32_t i = 0; i < cells->width; i++) {
    char c = reader->begin[i];
    if (c == 0 || !strchr(".GS@OTW", c))
      return problem_at(problem, reader->text->file, reader->number,
                        "field 'map': value '%c' in column %u, allowed . G S @ O T W", c ? c : '?', i + 1);
    blocked[i] = strchr("@OTW", c) != NULL;
  }
  return true;
}

static bool list_free_cells(scene_cells *cells, const char *file, bench_problem *problem) {
  size_t count = (size_t)cells->width * cells->height;
  for (size_t i = 0; i < count; i++) cells->free_count += !cells->blocked[i];
  cells->free = malloc((cells->free_count ? cells->free_count : 1) * sizeof *cells->free);
  if (!cells->free) return problem_set(problem, "%s: out of memory for its cells", file);
  uint32_t next = 0;
  for (size_t i = 0; i < count; i++)
    if (!cells->blocked[i]) cells->free[next++] = (uint32_t)i;
  return true;
}

static bool read_cells(line_reader *reader, scene_cells *cells, bench_problem *problem) {
  if (!expect_words(reader, "type", "type octile", problem) ||
      !expect_side(reader, "height", &cells->height, problem) ||
      !expect_side(reader, "width", &cells->width, problem) || !expect_words(reader, "map", "map", problem))
    return false;
  /* A file that is shorter than its header says is refused before memory is allocated. */
  size_t count = (size_t)cells->width * cells->height;
  if (reader->offset > reader->text->size || reader->text->size - reader->offset < count)
    return problem_at(problem, reader->text->file, reader->number,
                      "field 'map': the file ends before the %u rows of %u cells that its header says", cells->height,
                      cells->width);
  cells->blocked = malloc(count);
  if (!cells->blocked) return problem_set(problem, "%s: out of memory for its cells", reader->text->file);
  for (uint32_t row = 0; row < cells->height; row++)
    if (!read_row(reader, cells, row, problem)) return false;
  while (line_next(reader))
    if (reader->end > reader->begin)
      return problem_at(problem, reader->text->file, reader->number, "field 'map': more rows than the height of %u",
                        cells->height);
  return list_free_cells(cells, reader->text->file, problem);
}

bool map_read(scene_cells *cells, const char *file, float cell, bench_problem *problem) {
  *cells = (scene_cells){.cell = cell};
  bench_text text;
  if (!text_read_plain(&text, file, MAX_MAP_BYTES, problem)) return false;
  line_reader reader = {.text = &text};
  bool ok = read_cells(&reader, cells, problem);
  text_release(&text);
  if (!ok) scene_cells_release(cells);
  return ok;
}
