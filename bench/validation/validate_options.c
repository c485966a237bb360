/* SPDX-License-Identifier: MIT */
#include "validate_options.h"

#include <string.h>

#include "results.h"

#define USUAL_SEEDS 3
#define FRAME_RATES "20, 40, 60, 120, 240"
#define AT(member) OPTION_AT(validate_options, member)

const validation_test *const all_tests[] = {&test_rimea_1,
                                            &test_rimea_4,
                                            &test_rimea_6,
                                            &test_rimea_9,
                                            &test_rimea_10,
                                            &test_rimea_12,
                                            &test_rimea_13,
                                            &test_bottleneck,
                                            &test_counterflow,
                                            &test_streams,
                                            &test_corridor,
                                            &test_lane,
                                            &test_ring,
                                            &test_blocks,
                                            &test_corridor_one_way,
                                            &test_corridor_both_ways,
                                            &test_doors_laboratory};
const uint32_t all_test_count = sizeof all_tests / sizeof *all_tests;

static const char *model_name(uint32_t k) { return k < model_count ? models[k].name : NULL; }

static const char *test_name(uint32_t k) { return k < all_test_count ? all_tests[k]->name : NULL; }

static bool take_frame_rate(const char *value, void *member) {
  static const struct {
    const char *name;
    uint32_t rate;
  } rates[] = {{"20", 20}, {"40", 40}, {"60", 60}, {"120", 120}, {"240", 240}};
  for (size_t k = 0; k < sizeof rates / sizeof *rates; k++)
    if (strcmp(value, rates[k].name) == 0) {
      *(uint32_t *)member = rates[k].rate;
      return true;
    }
  return false;
}

static const option_row rows[] = {
    {"--model", "NAME[,NAME...]", AT(models), .names = model_name, .help = "RANGE (all of throng's)"},
    {"--peers", NULL, AT(peers),
     .help = "also the peers, if --model is not given: RVO2 and JuPedSim, where they were built"},
    {"--test", "NAME[,NAME...]", AT(tests), .names = test_name, .help = "RANGE (all)"},
    {"--seeds", "N", AT(seeds), .min = 1, .max = MAX_SEEDS,
     .help = "starts of each test, RANGE (3); the worst of them counts"},
    {"--quick", NULL, AT(quick), .help = "one seed, and without --model only the first model"},
    {"--frame-rate", "N", OPTION_OTHER, offsetof(validate_options, frame_rate), .take = take_frame_rate,
     .allowed = FRAME_RATES, .usual = "40", .help = "frames per second, RANGE (DEFAULT); samples stay 20 per second"},
    {"--threads", "N", AT(threads), .max = MAX_THREADS, .usual = "0",
     .help = "tests at the same time, RANGE; 0 means all cores of the machine (DEFAULT)"},
    {"--out", "DIR", AT(out), .usual = "out/validation", .help = "folder of results.csv and results.json (DEFAULT)"},
    {"--trajectories", NULL, AT(trajectories),
     .help = "also writes the positions of all walkers, 20 times a second, to DIR/trajectories: lines \"id frame x "
             "y\", which PedPy reads"},
    {"--verbose", NULL, AT(verbose), .help = "also prints the values of every seed"},
    {"--markdown", NULL, AT(markdown), .help = "prints the judged figures as a Markdown table"},
    {"--quiet", NULL, AT(quiet), .help = "prints no progress"},
    OPTION_HELP(validate_options),
    OPTION_VERSION(validate_options)};
const option_table validate_option_table = {
    "throng-validate", "runs tests of pedestrian dynamics and compares what it measures with right values",
    "The results have the same bits on every machine; results.json has hashes of all positions.\n"
    "Exit status: 0, also if figures are outside of their right values; 1 if a run failed; 2 for bad input.",
    rows, sizeof rows / sizeof *rows};

/* Sets a list to 0 ... count - 1. */
static void list_all(option_list *list, uint32_t count) {
  list->count = count;
  for (uint32_t k = 0; k < count; k++) list->value[k] = k;
}

bool validate_options_parse(validate_options *options, int count, char **arguments, bench_problem *problem) {
  *options = (validate_options){0};
  if (!option_read(&validate_option_table, options, count, arguments, problem)) return false;
  if (options->models.count == 0)
    list_all(&options->models, options->peers ? model_count : options->quick ? 1 : throng_model_count);
  if (options->tests.count == 0) list_all(&options->tests, all_test_count);
  if (options->seeds == 0) options->seeds = options->quick ? 1 : USUAL_SEEDS;
  return true;
}
