/* Explains one agent: what each of its rules wanted in the last frame of a run.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_EXPLAIN_H
#define BENCH_EXPLAIN_H

#include <stdio.h>

#include "runner/measure.h"

/* Repeats the combination that `run` names up to its last frame, and explains the agent with this id index. */
bool explain_record(throng_explanation *explanation, const measurement *run, const measure_context *context,
                    uint32_t id, bench_problem *problem);
void explain_print(FILE *stream, const throng_explanation *explanation);

#endif
