/* SPDX-License-Identifier: MIT */
#include "ranks/rank_options.h"

#include <stdio.h>
#include <string.h>

#include "common/option_values.h"
#include "scene/scene.h"

#define MOST_PATH 4000u /* bytes of a checkpoint's name, without its number */

void rank_options_help(void) {
  puts("throng-mpi-run: steps a scene over the ranks of MPI, and prints its speed.\n"
       "usage: mpirun -np N throng-mpi-run [OPTION...], or bench/mpi-run -np N [OPTION...]\n"
       "  --scene NAME         a built-in scene or a scene file (flock2)\n"
       "  --agents N           number of agents in the whole world; the scene grows (the scene's)\n"
       "  --frames N           the frame at which the run ends, warm-up included (the scene's)\n"
       "  --warmup N           the first N of these are not measured (5)\n"
       "  --cut FORM           the form of the regions (blocks):\n"
       "                         slabs   along z\n"
       "                         blocks  parts of slabs, cut along x\n"
       "                         rcb     halves, cut again and again, if built with Zoltan\n"
       "  --slabs N            slabs of --cut blocks; the number of ranks is a multiple of it (chosen by the world's\n"
       "                       shape)\n"
       "  --overlap WHEN       messages travel while agents move: auto, on, off (auto: if not all ranks are on one\n"
       "                       machine)\n"
       "  --balance KIND       what the cuts make equal: work, agents, time (work)\n"
       "  --balance-every N    frames between new cuts; 0: the first cut stays (100)\n"
       "  --threads N          threads of each rank; 0: all cores (1)\n"
       "  --checkpoint FILE    saves the world to FILE.0 and FILE.1 in turn, every --checkpoint-every frames\n"
       "  --checkpoint-every N frames between checkpoints (100)\n"
       "  --restart FILE       goes on from that checkpoint, or from the newer of FILE.0 and FILE.1, up to frame "
       "--frames;\n"
       "                       with the same scene and number of agents, on any number of ranks\n"
       "  --out DIR            rank 0 gathers the last frame and writes DIR/picture.png and DIR/agents.csv, as\n"
       "                       throng-run does; it needs memory for all agents. Before the run it steps up to 305\n"
       "                       frames to count neighbours for the picture\n"
       "  --csv-every N        also the agents of every Nth frame from the start or restart on, in\n"
       "                       DIR/agents-FRAME.csv; not timed\n"
       "  --colour WHAT        colours in the picture: group, heading, speed, density (group; heading if one group)\n"
       "  --mixed-isa          the ranks take the machine's instruction sets in turn\n"
       "  --check              rank 0 also steps the scene as one world, and compares the hashes\n"
       "  --json               prints JSON\n"
       "  --help               prints this\n"
       "Exit status: 0 done; 1 the run failed; 2 wrong options or scene; 3 the hashes differ");
}

static bool take_number(const char *option, const char *value, uint64_t least, uint64_t most, uint32_t *number,
                        bench_problem *problem) {
  uint64_t taken = 0;
  if (!option_take_uint(option, value, least, most, &taken, problem)) return false;
  *number = (uint32_t)taken;
  return true;
}

/* Takes one of `count` names, which `allowed` lists, as its number. */
static bool take_name(const char *option, const char *value, const char *const *names, int count, const char *allowed,
                      int *number, bench_problem *problem) {
  for (*number = 0; *number < count; ++*number) {
    if (strcmp(value, names[*number]) == 0) return true;
  }
  return option_refuse(option, value, allowed, problem);
}

static bool take_balance(rank_options *options, const char *value, bench_problem *problem) {
  static const char *const names[] = {"work", "agents", "time"};
  int number;
  if (!take_name("--balance", value, names, THRONG_MPI_BALANCE_COUNT, "work, agents, time", &number, problem))
    return false;
  options->mpi.balance = (throng_mpi_balance)number;
  return true;
}

static bool take_cut(rank_options *options, const char *value, bench_problem *problem) {
  static const char *const names[] = {"blocks", "slabs", "rcb"};
  int number;
  if (!take_name("--cut", value, names, THRONG_MPI_CUT_COUNT, "blocks, slabs, rcb", &number, problem)) return false;
  options->mpi.cut = (throng_mpi_cut)number;
  return true;
}

