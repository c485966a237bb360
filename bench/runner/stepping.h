/* Steps a world of the run's scene until the frames are done, a step fails, or the user stops the run.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_STEPPING_H
#define BENCH_STEPPING_H

#include "runner/measure.h"

typedef struct run_steps {
  throng_world *world;
  const measure_context *context;
  throng_recorder *recorder; /* steps the world and records it; NULL: throng_world_step steps it */
  frame_times *times;        /* receives each frame's time; may be NULL */
  const host_work *host;     /* imitated work of a host before each frame; NULL: none */
  const char *during;        /* what the frames are stepped for, such as "timing": shown in the progress */
  uint64_t last;             /* throng_world_frame() at the end of the run */
} run_steps;

/* Creates a world in the state of the start, with the threads and the instruction set of `run`. Begins a part of the
 * progress with `frames` frames. Steps nothing. */
bool stepping_begin(run_steps *stepping, const measurement *run, const measure_context *context, const char *during,
                    uint32_t frames, bool profile, bench_problem *problem);
/* Steps `frames` frames. *done: how many were stepped; if the user stops the run, they are fewer and context->stop is
 * set. *seconds: their time without the host's work. Either pointer may be NULL. */
bool stepping_go(const run_steps *stepping, uint32_t frames, uint32_t *done, double *seconds, bench_problem *problem);
void stepping_end(run_steps *stepping);

#endif
