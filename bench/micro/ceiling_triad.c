/* Measures the ceiling of memory bandwidth. SPDX-License-Identifier: MIT */
#include "micro/ceiling.h"

#include <stdlib.h>

#define ARRAYS_PER_CACHE 12.0 /* size of the three arrays together, as a multiple of the last-level cache */
#define LEAST_MEMORY 192e6    /* their minimum size in bytes, if that cache is small or unknown */
#define ROUND_BYTES 64e6      /* minimum of a round, so that starting the threads takes little of its time */

typedef struct triad_arrays {
  int workers;
  int sweeps;  /* over the arrays per round: more than 1 if the arrays are smaller than ROUND_BYTES */
  size_t part; /* elements of each array per worker */
  float *a, *b, *c;
} triad_arrays;

static void triad(float *restrict a, const float *restrict b, const float *restrict c, float s, size_t count) {
  for (size_t i = 0; i < count; i++) a[i] = b[i] + s * c[i];
}

/* Runs a round, in which each worker sweeps its own part of the arrays. Returns its time in seconds. */
static double run_round(const triad_arrays *arrays) {
  const int workers = arrays->workers;
  double begin = ceiling_clock();
#ifdef _OPENMP
#pragma omp parallel for num_threads(workers) schedule(static, 1)
#endif
  for (int k = 0; k < workers; k++) {
    size_t at = (size_t)k * arrays->part;
    for (int i = 0; i < arrays->sweeps; i++)
      triad(arrays->a + at, arrays->b + at, arrays->c + at, (float)i, arrays->part);
  }
  return ceiling_clock() - begin;
}

static double bytes_of(const triad_arrays *arrays) {
  return 3.0 * sizeof(float) * (double)arrays->part * arrays->workers * arrays->sweeps;
}

static void triad_release(triad_arrays *arrays) {
  free(arrays->a);
  free(arrays->b);
  free(arrays->c);
}

/* Writes the arrays. Each worker writes the part that it uses later. If the pages were never written, the operating
 * system could map all of them to one page of zeros, which would stay in the cache. */
static void touch(const triad_arrays *arrays) {
  const int workers = arrays->workers;
#ifdef _OPENMP
#pragma omp parallel for num_threads(workers) schedule(static, 1)
#endif
  for (int k = 0; k < workers; k++)
    for (size_t i = (size_t)k * arrays->part; i < (size_t)(k + 1) * arrays->part; i++) {
      arrays->a[i] = 0;
      arrays->b[i] = 1;
      arrays->c[i] = 2;
    }
}

static bool triad_create(triad_arrays *arrays, double bytes, uint32_t threads, bench_problem *problem) {
  double memory = ARRAYS_PER_CACHE * gbench_last_cache_bytes();
  if (bytes == 0) bytes = memory > LEAST_MEMORY ? memory : LEAST_MEMORY;
  *arrays = (triad_arrays){.workers = (int)ceiling_workers(threads), .sweeps = (int)(ROUND_BYTES / bytes) + 1};
  arrays->part = (size_t)(bytes / (3 * sizeof(float)) / arrays->workers) + 1;
  size_t size = arrays->part * (size_t)arrays->workers * sizeof(float);
  arrays->a = malloc(size);
  arrays->b = malloc(size);
  arrays->c = malloc(size);
  if (!arrays->a || !arrays->b || !arrays->c)
    return problem_set(problem, "out of memory for three arrays of %zu bytes", size);
  touch(arrays);
  return true;
}

static double measure(double bytes, uint32_t threads, bench_problem *problem) {
  triad_arrays arrays;
  bool ok = triad_create(&arrays, bytes, threads, problem);
  double best = 0, begin = ceiling_clock();
  while (ok && (best == 0 || ceiling_clock() - begin < CEILING_SECONDS)) {
    double seconds = run_round(&arrays);
    if (best == 0 || seconds < best) best = seconds;
  }
  triad_release(&arrays);
  return ok ? bytes_of(&arrays) / best : 0;
}

double ceiling_triad(double bytes, uint32_t threads, bench_problem *problem) {
  double *rate = ceiling_kept("triad %.0f %u", bytes, threads);
  if (*rate == 0) *rate = measure(bytes, threads, problem);
  return *rate;
}

void bench_ceiling_triad(gbench_state *state, const void *context) {
  const bench_case *which = context;
  triad_arrays arrays;
  bench_problem problem;
  if (!triad_create(&arrays, 0, which->threads, &problem)) gbench_fail(state, problem.text);
  while (gbench_continue(state)) gbench_set_seconds(state, run_round(&arrays));
  gbench_set_bytes(state, bytes_of(&arrays));
  triad_release(&arrays);
  gbench_set_counter(state, "ceiling", ceiling_triad(0, which->threads, &problem));
}
