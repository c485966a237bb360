/* Lets a model walk where people were recorded, and measures how far it is from the recording.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_TRACK_WALK_H
#define BENCH_TRACK_WALK_H

#include "tracks/track_models.h"
#include "tracks/tracks.h"

#define TRACK_NEAR 0.4 /* metres: persons closer than this are near each other */

/* Sums over the rows of one or more walks. */
typedef struct track_measures {
  double error, last_error;           /* metres */
  uint64_t error_rows, persons;       /* numbers of rows in `error` and of persons in `last_error` */
  uint64_t near, recorded_near, rows; /* rows whose person is near another: simulated, recorded; of how many */
} track_measures;

typedef struct track_walk {
  const tracks *recording;
  double step_seconds; /* of a recorded step */
  uint32_t frames;     /* frames of the model in a step */
  /* Called after each step with its `frames`; may be NULL. If it returns false, the walk ends with a problem. */
  bool (*stepped)(void *context, uint32_t frames, bench_problem *problem);
  void *context;
} track_walk;

/* Which persons' errors count. All persons walk. */
typedef enum track_counted { TRACK_ALL, TRACK_ENDS /* those recorded in the first and the last step */ } track_counted;

/* Lets the model walk from step `first` to step `last`, and adds to `measures`. A person enters at its first row in
 * these steps, with the recorded place and velocity, its goal is its last place in the whole recording, its maximum
 * speed the mean of its whole track. It leaves after its last row. Its errors are the distances to its rows after the
 * first; near counts the rows after step `first`, among the persons that have a row in the same step. */
bool track_walk_go(const track_walk *walk, const track_model *model, uint32_t first, uint32_t last,
                   track_counted counted, track_measures *measures, bench_problem *problem);

/* Returns the number of persons recorded in both steps. */
uint32_t track_walk_count(const tracks *recording, uint32_t first, uint32_t last);

#endif
