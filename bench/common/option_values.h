/* Reads command lines.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_OPTION_VALUES_H
#define BENCH_OPTION_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/problem.h"

#define MAX_THREADS 1024u
#define MAX_CHOICES 64

/* Sets the problem "option '--x': value 'y', allowed ..." and returns false. */
bool option_refuse(const char *option, const char *value, const char *allowed, bench_problem *problem);

bool option_take_uint(const char *option, const char *value, uint64_t min, uint64_t max, uint64_t *number,
                      bench_problem *problem);
bool option_take_float(const char *option, const char *value, float min, float max, float *number,
                       bench_problem *problem);
/* Reads thread counts "a,b,c" from 0 to MAX_THREADS; 0 means all cores. */
bool option_take_threads(const char *value, uint32_t threads[MAX_CHOICES], uint32_t *count, bench_problem *problem);

/* Copies the next element of the list "a,b,c" to `piece`, cut to 31 characters, and moves *list behind it. Returns
 * false at the end of the list. */
bool option_next_piece(const char **list, char piece[32]);

/* The options of one program. */
typedef struct option_set {
  const char *program;       /* its name in messages */
  const char *const *valued; /* the options with a value, as "--name value" or "--name=value" */
  size_t valued_count;
  bool *(*find_flag)(void *options, const char *argument); /* the flag that the argument sets, or NULL */
  bool (*take_value)(void *options, const char *option, const char *value, bench_problem *problem);
} option_set;

/* Reads arguments[1] to arguments[count - 1] into `options`. Stops at the first wrong argument and returns false with a
 * problem. */
bool option_read_all(const option_set *set, void *options, int count, char **arguments, bench_problem *problem);

#endif
