/* SPDX-License-Identifier: MIT */
#include "peers_options.h"

#include <stdio.h>
#include <string.h>

#include "scene/scene.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define MAX_FRAMES 1000u
#define MAX_SECONDS 60

static const char *const known_scenes[PEERS_MAX_SCENES] = {"flock2", "flock3"};

static bool take_scenes(peers_options *options, const char *value, bench_problem *problem) {
  char piece[32];
  options->scene_count = 0;
  for (const char *rest = value; option_next_piece(&rest, piece);) {
    size_t i = 0;
    while (i < PEERS_MAX_SCENES && strcmp(piece, known_scenes[i]) != 0) i++;
    if (i == PEERS_MAX_SCENES) return option_refuse("--scene", piece, "flock2, flock3", problem);
    if (options->scene_count == PEERS_MAX_SCENES) return option_refuse("--scene", value, "at most two scenes", problem);
    options->scenes[options->scene_count++] = known_scenes[i];
  }
  return true;
}

static bool take_count(const char *option, const char *value, uint32_t max, uint32_t *count, bench_problem *problem) {
  uint64_t number = 0;
  if (!option_take_uint(option, value, 1, max, &number, problem)) return false;
  *count = (uint32_t)number;
  return true;
}

static bool take_value(void *context, const char *option, const char *value, bench_problem *problem) {
  peers_options *options = context;
  if (strcmp(option, "--scene") == 0) return take_scenes(options, value, problem);
  if (strcmp(option, "--threads") == 0)
    return option_take_threads(value, options->threads, &options->thread_choices, problem);
  if (strcmp(option, "--seconds") == 0)
    return option_take_float(option, value, 0, MAX_SECONDS, &options->seconds, problem);
  if (strcmp(option, "--agents") == 0) return take_count(option, value, SCENE_MAX_AGENTS, &options->agents, problem);
  if (strcmp(option, "--frames") == 0) return take_count(option, value, MAX_FRAMES, &options->frames, problem);
  if (strcmp(option, "--rounds") == 0) return take_count(option, value, PEERS_MAX_ROUNDS, &options->rounds, problem);
  options->json = value; /* the last of valued_options */
  return true;
}

static const char *const valued_options[] = {"--scene",   "--agents",  "--frames", "--rounds",
                                             "--seconds", "--threads", "--json"};

static bool *find_flag(void *context, const char *argument) {
  peers_options *options = context;
  if (strcmp(argument, "--markdown") == 0) return &options->markdown;
  if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) return &options->help;
  return strcmp(argument, "--version") == 0 ? &options->version : NULL;
}

bool peers_options_parse(peers_options *options, int count, char **arguments, bench_problem *problem) {
  static const option_set set = {"throng-peers", valued_options, COUNT_OF(valued_options), find_flag, take_value};
  *options = (peers_options){.scenes = {known_scenes[0], known_scenes[1]},
                             .scene_count = PEERS_MAX_SCENES,
                             .agents = 50000,
                             .frames = 30,
                             .rounds = 5,
                             .seconds = 0.3f,
                             .threads = {1, 0},
                             .thread_choices = 2};
  return option_read_all(&set, options, count, arguments, problem);
}

void peers_options_print_help(void) {
  puts("throng-peers: times throng and other programs on the same flock\n"
       "\n"
       "  --scene NAME[,NAME]     flock2, flock3 (flock2,flock3)\n"
       "  --agents N              agents, 1 to 2147483646 (50000); the box grows with their number\n"
       "  --frames N              timed frames, 1 to 1000 (30), after 2 untimed ones, always from the same start\n"
       "  --rounds N              rounds, 1 to 100 (5); each round times every program once\n"
       "  --seconds S             repeats the frames in each round until they have taken S seconds, 0 to 60 (0.3)\n"
       "  --threads N[,N...]      numbers of threads, 1 to 1024; 0 means all cores of the machine (1,0)\n"
       "  --markdown              prints the table as Markdown\n"
       "  --json FILE             also writes the results to FILE\n"
       "  --help, --version\n"
       "\n"
       "Before the timing all programs step the same frames. A program that follows throng's rules must find throng's\n"
       "mean number of neighbours (within 1 %) and must move its agents as throng does (within 1 mm).\n"
       "Exit status: 0; 1 if a program does not, or a run failed; 2 for bad input.");
}
