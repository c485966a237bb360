/* What was measured, as a table, as JSON and as CSV.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdio.h>

#include "runner/measure.h"

/* Two lines: what runs, and on which machine. */
void report_head(const bench_scene *scene, uint32_t agents);
/* How many agents a formation has no place for. */
void report_left_over(uint32_t agents);
void report_table(const measurement *runs, int count, bool same_hash);
/* Who has arrived at the end. */
void report_arrivals(const scene_arrivals *arrivals);

/* scene, agents, frames, threads, isa, rounds, agents/ms (median, least, most), ns an agent in each pass, neighbours, hash,
 * microseconds a frame over all rounds (percentiles 50, 90 and 99, most). */
bool report_csv(FILE *stream, const bench_scene *scene, const measurement *runs, int count);
/* `arrivals`: of a scene with flow fields, else NULL; `stop`: where the run was stopped, or NULL. */
bool report_json(FILE *stream, const bench_scene *scene, const measurement *runs, int count,
                 const scene_arrivals *arrivals, const stop_place *stop);

#endif
