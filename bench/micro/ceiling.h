/* The machine's ceilings: the rate of the neighbour walk's inner loop on data in the L1 cache, and the bandwidth of
 * memory. The first call for a ceiling measures it; later calls return the same figure.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_CEILING_H
#define BENCH_CEILING_H

#include "micro/bench_cases.h"

/* A ceiling is the best of the measurements within this time. It is long enough that other programs rarely disturb all
 * of them. */
#define CEILING_SECONDS 0.1

/* Returns the time of a monotonic clock in seconds. */
double ceiling_clock(void);
/* Returns the number of workers of a world with this thread_count (0 = all cores). */
uint32_t ceiling_workers(uint32_t threads);

/* Returns the pairs (agent, candidate) per second of all threads together, in the inner loop of the neighbour walk with
 * the rules of the case's scene, without threats. With `profile` this loop also counts neighbours, which takes 2 to 13
 * % of the time; it must be true if the world to compare with has a profile. Returns 0 and sets the problem if it
 * cannot be measured. */
double ceiling_pairs(const bench_case *which, bool profile, bench_problem *problem);

/* Returns the bytes per second of all threads together in STREAM's triad a[i] = b[i] + s c[i] on floats, over arrays of
 * `bytes` bytes in total. bytes 0: far more than the last-level cache holds. An element counts 12 bytes, as in STREAM.
 * The read of a cache line before it is written is not counted, neither here nor for the passes. Returns 0 and sets the
 * problem if it cannot be measured. */
double ceiling_triad(double bytes, uint32_t threads, bench_problem *problem);

/* These functions return the bytes that a pass must read and write per agent of a scene. Each array counts once, even
 * if the pass reads it twice, because it is then in a cache. A strip's scratch counts like an array. */
double ceiling_behaviours_bytes(const bench_scene *scene);
double ceiling_motion_bytes(const bench_scene *scene);
double ceiling_index_bytes(const bench_scene *scene);

/* Returns a pointer to the stored figure with that name. The figure is 0 before the caller stores one. */
double *ceiling_kept(const char *format, ...) PROBLEM_PRINTF(1, 2);

#endif
