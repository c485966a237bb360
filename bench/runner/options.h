/* The command line of throng-run.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <throng/throng.h>

#include "runner/host_work.h"
#include "common/option_values.h"
#include "output/picture.h"

typedef struct run_options {
  const char *scene, *in, *map, *out;
  const char *json;                                       /* NULL: results.json in `out` */
  const char *csv, *trace, *save, *load;                  /* NULL: none */
  const char *movie, *vtk, *record, *replay;              /* NULL: none */
  const char *replay_tracks, *replay_model;               /* NULL: none; all models */
  uint32_t movie_every, movie_fps, vtk_every, csv_every;  /* movie_every, csv_every: 0 if not given */
  uint32_t agents, frames, rounds, trace_frames, explain; /* explain: an id index */
  float dt, cell, replay_fps;
  picture_colours colour;
  host_work host;
  uint64_t seed;
  bool has_agents, has_frames, has_dt, has_seed, has_cell, has_trace_frames, has_explain, has_movie_fps, has_vtk_every,
      has_replay_fps;            /* if false: the scene's value, or the option's default */
  uint32_t threads[MAX_CHOICES]; /* 0 = all cores */
  uint32_t thread_choices;
  throng_isa isas[MAX_CHOICES];
  uint32_t isa_choices;
  throng_threads threadings[MAX_CHOICES];
  uint32_t threading_choices, busy_threads;
  bool quiet, help, version;
  const char *not_with_replay, *not_with_tracks; /* the first option that --replay, --replay-tracks does not allow; or
                                                    NULL */
} run_options;

bool options_parse(run_options *options, int count, char **arguments, bench_problem *problem);
void options_print_help(void);
void options_print_version(void);

#endif
