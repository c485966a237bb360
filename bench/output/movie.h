/* Movies by ffmpeg, a program of its own, which takes the frames through a pipe.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_MOVIE_H
#define BENCH_MOVIE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/files.h"

typedef struct movie_file {
  output_file output;
  pid_t ffmpeg;
  int pipe;         /* to it */
  bool broken;      /* it took no more frames */
  FILE *complaints; /* its stderr */
  struct sigaction pipe_action;
} movie_file;

/* Before a run: whether there is an ffmpeg that makes H.264. */
bool movie_check(bench_problem *problem);

/* Frames of width * height pixels, uint32_t 0xXXRRGGBB each; both even. SIGPIPE is ignored until the end. */
bool movie_begin(movie_file *movie, const char *path, int width, int height, uint32_t frames_per_second,
                 bench_problem *problem);
bool movie_add(movie_file *movie, const void *pixels, size_t bytes, bench_problem *problem);
/* After movie_begin or movie_add failed, too. The file appears if `written` is true and ffmpeg succeeds; what ffmpeg says
 * about a failure of its own is the problem. */
bool movie_end(movie_file *movie, bool written, bench_problem *problem);

#endif
