/* Outputs of many frames: a movie, VTK and CSV files of agents, trajectories, a recording; and the trails of pictures.
 * A separate run from the same start makes them before the timed runs, because drawing between timed frames would fill
 * the caches with other data.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_SHOW_H
#define BENCH_SHOW_H

#include <stdio.h>

#include "runner/measure.h"
#include "runner/options.h"

/* What the run with outputs has written, and the hash at its end. */
typedef struct run_show {
  bool complete;        /* all frames were stepped, so that the timed runs must end with `hash` */
  uint64_t hash;        /* after the last frame that was stepped */
  uint32_t movie_every; /* frames of the scene per movie frame */
  uint32_t movie_frames, csv_files, vtk_files; /* how many were written; vtk_files: files of agents */
  uint32_t trajectory_frames;
  uint64_t recorded_frames;
  trail_ring trails; /* up to the last frame that was stepped; without positions unless --trails is given */
} run_show;

/* Whether the options request one of these outputs. */
bool show_wanted(const run_options *options);
/* Checks before a run that all outputs can be written. */
bool show_check(const run_options *options, const bench_scene *scene, bench_problem *problem);
/* Sets *steps to the number of frames that show_run steps: twice the frames of the scene if a first run must find out
 * where the agents will be. Sets *outputs to the movie frames, VTK files, CSV files and frames of trajectories
 * together; a recording does not count. */
void show_work(const run_options *options, const bench_scene *scene, uint64_t *steps, uint64_t *outputs);
/* Steps the scene with the threads and the instruction set of `run`, and writes all outputs. If the user stops the run,
 * the outputs written so far are kept, and `last` receives the state after the last finished frame. */
bool show_run(run_show *show, const run_options *options, const measurement *run, const measure_context *context,
              last_frame *last, bench_problem *problem);
/* Returns how to draw the run. */
picture_style show_style(const run_show *show, const run_options *options);
void show_release(run_show *show);
/* Prints to `stream` for each output that was written: `before`, its name and number of frames, `after`. */
void show_report(FILE *stream, const run_show *show, const run_options *options, const char *before, const char *after);

#endif
