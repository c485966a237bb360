/* A progress bar on a terminal; nothing where the output is a file or a pipe.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_PROGRESS_H
#define BENCH_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct run_progress {
  bool shown;
  uint64_t done, total; /* frames */
  int percent;          /* as drawn */
} run_progress;

void progress_start(run_progress *progress, uint64_t total, bool quiet);
/* Adds frames; draws where the percentage has changed. `label` says what is running. */
void progress_add(run_progress *progress, uint64_t frames, const char *label);
void progress_finish(run_progress *progress);

#endif
