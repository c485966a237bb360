/* The values of command lines' options. What is refused is a problem "option '--x': value 'y', allowed ...".
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_OPTION_VALUES_H
#define BENCH_OPTION_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/problem.h"

#define MAX_THREADS 1024u
#define MAX_CHOICES 64

/* false. */
bool option_refuse(const char *option, const char *value, const char *allowed, bench_problem *problem);

bool option_take_uint(const char *option, const char *value, uint64_t min, uint64_t max, uint64_t *number,
                      bench_problem *problem);
bool option_take_float(const char *option, const char *value, float min, float max, float *number,
                       bench_problem *problem);
/* Counts of threads "a,b,c"; 0 = all. */
bool option_take_threads(const char *value, uint32_t threads[MAX_CHOICES], uint32_t *count, bench_problem *problem);

/* The next piece of a list "a,b,c" into `piece`; false at its end. A piece too long for any allowed value is cut. */
bool option_next_piece(const char **list, char piece[32]);

/* The one of `names` that arguments[*at] is, as "--name value" or "--name=value", and its value; *at moves on to the last argument
 * read. NULL with a problem if it is none of them or its value is missing. `program` is whose --help to read. */
const char *option_read(int *at, int count, char **arguments, const char *const *names, size_t name_count,
                        const char *program, const char **value, bench_problem *problem);

#endif
