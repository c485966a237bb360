/* Files that appear whole or not at all: written under a temporary name, renamed when complete.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_FILES_H
#define BENCH_FILES_H

#include <stdio.h>

#include "common/problem.h"

#define FILE_PATH_SIZE 4096

typedef struct output_file {
  char path[FILE_PATH_SIZE], temporary[FILE_PATH_SIZE + 32];
  FILE *stream; /* NULL where others write to it */
} output_file;

/* "folder/name" into path[FILE_PATH_SIZE]. */
bool path_join(char *path, const char *folder, const char *name, bench_problem *problem);

/* Before a run: whether `folder` is one that can be written to, or can be made. Makes nothing. */
bool folder_check(const char *folder, const char *option, bench_problem *problem);
/* Whether a file can be made at `path`: not a folder, and its own folder can be written to. */
bool file_check(const char *path, const char *option, bench_problem *problem);

/* Makes the file's folder, too, and those above it, and names the temporary file, for others to write to. */
bool output_begin(output_file *output, const char *path, bench_problem *problem);
/* The same, and opens it. */
bool output_open(output_file *output, const char *path, bench_problem *problem);
/* Closes and renames, or, where `written` is false or the disk is full, removes the temporary file. */
bool output_close(output_file *output, bool written, bench_problem *problem);

#endif
