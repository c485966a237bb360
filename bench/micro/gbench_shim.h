/* A C interface to Google Benchmark.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_GBENCH_SHIM_H
#define BENCH_GBENCH_SHIM_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gbench_state gbench_state;

/* A case: it sets up, and calls gbench_continue until that returns false. After each call that returns true it does one
 * repetition of the work and reports the time by gbench_set_seconds. Then it cleans up. */
typedef void gbench_case(gbench_state *state, const void *context);

/* Registers a case. `context` must be valid until gbench_run has returned. */
void gbench_register(const char *name, gbench_case *measure, const void *context);

bool gbench_continue(gbench_state *state);
void gbench_set_seconds(gbench_state *state, double seconds);
/* Ends the case. The report says that it failed, with `text` as the reason. */
void gbench_fail(gbench_state *state, const char *text);

/* Items done, or bytes read and written, per repetition; the report shows them per second. */
void gbench_set_items(gbench_state *state, double items_per_piece);
void gbench_set_bytes(gbench_state *state, double bytes_per_piece);
void gbench_set_counter(gbench_state *state, const char *name, double value);
/* Sets a counter that has this value in every repetition; the report shows it per second. */
void gbench_set_rate(gbench_state *state, const char *name, double value_per_piece);

/* Returns the size of the last-level cache in bytes; 0 if unknown. */
double gbench_last_cache_bytes(void);

/* Runs the cases that the command line chooses (see --help), and reports them in the order of registration.
 * `defaults` is a list of options that ends with NULL; options of the command line override them. Warns of cases
 * whose repetitions spread by more than SPREAD_LIMIT. Returns the exit status: 0; 1 if a case failed; 2 if the command
 * line is wrong or chooses no case. */
int gbench_run(int count, char **arguments, const char *const *defaults);

#ifdef __cplusplus
}
#endif

#endif
