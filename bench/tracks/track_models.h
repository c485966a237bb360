/* The models of walking that throng-run --replay-tracks compares with recordings. To add one, add a row to the table in
 * track_models.c.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_TRACK_MODELS_H
#define BENCH_TRACK_MODELS_H

#include <throng/throng.h>

#include "common/problem.h"

typedef struct track_model {
  const char *name;
  throng_world_def world; /* planar and unbounded */
  throng_group_def group; /* the rules of all persons; each person's own maximum speed replaces max_speed */
  float dt;               /* seconds of a frame */
} track_model;

/* Sets models[*count] to the model `name`: one of the table, or the first group of a scene, which is built in or a
 * file. NULL: all models of the table. `models` has room for TRACK_MODELS_MAX. `dt`: seconds of a frame. */
#define TRACK_MODELS_MAX 16u
bool track_models_find(track_model *models, uint32_t *count, const char *name, float dt, bench_problem *problem);

#endif
