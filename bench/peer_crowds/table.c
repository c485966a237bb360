/* SPDX-License-Identifier: MIT */
#include "table.h"

#include <string.h>

#include "common/json_out.h"
#include "common/machine.h"
#include "common/summary.h"

#define PEER_FLAGS "-O3 -march=native -ffast-math"

static const char *cpu_name(char name[MACHINE_NAME_SIZE]) { return machine_cpu(name) ? name : "an unknown CPU"; }

void table_head(const peers_options *options) {
  char cpu[MACHINE_NAME_SIZE];
  printf(
      "%u agents, %u frames from the same start; %u rounds, in each of which every program steps for at least %g s.\n"
      "On %s, %s.\n",
      options->agents, options->frames, options->rounds, (double)options->seconds, cpu_name(cpu), MACHINE_COMPILER);
}

/* Writes the mean number of neighbours and, if the peer considers a limited number, that number. */
static void neighbours_text(char text[48], const contest_row *row) {
  if (row->peer->most_neighbours)
    snprintf(text, 48, "%.2f, at most %d", row->mean_neighbours, row->peer->most_neighbours);
  else
    snprintf(text, 48, "%.2f", row->mean_neighbours);
}

static void print_text(const peer_contest *contest) {
  char neighbours[48];
  printf("\n%-22s %7s %10s %10s %8s %12s  %s\n", contest->scene.name, "threads", "agents/ms", "minimum", "spread",
         "throng/this", "mean neighbours");
  for (int i = 0; i < contest->row_count; i++) {
    const contest_row *row = &contest->rows[i];
    printf("%-22s %7u ", row->peer->name, row->threads);
    if (row->left_out[0]) {
      printf("left out: %s\n", row->left_out);
      continue;
    }
    neighbours_text(neighbours, row);
    printf("%10.0f %10.0f %6.0f %% %12.2f  %s\n", row->median, row->minimum, 100 * row->spread, row->ratio, neighbours);
  }
}

/* Prints one line per program, with two columns per number of threads. */
static void print_markdown(const peer_contest *contest, int thread_counts) {
  char neighbours[48];
  int peers = contest->row_count / thread_counts;
  printf("\n| %s | mean neighbours |", contest->scene.name);
  for (int t = 0; t < thread_counts; t++)
    printf(" %u thread%s: agents/ms (minimum, spread) | throng/this |", contest->rows[t * peers].threads,
           contest->rows[t * peers].threads == 1 ? "" : "s");
  printf("\n|---|---|");
  for (int t = 0; t < thread_counts; t++) printf("---|---|");
  for (int p = 0; p < peers; p++) {
    const contest_row *first = &contest->rows[p];
    neighbours_text(neighbours, first);
    printf("\n| %s | %s |", first->peer->name, first->left_out[0] ? "" : neighbours);
    for (int t = 0; t < thread_counts; t++) {
      const contest_row *row = &contest->rows[t * peers + p];
      if (row->left_out[0])
        printf(" %s | |", row->left_out);
      else
        printf(" %.0f (%.0f, %.0f %%) | %.1f |", row->median, row->minimum, 100 * row->spread, row->ratio);
    }
  }
  puts("");
}

void table_print(const peer_contest *contest, const peers_options *options) {
  if (options->markdown)
    print_markdown(contest, (int)options->threads.count);
  else
    print_text(contest);
}

static void warn_of_spreads(const peer_contest *contests, const peers_options *options) {
  int rows = 0, wide = 0;
  for (uint32_t c = 0; c < options->scenes.count; c++)
    for (int i = 0; i < contests[c].row_count; i++) {
      const contest_row *row = &contests[c].rows[i];
      rows += !row->left_out[0];
      wide += !row->left_out[0] && row->spread > SPREAD_LIMIT;
    }
  if (wide)
    printf("\nWarning: the rounds of %d of the %d timings spread by more than 10 %%; is the machine busy?\n", wide,
           rows);
}

void table_foot(const peer_contest *contests, const peers_options *options) {
  const peer_contest *first = &contests[0];
  printf(
      "\nagents/ms: the median of the rounds. throng/this: throng's median with its best instruction set, divided by "
      "this\n"
      "program's median. One thread is timed in processor time. Peers are compiled with %s unless a note says "
      "otherwise, throng with its own flags.\n",
      PEER_FLAGS);
  for (int i = 0; i < first->row_count / (int)options->threads.count; i++) {
    const peer_crowd *peer = first->rows[i].peer;
    if (peer->note) printf("%s%s: %s.\n", options->markdown ? "\n" : "", peer->name, peer->note);
  }
  warn_of_spreads(contests, options);
}

static cJSON *row_to_json(const peer_contest *contest, const contest_row *row) {
  cJSON *object = cJSON_CreateObject();
  cJSON_AddStringToObject(object, "scene", contest->scene.name);
  cJSON_AddStringToObject(object, "name", row->peer->name);
  cJSON_AddNumberToObject(object, "threads", row->threads);
  if (row->left_out[0]) {
    cJSON_AddStringToObject(object, "left_out", row->left_out);
    return object;
  }
  cJSON_AddNumberToObject(object, "agents_per_ms", row->median);
  cJSON_AddNumberToObject(object, "agents_per_ms_minimum", row->minimum);
  cJSON_AddNumberToObject(object, "spread", row->spread);
  cJSON_AddNumberToObject(object, "throng_ratio", row->ratio);
  cJSON_AddNumberToObject(object, "mean_neighbours", row->mean_neighbours);
  if (row->peer->most_neighbours) cJSON_AddNumberToObject(object, "most_neighbours", row->peer->most_neighbours);
  return object;
}

bool table_json(FILE *stream, const peer_contest *contests, const peers_options *options) {
  char cpu[MACHINE_NAME_SIZE];
  cJSON *root = cJSON_CreateObject();
  cJSON_AddStringToObject(root, "cpu", cpu_name(cpu));
  cJSON_AddStringToObject(root, "compiler", MACHINE_COMPILER);
  cJSON_AddStringToObject(root, "peer_flags", PEER_FLAGS);
  cJSON_AddNumberToObject(root, "agents", options->agents);
  cJSON_AddNumberToObject(root, "frames", options->frames);
  cJSON_AddNumberToObject(root, "rounds", options->rounds);
  cJSON *list = cJSON_AddArrayToObject(root, "runs");
  for (uint32_t c = 0; c < options->scenes.count; c++)
    for (int i = 0; i < contests[c].row_count; i++)
      cJSON_AddItemToArray(list, row_to_json(&contests[c], &contests[c].rows[i]));
  return json_write(stream, root);
}
