/* SPDX-License-Identifier: MIT */
#include "runner/options.h"

#include <stdio.h>

#include "runner/busy_threads.h"
#include "runner/measure.h"
#include "scene/scene.h"

#define MAX_MOVIE_FPS 240
#define MAX_HOST_MS 1000
#define AT(member) OPTION_AT(run_options, member)
#define GIVEN(member) .given = offsetof(run_options, member)

static const char *threading_name(uint32_t k) {
  return k < THRONG_THREADS_COUNT ? throng_threads_name((throng_threads)k) : NULL;
}

static const option_row rows[] = {
    {"--scene", "NAME|FILE.json", AT(scene), .names = scene_built_in_name, .usual = "flock2",
     .help = "the scene (DEFAULT); built in: RANGE"},
    {"--agents", "N", AT(agents), .max = SCENE_MAX_AGENTS, GIVEN(has_agents),
     .help = "agents, RANGE (the scene's number)"},
    {"--frames", "N", AT(frames), .max = SCENE_MAX_FRAMES, GIVEN(has_frames),
     .help = "frames, RANGE (the scene's number); the first 5, at most half, are not timed"},
    {"--dt", "S", AT(dt), .max = 1, GIVEN(has_dt), .help = "seconds per frame, RANGE (the scene's)"},
    {"--seed", "N", AT(seed), .max = SCENE_MAX_SEED, GIVEN(has_seed), .help = "seed of the start, RANGE (the scene's)"},
    {"--threads", "N[,N...]", AT(threads), .max = MAX_THREADS, .usual = "0",
     .help = "numbers of threads, RANGE; 0 means all cores of the machine (DEFAULT)"},
    {"--isa", "NAME[,NAME...]", AT(isas), .names = option_isa_name, .usual = "auto",
     .help = "instruction sets: RANGE (DEFAULT)"},
    {"--threading", "NAME[,NAME...]", AT(threadings), .names = threading_name, .usual = "openmp",
     .help = "whose threads: RANGE (DEFAULT); a team is throng's own"},
    {"--rounds", "N", AT(rounds), .min = 1, .max = MAX_ROUNDS, .usual = "1",
     .help = "times every combination N times, in turn, RANGE; rates are medians (DEFAULT)"},
    {"--busy", "MS", AT(host.busy_ms), .max = MAX_HOST_MS, .usual = "0",
     .help = "works on something else before each timed frame, as a game does, RANGE (DEFAULT)"},
    {"--sleep", "MS", AT(host.sleep_ms), .max = MAX_HOST_MS, .usual = "0",
     .help = "sleeps before each timed frame, after --busy, RANGE (DEFAULT), so that the step must wake its threads; "
             "times exclude --busy and --sleep"},
    {"--busy-threads", "N", AT(busy_threads), .max = MAX_BUSY_THREADS, .usual = "0",
     .help = "threads that keep cores busy beside the whole run, RANGE (DEFAULT)"},
    {"--in", "FILE.csv", AT(in),
     .help = "starts from these agents: id,x,y,z,vx,vy,vz,group; a scene that grows is as large as for their number, "
             "or for the number of --agents"},
    {"--map", "FILE.map", AT(map),
     .help = "builds the world from a Moving AI grid map; agents start on its free cells; only for planar scenes"},
    {"--cell", "S", AT(cell), .min = 1e-3, .max = 1e6, .usual = "1", .needs = "--map",
     .help = "metres per cell of the map, RANGE (DEFAULT)"},
    {"--out", "DIR", AT(out), .usual = "out", .help = "folder of picture.png, agents.csv and results.json (DEFAULT)"},
    {"--json", "FILE", AT(json), .help = "writes the results to FILE instead"},
    {"--csv", "FILE", AT(csv), .help = "also writes the results as a table: one row per combination"},
    {"--trace", "FILE", AT(trace),
     .help = "writes a time line of the first combination's passes, for ui.perfetto.dev or chrome://tracing"},
    {"--trace-frames", "N", AT(trace_frames), .min = 1, .max = SCENE_MAX_FRAMES, .usual = "20", .needs = "--trace",
     .help = "traces the first N timed frames, RANGE (DEFAULT)"},
    {"--save", "FILE", AT(save), .help = "writes a snapshot after the last frame"},
    {"--load", "FILE", AT(load), .help = "starts from a snapshot of the same scene and number of agents"},
    {"--explain", "ID", AT(explain), .min = 1, .max = SCENE_MAX_AGENTS,
     .help = "prints what each rule of this agent wanted in the last frame"},
    {"--movie", "FILE.mp4", AT(movie),
     .help = "draws the first combination's run as a movie, like picture.png; needs ffmpeg"},
    {"--movie-every", "N", AT(movie_every), .min = 1, .max = SCENE_MAX_FRAMES, .needs = "--movie",
     .help = "draws every Nth frame (default: the movie plays at the scene's own speed)"},
    {"--movie-fps", "N", AT(movie_fps), .min = 1, .max = MAX_MOVIE_FPS, .usual = "30", .needs = "--movie",
     .help = "frames per second of the movie, RANGE (DEFAULT)"},
    {"--colour", "WHAT", AT(colour), .names = picture_colour_name, .min = PICTURE_BY_GROUP,
     .help = "colours in pictures: RANGE (group; heading if one group)"},
    {"--trails", "SECONDS", AT(trails), .max = TRAIL_MOST_SECONDS,
     .help = "draws the way of each agent in the last SECONDS, which fades, RANGE (none)"},
    {"--vtk", "DIR", AT(vtk), .help = "writes the agents of each frame, series.pvd and scenery.vtp, for ParaView"},
    {"--vtk-every", "N", AT(vtk_every), .min = 1, .max = SCENE_MAX_FRAMES, .usual = "1", .needs = "--vtk",
     .help = "writes every Nth frame to --vtk (DEFAULT)"},
    {"--csv-every", "N", AT(csv_every), .min = 1, .max = SCENE_MAX_FRAMES,
     .help = "writes the agents of every Nth frame to agents-FRAME.csv in the folder of --out"},
    {"--trajectories", "FILE", AT(trajectories),
     .help =
         "writes where agents are, the frame rate and the walkable area: as text for PedPy, or in JuPedSim's form if "
         "FILE ends in .sqlite"},
    {"--trajectories-every", "N", AT(trajectories_every), .min = 1, .max = SCENE_MAX_FRAMES, .usual = "1",
     .needs = "--trajectories", .help = "writes every Nth frame to --trajectories (DEFAULT)"},
    {"--record", "FILE", AT(record), .help = "writes a recording of the run: 4 bytes per agent per frame"},
    {"--replay", "FILE", AT(replay), .only = "--threads, --isa and --quiet",
     .help = "repeats a recorded run and compares each frame"},
    {"--replay-tracks", "FILE", AT(replay_tracks),
     .only = "--replay-model, --replay-fps, --dt, --out, --json and --quiet",
     .help = "lets models walk where people were recorded (obsmat text: frame id x z y vx vz vy), and measures how far "
             "they are from them"},
    {"--replay-model", "NAME", AT(replay_model), .needs = "--replay-tracks",
     .help = "straight, predicting, reciprocal, walkers, or the first group of a scene or its file (the four)"},
    {"--replay-fps", "N", AT(replay_fps), .min = 0.1, .max = 1000, .usual = "2.5", .needs = "--replay-tracks",
     .help = "recorded steps per second, RANGE (DEFAULT)"},
    {"--quiet", NULL, AT(quiet), .help = "prints neither progress nor the table"},
    OPTION_HELP(run_options),
    OPTION_VERSION(run_options)};
