/* The machine's ceilings: the arithmetic of the neighbour walk from the L1 cache, and the bandwidth of memory. The
 * first call of a ceiling measures it; later calls return the same figure.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_CEILING_H
#define BENCH_CEILING_H

#include "micro/bench_cases.h"

/* A ceiling is the best result within this time, which is long enough to contain an undisturbed moment. */
#define CEILING_SECONDS 0.1

/* A monotonic clock, in seconds. */
double ceiling_clock(void);
/* The number of workers of a world with this thread_count (0 = all cores). */
uint32_t ceiling_workers(uint32_t threads);

/* Pairs (agent, candidate) per second of all threads together: the inner loop of the neighbour walk with the rules
 * of the case's scene, without threats. A profile counts neighbours in this loop and costs 2 to 13 %, so that the
 * case's profile setting must match. Returns 0 and sets the problem if it cannot be measured. */
double ceiling_pairs(const bench_case *which, bool profile, bench_problem *problem);

/* Bytes per second of all threads together: STREAM's triad a[i] = b[i] + s c[i] on floats, over arrays of `bytes` in
 * total. bytes 0: far more than the last-level cache holds. An element counts 12 bytes, as in STREAM: reading a line
 * before writing it is counted neither here nor for the passes. Returns 0 and sets the problem if it cannot be
 * measured. */
double ceiling_triad(double bytes, uint32_t threads, bench_problem *problem);

/* The bytes that a pass must read and write per agent of a scene. Each array counts once, even if the pass reads it
 * again: caches serve that. A strip's scratch counts like an array. */
double ceiling_behaviours_bytes(const bench_scene *scene);
double ceiling_motion_bytes(const bench_scene *scene);
double ceiling_index_bytes(const bench_scene *scene);

/* The stored figure of that name; 0 before the first measurement. */
double *ceiling_kept(const char *format, ...) PROBLEM_PRINTF(1, 2);

#endif
