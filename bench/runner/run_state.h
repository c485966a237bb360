/* The state of one run of throng-run.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_RUN_STATE_H
#define BENCH_RUN_STATE_H

#include "common/files.h"
#include "runner/explain.h"
#include "runner/measure.h"
#include "runner/options.h"
#include "runner/show.h"
#include "runner/trace.h"

enum { EXIT_RUN_FAILED = 1, EXIT_BAD_INPUT = 2 };

typedef struct output_paths {
  char picture[FILE_PATH_SIZE], agents[FILE_PATH_SIZE], results[FILE_PATH_SIZE];
} output_paths;

#define MAX_WRITTEN 6

typedef struct run_state {
  run_options options;
  bench_scene scene;
  uint32_t usual_agents; /* the scene's own number */
  bench_crowd start;
  uint32_t left_over; /* agents without a place in their formation */
  bench_text loaded;  /* the snapshot of --load */
  output_paths paths;
  measurement *results;
  int result_count;
  last_frame last;
  run_show show;
  frame_trace trace;
  bool traced, explained;
  throng_explanation explanation;
  stop_place stop;
  const char *written[MAX_WRITTEN]; /* the files written so far, without the outputs that `show` counts */
  int written_count;
} run_state;

/* Chooses the names of the files, and checks that they can be written. */
bool outputs_check(run_state *run, bench_problem *problem);
/* Writes all files of the run. */
bool outputs_write(run_state *run, bench_problem *problem);
/* Prints one line per file and output that was written. */
void outputs_list(const run_state *run);
/* Prints one line: where the user stopped the run, and what was written. */
void outputs_report_stop(const run_state *run);

#endif
