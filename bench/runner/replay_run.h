/* throng-run --replay: a recording, run again by each combination of threads and instruction set, each frame compared.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_REPLAY_RUN_H
#define BENCH_REPLAY_RUN_H

#include "runner/options.h"

typedef enum replay_result { REPLAY_SAME = 0, REPLAY_DIFFERS, REPLAY_BAD, REPLAY_STOPPED } replay_result;

/* Prints a line for each combination with the same bits; else `problem` says what is wrong: the first frame that differs, with its agent
 * and column; what makes the file no recording; where the user has stopped it. */
replay_result replay_run(const run_options *options, bench_problem *problem);

#endif
