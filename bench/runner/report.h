/* Reports measurements as a table, as JSON and as CSV.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdio.h>

#include "runner/measure.h"

/* Prints the scene, the numbers of agents and frames and, if known, the CPU's name. */
void report_head(const bench_scene *scene, uint32_t agents);
/* Prints how large the scene is, if the number of agents is not `usual`, the scene's own, or if the agents come from a
 * file (`from_file`). */
void report_size(const bench_scene *scene, uint32_t agents, uint32_t usual, bool from_file);
/* Prints how many agents have no place in their formation. */
void report_left_over(uint32_t agents);
/* Prints rates, passes and frame times, and warns if the rounds differ much. `same_hash`: all rounds ended with one
 * hash, which is then printed as a sentence. */
void report_table(const measurement *runs, int count, bool same_hash);
/* Prints how many agents have arrived, walk, are stuck or have no way to a goal. */
void report_arrivals(const scene_arrivals *arrivals);

/* Writes a row per combination: scene, agents, frames, threads, isa, rounds, agents/ms (median, minimum, maximum),
 * nanoseconds per agent per frame in each pass, mean neighbours, hash, microseconds per frame over all rounds
 * (percentiles 50, 90, 99, maximum), and the nanoseconds per agent per frame that no pass covers: waiting, other;
 * then whose threads, and how many busy threads ran beside. */
bool report_csv(FILE *stream, const bench_scene *scene, const measurement *runs, int count);
/* Writes all results. `arrivals` is NULL for scenes without flow fields; `stop` is NULL if the user did not stop the
 * run. */
bool report_json(FILE *stream, const bench_scene *scene, const measurement *runs, int count,
                 const scene_arrivals *arrivals, const stop_place *stop);

#endif
