/* How far a run is and how long it will still take: a bar on a terminal, elsewhere a line now and then, so that short runs say
 * nothing.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_PROGRESS_H
#define BENCH_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Two kinds of work, which take their own time each: frames stepped, and frames drawn or written. */
typedef struct progress_work {
  uint64_t done, total;
  double seconds; /* that `done` took */
} progress_work;

typedef struct run_progress {
  const char *program; /* whose lines these are */
  bool quiet, terminal;
  progress_work steps, outputs;
  double last, shown; /* clock_seconds() of the last call, and of the last line */
  char label[96];     /* the part of the run that is on, its frames and its agents */
  uint64_t frame, frames;
  uint32_t agents;
  double seconds; /* that its frames took so far */
} run_progress;

void progress_start(run_progress *progress, const char *program, uint64_t steps, uint64_t outputs, bool quiet);
/* A part of the run begins. frames 0: their number is not known, and steps are counted in something else. */
void progress_part(run_progress *progress, const char *label, uint32_t agents, uint64_t frames);
/* So many frames were stepped since the last call; `other`: seconds since then that went to something else. */
void progress_stepped(run_progress *progress, uint64_t frames, double other);
/* A frame was drawn or written since the last call. */
void progress_wrote(run_progress *progress);
void progress_finish(run_progress *progress);

#endif
