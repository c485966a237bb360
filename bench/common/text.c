/* SPDX-License-Identifier: MIT */
#include "common/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool read_all(bench_text *text, FILE *stream, size_t limit, bench_problem *problem) {
  size_t capacity = 1 << 16;
  for (;;) {
    char *data = realloc(text->data, capacity);
    if (!data) return problem_set(problem, "%s: too large for memory", text->file);
    text->data = data;
    text->size += fread(data + text->size, 1, capacity - 1 - text->size, stream);
    if (text->size > limit)
      return problem_set(problem, "%s: more than %zu bytes, the largest allowed size", text->file, limit);
    if (text->size < capacity - 1) break;
    capacity *= 2;
  }
  if (ferror(stream)) return problem_set(problem, "%s: %s", text->file, strerror(errno));
  text->data[text->size] = 0;
  return true;
}

bool text_read(bench_text *text, const char *file, size_t limit, bench_problem *problem) {
  *text = (bench_text){.file = file};
  struct stat status;
  FILE *stream = fopen(file, "rb");
  if (!stream) return problem_set(problem, "%s: cannot read: %s", file, strerror(errno));
  bool ok = true;
  if (fstat(fileno(stream), &status) == 0 && S_ISDIR(status.st_mode))
    ok = problem_set(problem, "%s: cannot read: it is a directory", file);
  ok = ok && read_all(text, stream, limit, problem);
  fclose(stream);
  if (!ok) text_release(text);
  return ok;
}

static bool begins_with(const bench_text *text, const char *bytes, size_t count) {
  return text->size >= count && memcmp(text->data, bytes, count) == 0;
}

static bool check_plain(const bench_text *text, bench_problem *problem) {
  const char *data = text->data;
  if (begins_with(text, "\xFE\xFF", 2) || begins_with(text, "\xFF\xFE", 2))
    return problem_at(problem, text->file, 1, "the file is UTF-16, allowed is UTF-8 or ASCII");
  if (begins_with(text, "\xEF\xBB\xBF", 3))
    return problem_at(problem, text->file, 1, "the file begins with a byte order mark, allowed is a file without one");
  uint64_t line = 1;
  bool blank = true;
  for (size_t i = 0; i < text->size; i++) {
    if (data[i] == 0) return problem_at(problem, text->file, line, "a zero byte, allowed is text");
    blank = blank && strchr(" \t\r\n", data[i]);
    line += data[i] == '\n';
  }
  return !blank || problem_at(problem, text->file, 1, "the file %s", text->size ? "holds only blanks" : "is empty");
}

bool text_read_plain(bench_text *text, const char *file, size_t limit, bench_problem *problem) {
  if (!text_read(text, file, limit, problem)) return false;
  if (check_plain(text, problem)) return true;
  text_release(text);
  return false;
}

void text_release(bench_text *text) {
  free(text->data);
  text->data = NULL;
  text->size = 0;
}

/* Copies the number into a terminated string for strtof and strtod. Returns false if it is empty, longer than 63
 * characters, or has a character that decimal numbers do not have. */
static bool copy_number(const char *begin, const char *end, char copy[64]) {
  size_t length = (size_t)(end - begin);
  if (length == 0 || length > 63) return false;
  for (size_t i = 0; i < length; i++)
    if (begin[i] == 0 || !strchr("0123456789+-.eE", begin[i])) return false;
  memcpy(copy, begin, length);
  copy[length] = 0;
  return true;
}

bool text_ends_with(const char *text, const char *end) {
  const size_t length = strlen(text), tail = strlen(end);
  return length > tail && strcmp(text + length - tail, end) == 0;
}

bool text_to_float(const char *begin, const char *end, float *value) {
  char copy[64], *stop;
  if (!copy_number(begin, end, copy)) return false;
  *value = strtof(copy, &stop);
  return *stop == 0 && isfinite(*value);
}

bool text_to_double(const char *begin, const char *end, double *value) {
  char copy[64], *stop;
  if (!copy_number(begin, end, copy)) return false;
  *value = strtod(copy, &stop);
  return *stop == 0 && isfinite(*value);
}

bool text_to_uint(const char *begin, const char *end, uint64_t *value) {
  uint64_t sum = 0;
  if (begin == end) return false;
  for (; begin < end; begin++) {
    if (*begin < '0' || *begin > '9') return false;
    uint64_t digit = (uint64_t)(*begin - '0');
    if (sum > (UINT64_MAX - digit) / 10) return false;
    sum = sum * 10 + digit;
  }
  *value = sum;
  return true;
}

bool line_next(line_reader *reader) {
  const bench_text *text = reader->text;
  if (reader->offset >= text->size) return false;
  reader->begin = text->data + reader->offset;
  const char *stop = memchr(reader->begin, '\n', text->size - reader->offset);
  reader->end = stop ? stop : text->data + text->size;
  reader->offset = (size_t)(reader->end - text->data) + 1;
  reader->number++;
  if (reader->end > reader->begin && reader->end[-1] == '\r') reader->end--;
  return true;
}
