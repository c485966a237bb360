/* Explains one agent: what each of its rules wanted in the last frame of a run.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_EXPLAIN_H
#define BENCH_EXPLAIN_H

#include <stdio.h>

#include "runner/measure.h"

/* Steps the scene again with the threads and the instruction set of `run`, and explains the agent with the id index
 * `id` in the last frame. */
bool explain_record(throng_explanation *explanation, const measurement *run, const measure_context *context,
                    uint32_t id, bench_problem *problem);
/* Prints a table of the agent's contributions. */
void explain_print(FILE *stream, const throng_explanation *explanation);

#endif
