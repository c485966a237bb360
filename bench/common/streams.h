/* Standard output and error of programs that also write files. The files are written even if writing to the streams
 * fails.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_STREAMS_H
#define BENCH_STREAMS_H

/* Call it first. After it, a failed write returns an error. Without it, a write to a pipe without a reader, or beyond
 * the limit of file sizes, would end the program. It also gives the number of each closed standard stream to /dev/null.
 * If not, a file that is opened later could get this number, and printed text would go into the file. */
void streams_begin(void);
/* Call it last. Flushes standard output and returns `status`. If printed text was lost, prints an error, and returns
 * EXIT_FAILURE if `status` is EXIT_SUCCESS. */
int streams_end(const char *program, int status);

#endif
