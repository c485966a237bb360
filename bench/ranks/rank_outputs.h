/* rank_outputs.h: pictures and tables of the whole world, which rank 0 writes as throng-run does.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_RANKS_RANK_OUTPUTS_H
#define BENCH_RANKS_RANK_OUTPUTS_H

#include "ranks/rank_options.h"
#include "scene/run_frame.h"

/* What the outputs of a run are made of. */
typedef struct rank_outputs {
  const rank_options *options;
  const bench_scene *scene;
  const bench_crowd *start; /* the agents at the start */
  throng_mpi *mpi;
  uint64_t first;         /* throng_world_frame() at the start */
  double mean_neighbours; /* per agent per frame; 0: unknown */
} rank_outputs;

/* Checks before a run that this process can write to options->out. */
bool rank_outputs_check(const rank_options *options, bench_problem *problem);
/* Whether this frame has a table: with --csv-every. */
bool rank_outputs_due(const rank_outputs *outputs);
/* Writes OUT/agents-FRAME.csv of this frame. Collective. */
bool rank_outputs_write_table(const rank_outputs *outputs, bench_problem *problem);
/* Writes OUT/picture.png and OUT/agents.csv of the last frame, if --out is given. Collective. */
bool rank_outputs_write_last(const rank_outputs *outputs, bench_problem *problem);

#endif
