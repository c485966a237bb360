/* models.h: the models that throng-validate compares. A model is a group definition without behaviours, or an engine.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_VALIDATION_MODELS_H
#define BENCH_VALIDATION_MODELS_H

#include <throng/throng.h>

#include "engines/engine.h"

typedef struct crowd_model {
  const char *name, *title;
  bool has_pace; /* walkers slow down in a crowd; tests of free motion then do not judge speeds */
  throng_group_def (*group)(void);
  throng_group_def (*pressing_group)(void); /* the same people when they press toward a door */
  const char *numbers;                      /* where its numbers come from */
  const crowd_engine *engine;               /* what walks instead of throng; then there are no groups. NULL: throng */
} crowd_model;

/* All models; throng's come first. --quick runs the first one, unless --model names others. */
extern const crowd_model models[];
extern const uint32_t model_count, throng_model_count;

#endif
