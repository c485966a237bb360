/* throng-run --replay: repeats a recording with each combination of threads and instruction set, and compares each
 * frame.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_REPLAY_RUN_H
#define BENCH_REPLAY_RUN_H

#include "runner/options.h"

typedef enum replay_result { REPLAY_SAME = 0, REPLAY_DIFFERS, REPLAY_BAD, REPLAY_STOPPED } replay_result;

/* Prints a line for each combination that gives the same bits. If one does not, `problem` names the first frame,
 * agent and column that differ. `problem` also tells a file that is no recording, and a run that the user stopped. */
replay_result replay_run(const run_options *options, bench_problem *problem);

#endif
