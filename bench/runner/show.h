/* Outputs of many frames: a movie, files of agents, a recording. A separate run from the same start makes them before
 * the timed runs, because drawing between timed frames would leave cold caches.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_SHOW_H
#define BENCH_SHOW_H

#include <stdio.h>

#include "runner/measure.h"
#include "runner/options.h"

/* The outputs of the run, and their results. */
typedef struct run_show {
  bool complete; /* all frames were stepped: timed runs must end with `hash` */
  uint64_t hash;
  uint32_t movie_every, movie_frames, csv_files, vtk_files;
  uint64_t recorded_frames;
} run_show;

bool show_wanted(const run_options *options);
/* Checks before a run that all outputs can be written. */
bool show_check(const run_options *options, bench_problem *problem);
/* How many frames the run steps, and how many of them it writes. */
void show_work(const run_options *options, const bench_scene *scene, uint64_t *steps, uint64_t *outputs);
/* Steps the combination that `run` names, and writes all outputs. If the user stops the run, the outputs so far are
 * kept, and `last` holds the state at that frame. */
bool show_run(run_show *show, const run_options *options, const measurement *run, const measure_context *context,
              last_frame *last, bench_problem *problem);
/* Prints a line for each output to `stream`, between `before` and `after`. */
void show_report(FILE *stream, const run_show *show, const run_options *options, const char *before, const char *after);

#endif
