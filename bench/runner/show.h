/* What is kept of the frames of a run, not only of its last: a movie, files of the agents, a recording. They are made in a run of their own,
 * from the same start, before the timed ones: drawing between two frames would leave them cold caches.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_SHOW_H
#define BENCH_SHOW_H

#include <stdio.h>

#include "runner/measure.h"
#include "runner/options.h"

/* What there was to show, and what became of it. */
typedef struct run_show {
  bool complete; /* all frames: `hash` is what timed runs must end with */
  uint64_t hash;
  uint32_t movie_every, movie_frames, csv_files, vtk_files;
  uint64_t recorded_frames;
} run_show;

bool show_wanted(const run_options *options);
/* Before a run: whether all of it can be written. */
bool show_check(const run_options *options, bench_problem *problem);
/* How many frames it steps, and how many times it writes one. */
void show_work(const run_options *options, const bench_scene *scene, uint64_t *steps, uint64_t *outputs);
/* Steps the combination that `run` names and writes everything. A run that is stopped keeps what it has; `last` is then where it was. */
bool show_run(run_show *show, const run_options *options, const measurement *run, const measure_context *context,
              last_frame *last, bench_problem *problem);
/* A line for each thing that was written, to `stream`, between `before` and `after`. */
void show_report(FILE *stream, const run_show *show, const run_options *options, const char *before, const char *after);

#endif
