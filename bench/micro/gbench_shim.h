/* Google Benchmark for C.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_GBENCH_SHIM_H
#define BENCH_GBENCH_SHIM_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gbench_state gbench_state;

/* Measures: sets up, calls gbench_continue until it answers false, doing one piece of work each time and saying how long it
 * took, and cleans up. */
typedef void gbench_case(gbench_state *state, const void *context);

/* `context` must live until gbench_run has returned. */
void gbench_register(const char *name, gbench_case *measure, const void *context);

bool gbench_continue(gbench_state *state);
void gbench_set_seconds(gbench_state *state, double seconds);
/* Gives up; the case is reported as failed. */
void gbench_fail(gbench_state *state, const char *text);

/* Items done, or bytes read and written, per piece of work: shown per second. */
void gbench_set_items(gbench_state *state, double items_per_piece);
void gbench_set_bytes(gbench_state *state, double bytes_per_piece);
void gbench_set_counter(gbench_state *state, const char *name, double value);
/* Per piece of work, shown per second. */
void gbench_set_rate(gbench_state *state, const char *name, double value_per_piece);

/* The size of the last-level cache; 0 where it is not known. */
double gbench_last_cache_bytes(void);

/* Runs the cases that the command line chooses (see --help) and reports them in the order in which they were registered. Of
 * `defaults`, options that a NULL ends, the command line's own take precedence. Warns of cases whose times vary. The exit
 * status: 1 where a case has failed, 2 where the command line is wrong or chooses none. */
int gbench_run(int count, char **arguments, const char *const *defaults);

#ifdef __cplusplus
}
#endif

#endif
