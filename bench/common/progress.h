/* Shows how far a run is and how long it will still take: a bar on a terminal; elsewhere a line every few seconds, so
 * that a short run prints nothing.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_PROGRESS_H
#define BENCH_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* One of two sorts of work, each with its own rate: stepping frames, and drawing or writing them. */
typedef struct progress_work {
  uint64_t done, total;
  double seconds; /* time for `done` */
} progress_work;

typedef struct run_progress {
  const char *program; /* the name that begins each line */
  bool quiet, terminal;
  progress_work steps, outputs;
  double last, shown; /* clock_seconds() at the last call and at the last update */
  char label[96];     /* the current part of the run, with its frames and agents */
  uint64_t frame, frames;
  uint32_t agents;
  double seconds; /* time for its frames so far */
} run_progress;

void progress_start(run_progress *progress, const char *program, uint64_t steps, uint64_t outputs, bool quiet);
/* Begins a part of the run. frames 0: the number is unknown, and another unit counts the steps. */
void progress_part(run_progress *progress, const char *label, uint32_t agents, uint64_t frames);
/* Adds frames stepped since the last call. `other`: seconds since then that were not spent on stepping. */
void progress_stepped(run_progress *progress, uint64_t frames, double other);
/* Adds one frame drawn or written since the last call. */
void progress_wrote(run_progress *progress);
void progress_finish(run_progress *progress);

#endif
