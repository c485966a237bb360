/* A world of a run's scene, stepped: until the frames are done, a step fails, or the user wants to stop.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_STEPPING_H
#define BENCH_STEPPING_H

#include "runner/measure.h"

typedef struct run_steps {
  throng_world *world;
  const measure_context *context;
  throng_recorder *recorder; /* NULL, or what steps the world */
  frame_times *times;        /* NULL, or where each frame's time goes */
  const host_work *host;     /* NULL, or what the host does before each frame */
  const char *during;        /* what it is stepped for */
  uint64_t last;             /* throng_world_frame() at the end of the run */
} run_steps;

/* A new world at the run's start, for the combination that `run` names, for the warm-up and `frames` more. */
bool stepping_begin(run_steps *stepping, const measurement *run, const measure_context *context, const char *during,
                    uint32_t frames, bool profile, bench_problem *problem);
/* `done`: how many of the frames were stepped; fewer where the user stops the run, which is then noted in the context.
 * `seconds`: what they took, without the host's work. Either may be NULL. */
bool stepping_go(const run_steps *stepping, uint32_t frames, uint32_t *done, double *seconds, bench_problem *problem);
/* The frames that go before the timed ones. */
bool stepping_warm_up(const run_steps *stepping, bench_problem *problem);
void stepping_end(run_steps *stepping);

#endif
