/* Standard output and error of programs that also write files. The files are written even if writing to the streams
 * fails.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_STREAMS_H
#define BENCH_STREAMS_H

/* Call it first. A write to a pipe that nobody reads, or beyond the limit of a file's size, fails and does not end the
 * program. If a standard stream is closed, a file that is opened later cannot get its number. */
void streams_begin(void);
/* Call it last: flushes standard output. Returns `status`; if anything printed there was lost, says so, and returns
 * EXIT_FAILURE in place of EXIT_SUCCESS. */
int streams_end(const char *program, int status);

#endif
