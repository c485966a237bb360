/* One frame of a run, as pictures and files need it.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_RUN_FRAME_H
#define BENCH_RUN_FRAME_H

#include "scene/scene.h"

typedef struct run_frame {
  uint64_t number; /* throng_world_frame(): warm-up included */
  bench_crowd crowd;
  float *facing; /* yaw, or unit vectors in spatial worlds */
} run_frame;

/* Reads the world, whose agents are those of `start`, into `frame`, which is zeroed or holds an earlier frame of it. */
bool run_frame_read(run_frame *frame, const throng_world *world, const bench_crowd *start, bench_problem *problem);
void run_frame_release(run_frame *frame);

#endif
