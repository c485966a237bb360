/* trial_crowd.h: what walks the walkers of a trial: throng (trial.c) or an engine (trial_engine.c). The trial leads and
 * observes both in the same way.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_VALIDATION_TRIAL_CROWD_H
#define BENCH_VALIDATION_TRIAL_CROWD_H

#include "trial.h"

/* All functions but close return false with a problem. trial->world has the walls, zones and flow fields of the place
 * for both. */
struct trial_crowd {
  bool (*begin)(crowd_trial *trial); /* called when all walkers are known */
  bool (*add)(crowd_trial *trial, uint32_t walker, throng_vec3 velocity);
  bool (*remove)(crowd_trial *trial, uint32_t walker);
  bool (*read)(crowd_trial *trial);  /* writes the places of those who are not absent to trial->seen */
  bool (*lead)(crowd_trial *trial);  /* tells the walkers where to walk from now on */
  bool (*step)(crowd_trial *trial);  /* one frame; adds to trial->agent_steps */
  void (*close)(crowd_trial *trial); /* NULL: trial_close is enough */
};

extern const trial_crowd engine_trial_crowd;

/* The point that a walker walks to. */
throng_vec3 trial_goal(const crowd_trial *trial, const crowd_walker *walker);

#endif
