/* rank_checkpoints.h: the checkpoints of throng-mpi-run: it keeps two, FILE.0 and FILE.1, and overwrites the older one.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_RANKS_RANK_CHECKPOINTS_H
#define BENCH_RANKS_RANK_CHECKPOINTS_H

#include <throng/mpi.h>

#include "ranks/rank_options.h"

#define CHECKPOINT_PATH_SIZE 4096

/* Makes *mpi of `world` and of the newest checkpoint of options->restart: that file, or FILE.0 or FILE.1. If the newer
 * of these two is damaged, loads the older one, and says so on stderr. *next: the number of the file to write first.
 * Collective. */
bool rank_restart(const rank_options *options, throng_world *world, throng_mpi **mpi, uint32_t *next,
                  bench_problem *problem);
/* Checks that the run does not mix its checkpoints with those of another run: FILE.0 and FILE.1 may exist only if the
 * run goes on from them. Sets *next if it goes on from one that is given by its whole name. Collective. */
bool rank_check_checkpoints(const rank_options *options, uint32_t *next, bench_problem *problem);
/* Saves a checkpoint if one is due after this frame. *next is 0 or 1: the number of the file to write; the call changes
 * it. Collective. */
bool rank_save_checkpoint(const rank_options *options, throng_mpi *mpi, uint32_t *next, bench_problem *problem);

#endif
