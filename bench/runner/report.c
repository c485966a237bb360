/* SPDX-License-Identifier: MIT */
#include "runner/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/json_out.h"
#include "common/machine.h"
#include "common/summary.h"

static double updates(const measurement *run) { return (double)run->agents * (double)run->timed_frames; }

static double rate_of(const measurement *run, uint32_t round) {
  double seconds = run->round[round].seconds;
  return seconds > 0 ? updates(run) / seconds / 1e3 : 0;
}

/* Summarises agents per millisecond over the rounds. */
static summary summarise(const measurement *run) {
  double rates[MAX_ROUNDS];
  for (uint32_t round = 0; round < run->rounds; round++) rates[round] = rate_of(run, round);
  return summary_of(rates, run->rounds);
}

static double ns_per_agent(const summary *rate) { return rate->median > 0 ? 1e6 / rate->median : 0; }

/* The time of a pass; all passes add up to ns_per_agent. */
static double pass_ns(const measurement *run, int part, const summary *rate) {
  return run->pass_share[part] * ns_per_agent(rate);
}

static const char *space_name(const bench_scene *scene) {
  return scene->world.space == THRONG_SPACE_PLANAR ? "planar" : "spatial";
}

void report_head(const bench_scene *scene, uint32_t agents) {
  char cpu[MACHINE_NAME_SIZE];
  const uint32_t warm = warm_up_frames(scene->frames);
  printf("%s: %u agents, %s, %u frames of %.4g s", scene->name, agents, space_name(scene), scene->frames,
         (double)scene->dt);
  if (warm) printf(", the first %u not timed", warm);
  putchar('\n');
  if (machine_cpu(cpu)) printf("on %s\n", cpu);
}

void report_size(const bench_scene *scene, uint32_t agents, uint32_t usual, bool from_file) {
  if (scene_grows(scene) && from_file)
    printf("the scene is as large as for %u agents; --agents sets another number\n", scene->agents);
  if (!scene_grows(scene) && !scene->map && agents != usual)
    printf("the scene does not grow with its agents: it is as large as for its own %u\n", usual);
}

void report_left_over(uint32_t agents) { printf("formations: %u agents without a place\n", agents); }

/* False if the user stopped the run before. */
static bool passes_are_measured(const measurement *run) {
  double sum = 0;
  for (int i = 0; i < PASS_COUNT; i++) sum += run->pass_share[i];
  return sum > 0;
}

static void print_parts(const measurement *run, const summary *rate) {
  if (rate->median > 0 && !passes_are_measured(run)) {
    printf("| %6.2f %-42s | %10s %9s", ns_per_agent(rate), "stopped before the parts were measured", "", "");
    return;
  }
  printf("| %6.2f %6.2f %6.2f %6.2f %7.2f %6.2f %6.2f | %10.2f %9.2f", ns_per_agent(rate),
         pass_ns(run, PASS_INDEX, rate), pass_ns(run, PASS_NEIGHBOURS, rate), pass_ns(run, PASS_BEHAVIOURS, rate),
         pass_ns(run, PASS_INTEGRATE, rate) + pass_ns(run, PASS_CONSTRAIN, rate), pass_ns(run, PASS_WAITING, rate),
         pass_ns(run, PASS_OTHER, rate), run->mean_neighbours, run->candidates_per_neighbour);
}

static void print_run(const measurement *run, bool rounds) {
  summary rate = summarise(run);
  printf("%-9s %7u %10.0f ", throng_isa_name(run->isa), run->threads, rate.median);
  if (rounds) printf("%8.0f %8.0f ", rate.min, rate.max);
  print_parts(run, &rate);
  printf("  %016" PRIx64 "\n", run->round[0].hash);
}

/* The percentiles in reports. */
static const struct {
  const char *name, *column;
  uint32_t percent;
} frame_percentiles[] = {{"median", "frame_us_median", 50},
                         {"90 %", "frame_us_p90", 90},
                         {"99 %", "frame_us_p99", 99},
                         {"maximum", "frame_us_max", 100}};
#define FRAME_PERCENTILES (sizeof frame_percentiles / sizeof frame_percentiles[0])

static double frame_us(const measurement *run, size_t k) {
  return 1e6 * frame_times_percentile(&run->times, frame_percentiles[k].percent);
}

