/* throng-run --replay: repeats a recording with each combination of threads and instruction set, and compares each
 * frame.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_REPLAY_RUN_H
#define BENCH_REPLAY_RUN_H

#include "runner/options.h"

typedef enum replay_result { REPLAY_SAME = 0, REPLAY_DIFFERS, REPLAY_BAD, REPLAY_STOPPED } replay_result;

/* Prints a line for each combination that gives the same bits, and stops at the first that does not. Unless all give
 * the same bits, `problem` names the first frame, agent and column that differ, or says that the file is no recording
 * or that the user stopped the run. */
replay_result replay_run(const run_options *options, bench_problem *problem);

#endif
