/* SPDX-License-Identifier: MIT */
#include "progress.h"

#include <stdio.h>
#include <unistd.h>

#define BAR "########################################"
#define BAR_WIDTH 40

void progress_start(run_progress *progress, uint64_t total, bool quiet) {
  *progress = (run_progress){.total = total, .percent = -1};
  progress->shown = !quiet && total > 0 && isatty(STDERR_FILENO);
}

void progress_add(run_progress *progress, uint64_t frames, const char *label) {
  progress->done += frames;
  if (!progress->shown) return;
  int percent = (int)(100.0 * (double)progress->done / (double)progress->total);
  if (percent == progress->percent) return;
  progress->percent = percent;
  int filled = percent * BAR_WIDTH / 100;
  fprintf(stderr, "\r[%-*.*s] %3d %%  %s\033[K", BAR_WIDTH, filled, BAR, percent, label);
  fflush(stderr);
}

void progress_finish(run_progress *progress) {
  if (progress->shown) fputs("\r\033[K", stderr);
}
