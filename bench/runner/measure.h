/* Runs a scene and measures it.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "common/profiled_frames.h"
#include "common/progress.h"
#include "common/stop.h"
#include "common/text.h"
#include "runner/frame_times.h"
#include "runner/host_work.h"
#include "scene/run_frame.h"
#include "scene/scene_fields.h"

#define MAX_ROUNDS 100u

/* The parts of a frame. WAITING and OTHER are what no pass covers. */
typedef enum pass {
  PASS_INDEX = 0,
  PASS_NEIGHBOURS,
  PASS_BEHAVIOURS,
  PASS_INTEGRATE,
  PASS_CONSTRAIN, /* with contact */
  PASS_WAITING,   /* threads that do none of these four: they start, or wait for the slowest */
  PASS_OTHER,     /* of the calling thread: group table, the calls themselves */
  PASS_COUNT
} pass;
extern const char *const pass_names[PASS_COUNT];

/* One timing of a combination. */
typedef struct timed_round {
  double seconds; /* elapsed time of all timed frames */
  uint64_t hash;  /* of the world after the last frame */
} timed_round;

/* One combination of threads, their kind and instruction set. */
typedef struct measurement {
  uint32_t threads;
  throng_isa isa;
  throng_threads threading;
  uint32_t busy_threads;   /* beside the run */
  uint32_t agents, frames; /* frames: all frames per round, with the warm-up */
  uint32_t timed_frames;   /* per round */
  uint32_t rounds;         /* done so far */
  timed_round round[MAX_ROUNDS];
  frame_times times;               /* of all timed frames of these rounds */
  double pass_share[PASS_COUNT];   /* of a frame's elapsed time; they add up to 1, or are 0 if not measured */
  double mean_neighbours;          /* per agent per frame */
  double candidates_per_neighbour; /* candidates tested per neighbour found */
} measurement;

/* The last frame of a run. */
typedef struct last_frame {
  run_frame frame;
  bool has_arrivals; /* the scene has flow fields, and the run was not stopped */
  scene_arrivals arrivals;
  bench_text snapshot; /* of the last frame, if the context's keeps_snapshot is set */
} last_frame;

/* What all measurements of a run share. */
typedef struct measure_context {
  const bench_scene *scene;
  const bench_crowd *start; /* the agents at the start */
  run_progress *progress;
  const bench_text *snapshot; /* the state at the start; NULL: that of `start` */
  bool keeps_snapshot;        /* whether to take a snapshot of the last frame */
  host_work host;             /* work before each frame of the timed, profiled and traced runs */
  stop_place *stop;           /* receives the frame at which the user stops the run */
} measure_context;

/* Times one round and adds it to `result`. result->threads, threading and isa choose the combination; afterwards
 * they have the values that the world used, for example instead of 0 and THRONG_ISA_AUTO. `last` receives the last
 * frame; it may be NULL. If the user stops the round, it is added only if `last` is given; result->frames is then the
 * number of frames stepped. */
bool measure_round(measurement *result, const measure_context *context, last_frame *last, bench_problem *problem);
/* Measures the passes in a separate run over at most 300 frames, because a profile counts candidates and reads clocks,
 * which takes time. */
bool measure_passes(measurement *result, const measure_context *context, bench_problem *problem);
/* Steps the combination through the warm-up and `frames` frames. The world calls the trace hook `hook`. Before that,
 * *first receives the kernel's number of the first frame after the warm-up. */
bool measure_hooked(const measurement *result, const measure_context *context, const throng_trace_hook *hook,
                    uint32_t frames, uint64_t *first, bench_problem *problem);
/* Steps the combination through all frames, and explains `agent` in the last one. */
bool measure_watched(const measurement *result, const measure_context *context, throng_agent_id agent,
                     throng_explanation *explanation, bench_problem *problem);
/* Returns how many frames measure_passes and `rounds` calls of measure_round step for one combination. */
uint64_t measure_frames(const bench_scene *scene, uint32_t rounds);
/* Sets the frame and the snapshot of `last` from the world. */
bool last_frame_read(last_frame *last, const throng_world *world, const measure_context *context,
                     bench_problem *problem);
void last_frame_release(last_frame *last);

#endif