const option_table run_option_table = {
    "throng-run", "steps a crowd, measures it and draws it",
    "Every combination of threads and instruction set runs from the same start and must end with the same hash.\n"
    "Movies, VTK and CSV files of frames, trajectories and recordings come from a separate run, which is not timed.\n"
    "Ctrl-C, SIGTERM or SIGHUP finishes the frame and writes the files; a second Ctrl-C or SIGTERM ends it at once.\n"
    "Exit status: 0; 1 if a run failed, files or the table could not be written, or hashes or a replay differ;\n"
    "2 for bad input, and then nothing is written; 129 after SIGHUP, 130 after Ctrl-C, 143 after SIGTERM.",
    rows, sizeof rows / sizeof *rows};

bool options_parse(run_options *options, int count, char **arguments, bench_problem *problem) {
  *options = (run_options){0};
  if (!option_read(&run_option_table, options, count, arguments, problem)) return false;
  for (uint32_t i = 0; i < options->isas.count; i++)
    if (!option_check_isa((throng_isa)options->isas.value[i], problem)) return false;
  return true;
}

void options_print_version(void) {
  option_print_version(&run_option_table);
#if defined(__clang__)
  puts("compiled by " __VERSION__);
#elif defined(__GNUC__)
  puts("compiled by GCC " __VERSION__);
#endif
}
