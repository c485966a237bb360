/* run_frame.h: the agents of one frame of a run, for pictures and files.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_RUN_FRAME_H
#define BENCH_RUN_FRAME_H

#include "scene/scene.h"

typedef struct run_frame {
  uint64_t number; /* throng_world_frame() */
  bench_crowd crowd;
  float *facing; /* yaw, or unit vectors in spatial worlds */
} run_frame;

/* Reads the world into `frame`. The world must have the agents of `start`. `frame` must be zeroed before the first
 * call; later calls reuse its memory. */
bool run_frame_read(run_frame *frame, const throng_world *world, const bench_crowd *start, bench_problem *problem);
void run_frame_release(run_frame *frame);

#endif
