/* The command line of throng-run.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <throng/throng.h>

#include "common/option_table.h"
#include "output/picture.h"
#include "runner/host_work.h"

typedef struct run_options {
  const char *scene, *in, *map, *out;
  const char *json;                                      /* NULL: results.json in `out` */
  const char *csv, *trace, *save, *load;                 /* NULL: none */
  const char *movie, *vtk, *record, *replay;             /* NULL: none */
  const char *trajectories;                              /* NULL: none */
  const char *replay_tracks, *replay_model;              /* NULL: none; all models */
  uint32_t movie_every, movie_fps, vtk_every, csv_every; /* movie_every, csv_every: 0 if not given */
  uint32_t trajectories_every;
  uint32_t agents, frames, rounds, trace_frames, explain; /* explain: an id index; 0: none */
  float dt, cell, replay_fps;
  float trails; /* seconds; 0: none */
  picture_colours colour;
  host_work host;
  uint64_t seed;
  bool has_agents, has_frames, has_dt, has_seed; /* if false: the scene's value */
  option_list threads;                           /* 0 = all cores */
  option_list isas, threadings;                  /* throng_isa, throng_threads */
  uint32_t busy_threads;
  bool quiet, help, version;
} run_options;

extern const option_table run_option_table;
bool options_parse(run_options *options, int count, char **arguments, bench_problem *problem);
void options_print_version(void);

#endif
