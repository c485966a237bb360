/* SPDX-License-Identifier: MIT */
#include "scene/json_check.h"

#include <stddef.h>
#include <string.h>

#define MAX_DEPTH 1000 /* cJSON refuses deeper nesting */
#define DIGITS "0123456789"

static uint64_t line_of(const char *data, const char *position) {
  uint64_t line = 1;
  for (const char *c = data; c < position; c++) line += *c == '\n';
  return line;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Returns the end of the number that begins at `c`; NULL if it is no number of JSON. */
static const char *number_end(const char *c) {
  if (*c == '-') c++;
  if (!is_digit(*c) || (*c == '0' && is_digit(c[1]))) return NULL;
  c += strspn(c, DIGITS);
  if (*c == '.') {
    if (!is_digit(*++c)) return NULL;
    c += strspn(c, DIGITS);
  }
  if (*c == 'e' || *c == 'E') {
    c += c[1] == '+' || c[1] == '-' ? 2 : 1;
    if (!is_digit(*c)) return NULL;
    c += strspn(c, DIGITS);
  }
  return c;
}

/* Moves *at behind the number there. */
static bool check_number(const char *data, const char *file, const char **at, bench_problem *problem) {
  const char *begin = *at;
  const size_t length = strspn(begin, DIGITS "+-.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
  *at = begin + length;
  if (number_end(begin) == *at) return true;
  return problem_at(problem, file, line_of(data, begin),
                    "malformed JSON: '%.*s' is no number, allowed are numbers such as -1, 0.5 and 2e3",
                    (int)(length < 40 ? length : 40), begin);
}

/* Moves *at behind the text there. */
static bool check_text(const char *data, const char *file, const char **at, bench_problem *problem) {
  const char *begin = *at, *c = begin + 1, *what = NULL;
  for (; !what && *c != '"'; c++) {
    if (*c == 0)
      what = "the file ends inside a text: is it cut off?";
    else if (*c == '\n' || *c == '\r')
      what = "the line ends inside a text";
    else if ((unsigned char)*c < 0x20)
      what = "a control character in a text";
    else if (strncmp(c, "\\u0000", 6) == 0)
      what = "\\u0000 in a text: no text here can hold it";
    else if (*c == '\\' && c[1])
      c++;
  }
  *at = c + 1;
  return !what || problem_at(problem, file, line_of(data, begin), "malformed JSON: %s", what);
}

static bool refuse_end(const char *data, const char *file, const char *end, const char *opened,
                       bench_problem *problem) {
  while (strchr(" \t\r\n", end[-1])) end--;
  return problem_at(problem, file, line_of(data, end),
                    "malformed JSON: the file ends inside the %s that begins in line %llu: is it cut off?",
                    *opened == '{' ? "object" : "list", (unsigned long long)line_of(data, opened));
}

bool json_check(const char *data, const char *file, bench_problem *problem) {
  const char *opened[MAX_DEPTH], *c = data;
  size_t depth = 0;
  while (*c) {
    if (*c == '"') {
      if (!check_text(data, file, &c, problem)) return false;
    } else if (is_digit(*c) || *c == '-' || *c == '+' || *c == '.') {
      if (!check_number(data, file, &c, problem)) return false;
    } else if (*c == '{' || *c == '[') {
      if (depth == MAX_DEPTH) return true;
      opened[depth++] = c++;
    } else if (*c == '}' || *c == ']') {
      if (depth == 0 || *opened[--depth] != (*c == '}' ? '{' : '[')) return true;
      c++;
    } else if (strchr(" \t\r\n", *c) == NULL && (unsigned char)*c < 0x20) {
      return problem_at(problem, file, line_of(data, c), "malformed JSON: a control character");
    } else {
      const size_t word = strspn(c, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_" DIGITS);
      c += word ? word : 1;
    }
  }
  return depth == 0 || refuse_end(data, file, c, opened[depth - 1], problem);
}
