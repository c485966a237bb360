/* SPDX-License-Identifier: MIT */
#include "ranks/rank_options.h"

#include "scene/scene.h"

#define MAX_PATH 4000 /* bytes of a checkpoint's name, without its number */
#define MAX_SLABS 65536
#define AT(member) OPTION_AT(rank_options, member)

static const char *cut_name(uint32_t k) {
  static const char *const names[THRONG_MPI_CUT_COUNT] = {"blocks", "slabs", "rcb"};
  return k < THRONG_MPI_CUT_COUNT ? names[k] : NULL;
}

static const char *balance_name(uint32_t k) {
  static const char *const names[THRONG_MPI_BALANCE_COUNT] = {"work", "agents", "time"};
  return k < THRONG_MPI_BALANCE_COUNT ? names[k] : NULL;
}

static const char *overlap_name(uint32_t k) {
  static const char *const names[THRONG_MPI_OVERLAP_COUNT] = {"auto", "on", "off"};
  return k < THRONG_MPI_OVERLAP_COUNT ? names[k] : NULL;
}

static const option_row rows[] = {
    {"--scene", "NAME", AT(scene), .usual = "flock2", .help = "a built-in scene or a scene file (DEFAULT)"},
    {"--agents", "N", AT(agents), .min = 1, .max = SCENE_MAX_AGENTS,
     .help = "number of agents in the whole world, RANGE; the scene grows (the scene's)"},
    {"--frames", "N", AT(frames), .min = 1, .max = SCENE_MAX_FRAMES,
     .help = "the frame at which the run ends, warm-up included, RANGE (the scene's)"},
    {"--warmup", "N", AT(warmup), .max = SCENE_MAX_FRAMES, .usual = "5",
     .help = "the first N of these are not measured (DEFAULT)"},
    {"--cut", "FORM", AT(mpi.cut), .names = cut_name,
     .help = "the form of the regions: RANGE (blocks). Slabs are cut along z; blocks are parts of slabs, cut along x; "
             "rcb cuts halves, again and again, if built with Zoltan"},
    {"--slabs", "N", AT(mpi.slabs), .min = 1, .max = MAX_SLABS,
     .help = "slabs of --cut blocks, RANGE; the number of ranks is a multiple of it (chosen by the world's shape)"},
    {"--overlap", "WHEN", AT(mpi.overlap), .names = overlap_name,
     .help = "messages travel while agents move: RANGE (auto: if not all ranks are on one machine)"},
    {"--balance", "KIND", AT(mpi.balance), .names = balance_name, .help = "what the cuts make equal: RANGE (work)"},
    {"--balance-every", "N", AT(mpi.balance_every), .max = SCENE_MAX_FRAMES,
     .help = "frames between new cuts; 0: the first cut stays (100)"},
    {"--threads", "N", AT(threads), .max = MAX_THREADS, .usual = "1",
     .help = "threads of each rank, RANGE; 0: all cores (DEFAULT)"},
    {"--checkpoint", "FILE", AT(checkpoint), .max = MAX_PATH,
     .help = "saves the world to FILE.0 and FILE.1 in turn, every --checkpoint-every frames"},
    {"--checkpoint-every", "N", AT(checkpoint_every), .min = 1, .max = SCENE_MAX_FRAMES, .usual = "100",
     .help = "frames between checkpoints (DEFAULT)"},
    {"--restart", "FILE", AT(restart), .max = MAX_PATH,
     .help = "goes on from that checkpoint, or from the newer of FILE.0 and FILE.1, up to frame --frames; with the "
             "same scene and number of agents, on any number of ranks"},
    {"--out", "DIR", AT(out),
     .help =
         "rank 0 gathers the last frame and writes DIR/picture.png and DIR/agents.csv, as throng-run does; it needs "
         "memory for all agents. Before the run it steps up to 305 frames to count neighbours for the picture"},
    {"--csv-every", "N", AT(csv_every), .min = 1, .max = SCENE_MAX_FRAMES, .needs = "--out",
     .help = "also the agents of every Nth frame from the start or restart on, in DIR/agents-FRAME.csv; not timed"},
    {"--colour", "WHAT", AT(colour), .names = picture_colour_name, .min = PICTURE_BY_GROUP, .needs = "--out",
     .help = "colours in the picture: RANGE (group; heading if one group)"},
    {"--mixed-isa", NULL, AT(rank_isas), .help = "the ranks take the machine's instruction sets in turn"},
    {"--check", NULL, AT(check), .help = "rank 0 also steps the scene as one world, and compares the hashes"},
    {"--json", NULL, AT(json), .help = "prints JSON"},
    OPTION_HELP(rank_options)};
const option_table rank_option_table = {
    "throng-mpi-run",
    "steps a scene over the ranks of MPI, and prints its speed\nusage: mpirun -np N throng-mpi-run [OPTION...], or "
    "bench/mpi-run -np N [OPTION...]",
    "Exit status: 0 done; 1 the run failed; 2 wrong options or scene; 3 the hashes differ", rows,
    sizeof rows / sizeof *rows};

bool rank_options_read(rank_options *options, int count, char **arguments, bench_problem *problem) {
  *options = (rank_options){.mpi = throng_default_mpi_def()};
  if (!option_read(&rank_option_table, options, count, arguments, problem)) return false;
  if (options->mpi.slabs > 0 && options->mpi.cut != THRONG_MPI_CUT_BLOCKS)
    return problem_set(problem, "option '--slabs': allowed only with --cut blocks");
  return true;
}