static void print_frame_times(const measurement *runs, int count) {
  printf("\n%-9s %7s  microseconds per frame:", "isa", "threads");
  for (size_t k = 0; k < FRAME_PERCENTILES; k++) printf(" %9s", frame_percentiles[k].name);
  putchar('\n');
  for (int i = 0; i < count; i++) {
    printf("%-9s %7u  %-23s", throng_isa_name(runs[i].isa), runs[i].threads, throng_threads_name(runs[i].threading));
    for (size_t k = 0; k < FRAME_PERCENTILES; k++) printf(" %9.1f", frame_us(&runs[i], k));
    putchar('\n');
  }
}

static void warn_of_spread(const measurement *run) {
  summary rate = summarise(run);
  if (rate.spread > SPREAD_LIMIT)
    printf("warning: %s, %u thread%s: the rounds spread over %.0f %% of their median; is the machine busy?\n",
           throng_isa_name(run->isa), run->threads, run->threads == 1 ? "" : "s", 100 * rate.spread);
}

void report_table(const measurement *runs, int count, bool same_hash) {
  const uint32_t rounds = runs[0].rounds;
  const char *range = rounds > 1 ? "     min      max " : "", *gap = rounds > 1 ? "                  " : "";
  printf("\n%-9s %7s %10s %s| %-49s | %10s %9s  %s\n", "", "", rounds > 1 ? "median" : "", gap,
         "nanoseconds per agent per frame", "mean", "", "");
  printf("%-9s %7s %10s %s| %6s %6s %6s %6s %7s %6s %6s | %10s %9s  %s\n", "isa", "threads", "agents/ms", range,
         "frame", "index", "neigh.", "behav.", "integr.", "wait", "other", "neighbours", "cand./n.", "hash");
  for (int i = 0; i < count; i++) print_run(&runs[i], rounds > 1);
  print_frame_times(runs, count);
  for (int i = 0; i < count; i++) warn_of_spread(&runs[i]);
  uint32_t total = 0;
  for (int i = 0; i < count; i++) total += runs[i].rounds;
  if (total > 1 && same_hash)
    printf("\nAll %u runs end with the same hash: the same bits for every thread count and instruction set.\n", total);
}

/* Writes a name as one CSV field without quotes, because some readers only split at commas. Characters that would need
 * quotes become '_'. */
static void write_name(FILE *stream, const char *name) {
  for (; *name; name++) fputc(strchr(",\"", *name) || (unsigned char)*name < ' ' ? '_' : *name, stream);
}

bool report_csv(FILE *stream, const bench_scene *scene, const measurement *runs, int count) {
  fputs("scene,agents,frames,threads,isa,rounds,agents_per_ms,agents_per_ms_min,agents_per_ms_max", stream);
  for (int i = 0; i < PASS_WAITING; i++) fprintf(stream, ",%s_ns", pass_names[i]);
  fputs(",mean_neighbours,hash", stream);
  for (size_t i = 0; i < FRAME_PERCENTILES; i++) fprintf(stream, ",%s", frame_percentiles[i].column);
  for (int i = PASS_WAITING; i < PASS_COUNT; i++) fprintf(stream, ",%s_ns", pass_names[i]);
  fputs(",threading,busy_threads\n", stream);
  for (int k = 0; k < count; k++) {
    const measurement *run = &runs[k];
    summary rate = summarise(run);
    write_name(stream, scene->name);
    fprintf(stream, ",%u,%u,%u,%s,%u,%.1f,%.1f,%.1f", run->agents, run->frames, run->threads, throng_isa_name(run->isa),
            run->rounds, rate.median, rate.min, rate.max);
    for (int i = 0; i < PASS_WAITING; i++) fprintf(stream, ",%.3f", pass_ns(run, i, &rate));
    fprintf(stream, ",%.3f,%016" PRIx64, run->mean_neighbours, run->round[0].hash);
    for (size_t i = 0; i < FRAME_PERCENTILES; i++) fprintf(stream, ",%.2f", frame_us(run, i));
    for (int i = PASS_WAITING; i < PASS_COUNT; i++) fprintf(stream, ",%.3f", pass_ns(run, i, &rate));
    fprintf(stream, ",%s,%u\n", throng_threads_name(run->threading), run->busy_threads);
  }
  return !ferror(stream);
}

