/* SPDX-License-Identifier: MIT */
#include "runner/options.h"

#include <stdio.h>
#include <string.h>

#include "runner/busy_threads.h"
#include "runner/measure.h"
#include "scene/scene.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define MAX_MOVIE_FPS 240
#define MAX_HOST_MS 1000.0f

static bool take_isas(run_options *options, const char *value, bench_problem *problem) {
  char piece[32];
  options->isa_choices = 0;
  for (const char *rest = value; option_next_piece(&rest, piece);) {
    if (options->isa_choices == MAX_CHOICES) return option_refuse("--isa", value, "at most 64 names", problem);
    throng_isa isa = throng_isa_from_name(piece);
    if (isa == THRONG_ISA_COUNT) return option_refuse("--isa", piece, "auto, baseline, avx2, avx512, neon", problem);
    if (!throng_isa_is_available(isa))
      return option_refuse("--isa", piece, "an instruction set that this CPU and this build have", problem);
    options->isas[options->isa_choices++] = isa;
  }
  return true;
}

static bool take_threadings(run_options *options, const char *value, bench_problem *problem) {
  char piece[32];
  options->threading_choices = 0;
  for (const char *rest = value; option_next_piece(&rest, piece);) {
    const throng_threads threads = throng_threads_from_name(piece);
    if (options->threading_choices == MAX_CHOICES || threads == THRONG_THREADS_COUNT)
      return option_refuse("--threading", piece, "openmp, team, serial, auto", problem);
    options->threadings[options->threading_choices++] = threads;
  }
  return true;
}

/* Returns where the value of an option whose value is a text is stored; NULL for other options. */
static const char **find_text(run_options *options, const char *option) {
  if (strcmp(option, "--scene") == 0) return &options->scene;
  if (strcmp(option, "--in") == 0) return &options->in;
  if (strcmp(option, "--map") == 0) return &options->map;
  if (strcmp(option, "--out") == 0) return &options->out;
  if (strcmp(option, "--csv") == 0) return &options->csv;
  if (strcmp(option, "--trace") == 0) return &options->trace;
  if (strcmp(option, "--save") == 0) return &options->save;
  if (strcmp(option, "--load") == 0) return &options->load;
  if (strcmp(option, "--movie") == 0) return &options->movie;
  if (strcmp(option, "--vtk") == 0) return &options->vtk;
  if (strcmp(option, "--record") == 0) return &options->record;
  if (strcmp(option, "--replay") == 0) return &options->replay;
  if (strcmp(option, "--replay-tracks") == 0) return &options->replay_tracks;
  if (strcmp(option, "--replay-model") == 0) return &options->replay_model;
  return strcmp(option, "--json") == 0 ? &options->json : NULL;
}

/* An option whose value is a whole number: its range, and where the value is stored. */
typedef struct count_option {
  const char *option;
  uint32_t min, max, *count;
  bool *given; /* set to true; may be NULL */
} count_option;

static bool take_count(run_options *options, const char *option, const char *value, bench_problem *problem) {
  const count_option counts[] = {
      {"--agents", 0, SCENE_MAX_AGENTS, &options->agents, &options->has_agents},
      {"--frames", 0, SCENE_MAX_FRAMES, &options->frames, &options->has_frames},
      {"--rounds", 1, MAX_ROUNDS, &options->rounds, NULL},
      {"--busy-threads", 0, MAX_BUSY_THREADS, &options->busy_threads, NULL},
      {"--trace-frames", 1, SCENE_MAX_FRAMES, &options->trace_frames, &options->has_trace_frames},
      {"--explain", 1, SCENE_MAX_AGENTS, &options->explain, &options->has_explain},
      {"--movie-every", 1, SCENE_MAX_FRAMES, &options->movie_every, NULL},
      {"--movie-fps", 1, MAX_MOVIE_FPS, &options->movie_fps, &options->has_movie_fps},
      {"--vtk-every", 1, SCENE_MAX_FRAMES, &options->vtk_every, &options->has_vtk_every},
      {"--csv-every", 1, SCENE_MAX_FRAMES, &options->csv_every, NULL}};
  const count_option *found = counts;
  while (strcmp(found->option, option) != 0) found++;
  uint64_t number = 0;
  if (!option_take_uint(option, value, found->min, found->max, &number, problem)) return false;
  *found->count = (uint32_t)number;
  if (found->given) *found->given = true;
  return true;
}

