/* rank_options.h: the command line of throng-mpi-run. SPDX-License-Identifier: MIT */
#ifndef BENCH_RANKS_RANK_OPTIONS_H
#define BENCH_RANKS_RANK_OPTIONS_H

#include <throng/mpi.h>

#include "common/option_table.h"
#include "output/picture.h"

typedef struct rank_options {
  const char *scene;
  uint32_t agents, frames;          /* 0: the scene's */
  uint32_t threads;                 /* of each rank */
  uint32_t warmup;                  /* frames that are not measured */
  const char *checkpoint, *restart; /* NULL: none */
  uint32_t checkpoint_every;        /* frames */
  const char *out;                  /* folder of pictures and tables; NULL: none */
  uint32_t csv_every;               /* frames; 0: no tables of frames */
  picture_colours colour;
  throng_mpi_def mpi;
  bool rank_isas; /* rank k takes the k-th instruction set that the machine has, in turn */
  bool check, json, help;
} rank_options;

extern const option_table rank_option_table;
bool rank_options_read(rank_options *options, int count, char **arguments, bench_problem *problem);

#endif
