/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <inttypes.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

#include "machine.h"

static double updates(const measurement *run) { return (double)run->agents * (double)run->frames; }

static double agents_per_ms(const measurement *run) { return run->seconds > 0 ? updates(run) / run->seconds / 1e3 : 0; }

static double ns_per_agent(const measurement *run) { return updates(run) > 0 ? run->seconds * 1e9 / updates(run) : 0; }

static double pairs_per_s(const measurement *run) { return run->mean_neighbours * agents_per_ms(run) * 1e3; }

static const char *space_name(const bench_scene *scene) {
  return scene->world.space == THRONG_PLANAR ? "planar" : "spatial";
}

void report_head(const bench_scene *scene, uint32_t agents) {
  char cpu[MACHINE_NAME_SIZE];
  printf("%s: %u agents, %s, %u frames of %.4g s\n", scene->name, agents, space_name(scene), scene->frames,
         (double)scene->dt);
  if (machine_cpu(cpu)) printf("on %s\n", cpu);
}

void report_table(const measurement *runs, int count, bool same_hash) {
  printf("\n%-9s %7s %10s | %-35s | %10s %9s  %s\n", "", "", "", "nanoseconds per agent and frame", "mean", "", "");
  printf("%-9s %7s %10s | %6s %6s %6s %6s %7s | %10s %9s  %s\n", "isa", "threads", "agents/ms", "frame", "index",
         "neigh.", "behav.", "integr.", "neighbours", "cand./n.", "hash");
  for (int i = 0; i < count; i++) {
    const measurement *run = &runs[i];
    printf("%-9s %7u %10.0f | %6.2f %6.2f %6.2f %6.2f %7.2f | %10.2f %9.2f  %016" PRIx64 "\n",
           throng_isa_name(run->isa), run->threads, agents_per_ms(run), ns_per_agent(run), run->pass_ns[PASS_INDEX],
           run->pass_ns[PASS_NEIGHBOURS], run->pass_ns[PASS_BEHAVIOURS],
           run->pass_ns[PASS_INTEGRATE] + run->pass_ns[PASS_CONSTRAIN], run->mean_neighbours,
           run->candidates_per_neighbour, run->hash);
  }
  if (count > 1 && same_hash)
    printf("\nAll %d runs end with the same hash: the same bits for every thread count and instruction set.\n", count);
}

static cJSON *run_to_json(const bench_scene *scene, const measurement *run) {
  char hash[32];
  snprintf(hash, sizeof hash, "%016" PRIx64, run->hash);
  cJSON *object = cJSON_CreateObject();
  cJSON_AddStringToObject(object, "scene", scene->name);
  cJSON_AddStringToObject(object, "space", space_name(scene));
  cJSON_AddNumberToObject(object, "agents", run->agents);
  cJSON_AddNumberToObject(object, "frames", run->frames);
  cJSON_AddNumberToObject(object, "threads", run->threads);
  cJSON_AddStringToObject(object, "isa", throng_isa_name(run->isa));
  cJSON_AddNumberToObject(object, "agents_per_ms", agents_per_ms(run));
  cJSON_AddNumberToObject(object, "ns_per_agent", ns_per_agent(run));
  cJSON *passes = cJSON_AddObjectToObject(object, "passes");
  for (int i = 0; i < PASS_COUNT; i++) cJSON_AddNumberToObject(passes, pass_names[i], run->pass_ns[i]);
  cJSON_AddNumberToObject(object, "mean_neighbours", run->mean_neighbours);
  cJSON_AddNumberToObject(object, "candidates_per_neighbour", run->candidates_per_neighbour);
  cJSON_AddNumberToObject(object, "useful_pairs_per_s", pairs_per_s(run));
  cJSON_AddStringToObject(object, "hash", hash);
  return object;
}

bool report_json(FILE *stream, const bench_scene *scene, const measurement *runs, int count) {
  cJSON *root = cJSON_CreateObject();
  cJSON *list = cJSON_AddArrayToObject(root, "runs");
  for (int i = 0; i < count; i++) cJSON_AddItemToArray(list, run_to_json(scene, &runs[i]));
  char *text = cJSON_Print(root);
  cJSON_Delete(root);
  if (!text) return false;
  fprintf(stream, "%s\n", text);
  cJSON_free(text);
  return !ferror(stream);
}
