/* SPDX-License-Identifier: MIT */
#include "common/option_values.h"

#include <stdio.h>
#include <string.h>

#include "common/text.h"

bool option_refuse(const char *option, const char *value, const char *allowed, bench_problem *problem) {
  return problem_set(problem, "option '%s': value '%.60s', allowed %s", option, value, allowed);
}

bool option_take_uint(const char *option, const char *value, uint64_t min, uint64_t max, uint64_t *number,
                      bench_problem *problem) {
  char allowed[96];
  if (text_to_uint(value, value + strlen(value), number) && *number >= min && *number <= max) return true;
  snprintf(allowed, sizeof allowed, "a whole number from %llu to %llu", (unsigned long long)min,
           (unsigned long long)max);
  return option_refuse(option, value, allowed, problem);
}

bool option_take_float(const char *option, const char *value, float min, float max, float *number,
                       bench_problem *problem) {
  char allowed[64];
  if (text_to_float(value, value + strlen(value), number) && *number >= min && *number <= max) return true;
  snprintf(allowed, sizeof allowed, "a number from %g to %g", (double)min, (double)max);
  return option_refuse(option, value, allowed, problem);
}

bool option_take_threads(const char *value, uint32_t threads[MAX_CHOICES], uint32_t *count, bench_problem *problem) {
  char piece[32];
  uint64_t number;
  *count = 0;
  for (const char *rest = value; option_next_piece(&rest, piece);) {
    if (*count == MAX_CHOICES) return option_refuse("--threads", value, "at most 64 counts", problem);
    if (!text_to_uint(piece, piece + strlen(piece), &number) || number > MAX_THREADS)
      return option_refuse("--threads", piece, "counts from 1 to 1024, or 0 for all cores", problem);
    threads[(*count)++] = (uint32_t)number;
  }
  return true;
}

bool option_next_piece(const char **list, char piece[32]) {
  if (!*list) return false;
  size_t length = strcspn(*list, ",");
  snprintf(piece, 32, "%.*s", (int)(length < 31 ? length : 31), *list);
  *list = (*list)[length] ? *list + length + 1 : NULL;
  return true;
}

/* Splits "NAME=VALUE" or "NAME". Returns the matching element of `names`, or NULL if no element matches. *value is
 * the text behind "=", or NULL if there is no "=". */
static const char *find(const char *argument, const char *const *names, size_t count, const char **value) {
  size_t length = strcspn(argument, "=");
  *value = argument[length] ? argument + length + 1 : NULL;
  for (size_t i = 0; i < count; i++)
    if (strlen(names[i]) == length && memcmp(names[i], argument, length) == 0) return names[i];
  return NULL;
}

/* Reads the option at arguments[*at] and its value, and moves *at to the last argument read. Returns NULL with a
 * problem if the option is unknown or has no value. */
static const char *read_valued(const option_set *set, int *at, int count, char **arguments, const char **value,
                               bench_problem *problem) {
  const char *option = find(arguments[*at], set->valued, set->valued_count, value);
  if (!option) {
    problem_set(problem, "unknown option '%.60s', allowed are the options of %s --help", arguments[*at], set->program);
    return NULL;
  }
  if (!*value && *at + 1 == count) {
    problem_set(problem, "option '%s': no value", option);
    return NULL;
  }
  if (!*value) *value = arguments[++*at];
  if (**value) return option;
  option_refuse(option, *value, "a value that is not empty", problem);
  return NULL;
}

bool option_read_all(const option_set *set, void *options, int count, char **arguments, bench_problem *problem) {
  for (int i = 1; i < count; i++) {
    bool *flag = set->find_flag(options, arguments[i]);
    if (flag) {
      *flag = true;
      continue;
    }
    const char *value;
    const char *option = read_valued(set, &i, count, arguments, &value, problem);
    if (!option || !set->take_value(options, option, value, problem)) return false;
  }
  return true;
}
