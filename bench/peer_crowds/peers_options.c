/* SPDX-License-Identifier: MIT */
#include "peers_options.h"

#include "scene/scene.h"

#define MAX_FRAMES 1000
#define MAX_SECONDS 60
#define AT(member) OPTION_AT(peers_options, member)

const char *peers_scene_name(uint32_t k) {
  static const char *const names[] = {"flock2", "flock3", "concourse", "evacuation", "counterflow", "city", NULL};
  return names[k];
}

static const option_row rows[] = {
    {"--scene", "NAME[,NAME...]", AT(scenes), .names = peers_scene_name, .usual = "flock2,flock3",
     .help = "RANGE (DEFAULT)"},
    {"--agents", "N", AT(agents), .min = 1, .max = SCENE_MAX_AGENTS, .usual = "50000",
     .help = "agents, RANGE (DEFAULT); flocks: the box grows with their number"},
    {"--frames", "N", AT(frames), .min = 1, .max = MAX_FRAMES, .usual = "30",
     .help = "timed frames, RANGE (DEFAULT), after 2 untimed ones, always from the same start"},
    {"--rounds", "N", AT(rounds), .min = 1, .max = PEERS_MAX_ROUNDS, .usual = "5",
     .help = "rounds, RANGE (DEFAULT); each round times every program once"},
    {"--seconds", "S", AT(seconds), .max = MAX_SECONDS, .usual = "0.3",
     .help = "repeats the frames in each round until they have taken S seconds, RANGE (DEFAULT)"},
    {"--threads", "N[,N...]", AT(threads), .max = MAX_THREADS, .usual = "1,0",
     .help = "numbers of threads, RANGE; 0 means all cores of the machine (DEFAULT)"},
    {"--markdown", NULL, AT(markdown), .help = "prints the table as Markdown"},
    {"--json", "FILE", AT(json), .help = "also writes the results to FILE"},
    OPTION_HELP(peers_options),
    OPTION_VERSION(peers_options)};
const option_table peers_option_table = {
    "throng-peers", "times throng and other programs on the same scenes",
    "Before the timing all programs step the same frames. A program that follows throng's rules must find throng's\n"
    "mean number of neighbours (within 1 %) and must move its agents as throng does (within 1 mm). DetourCrowd, RVO2\n"
    "and JuPedSim follow other rules.\n"
    "Exit status: 0; 1 if a program does not, or a run failed; 2 for bad input.",
    rows, sizeof rows / sizeof *rows};

bool peers_options_parse(peers_options *options, int count, char **arguments, bench_problem *problem) {
  *options = (peers_options){0};
  return option_read(&peers_option_table, options, count, arguments, problem);
}
