/* Shows how far a run is and how long it will still take: a bar on a terminal; elsewhere a line every 30 seconds, so
 * that a short run prints nothing.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_PROGRESS_H
#define BENCH_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* One kind of work: stepping frames, or drawing and writing them. The time left is computed from the rates of both
 * kinds. */
typedef struct progress_work {
  uint64_t done, total;
  double seconds; /* time that the work in `done` took */
} progress_work;

typedef struct run_progress {
  const char *program; /* the name that begins each line */
  bool quiet, terminal;
  progress_work steps, outputs;
  double last, shown; /* clock_seconds() at the last call and at the last update */
  /* The current part of the run: */
  char label[96];
  uint64_t frame, frames; /* frames stepped so far, and in all */
  uint32_t agents;
  double seconds; /* time of stepping the frames so far */
} run_progress;

/* Begins a run of `steps` frames to step and `outputs` movie frames and files to write. */
void progress_start(run_progress *progress, const char *program, uint64_t steps, uint64_t outputs, bool quiet);
/* Begins a part of the run. frames 0: the number of frames is unknown; `steps` then counts another unit. */
void progress_part(run_progress *progress, const char *label, uint32_t agents, uint64_t frames);
/* Adds `frames` frames, stepped since the last call. `other`: seconds since then that were not spent on stepping. */
void progress_stepped(run_progress *progress, uint64_t frames, double other);
/* Adds one output, drawn or written since the last call. */
void progress_wrote(run_progress *progress);
void progress_finish(run_progress *progress);

#endif
