/* Handles Ctrl-C (SIGINT), SIGTERM and SIGHUP (the terminal closes). After the first signal the program finishes the
 * frame and writes the results so far. A second Ctrl-C or SIGTERM ends the program at once.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_STOP_H
#define BENCH_STOP_H

#include <stdbool.h>
#include <stdint.h>

/* Begins to catch the signals. A signal that is ignored stays ignored: shells ignore SIGINT for background jobs, and
 * nohup ignores SIGHUP. */
void stop_on_signals(void);
/* Whether a signal has come. */
bool stop_wanted(void);
/* Returns the name of the signal: "Ctrl-C", "SIGTERM" or "SIGHUP". */
const char *stop_name(void);
/* Returns the exit status that shells use: 128 + the signal's number. */
int stop_exit_status(void);

/* Where a signal stopped a run. */
typedef struct stop_place {
  bool cut;             /* a signal stopped the run; if not, the members below are not set */
  uint64_t frame, last; /* the last finished frame, and the last frame that was planned */
  const char *during;   /* what the program was doing with the frames, such as "timing" */
} stop_place;

#endif
