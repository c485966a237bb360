/* peers_options.h: the command line of throng-peers.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_PEERS_OPTIONS_H
#define BENCH_PEERS_OPTIONS_H

#include "common/option_table.h"

#define PEERS_MAX_ROUNDS 100u

typedef struct peers_options {
  option_list scenes; /* numbers for peers_scene_name */
  uint32_t agents, frames, rounds;
  float seconds;       /* minimum time of a program's timed frames in a round */
  option_list threads; /* 0 = all cores */
  const char *json;    /* NULL: none */
  bool markdown, help, version;
} peers_options;

extern const option_table peers_option_table;
/* Returns the name of scene k: flocks, then scenes of people; NULL after the last. */
const char *peers_scene_name(uint32_t k);

bool peers_options_parse(peers_options *options, int count, char **arguments, bench_problem *problem);

#endif
