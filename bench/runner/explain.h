/* Why one agent moves as it does: what its rules wanted in a run's last frame.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_EXPLAIN_H
#define BENCH_EXPLAIN_H

#include <stdio.h>

#include "runner/measure.h"

/* Steps the combination that `run` names to its last frame, once more, and asks about the agent with this number. */
bool explain_record(throng_explanation *explanation, const measurement *run, const measure_context *context,
                    uint32_t id, bench_problem *problem);
void explain_print(FILE *stream, const throng_explanation *explanation);

#endif
