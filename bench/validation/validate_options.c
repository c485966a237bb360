/* SPDX-License-Identifier: MIT */
#include "validate_options.h"

#include <stdio.h>
#include <string.h>

#include "results.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define USUAL_SEEDS 3

const validation_test *const all_tests[] = {
    &test_rimea_1,    &test_rimea_4,     &test_rimea_6, &test_rimea_9,  &test_rimea_10, &test_rimea_12, &test_rimea_13,
    &test_bottleneck, &test_counterflow, &test_streams, &test_corridor, &test_lane,     &test_ring,     &test_blocks};
const uint32_t all_test_count = COUNT_OF(all_tests);

/* Writes the names of all tests or models, for messages. */
static const char *allowed_models(char text[512]) {
  text[0] = 0;
  for (uint32_t i = 0; i < model_count; i++)
    snprintf(text + strlen(text), 512 - strlen(text), "%s%s", i ? ", " : "", models[i].name);
  return text;
}

static const char *allowed_tests(char text[512]) {
  text[0] = 0;
  for (uint32_t i = 0; i < all_test_count; i++)
    snprintf(text + strlen(text), 512 - strlen(text), "%s%s", i ? ", " : "", all_tests[i]->name);
  return text;
}

static bool take_models(validate_options *options, const char *value, bench_problem *problem) {
  char piece[32], allowed[512];
  options->model_count = 0;
  for (const char *rest = value; option_next_piece(&rest, piece);) {
    const crowd_model *found = model_find(piece);
    if (!found) return option_refuse("--model", piece, allowed_models(allowed), problem);
    if (options->model_count == MAX_MODELS) return option_refuse("--model", value, "at most 16 models", problem);
    options->models[options->model_count++] = found;
  }
  return true;
}

static bool take_tests(validate_options *options, const char *value, bench_problem *problem) {
  char piece[32], allowed[512];
  options->test_count = 0;
  for (const char *rest = value; option_next_piece(&rest, piece);) {
    uint32_t i = 0;
    while (i < all_test_count && strcmp(all_tests[i]->name, piece) != 0) i++;
    if (i == all_test_count) return option_refuse("--test", piece, allowed_tests(allowed), problem);
    if (options->test_count == MAX_TESTS) return option_refuse("--test", value, "at most 32 tests", problem);
    options->tests[options->test_count++] = all_tests[i];
  }
  return true;
}

static bool take_count(const char *option, const char *value, uint32_t min, uint32_t max, uint32_t *count,
                       bench_problem *problem) {
  uint64_t number = 0;
  if (!option_take_uint(option, value, min, max, &number, problem)) return false;
  *count = (uint32_t)number;
  return true;
}

static bool take_value(void *context, const char *option, const char *value, bench_problem *problem) {
  validate_options *options = context;
  if (strcmp(option, "--model") == 0) return take_models(options, value, problem);
  if (strcmp(option, "--test") == 0) return take_tests(options, value, problem);
  if (strcmp(option, "--seeds") == 0) return take_count(option, value, 1, MAX_SEEDS, &options->seeds, problem);
  if (strcmp(option, "--threads") == 0) return take_count(option, value, 0, MAX_THREADS, &options->threads, problem);
  options->out = value; /* the last of valued_options */
  return true;
}

static const char *const valued_options[] = {"--model", "--test", "--seeds", "--threads", "--out"};

static bool *find_flag(void *context, const char *argument) {
  validate_options *options = context;
  if (strcmp(argument, "--quick") == 0) return &options->quick;
  if (strcmp(argument, "--trajectories") == 0) return &options->trajectories;
  if (strcmp(argument, "--markdown") == 0) return &options->markdown;
  if (strcmp(argument, "--verbose") == 0) return &options->verbose;
  if (strcmp(argument, "--quiet") == 0) return &options->quiet;
  if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) return &options->help;
  return strcmp(argument, "--version") == 0 ? &options->version : NULL;
}

bool validate_options_parse(validate_options *options, int count, char **arguments, bench_problem *problem) {
  static const option_set set = {"throng-validate", valued_options, COUNT_OF(valued_options), find_flag, take_value};
  *options = (validate_options){.test_count = all_test_count, .out = "out/validation"};
  for (uint32_t i = 0; i < all_test_count; i++) options->tests[i] = all_tests[i];
  if (!option_read_all(&set, options, count, arguments, problem)) return false;
  if (options->model_count == 0) {
    options->model_count = options->quick ? 1 : model_count;
    for (uint32_t i = 0; i < options->model_count; i++) options->models[i] = &models[i];
  }
  if (options->seeds == 0) options->seeds = options->quick ? 1 : USUAL_SEEDS;
  return true;
}

void validate_options_print_help(void) {
  char names[512];
  puts("throng-validate: runs tests of pedestrian dynamics and compares what it measures with right values");
  printf("\n  --model NAME[,NAME...]  %s (all)\n", allowed_models(names));
  printf("  --test NAME[,NAME...]   (all)\n%26s%s\n", "", allowed_tests(names));
  puts("  --seeds N               starts of each test, 1 to 100 (3); the worst of them counts\n"
       "  --quick                 one seed, and without --model only the first model\n"
       "  --threads N             tests at the same time, 1 to 1024; 0: all cores of the machine (0)\n"
       "  --out DIR               folder of results.csv and results.json (out/validation)\n"
       "  --trajectories          also writes the positions of all walkers, 20 times a second, to DIR/trajectories:\n"
       "                          lines \"id frame x y\", which PedPy reads\n"
       "  --verbose               also prints the values of every seed\n"
       "  --markdown              prints the judged figures as a Markdown table\n"
       "  --quiet                 prints no progress\n"
       "  --help, --version\n"
       "\n"
       "The results have the same bits on every machine; results.json has hashes of all positions.\n"
       "Exit status: 0, also if figures are outside of their right values; 1 if a run failed; 2 for bad input.");
}
