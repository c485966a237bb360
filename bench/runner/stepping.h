/* Steps a world of the run's scene until the frames are done, a step fails, or the user stops the run.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_STEPPING_H
#define BENCH_STEPPING_H

#include "runner/measure.h"

typedef struct run_steps {
  throng_world *world;
  const measure_context *context;
  throng_recorder *recorder; /* steps the world; NULL: throng_world_step does */
  frame_times *times;        /* gets each frame's time; NULL: not kept */
  const host_work *host;     /* imitated work of a host before each frame; NULL: none */
  const char *during;        /* the purpose, for the progress line */
  uint64_t last;             /* throng_world_frame() at the end of the run */
} run_steps;

/* Makes a world at the start of the run, for the combination that `run` names, the warm-up and `frames` frames. */
bool stepping_begin(run_steps *stepping, const measurement *run, const measure_context *context, const char *during,
                    uint32_t frames, bool profile, bench_problem *problem);
/* `done`: how many frames were stepped. They are fewer if the user stops the run, and the context then says where.
 * `seconds`: their time without the host's work. Either may be NULL. */
bool stepping_go(const run_steps *stepping, uint32_t frames, uint32_t *done, double *seconds, bench_problem *problem);
/* Steps the warm-up frames. */
bool stepping_warm_up(const run_steps *stepping, bench_problem *problem);
void stepping_end(run_steps *stepping);

#endif
