/* Ctrl-C (SIGINT) and SIGTERM: the frame is finished and what there is is written; a second one ends the program at once.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_STOP_H
#define BENCH_STOP_H

#include <stdbool.h>
#include <stdint.h>

/* From here on. A signal that is ignored, as SIGINT is by what a shell script starts in the background, stays ignored. */
void stop_on_signals(void);
/* Whether one has come. */
bool stop_wanted(void);
/* "Ctrl-C" or "SIGTERM". */
const char *stop_name(void);
/* As shells give it: 128 and the signal's number. */
int stop_exit_status(void);

/* Where a run was cut short. */
typedef struct stop_place {
  bool cut;
  uint64_t frame, last; /* the last finished frame, and the one that would have been the last */
  const char *during;
} stop_place;

#endif
