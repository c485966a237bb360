/* Output files that appear whole or not at all: they are written under a temporary name and renamed when complete.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_FILES_H
#define BENCH_FILES_H

#include <stdio.h>

#include "common/problem.h"

#define FILE_PATH_SIZE 4096

typedef struct output_file {
  char path[FILE_PATH_SIZE], temporary[FILE_PATH_SIZE + 32];
  FILE *stream; /* NULL if another program writes the file */
} output_file;

/* Writes "folder/name" to path[FILE_PATH_SIZE]. */
bool path_join(char *path, const char *folder, const char *name, bench_problem *problem);

/* Checks before a run that `folder` is writable or can be made. It makes nothing. */
bool folder_check(const char *folder, const char *option, bench_problem *problem);
/* Checks that a file can be made at `path`: the path is no folder, and its parent folder is writable. */
bool file_check(const char *path, const char *option, bench_problem *problem);

/* Makes the file's folder and its parents, and chooses the temporary name; another program then writes that file. */
bool output_begin(output_file *output, const char *path, bench_problem *problem);
/* As output_name, and opens the temporary file for writing. */
bool output_open(output_file *output, const char *path, bench_problem *problem);
/* Closes the file and gives it its name. Removes it instead if `written` is false or the disk is full. */
bool output_close(output_file *output, bool written, bench_problem *problem);

#endif
