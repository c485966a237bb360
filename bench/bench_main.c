/* throng-bench: every case on every scene, size, instruction set and number of threads. Choose with --benchmark_filter;
 * --benchmark_min_time takes seconds.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "bench_cases.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

typedef struct bench_kind {
  const char *name;
  gbench_case *measure;
  bool every_scene;  /* else only the first, which is enough where the rules do not matter */
  bool times_itself; /* by the world's profile */
} bench_kind;

static const bench_kind kinds[] = {
    {"frame", bench_frame, true, false},
    {"pass_neighbours", bench_neighbours, true, true},
    {"pass_behaviours", bench_behaviours, true, true},
    {"pass_motion", bench_motion, true, true},
    {"pass_commit", bench_commit, true, true},
    {"steer", bench_steer, true, false},
    {"integrate", bench_integrate, false, false},
    {"index", bench_index, false, false},
    {"query_radius", bench_radius, false, false},
    {"query_nearest", bench_nearest, false, false},
};
static const char *const scenes[] = {"flock2", "flock3", "crowd2", "clump2"};
static const uint32_t sizes[] = {10000, 50000, 100000};
static const uint32_t thread_counts[] = {1, 0};

static bench_case cases[COUNT_OF(scenes) * COUNT_OF(sizes) * COUNT_OF(thread_counts) * THRONG_ISA_COUNT];
static size_t case_count;

static void register_all(const bench_kind *kind, const bench_case *which) {
  char name[128];
  char threads[16] = "all";
  if (which->threads) snprintf(threads, sizeof threads, "%u", which->threads);
  snprintf(name, sizeof name, "%s/%s/%u/%s/threads:%s", kind->name, which->scene, which->agents,
           throng_isa_name(which->isa), threads);
  gbench_register(name, kind->measure, which, kind->times_itself);
}

static void make_cases(void) {
  for (size_t s = 0; s < COUNT_OF(scenes); s++)
    for (size_t n = 0; n < COUNT_OF(sizes); n++)
      for (int isa = THRONG_ISA_BASELINE; isa < THRONG_ISA_COUNT; isa++)
        for (size_t t = 0; t < COUNT_OF(thread_counts); t++)
          if (throng_isa_available((throng_isa)isa))
            cases[case_count++] = (bench_case){scenes[s], sizes[n], thread_counts[t], (throng_isa)isa};
}

int main(int count, char **arguments) {
  make_cases();
  for (size_t k = 0; k < COUNT_OF(kinds); k++)
    for (size_t c = 0; c < case_count; c++)
      if (kinds[k].every_scene || cases[c].scene == scenes[0]) register_all(&kinds[k], &cases[c]);
  return gbench_run(count, arguments);
}
