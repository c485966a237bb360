/* Runs a scene and measures it.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "progress.h"
#include "scene.h"

typedef enum pass { PASS_INDEX = 0, PASS_NEIGHBOURS, PASS_BEHAVIOURS, PASS_INTEGRATE, PASS_CONSTRAIN, PASS_COUNT } pass;
extern const char *const pass_names[PASS_COUNT];

typedef struct measurement {
  uint32_t threads;
  throng_isa isa;
  uint32_t agents, frames;
  double seconds;                  /* of the timed frames */
  double pass_ns[PASS_COUNT];      /* per agent and frame, by the clock */
  double mean_neighbours;          /* neighbours found per agent and frame */
  double candidates_per_neighbour; /* candidates tested per neighbour found */
  uint64_t hash;                   /* of the last frame */
} measurement;

/* The last frame of a run, for the picture and the file of agents. */
typedef struct last_frame {
  uint64_t frame; /* frames since the start, warm-up included */
  bench_crowd crowd;
  float *facing; /* yaw, or unit vectors in spatial worlds */
} last_frame;

/* Steps the scene from `start`. `last` may be NULL. */
bool measure(measurement *result, const bench_scene *scene, const bench_crowd *start, uint32_t threads, throng_isa isa,
             run_progress *progress, last_frame *last, bench_problem *problem);
/* How many frames `measure` steps for a scene in all. */
uint64_t measure_frames(const bench_scene *scene);
void last_frame_release(last_frame *last);

#endif
