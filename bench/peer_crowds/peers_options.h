/* peers_options.h: the command line of throng-peers.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_PEERS_OPTIONS_H
#define BENCH_PEERS_OPTIONS_H

#include "common/option_values.h"

#define PEERS_MAX_SCENES 2
#define PEERS_MAX_ROUNDS 100u

typedef struct peers_options {
  const char *scenes[PEERS_MAX_SCENES]; /* flock2, flock3 */
  uint32_t scene_count;
  uint32_t agents, frames, rounds;
  float seconds;                 /* minimum time of a program's timed frames in a round */
  uint32_t threads[MAX_CHOICES]; /* 0 = all cores */
  uint32_t thread_choices;
  const char *json; /* NULL: none */
  bool markdown, help, version;
} peers_options;

bool peers_options_parse(peers_options *options, int count, char **arguments, bench_problem *problem);
void peers_options_print_help(void);

#endif
