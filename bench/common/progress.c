/* SPDX-License-Identifier: MIT */
#include "common/progress.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/clock.h"

#define BAR "####################"
#define BAR_WIDTH 20
#define TERMINAL_SECONDS 0.1 /* minimum time between two updates on a terminal */
#define LOG_SECONDS 30.0     /* minimum time between two lines if standard error is not a terminal */
#define USUAL_COLUMNS 80

void progress_start(run_progress *progress, const char *program, uint64_t steps, uint64_t outputs, bool quiet) {
  *progress = (run_progress){.program = program, .quiet = quiet, .terminal = isatty(STDERR_FILENO)};
  progress->steps.total = steps;
  progress->outputs.total = outputs;
  progress->last = progress->shown = clock_seconds();
}

/* Returns the seconds that the remaining work will take at the rate so far; negative while the rate is unknown. */
static double time_left(const progress_work *work) {
  if (work->done >= work->total) return 0;
  return work->done ? (double)(work->total - work->done) * work->seconds / (double)work->done : -1;
}

static void write_left(char text[32], const run_progress *progress) {
  double steps = time_left(&progress->steps), outputs = time_left(&progress->outputs);
  text[0] = 0;
  if (steps < 0 || outputs < 0) return;
  uint64_t seconds = (uint64_t)(steps + outputs + 0.5);
  unsigned hours = (unsigned)(seconds / 3600), minutes = (unsigned)(seconds / 60 % 60), rest = (unsigned)(seconds % 60);
  if (hours)
    snprintf(text, 32, "%u:%02u:%02u left, ", hours, minutes, rest);
  else
    snprintf(text, 32, "%u:%02u left, ", minutes, rest);
}

static int terminal_columns(void) {
  struct winsize size;
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : USUAL_COLUMNS;
}

static void show(run_progress *progress) {
  char left[32], frame[96] = "", line[256];
  if (progress->quiet || progress->last - progress->shown < (progress->terminal ? TERMINAL_SECONDS : LOG_SECONDS))
    return;
  progress->shown = progress->last;
  const progress_work *steps = &progress->steps, *outputs = &progress->outputs;
  double spent = steps->seconds + outputs->seconds;
  double part = steps->total ? (double)steps->done / (double)steps->total : 1;
  write_left(left, progress);
  if (left[0] && spent > 0) part = spent / (spent + time_left(steps) + time_left(outputs));
  if (progress->frames) {
    double rate =
        progress->seconds > 0 ? (double)progress->agents * (double)progress->frame / progress->seconds / 1e3 : 0;
    snprintf(frame, sizeof frame, "frame %llu of %llu, %.0f agents/ms, ", (unsigned long long)progress->frame,
             (unsigned long long)progress->frames, rate);
  }
  snprintf(line, sizeof line, "%3d %%, %s%s%s", (int)(100 * part), left, frame, progress->label);
  if (progress->terminal) {
    int width = terminal_columns() - BAR_WIDTH - 4; /* 2 brackets, a blank and the last column, where terminals wrap */
    fprintf(stderr, "\r[%-*.*s] %.*s\033[K", BAR_WIDTH, (int)(part * BAR_WIDTH), BAR, width > 0 ? width : 0, line);
  } else {
    fprintf(stderr, "%s: %s\n", progress->program, line);
  }
  fflush(stderr);
}

void progress_part(run_progress *progress, const char *label, uint32_t agents, uint64_t frames) {
  snprintf(progress->label, sizeof progress->label, "%s", label);
  progress->agents = agents;
  progress->frame = 0;
  progress->frames = frames;
  progress->seconds = 0;
  progress->last = clock_seconds();
  show(progress);
}

static double lap(run_progress *progress) {
  double now = clock_seconds(), seconds = now - progress->last;
  progress->last = now;
  return seconds;
}

void progress_stepped(run_progress *progress, uint64_t frames, double other) {
  double seconds = lap(progress);
  progress->steps.done += frames;
  progress->steps.seconds += seconds;
  progress->frame += frames;
  progress->seconds += seconds - other;
  show(progress);
}

void progress_wrote(run_progress *progress) {
  progress->outputs.seconds += lap(progress);
  progress->outputs.done++;
  show(progress);
}

void progress_finish(run_progress *progress) {
  if (!progress->quiet && progress->terminal) fputs("\r\033[K", stderr);
}
