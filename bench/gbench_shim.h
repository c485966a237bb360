/* Google Benchmark for C.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_GBENCH_SHIM_H
#define BENCH_GBENCH_SHIM_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gbench_state gbench_state;

/* Measures: sets up, calls gbench_continue until it answers false, doing one piece of work each time, and cleans up. */
typedef void gbench_case(gbench_state *state, const void *context);

/* `context` must live until gbench_run has returned. Cases are timed by the clock, or, where `times_itself`, by what they
 * give to gbench_set_seconds for each piece of work. */
void gbench_register(const char *name, gbench_case *measure, const void *context, bool times_itself);
void gbench_set_seconds(gbench_state *state, double seconds);

bool gbench_continue(gbench_state *state);
/* Between these two the clock stands still. */
void gbench_pause(gbench_state *state);
void gbench_resume(gbench_state *state);
/* Gives up; the case is reported as failed. */
void gbench_fail(gbench_state *state, const char *text);

/* Items done per piece of work: shown per second. */
void gbench_set_items(gbench_state *state, double items_per_piece);
void gbench_set_counter(gbench_state *state, const char *name, double value);
/* Per piece of work, shown per second. */
void gbench_set_rate(gbench_state *state, const char *name, double value_per_piece);

/* Runs the cases that the command line chooses (see --help); the exit status. */
int gbench_run(int count, char **arguments);

#ifdef __cplusplus
}
#endif

#endif
