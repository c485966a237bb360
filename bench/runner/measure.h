/* Runs a scene and measures it.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "runner/frame_times.h"
#include "runner/host_work.h"
#include "common/progress.h"
#include "scene/run_frame.h"
#include "scene/scene_fields.h"
#include "common/stop.h"
#include "common/text.h"

#define MAX_ROUNDS 100u
#define WARM_UP_FRAMES 5u /* untimed frames before the timed ones */

typedef enum pass { PASS_INDEX = 0, PASS_NEIGHBOURS, PASS_BEHAVIOURS, PASS_INTEGRATE, PASS_CONSTRAIN, PASS_COUNT } pass;
extern const char *const pass_names[PASS_COUNT];

/* One timing of a combination. */
typedef struct timed_round {
  double seconds; /* elapsed in the timed frames */
  uint64_t hash;  /* after the last frame */
} timed_round;

/* One combination of threads and instruction set. */
typedef struct measurement {
  uint32_t threads;
  throng_isa isa;
  uint32_t agents, frames;
  uint32_t rounds; /* done so far */
  timed_round round[MAX_ROUNDS];
  frame_times times;               /* all timed frames of these rounds */
  double pass_ns[PASS_COUNT];      /* elapsed time per agent: medians over frames */
  double mean_neighbours;          /* per agent per frame */
  double candidates_per_neighbour; /* candidates tested per neighbour found */
} measurement;

/* The last frame of a run. */
typedef struct last_frame {
  run_frame frame;
  bool has_arrivals; /* the scene has flow fields, and the run was not stopped */
  scene_arrivals arrivals;
  bench_text snapshot; /* if keeps_snapshot */
} last_frame;

/* What to measure, and the start. */
typedef struct measure_context {
  const bench_scene *scene;
  const bench_crowd *start;
  run_progress *progress;
  const bench_text *snapshot; /* the world starts from it; NULL: from the scene */
  bool keeps_snapshot;        /* whether to take a snapshot of the last frame */
  host_work host;             /* work before each frame that is timed, profiled or traced */
  stop_place *stop;           /* gets the frame at which the user stops the run */
} measure_context;

/* The profile counts candidates and reads clocks, which costs time. Speed is therefore timed without it; the passes are
 * measured in a separate run from the same start, over at most 300 frames. */

/* Adds a round to `result`. Its threads and isa say what to run, and afterwards what ran. `last` may be NULL. A
 * round that the user stops counts, with the frames that it has, only if `last` is given. */
bool measure_round(measurement *result, const measure_context *context, last_frame *last, bench_problem *problem);
bool measure_passes(measurement *result, const measure_context *context, bench_problem *problem);
/* Steps the combination through the warm-up and `frames` timed frames, with `hook` in the world. */
bool measure_hooked(const measurement *result, const measure_context *context, const throng_trace_hook *hook,
                    uint32_t frames, bench_problem *problem);
/* Steps the combination through the warm-up and all timed frames, and explains an agent's last one. */
bool measure_watched(const measurement *result, const measure_context *context, throng_agent_id agent,
                     throng_explanation *explanation, bench_problem *problem);
/* How many frames `rounds` rounds and the passes step for a scene. */
uint64_t measure_frames(const bench_scene *scene, uint32_t rounds);
/* Fills `last` from the world's present state, without the arrivals. */
bool last_frame_read(last_frame *last, const throng_world *world, const measure_context *context,
                     bench_problem *problem);
void last_frame_release(last_frame *last);

#endif
