/* What this machine can do at most: the neighbour pass' arithmetic from the L1 cache, and the bandwidth of memory. The first
 * caller of a ceiling measures it; later ones get the same figure.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_CEILING_H
#define BENCH_CEILING_H

#include "micro/bench_cases.h"

/* A ceiling is the best of what fits into so many seconds: long enough to meet an undisturbed moment. */
#define CEILING_SECONDS 0.1

/* A monotonic clock, in seconds. */
double ceiling_clock(void);
/* How many threads `threads` (0 = all of the machine's) stands for: as many as a world takes. */
uint32_t ceiling_workers(uint32_t threads);

/* Pairs (agent, candidate) a second, of all threads of the case together: the body of the neighbour pass' inner loop with
 * the rules of the case's scene, and no threats. A world that profiles counts its neighbours too, which costs 2 to 13 % of
 * the body: compare like with like. 0 and a problem where it cannot be measured. */
double ceiling_pairs(const bench_case *which, bool profile, bench_problem *problem);

/* Bytes a second, of all threads together: a[i] = b[i] + s c[i] (STREAM's triad, on floats) over arrays of `bytes` in all;
 * 0 bytes: far larger than the last-level cache. Counted as STREAM does, 12 bytes an element: that a line is read before it
 * is written counts neither here nor for the passes. 0 and a problem where it cannot be measured. */
double ceiling_triad(double bytes, uint32_t threads, bench_problem *problem);

/* The bytes that a pass must read and write for each agent of a scene: each array once, however often the pass comes back
 * to it, since that is the cache's part. A strip's scratch counts like an array. */
double ceiling_behaviours_bytes(const bench_scene *scene);
double ceiling_motion_bytes(const bench_scene *scene);
double ceiling_index_bytes(const bench_scene *scene);

/* The figure of that name, to be kept from the first call to the last; 0 at first. */
double *ceiling_kept(const char *format, ...) PROBLEM_PRINTF(1, 2);

#endif
