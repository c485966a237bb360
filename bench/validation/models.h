/* models.h: the models that throng-validate compares. A model is a group definition without behaviours.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_VALIDATION_MODELS_H
#define BENCH_VALIDATION_MODELS_H

#include <throng/throng.h>

typedef struct crowd_model {
  const char *name, *title;
  bool has_pace; /* walkers slow down in a crowd; tests of free motion then do not judge speeds */
  throng_group_def (*group)(void);
  throng_group_def (*pressing_group)(void); /* the same people when they press toward a door */
} crowd_model;

/* All models. --quick runs the first one, unless --model names others. */
extern const crowd_model models[];
extern const uint32_t model_count;

#endif
