/* Writes JSON to a file. SPDX-License-Identifier: MIT */
#ifndef BENCH_JSON_OUT_H
#define BENCH_JSON_OUT_H

#include <stdbool.h>
#include <stdio.h>

#include <cjson/cJSON.h>

/* Writes `root` and frees it. */
bool json_write(FILE *stream, cJSON *root);

#endif
