/* SPDX-License-Identifier: MIT */
#include "common/files.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool path_join(char *path, const char *folder, const char *name, bench_problem *problem) {
  int length = snprintf(path, FILE_PATH_SIZE, "%s/%s", folder, name);
  if (length > 0 && length < FILE_PATH_SIZE) return true;
  return problem_set(problem, "option '--out': a path of %d bytes, allowed %d", length, FILE_PATH_SIZE - 1);
}

/* Writes the folder that holds `path` to parent[FILE_PATH_SIZE]; "." or "/" if the path names none. */
static void parent_of(const char *path, char *parent) {
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/') length--;
  while (length > 0 && path[length - 1] != '/') length--;
  while (length > 1 && path[length - 1] == '/') length--;
  if (length == 0) {
    strcpy(parent, ".");
    return;
  }
  memcpy(parent, path, length);
  parent[length] = 0;
}

/* Makes a folder and its parents. It is no error if the folder exists. */
static bool folder_make(const char *folder, bench_problem *problem) {
  char parent[FILE_PATH_SIZE];
  struct stat status;
  if (stat(folder, &status) == 0) return true;
  parent_of(folder, parent);
  if (strcmp(parent, folder) != 0 && !folder_make(parent, problem)) return false;
  if (mkdir(folder, 0777) == 0 || errno == EEXIST) return true;
  return problem_set(problem, "%s: cannot make the folder: %s", folder, strerror(errno));
}

static void name_temporary(char *temporary, const char *path) {
  snprintf(temporary, TEMPORARY_PATH_SIZE, "%s.%ld.part", path, (long)getpid());
}

/* Finds out whether a file can be made: makes the temporary file of `path` and the missing folders between `existing`
 * and `folder`, and removes them again. Permissions are not enough to know it: root may do everything, and on some file
 * systems no file can be made. Returns 0 or an errno. */
static int try_to_make(const char *path, const char *folder, const char *existing) {
  char made[FILE_PATH_SIZE], parent[FILE_PATH_SIZE], temporary[TEMPORARY_PATH_SIZE];
  bench_problem other;
  int failure = 0;
  name_temporary(temporary, path);
  FILE *stream = folder_make(folder, &other) ? fopen(temporary, "wb") : NULL;
  if (!stream || fclose(stream) != 0) failure = errno;
  if (stream) remove(temporary);
  for (strcpy(made, folder); strcmp(made, existing) != 0; strcpy(made, parent)) {
    rmdir(made);
    parent_of(made, parent);
  }
  return failure;
}

/* Checks that `path` can be made in `folder`. `option` and its `value` are for the message. */
static bool check_place(const char *path, const char *folder, const char *value, const char *option,
                        bench_problem *problem) {
  char existing[FILE_PATH_SIZE], parent[FILE_PATH_SIZE];
  struct stat status;
  strcpy(existing, folder);
  while (stat(existing, &status) != 0) {
    parent_of(existing, parent);
    if (errno != ENOENT || strcmp(parent, existing) == 0)
      return problem_set(problem, "option '%s': value '%s': %s, allowed is a folder to write to", option, value,
                         strerror(errno));
    strcpy(existing, parent);
  }
  if (!S_ISDIR(status.st_mode) || access(existing, W_OK | X_OK) != 0)
    return problem_set(problem, "option '%s': value '%s': %s is not a folder to write to", option, value, existing);
  const int failure = try_to_make(path, folder, existing);
  if (!failure) return true;
  return problem_set(problem, "option '%s': value '%s': nothing can be written there: %s", option, value,
                     strerror(failure));
}

bool folder_check(const char *folder, const char *option, bench_problem *problem) {
  char path[FILE_PATH_SIZE];
  if (strlen(folder) >= FILE_PATH_SIZE - 32)
    return problem_set(problem, "option '%s': a path of %zu bytes, allowed %d", option, strlen(folder),
                       FILE_PATH_SIZE - 33);
  snprintf(path, sizeof path, "%s/throng", folder);
  return check_place(path, folder, folder, option, problem);
}

bool file_check(const char *path, const char *option, bench_problem *problem) {
  struct stat status;
  char parent[FILE_PATH_SIZE];
  if (strlen(path) >= FILE_PATH_SIZE - 32)
    return problem_set(problem, "option '%s': a path of %zu bytes, allowed %d", option, strlen(path),
                       FILE_PATH_SIZE - 33);
  if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
    return problem_set(problem, "option '%s': value '%s' is not a file, allowed is a file to write", option, path);
  parent_of(path, parent);
  return check_place(path, parent, path, option, problem);
}

bool output_begin(output_file *output, const char *path, bench_problem *problem) {
  struct stat status;
  char folder[FILE_PATH_SIZE];
  if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
    return problem_set(problem, "%s: cannot write: it is not a file", path);
  parent_of(path, folder);
  if (!folder_make(folder, problem)) return false;
  snprintf(output->path, sizeof output->path, "%s", path);
  snprintf(output->temporary, sizeof output->temporary, "%s.%ld.part", output->path, (long)getpid());
  output->stream = NULL;
  return true;
}

bool output_open(output_file *output, const char *path, bench_problem *problem) {
  if (!output_begin(output, path, problem)) return false;
  output->stream = fopen(output->temporary, "wb");
  if (output->stream) return true;
  return problem_set(problem, "%s: cannot write: %s", path, strerror(errno));
}

bool output_close(output_file *output, bool written, bench_problem *problem) {
  errno = 0;
  bool closed = !output->stream || fclose(output->stream) == 0;
  if (written && closed && rename(output->temporary, output->path) == 0) return true;
  problem_set(problem, "%s: cannot write: %s", output->path, errno ? strerror(errno) : "the disk is full or broken");
  remove(output->temporary);
  return false;
}
