/* throng-run --replay-tracks: compares models of walking with a recording of people.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_TRACKS_RUN_H
#define BENCH_TRACKS_RUN_H

#include "runner/options.h"

/* Prints a table and writes the results. Returns the exit status of the program; unless it is EXIT_SUCCESS, `problem`
 * says what is wrong with the input, or that the user stopped the run. */
int tracks_run(const run_options *options, bench_problem *problem);

#endif
