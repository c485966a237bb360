/* Ctrl-C (SIGINT) and SIGTERM: the program finishes the frame and writes the results so far. A second signal ends it at
 * once.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_STOP_H
#define BENCH_STOP_H

#include <stdbool.h>
#include <stdint.h>

/* Begins to catch the two signals. A signal that is ignored stays ignored: shells ignore SIGINT for background jobs. */
void stop_on_signals(void);
/* Whether a signal has come. */
bool stop_wanted(void);
/* The name of the signal: "Ctrl-C" or "SIGTERM". */
const char *stop_name(void);
/* The exit status that shells use: 128 + the signal's number. */
int stop_exit_status(void);

/* The frame at which a run was cut short. */
typedef struct stop_place {
  bool cut;
  uint64_t frame, last; /* the last finished frame, and the planned last one */
  const char *during;
} stop_place;

#endif
