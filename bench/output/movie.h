/* Makes movies with the program ffmpeg, which reads the frames from a pipe.
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
  int pipe;                     /* the end that frames are written to */
  bool broken;                  /* ffmpeg stopped reading */
  FILE *complaints;             /* ffmpeg's stderr */
  struct sigaction pipe_action; /* the action of SIGPIPE before movie_begin; movie_end restores it */
} movie_file;

/* Checks that ffmpeg is installed and can encode H.264. */
bool movie_check(bench_problem *problem);

/* Begins a movie of width * height pixels, uint32_t 0xXXRRGGBB each; both must be even. Ignores SIGPIPE until
 * movie_end. */
bool movie_begin(movie_file *movie, const char *path, int width, int height, uint32_t frames_per_second,
                 bench_problem *problem);
bool movie_add(movie_file *movie, const void *pixels, size_t bytes, bench_problem *problem);
/* Ends ffmpeg. Must be called even if movie_begin or movie_add failed; `written` is then false. If `written` is true
 * and ffmpeg succeeds, the file appears under its name. If ffmpeg fails, the problem quotes its last message. */
bool movie_end(movie_file *movie, bool written, bench_problem *problem);

#endif