static cJSON *run_to_json(const bench_scene *scene, const measurement *run) {
  char hash[32];
  snprintf(hash, sizeof hash, "%016" PRIx64, run->round[0].hash);
  summary rate = summarise(run);
  cJSON *object = cJSON_CreateObject();
  cJSON_AddStringToObject(object, "scene", scene->name);
  cJSON_AddStringToObject(object, "space", space_name(scene));
  cJSON_AddNumberToObject(object, "agents", run->agents);
  cJSON_AddNumberToObject(object, "frames", run->frames);
  cJSON_AddNumberToObject(object, "timed_frames", run->timed_frames);
  cJSON_AddNumberToObject(object, "threads", run->threads);
  cJSON_AddStringToObject(object, "threading", throng_threads_name(run->threading));
  cJSON_AddNumberToObject(object, "busy_threads", run->busy_threads);
  cJSON_AddStringToObject(object, "isa", throng_isa_name(run->isa));
  cJSON_AddNumberToObject(object, "agents_per_ms", rate.median);
  cJSON *rounds = cJSON_AddArrayToObject(object, "agents_per_ms_of_rounds");
  for (uint32_t k = 0; k < run->rounds; k++) cJSON_AddItemToArray(rounds, cJSON_CreateNumber(rate_of(run, k)));
  cJSON_AddNumberToObject(object, "ns_per_agent", ns_per_agent(&rate));
  for (size_t k = 0; k < FRAME_PERCENTILES; k++)
    cJSON_AddNumberToObject(object, frame_percentiles[k].column, frame_us(run, k));
  cJSON_AddNumberToObject(object, "frame_time_step", 1.0 / FRAME_TIME_BINS);
  cJSON *passes = cJSON_AddObjectToObject(object, "passes");
  for (int i = 0; i < PASS_COUNT; i++) cJSON_AddNumberToObject(passes, pass_names[i], pass_ns(run, i, &rate));
  cJSON_AddNumberToObject(object, "mean_neighbours", run->mean_neighbours);
  cJSON_AddNumberToObject(object, "candidates_per_neighbour", run->candidates_per_neighbour);
  cJSON_AddNumberToObject(object, "useful_pairs_per_s", run->mean_neighbours * rate.median * 1e3);
  cJSON_AddStringToObject(object, "hash", hash);
  return object;
}

void report_arrivals(const scene_arrivals *arrivals) {
  printf("\n%u arrived (mean speed %.1f %% of the limit), %u walking, %u stuck, %u without a way to a goal\n",
         arrivals->arrived, 100 * arrivals->speed, arrivals->walking, arrivals->stuck, arrivals->no_way);
}

static void add_arrivals(cJSON *root, const scene_arrivals *arrivals) {
  cJSON *object = cJSON_AddObjectToObject(root, "arrivals");
  cJSON_AddNumberToObject(object, "arrived", arrivals->arrived);
  cJSON_AddNumberToObject(object, "walking", arrivals->walking);
  cJSON_AddNumberToObject(object, "stuck", arrivals->stuck);
  cJSON_AddNumberToObject(object, "without_way", arrivals->no_way);
  cJSON_AddNumberToObject(object, "speed_of_arrived", arrivals->speed);
}

static void add_stop(cJSON *root, const stop_place *stop) {
  cJSON *object = cJSON_AddObjectToObject(root, "stopped");
  cJSON_AddNumberToObject(object, "frame", (double)stop->frame);
  cJSON_AddNumberToObject(object, "of", (double)stop->last);
  cJSON_AddStringToObject(object, "during", stop->during);
}

bool report_json(FILE *stream, const bench_scene *scene, const measurement *runs, int count,
                 const scene_arrivals *arrivals, const stop_place *stop) {
  cJSON *root = cJSON_CreateObject();
  if (stop) add_stop(root, stop);
  if (arrivals) add_arrivals(root, arrivals);
  cJSON *list = cJSON_AddArrayToObject(root, "runs");
  for (int i = 0; i < count; i++) cJSON_AddItemToArray(list, run_to_json(scene, &runs[i]));
  return json_write(stream, root);
}
