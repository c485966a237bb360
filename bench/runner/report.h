/* Reports measurements as a table, as JSON and as CSV.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdio.h>

#include "runner/measure.h"

/* Prints two lines: what runs, and on which machine. */
void report_head(const bench_scene *scene, uint32_t agents);
/* Prints how many agents have no place in their formation. */
void report_left_over(uint32_t agents);
void report_table(const measurement *runs, int count, bool same_hash);
/* Prints how many agents have arrived. */
void report_arrivals(const scene_arrivals *arrivals);

/* Columns: scene, agents, frames, threads, isa, rounds, agents/ms (median, minimum, maximum), nanoseconds per agent
 * in each pass, neighbours, hash, microseconds per frame over all rounds (percentiles 50, 90, 99, maximum). */
bool report_csv(FILE *stream, const bench_scene *scene, const measurement *runs, int count);
/* `arrivals` is NULL for scenes without flow fields; `stop` is NULL if the user did not stop the run. */
bool report_json(FILE *stream, const bench_scene *scene, const measurement *runs, int count,
                 const scene_arrivals *arrivals, const stop_place *stop);

#endif
