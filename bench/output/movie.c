/* SPDX-License-Identifier: MIT */
#include "output/movie.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ENCODER "libx264"
#define FFMPEG "ffmpeg"
#define NEEDED "allowed only where ffmpeg is installed with " ENCODER " (Debian: ffmpeg)"
#define COMPLAINT_SIZE 320

extern char **environ;

/* Starts ffmpeg with `input` and `complaints` as its stdin and stderr. ffmpeg has a process group of its own, so
 * that Ctrl-C on the terminal does not end it; it ends when its input ends. Returns an errno. */
static int start(char *const *arguments, int input, int complaints, pid_t *process) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&files, complaints, STDERR_FILENO);
  int failure = posix_spawnp(process, FFMPEG, &files, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return failure;
}

static bool succeeded(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Copies the last line of ffmpeg's stderr that is not blank. */
static void last_line(FILE *complaints, char text[COMPLAINT_SIZE]) {
  char line[COMPLAINT_SIZE];
  snprintf(text, COMPLAINT_SIZE, "it printed no reason");
  rewind(complaints);
  while (fgets(line, sizeof line, complaints))
    if (line[strspn(line, " \n")]) memcpy(text, line, sizeof line);
  text[strcspn(text, "\n")] = 0;
}

bool movie_check(bench_problem *problem) {
  char *const arguments[] = {FFMPEG, "-hide_banner", "-loglevel", "error", "-f", "lavfi", "-i", "color=s=16x16:d=0.04",
                             "-c:v", ENCODER,        "-f",        "null",  "-",  NULL};
  char complaint[COMPLAINT_SIZE];
  pid_t process;
  FILE *complaints = tmpfile();
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (!complaints || nothing < 0) {
    problem_set(problem, "option '--movie': %s", strerror(errno));
    if (complaints) fclose(complaints);
    if (nothing >= 0) close(nothing);
    return false;
  }
  int failure = start(arguments, nothing, fileno(complaints), &process);
  bool ok = failure ? problem_set(problem, "option '--movie': " FFMPEG ": %s, " NEEDED, strerror(failure))
                    : succeeded(process);
  if (!failure && !ok) {
    last_line(complaints, complaint);
    problem_set(problem, "option '--movie': " FFMPEG " fails: %s, " NEEDED, complaint);
  }
  close(nothing);
  fclose(complaints);
  return ok;
}

/* Starts ffmpeg, which reads frames from `input` and writes the movie's temporary file. Returns an errno. */
static int start_encoder(movie_file *movie, int width, int height, uint32_t frames_per_second, int input) {
  char size[32], rate[16], target[FILE_PATH_SIZE + 48];
  snprintf(size, sizeof size, "%dx%d", width, height);
  snprintf(rate, sizeof rate, "%u", frames_per_second);
  snprintf(target, sizeof target, "file:%s",
           movie->output.temporary); /* "file:", so that ffmpeg does not take the name for an option or an address */
  /* Movies with 4:2:0 colours, BT.709 and the index at the front play everywhere, also in browsers. */
  char *const arguments[] = {FFMPEG,
                             "-hide_banner",
                             "-loglevel",
                             "error",
                             "-nostdin",
                             "-y",
                             "-f",
                             "rawvideo",
                             "-pix_fmt",
                             "bgr0",
                             "-video_size",
                             size,
                             "-framerate",
                             rate,
                             "-i",
                             "pipe:0",
                             "-an",
                             "-c:v",
                             ENCODER,
                             "-preset",
                             "medium",
                             "-crf",
                             "20",
                             "-vf",
                             "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p",
                             "-colorspace",
                             "bt709",
                             "-color_primaries",
                             "bt709",
                             "-color_trc",
                             "bt709",
                             "-movflags",
                             "+faststart",
                             "-f",
                             "mp4",
                             target,
                             NULL};
  return start(arguments, input, fileno(movie->complaints), &movie->ffmpeg);
}

bool movie_begin(movie_file *movie, const char *path, int width, int height, uint32_t frames_per_second,
                 bench_problem *problem) {
  *movie = (struct movie_file){.ffmpeg = -1, .pipe = -1};
  if (!output_begin(&movie->output, path, problem)) return false;
  int ends[2];
  movie->complaints = tmpfile();
  if (!movie->complaints || pipe(ends) != 0) return problem_set(problem, "%s: %s", path, strerror(errno));
  fcntl(ends[1], F_SETFD, FD_CLOEXEC); /* otherwise ffmpeg would hold its own input open */
  movie->pipe = ends[1];
  int failure = start_encoder(movie, width, height, frames_per_second, ends[0]);
  close(ends[0]);
  if (failure) {
    movie->ffmpeg = -1;
    return problem_set(problem, "%s: " FFMPEG ": %s", path, strerror(failure));
  }
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  sigemptyset(&ignore.sa_mask);
  sigaction(SIGPIPE, &ignore, &movie->pipe_action);
  return true;
}

bool movie_add(movie_file *movie, const void *pixels, size_t bytes, bench_problem *problem) {
  for (const char *at = pixels; bytes > 0;) {
    ssize_t written = write(movie->pipe, at, bytes);
    if (written < 0 && errno == EINTR) continue;
    movie->broken = written < 0;
    if (movie->broken)
      return problem_set(problem, "%s: " FFMPEG " reads no more frames: %s", movie->output.path, strerror(errno));
    at += written;
    bytes -= (size_t)written;
  }
  return true;
}

bool movie_end(movie_file *movie, bool written, bench_problem *problem) {
  char complaint[COMPLAINT_SIZE];
  bool ok = written;
  if (movie->pipe >= 0) close(movie->pipe);
  if (movie->ffmpeg > 0) {
    if (!succeeded(movie->ffmpeg) && (written || movie->broken)) {
      last_line(movie->complaints, complaint);
      ok = problem_set(problem, "%s: " FFMPEG " failed: %s", movie->output.path, complaint);
    }
    sigaction(SIGPIPE, &movie->pipe_action, NULL);
  }
  if (movie->complaints) fclose(movie->complaints);
  if (ok) return output_close(&movie->output, true, problem);
  if (movie->ffmpeg > 0) remove(movie->output.temporary);
  return false;
}
