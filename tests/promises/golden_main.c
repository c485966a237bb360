/* tests/promises/golden_main.c: steps the golden scenes and compares their hashes after 12 and after 60 frames with
 * golden_hashes.h. The hashes must be the same for every machine, instruction set, compiler, optimisation level, thread
 * count and order of work. tests/determinism runs this program on several targets.
 *     test_golden [OPTION...]     exits with 1 if a hash differs, with 77 if the CPU or the build lacks --isa
 *       --isa NAME                only this instruction set (default: every available one)
 *       --threads FIRST-LAST      numbers of threads, or of workers with --adversarial (default 1-2)
 *       --frames 12|60            stop after this frame; 12 is for slow machines (default 60)
 *       --adversarial SEED        use a job system that cuts and orders the work at random
 *     test_golden --update        prints a new golden_hashes.h
 * SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <throng/throng.h>

#include "promises/golden.h"
#include "promises/golden_hashes.h"
#include "promises/golden_jobs.h"

static const uint32_t checkpoints[] = {12, 60}; /* frames */
#define CHECKPOINTS (sizeof checkpoints / sizeof checkpoints[0])

typedef struct plan {
  throng_isa isa;       /* AUTO: all */
  uint32_t first, last; /* range of thread counts */
  size_t checkpoint_count;
  bool adversarial;
  uint64_t seed;
} plan;

/* Runs a scene and writes the state's hash at each of the plan's checkpoints. */
static void run(size_t scene, const plan *p, throng_isa isa, uint32_t threads, uint64_t hash[CHECKPOINTS]) {
  golden_jobs jobs = {p->seed, threads};
  const throng_job_system job_system = golden_job_system(&jobs);
  throng_world *world = golden_scene_world(scene, isa, threads, p->adversarial ? &job_system : NULL);
  throng_error error;
  uint32_t frame = 0;
  for (size_t k = 0; k < p->checkpoint_count; k++) {
    for (; frame < checkpoints[k]; frame++)
      golden_check(throng_world_step(world, 1.0f / 60.0f, &error), &error, golden_scene_name(scene));
    hash[k] = throng_world_hash(world, 0);
  }
  throng_world_destroy(world);
}

static int update(void) {
  const plan whole = {.checkpoint_count = CHECKPOINTS};
  printf("/* tests/promises/golden_hashes.h: printed by `test_golden --update`. A changed hash breaks a promise to "
         "hosts.\n"
         " * SPDX-License-Identifier: MIT */\n"
         "#ifndef GOLDEN_HASHES_H\n#define GOLDEN_HASHES_H\n\n#include <stdint.h>\n\n"
         "static const struct golden_hash {\n  const char *scene;\n  uint64_t hash[%d]; /* after %u and %u frames */\n"
         "} golden_hashes[] = {\n",
         (int)CHECKPOINTS, checkpoints[0], checkpoints[1]);
  for (size_t k = 0; k < golden_scene_count(); k++) {
    uint64_t hash[CHECKPOINTS];
    run(k, &whole, THRONG_ISA_AUTO, 1, hash);
    printf("    {\"%s\", {0x%016" PRIx64 ", 0x%016" PRIx64 "}},\n", golden_scene_name(k), hash[0], hash[1]);
  }
  printf("};\n\n#endif\n");
  return 0;
}

static const struct golden_hash *golden_of(const char *name) {
  for (size_t k = 0; k < sizeof golden_hashes / sizeof golden_hashes[0]; k++)
    if (strcmp(golden_hashes[k].scene, name) == 0) return &golden_hashes[k];
  return NULL;
}

/* Runs a scene and prints its hashes. Returns how many of them are equal to the golden ones. */
static size_t compare(size_t scene, const plan *p, throng_isa isa, uint32_t threads) {
  const struct golden_hash *golden = golden_of(golden_scene_name(scene));
  uint64_t hash[CHECKPOINTS];
  size_t good = 0;
  run(scene, p, isa, threads, hash);
  printf("%-28s %-8s %2u thread%s", golden_scene_name(scene), throng_isa_name(isa), threads, threads == 1 ? " " : "s");
  for (size_t k = 0; k < p->checkpoint_count; k++) {
    const bool same = golden != NULL && golden->hash[k] == hash[k];
    printf(" %016" PRIx64 "%s", hash[k], same ? "" : " DIFFERS");
    good += same;
  }
  printf("\n");
  return good;
}

static bool read_option(plan *p, const char *option, const char *value) {
  char *end = NULL;
  if (strcmp(option, "--isa") == 0) {
    p->isa = throng_isa_from_name(value);
    return p->isa != THRONG_ISA_COUNT;
  }
  if (strcmp(option, "--threads") == 0) {
    p->first = p->last = (uint32_t)strtoul(value, &end, 10);
    if (*end == '-') p->last = (uint32_t)strtoul(end + 1, &end, 10);
    return *end == 0 && p->first >= 1 && p->first <= p->last;
  }
  if (strcmp(option, "--frames") == 0) {
    const unsigned long frames = strtoul(value, &end, 10);
    for (p->checkpoint_count = 1; p->checkpoint_count <= CHECKPOINTS; p->checkpoint_count++)
      if (checkpoints[p->checkpoint_count - 1] == frames) return *end == 0;
    return false;
  }
  if (strcmp(option, "--adversarial") != 0) return false;
  p->adversarial = true;
  p->seed = strtoull(value, &end, 10);
  return *end == 0;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--update") == 0) return update();
  plan p = {.isa = THRONG_ISA_AUTO, .first = 1, .last = 2, .checkpoint_count = CHECKPOINTS};
  for (int k = 1; k < argc; k += 2)
    if (k + 1 == argc || !read_option(&p, argv[k], argv[k + 1])) {
      fprintf(stderr,
              "usage: %s [--isa NAME] [--threads FIRST-LAST] [--frames 12|60] [--adversarial SEED] | --update\n",
              argv[0]);
      return 2;
    }
  if (!throng_isa_is_available(p.isa)) {
    printf("this CPU or this build lacks %s\n", throng_isa_name(p.isa));
    return 77;
  }
  size_t good = 0, asked = 0;
  for (size_t k = 0; k < golden_scene_count(); k++)
    for (int isa = THRONG_ISA_BASELINE; isa < THRONG_ISA_COUNT; isa++) {
      if (p.isa != THRONG_ISA_AUTO && p.isa != (throng_isa)isa) continue;
      if (!throng_isa_is_available((throng_isa)isa)) continue;
      for (uint32_t threads = p.first; threads <= p.last; threads++, asked += p.checkpoint_count)
        good += compare(k, &p, (throng_isa)isa, threads);
    }
  printf("%zu of %zu hashes are golden\n", good, asked);
  return good == asked && asked > 0 ? 0 : 1;
}
