/* json_check.h: finds what JSON (RFC 8259) forbids and cJSON accepts or reads wrongly, and files that end early.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_JSON_CHECK_H
#define BENCH_JSON_CHECK_H

#include <stdbool.h>

#include "common/problem.h"

/* Checks numbers, texts and the end of `data`, which ends with a 0. If it returns true, `data` may still be no JSON:
 * cJSON finds all other errors. `file` is its name in the problem. */
bool json_check(const char *data, const char *file, bench_problem *problem);

#endif