static bool take_known(run_options *options, const char *option, const char *value, bench_problem *problem) {
  const char **text = find_text(options, option);
  if (text) {
    *text = value;
    return true;
  }
  if (strcmp(option, "--threads") == 0)
    return option_take_threads(value, options->threads, &options->thread_choices, problem);
  if (strcmp(option, "--isa") == 0) return take_isas(options, value, problem);
  if (strcmp(option, "--colour") == 0) return picture_take_colours(value, &options->colour, problem);
  if (strcmp(option, "--threading") == 0) return take_threadings(options, value, problem);
  if (strcmp(option, "--dt") == 0) {
    options->has_dt = true;
    return option_take_float(option, value, 0, 1, &options->dt, problem);
  }
  if (strcmp(option, "--cell") == 0) {
    options->has_cell = true;
    return option_take_float(option, value, 1e-3f, 1e6f, &options->cell, problem);
  }
  if (strcmp(option, "--replay-fps") == 0) {
    options->has_replay_fps = true;
    return option_take_float(option, value, 0.1f, 1000, &options->replay_fps, problem);
  }
  if (strcmp(option, "--busy") == 0)
    return option_take_float(option, value, 0, MAX_HOST_MS, &options->host.busy_ms, problem);
  if (strcmp(option, "--sleep") == 0)
    return option_take_float(option, value, 0, MAX_HOST_MS, &options->host.sleep_ms, problem);
  if (strcmp(option, "--seed") == 0) {
    options->has_seed = true;
    return option_take_uint(option, value, 0, SCENE_MAX_SEED, &options->seed, problem);
  }
  return take_count(options, option, value, problem); /* all other valued_options */
}

static const char *const valued_options[] = {"--scene",        "--in",         "--map",          "--out",
                                             "--json",         "--threads",    "--isa",          "--dt",
                                             "--cell",         "--seed",       "--agents",       "--frames",
                                             "--rounds",       "--csv",        "--trace",        "--trace-frames",
                                             "--explain",      "--save",       "--load",         "--movie",
                                             "--movie-every",  "--movie-fps",  "--vtk",          "--vtk-every",
                                             "--csv-every",    "--record",     "--replay",       "--busy",
                                             "--sleep",        "--threading",  "--busy-threads", "--replay-tracks",
                                             "--replay-model", "--replay-fps", "--colour"};

static bool is_among(const char *option, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(option, list[i]) == 0) return true;
  return false;
}

/* A recording already holds the world, its agents and each frame's dt; a recording of people holds who walks. So most
 * options are not allowed with a replay. */
static bool take_value(void *context, const char *option, const char *value, bench_problem *problem) {
  static const char *const with_replay[] = {"--replay", "--threads", "--isa"};
  static const char *const with_tracks[] = {"--replay-tracks", "--replay-model", "--replay-fps", "--dt",
                                            "--out",           "--json"};
  run_options *options = context;
  if (!options->not_with_replay && !is_among(option, with_replay, COUNT_OF(with_replay)))
    options->not_with_replay = option;
  if (!options->not_with_tracks && !is_among(option, with_tracks, COUNT_OF(with_tracks)))
    options->not_with_tracks = option;
  return take_known(options, option, value, problem);
}

static bool *find_flag(void *context, const char *argument) {
  run_options *options = context;
  if (strcmp(argument, "--quiet") == 0) return &options->quiet;
  if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) return &options->help;
  if (strcmp(argument, "--version") == 0) return &options->version;
  return NULL;
}

/* Checks options that are allowed only with other options, or not with --replay. */
static bool check_together(const run_options *options, bench_problem *problem) {
  const struct {
    bool given;
    const char *option;
    bool allowed;
    const char *with;
  } pairs[] = {{options->has_cell, "--cell", options->map, "--map"},
               {options->has_trace_frames, "--trace-frames", options->trace, "--trace"},
               {options->movie_every, "--movie-every", options->movie, "--movie"},
               {options->has_movie_fps, "--movie-fps", options->movie, "--movie"},
               {options->has_vtk_every, "--vtk-every", options->vtk, "--vtk"},
               {options->replay_model, "--replay-model", options->replay_tracks, "--replay-tracks"},
               {options->has_replay_fps, "--replay-fps", options->replay_tracks, "--replay-tracks"}};
  if (options->replay && options->not_with_replay)
    return problem_set(problem, "option '%s': not allowed with --replay, only --threads, --isa and --quiet are",
                       options->not_with_replay);
  if (options->replay_tracks && options->not_with_tracks)
    return problem_set(problem,
                       "option '%s': not allowed with --replay-tracks, only --replay-model, --replay-fps, --dt, --out, "
                       "--json and --quiet are",
                       options->not_with_tracks);
  for (size_t i = 0; i < COUNT_OF(pairs); i++)
    if (pairs[i].given && !pairs[i].allowed)
      return problem_set(problem, "option '%s': allowed only with %s", pairs[i].option, pairs[i].with);
  return true;
}

bool options_parse(run_options *options, int count, char **arguments, bench_problem *problem) {
  static const option_set set = {"throng-run", valued_options, COUNT_OF(valued_options), find_flag, take_value};
  *options = (run_options){.scene = "flock2",
                           .out = "out",
                           .cell = 1,
                           .rounds = 1,
                           .trace_frames = 20,
                           .movie_fps = 30,
                           .replay_fps = 2.5f,
                           .vtk_every = 1,
                           .thread_choices = 1,
                           .isa_choices = 1,
                           .isas = {THRONG_ISA_AUTO},
                           .threading_choices = 1,
                           .threadings = {THRONG_THREADS_OPENMP}};
  return option_read_all(&set, options, count, arguments, problem) && check_together(options, problem);
}

