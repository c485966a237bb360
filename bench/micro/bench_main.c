/* throng-bench: measures each pass on several scenes, sizes, instruction sets and numbers of threads, and the machine's
 * ceilings. Without options it runs the cases of 50 000 agents three times each, and prints minimum, mean, median and
 * spread. The repetitions are interleaved at random, so that a slow minute affects all cases. That takes about three
 * minutes, and most output comes at the end. --benchmark_filter=REGEX chooses cases; --benchmark_repetitions=1 prints
 * each result at once; the value of --benchmark_min_time is in seconds.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "micro/bench_cases.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static const char *const scenes[] = {"flock2", "flock3", "crowd2", "clump2"};
static const uint32_t sizes[] = {10000, 50000, 1000000}; /* agents; a million fit no cache */
static const uint32_t thread_counts[] = {1, 0};

typedef struct bench_kind {
  const char *name;
  gbench_case *measure;
  size_t scenes; /* the case is measured on this many scenes of the list; 1 if the rules of the scene do not matter */
} bench_kind;

static const bench_kind kinds[] = {
    {"frame", bench_frame, 4},
    {"pass_neighbours", bench_neighbours, 3},
    {"pass_behaviours", bench_behaviours, 3},
    {"pass_motion", bench_motion, 3},
    {"pass_commit", bench_commit, 3},
    {"steer", bench_steer, 3},
    {"integrate", bench_integrate, 3},
    {"index", bench_index, 3},
    {"index_guest", bench_index_guest, 3},
    {"instances", bench_instances, 2},
    {"instances_between", bench_instances_between, 2},
    {"query_radius", bench_radius, 1},
    {"query_nearest", bench_nearest, 1},
};

static const char *const defaults[] = {"--benchmark_filter=^ceiling_|/50000/",
                                       "--benchmark_min_time=0.02",
                                       "--benchmark_repetitions=3",
                                       "--benchmark_enable_random_interleaving=true",
                                       "--benchmark_report_aggregates_only=true",
                                       NULL};

static bench_case cases[COUNT_OF(scenes) * COUNT_OF(sizes) * COUNT_OF(thread_counts) * THRONG_ISA_COUNT];
static size_t case_count;

static void make_cases(void) {
  for (size_t s = 0; s < COUNT_OF(scenes); s++)
    for (size_t n = 0; n < COUNT_OF(sizes); n++)
      for (int isa = THRONG_ISA_BASELINE; isa < THRONG_ISA_COUNT; isa++)
        for (size_t t = 0; t < COUNT_OF(thread_counts); t++)
          if (throng_isa_is_available((throng_isa)isa))
            cases[case_count++] = (bench_case){scenes[s], sizes[n], thread_counts[t], (throng_isa)isa, 0};
}

/* Registers a case as NAME[/SCENE[/AGENTS]/ISA]/threads:COUNT, with the parts that it depends on. */
static void add(const char *name, gbench_case *measure, const bench_case *which, bool scene, bool agents) {
  char text[128], place[64] = "", size[16] = "", threads[16] = "all";
  if (agents) snprintf(size, sizeof size, "/%u", which->agents);
  if (scene) snprintf(place, sizeof place, "/%s%s/%s", which->scene, size, throng_isa_name(which->isa));
  if (which->threads) snprintf(threads, sizeof threads, "%u", which->threads);
  snprintf(text, sizeof text, "%s%s/threads:%s", name, place, threads);
  gbench_register(text, measure, which);
}

static void add_ceilings(void) {
  for (size_t t = 0; t < COUNT_OF(thread_counts); t++)
    add("ceiling_triad", bench_ceiling_triad, &cases[t], false, false);
  for (size_t c = 0; c < case_count; c++)
    if (cases[c].agents == sizes[0] && cases[c].scene != scenes[3])
      add("ceiling_pairs", bench_ceiling_pairs, &cases[c], true, false);
}

static void add_kind(const bench_kind *kind) {
  for (size_t c = 0; c < case_count; c++)
    for (size_t s = 0; s < kind->scenes; s++)
      if (cases[c].scene == scenes[s]) add(kind->name, kind->measure, &cases[c], true, true);
}

/* One case per behaviour and instruction set, on the first scene with one thread, such as
 * behaviour/seek/flock2/50000/avx2/threads:1. */
static bench_case behaviour_cases[THRONG_BEHAVIOUR_KINDS * THRONG_ISA_COUNT];
static void add_behaviours(void) {
  size_t used = 0;
  for (int kind = 0; kind < THRONG_BEHAVIOUR_KINDS; kind++) {
    for (int isa = THRONG_ISA_BASELINE; isa < THRONG_ISA_COUNT; isa++) {
      if (!throng_isa_is_available((throng_isa)isa)) continue;
      char name[64];
      snprintf(name, sizeof name, "behaviour/%s", throng_behaviour_name((throng_behaviour_kind)kind));
      behaviour_cases[used] = (bench_case){scenes[0], sizes[1], 1, (throng_isa)isa, kind};
      add(name, bench_behaviour, &behaviour_cases[used++], true, true);
    }
  }
}

int main(int count, char **arguments) {
  make_cases();
  add_ceilings();
  for (size_t k = 0; k < COUNT_OF(kinds); k++) add_kind(&kinds[k]);
  add_behaviours();
  return gbench_run(count, arguments, defaults);
}
