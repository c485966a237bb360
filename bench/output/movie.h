/* Makes movies by the program ffmpeg, which reads the frames from a pipe.
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
  int pipe;         /* to ffmpeg */
  bool broken;      /* ffmpeg stopped reading */
  FILE *complaints; /* ffmpeg's stderr */
  struct sigaction pipe_action;
} movie_file;

/* Checks before a run that ffmpeg is there and can encode H.264. */
bool movie_check(bench_problem *problem);

/* Begins a movie of width * height pixels, uint32_t 0xXXRRGGBB each; both must be even. Ignores SIGPIPE until
 * movie_end. */
bool movie_begin(movie_file *movie, const char *path, int width, int height, uint32_t frames_per_second,
                 bench_problem *problem);
bool movie_add(movie_file *movie, const void *pixels, size_t bytes, bench_problem *problem);
/* Must be called even if movie_begin or movie_add failed. The file appears if `written` is true and ffmpeg succeeds;
 * if not, the problem quotes ffmpeg's last message. */
bool movie_end(movie_file *movie, bool written, bench_problem *problem);

#endif