static bool take_overlap(rank_options *options, const char *value, bench_problem *problem) {
  static const char *const names[] = {"auto", "on", "off"};
  int number;
  if (!take_name("--overlap", value, names, THRONG_MPI_OVERLAP_COUNT, "auto, on, off", &number, problem)) return false;
  options->mpi.overlap = (throng_mpi_overlap)number;
  return true;
}

static bool take_file(const char *option, const char *value, const char **file, bench_problem *problem) {
  if (value[0] == '\0' || strlen(value) > MOST_PATH) return option_refuse(option, value, "a file's name", problem);
  *file = value;
  return true;
}

static const char *const valued_options[] = {"--scene",   "--agents",        "--frames",           "--slabs",
                                             "--balance", "--balance-every", "--threads",          "--warmup",
                                             "--cut",     "--checkpoint",    "--checkpoint-every", "--restart",
                                             "--out",     "--csv-every",     "--colour",           "--overlap"};

static bool take_value(void *context, const char *option, const char *value, bench_problem *problem) {
  rank_options *options = context;
  if (strcmp(option, "--agents") == 0)
    return take_number(option, value, 1, SCENE_MAX_AGENTS, &options->agents, problem);
  if (strcmp(option, "--frames") == 0)
    return take_number(option, value, 1, SCENE_MAX_FRAMES, &options->frames, problem);
  if (strcmp(option, "--warmup") == 0)
    return take_number(option, value, 0, SCENE_MAX_FRAMES, &options->warmup, problem);
  if (strcmp(option, "--threads") == 0) return take_number(option, value, 0, MAX_THREADS, &options->threads, problem);
  if (strcmp(option, "--slabs") == 0) return take_number(option, value, 1, 65536, &options->mpi.slabs, problem);
  if (strcmp(option, "--balance-every") == 0)
    return take_number(option, value, 0, SCENE_MAX_FRAMES, &options->mpi.balance_every, problem);
  if (strcmp(option, "--cut") == 0) return take_cut(options, value, problem);
  if (strcmp(option, "--balance") == 0) return take_balance(options, value, problem);
  if (strcmp(option, "--overlap") == 0) return take_overlap(options, value, problem);
  if (strcmp(option, "--checkpoint-every") == 0)
    return take_number(option, value, 1, SCENE_MAX_FRAMES, &options->checkpoint_every, problem);
  if (strcmp(option, "--checkpoint") == 0) return take_file(option, value, &options->checkpoint, problem);
  if (strcmp(option, "--restart") == 0) return take_file(option, value, &options->restart, problem);
  if (strcmp(option, "--csv-every") == 0)
    return take_number(option, value, 1, SCENE_MAX_FRAMES, &options->csv_every, problem);
  if (strcmp(option, "--colour") == 0) return picture_take_colours(value, &options->colour, problem);
  *(strcmp(option, "--out") == 0 ? &options->out : &options->scene) = value;
  return true;
}

static bool *find_flag(void *context, const char *argument) {
  rank_options *options = context;
  if (strcmp(argument, "--check") == 0) return &options->check;
  if (strcmp(argument, "--json") == 0) return &options->json;
  if (strcmp(argument, "--mixed-isa") == 0) return &options->rank_isas;
  if (strcmp(argument, "--help") == 0) return &options->help;
  return NULL;
}

bool rank_options_read(rank_options *options, int count, char **arguments, bench_problem *problem) {
  const option_set set = {"throng-mpi-run", valued_options, sizeof valued_options / sizeof *valued_options, find_flag,
                          take_value};
  *options = (rank_options){
      .scene = "flock2", .threads = 1, .warmup = 5, .checkpoint_every = 100, .mpi = throng_default_mpi_def()};
  if (!option_read_all(&set, options, count, arguments, problem)) return false;
  if (options->mpi.slabs > 0 && options->mpi.cut != THRONG_MPI_CUT_BLOCKS)
    return problem_set(problem, "option '--slabs': allowed only with --cut blocks");
  if (!options->out && (options->csv_every > 0 || options->colour != PICTURE_BY_DEFAULT))
    return problem_set(problem, "option '%s': allowed only with --out",
                       options->csv_every > 0 ? "--csv-every" : "--colour");
  return true;
}