void options_print_help(void) {
  puts("throng-run: steps a crowd, measures it and draws it\n"
       "\n"
       "  --scene NAME|FILE.json  the scene (flock2); built in:");
  printf("                         ");
  for (const built_in_scene *scene = built_in_scenes; scene->name; scene++) printf(" %s", scene->name);
  puts(
      "\n"
      "  --agents N              agents, 0 to 2147483646 (the scene's number)\n"
      "  --frames N              frames, 0 to 1000000000 (the scene's number); the first 5, at most half, are\n"
      "                          not timed\n"
      "  --dt S                  seconds per frame, 0 to 1 (the scene's)\n"
      "  --seed N                seed of the start, 0 to 2^53 (the scene's)\n"
      "  --threads N[,N...]      numbers of threads, 1 to 1024; 0 means all cores of the machine (0)\n"
      "  --isa NAME[,NAME...]    instruction sets: auto, baseline, avx2, avx512, neon (auto)\n"
      "  --threading NAME[,NAME...]  whose threads: openmp, team (throng's own), serial, auto (openmp)\n"
      "  --rounds N              times every combination N times, in turn, 1 to 100; rates are medians (1)\n"
      "  --busy MS               works on something else before each timed frame, as a game does, 0 to 1000 (0)\n"
      "  --sleep MS              sleeps before each timed frame, after --busy, 0 to 1000 (0), so that the step must\n"
      "                          wake its threads; times exclude --busy and --sleep\n"
      "  --busy-threads N        threads that keep cores busy beside the whole run, 0 to 256 (0)\n"
      "  --in FILE.csv           starts from these agents: id,x,y,z,vx,vy,vz,group; a scene that grows is as large\n"
      "                          as for their number, or for the number of --agents\n"
      "  --map FILE.map          builds the world from a Moving AI grid map; agents start on its free cells;\n"
      "                          only for planar scenes\n"
      "  --cell S                metres per cell of the map, 0.001 to 1000000 (1)\n"
      "  --out DIR               folder of picture.png, agents.csv and results.json (out)\n"
      "  --json FILE             writes the results to FILE instead\n"
      "  --csv FILE              also writes the results as a table: one row per combination\n"
      "  --trace FILE            writes a time line of the first combination's passes, for ui.perfetto.dev or\n"
      "                          chrome://tracing\n"
      "  --trace-frames N        traces the first N timed frames, 1 to 1000000000 (20)\n"
      "  --save FILE             writes a snapshot after the last frame\n"
      "  --load FILE             starts from a snapshot of the same scene and number of agents\n"
      "  --explain ID            prints what each rule of this agent wanted in the last frame\n"
      "  --movie FILE.mp4        draws the first combination's run as a movie, like picture.png; needs ffmpeg\n"
      "  --movie-every N         draws every Nth frame (default: the movie plays at the scene's own speed)\n"
      "  --movie-fps N           frames per second of the movie, 1 to 240 (30)\n"
      "  --colour WHAT           colours in pictures: group, heading, speed, density (group; heading if one group)\n"
      "  --vtk DIR               writes the agents of each frame, series.pvd and scenery.vtp, for ParaView\n"
      "  --vtk-every N           writes every Nth frame to --vtk (1)\n"
      "  --csv-every N           writes the agents of every Nth frame to agents-FRAME.csv in the folder of --out\n"
      "  --record FILE           writes a recording of the run: 4 bytes per agent per frame\n"
      "  --replay FILE           repeats a recorded run and compares each frame; allows --threads, --isa, --quiet\n"
      "  --replay-tracks FILE    lets models walk where people were recorded (obsmat text: frame id x z y vx vz vy), "
      "and\n"
      "                          measures how far they are from them; allows the next two, --dt, --out, --json, "
      "--quiet\n"
      "  --replay-model NAME     straight, predicting, reciprocal, walkers, or the first group of a scene or its file\n"
      "                          (the four)\n"
      "  --replay-fps N          recorded steps per second, 0.1 to 1000 (2.5)\n"
      "  --quiet                 prints neither progress nor the table\n"
      "  --help, --version\n");
  puts(
      "Every combination of threads and instruction set runs from the same start and must end with the same hash.\n"
      "Movies, VTK and CSV files of frames, and recordings come from a separate run, which is not timed.\n"
      "Ctrl-C, SIGTERM or SIGHUP finishes the frame and writes the files; a second Ctrl-C or SIGTERM ends it at once.\n"
      "Exit status: 0; 1 if a run failed, files or the table could not be written, or hashes or a replay differ;\n"
      "2 for bad input, and then nothing is written; 129 after SIGHUP, 130 after Ctrl-C, 143 after SIGTERM.");
}

void options_print_version(void) {
  printf("throng-run %d.%d.%d\n", THRONG_VERSION_MAJOR, THRONG_VERSION_MINOR, THRONG_VERSION_PATCH);
#if defined(__clang__)
  puts("compiled by " __VERSION__);
#elif defined(__GNUC__)
  puts("compiled by GCC " __VERSION__);
#endif
}
