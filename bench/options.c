/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <stdio.h>
#include <string.h>

#include "scene.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static bool take_isas(run_options *options, const char *value, bench_problem *problem) {
  char piece[32];
  options->isa_choices = 0;
  for (const char *rest = value; option_next_piece(&rest, piece);) {
    if (options->isa_choices == MAX_CHOICES) return option_refuse("--isa", value, "at most 64 names", problem);
    throng_isa isa = throng_isa_from_name(piece);
    if (isa == THRONG_ISA_COUNT) return option_refuse("--isa", piece, "auto, baseline, avx2, avx512, neon", problem);
    if (!throng_isa_available(isa))
      return option_refuse("--isa", piece, "an instruction set that this CPU and this build have", problem);
    options->isas[options->isa_choices++] = isa;
  }
  return true;
}

/* Where the value of an option goes that is a name. */
static const char **find_text(run_options *options, const char *option) {
  if (strcmp(option, "--scene") == 0) return &options->scene;
  if (strcmp(option, "--in") == 0) return &options->in;
  if (strcmp(option, "--map") == 0) return &options->map;
  if (strcmp(option, "--out") == 0) return &options->out;
  return strcmp(option, "--json") == 0 ? &options->json : NULL;
}

static bool take_value(run_options *options, const char *option, const char *value, bench_problem *problem) {
  uint64_t number = 0;
  bool ok;
  const char **text = find_text(options, option);
  if (text) {
    *text = value;
    return true;
  }
  if (strcmp(option, "--threads") == 0)
    return option_take_threads(value, options->threads, &options->thread_choices, problem);
  if (strcmp(option, "--isa") == 0) return take_isas(options, value, problem);
  if (strcmp(option, "--dt") == 0) {
    options->has_dt = true;
    return option_take_float(option, value, 0, 1, &options->dt, problem);
  }
  if (strcmp(option, "--cell") == 0) {
    options->has_cell = true;
    return option_take_float(option, value, 1e-3f, 1e6f, &options->cell, problem);
  }
  if (strcmp(option, "--seed") == 0) {
    options->has_seed = true;
    return option_take_uint(option, value, 0, SCENE_MAX_SEED, &options->seed, problem);
  }
  if (strcmp(option, "--agents") == 0) {
    ok = option_take_uint(option, value, 0, SCENE_MAX_AGENTS, &number, problem);
    options->agents = (uint32_t)number;
    options->has_agents = true;
    return ok;
  }
  /* --frames, the last of valued_options */
  ok = option_take_uint(option, value, 0, SCENE_MAX_FRAMES, &number, problem);
  options->frames = (uint32_t)number;
  options->has_frames = true;
  return ok;
}

static const char *const valued_options[] = {"--scene", "--in", "--map",  "--out",  "--json",   "--threads",
                                             "--isa",   "--dt", "--cell", "--seed", "--agents", "--frames"};

static bool *find_flag(run_options *options, const char *argument) {
  if (strcmp(argument, "--quiet") == 0) return &options->quiet;
  if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) return &options->help;
  if (strcmp(argument, "--version") == 0) return &options->version;
  return NULL;
}

bool options_parse(run_options *options, int count, char **arguments, bench_problem *problem) {
  *options = (run_options){
      .scene = "flock2", .out = "out", .cell = 1, .thread_choices = 1, .isa_choices = 1, .isas = {THRONG_ISA_AUTO}};
  for (int i = 1; i < count; i++) {
    const char *value;
    bool *flag = find_flag(options, arguments[i]);
    if (flag) {
      *flag = true;
      continue;
    }
    const char *option = option_find(arguments[i], valued_options, COUNT_OF(valued_options), &value);
    if (!option)
      return problem_set(problem, "unknown option '%.60s', allowed are those of throng-run --help", arguments[i]);
    if (!value && i + 1 == count) return problem_set(problem, "option '%s': no value", option);
    if (!value) value = arguments[++i];
    if (!*value) return option_refuse(option, value, "a value that is not empty", problem);
    if (!take_value(options, option, value, problem)) return false;
  }
  if (options->has_cell && !options->map) return problem_set(problem, "option '--cell': allowed only with --map");
  return true;
}

void options_print_help(void) {
  puts("throng-run: steps a crowd, measures it and draws it\n"
       "\n"
       "  --scene NAME|FILE.json  the scene (flock2); built in:");
  printf("                         ");
  for (const built_in_scene *scene = built_in_scenes; scene->name; scene++) printf(" %s", scene->name);
  puts("\n"
       "  --agents N              0 to 2147483647 (as the scene says)\n"
       "  --frames N              timed frames, 0 to 1000000000 (as the scene says); 5 untimed ones go before\n"
       "  --dt S                  seconds a frame, 0 to 1 (as the scene says)\n"
       "  --seed N                0 to 2^53 (as the scene says)\n"
       "  --threads N[,N...]      1 to 1024, 0 = all of the machine's (0)\n"
       "  --isa NAME[,NAME...]    auto, baseline, avx2, avx512, neon (auto)\n"
       "  --in FILE.csv           start from these agents: id,x,y,z,vx,vy,vz,group\n"
       "  --map FILE.map          a Moving AI grid map becomes the world; the agents start on its free cells\n"
       "  --cell S                metres a cell of the map, 0.001 to 1000000 (1)\n"
       "  --out DIR               where picture.png, agents.csv and results.json go (out)\n"
       "  --json FILE             results here instead\n"
       "  --quiet                 neither progress nor table\n"
       "  --help, --version\n"
       "\n"
       "Every combination of threads and instruction set runs from the same start and must end with the same hash.\n"
       "Exit status: 0; 1 if a run failed or hashes differ; 2 for bad input, and then nothing is written.");
}
