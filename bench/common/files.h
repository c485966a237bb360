/* Output files that appear whole or not at all: they are written under a temporary name and renamed when complete.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_FILES_H
#define BENCH_FILES_H

#include <stdio.h>

#include "common/problem.h"

#define FILE_PATH_SIZE 4096
#define TEMPORARY_PATH_SIZE (FILE_PATH_SIZE + 32)

typedef struct output_file {
  char path[FILE_PATH_SIZE], temporary[TEMPORARY_PATH_SIZE];
  FILE *stream; /* of the temporary file; NULL if another program writes it */
} output_file;

/* Writes "folder/name" to path[FILE_PATH_SIZE]. */
bool path_join(char *path, const char *folder, const char *name, bench_problem *problem);

/* Checks before a run that a file can be made in `folder`, which may be missing. Removes what it makes to find out.
 * `option` is for the message. */
bool folder_check(const char *folder, const char *option, bench_problem *problem);
/* Checks in the same way that a file can be made at `path`, and that `path` is no folder. */
bool file_check(const char *path, const char *option, bench_problem *problem);

/* Makes the file's folder and its parents, and sets output->temporary. Another program then writes that file. */
bool output_begin(output_file *output, const char *path, bench_problem *problem);
/* Does what output_begin does, and opens the temporary file as output->stream. */
bool output_open(output_file *output, const char *path, bench_problem *problem);
/* Closes the temporary file and renames it to output->path. If `written` is false or closing or renaming fails, removes
 * the temporary file and returns false with a problem. */
bool output_close(output_file *output, bool written, bench_problem *problem);

#endif
