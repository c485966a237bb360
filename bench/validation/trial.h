/* trial.h: one run: a place, its walkers, one model, one seed. The host leads the walkers: 20 times a second it
 * looks at them, moves their goals and removes those who have arrived.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_VALIDATION_TRIAL_H
#define BENCH_VALIDATION_TRIAL_H

#include <stdio.h>

#include "common/problem.h"
#include "models.h"
#include "observer.h"
#include "scene/scene_math.h"
#include "walker.h"

#define SAMPLES_PER_SECOND 20 /* as in recordings of pedestrians */
#define SAMPLE_SECONDS (1.0 / SAMPLES_PER_SECOND)

#define BODY_RADIUS 0.2f
#define WISH_SPEED 1.34f /* m/s: Weidmann 1993, with a standard deviation of 0.26 */
#define SPEED_DEVIATION 0.26

typedef struct crowd_wall {
  float ax, az, bx, bz;
} crowd_wall;

/* Where walkers come in during a run: at a drawn free place from (x, min_z) to (x, max_z). */
#define MAX_ENTRANCES 2
typedef struct crowd_entrance {
  float x, min_z, max_z;
} crowd_entrance;

typedef struct crowd_place {
  float min_x, min_z, max_x, max_z; /* no walker is seen outside; of a torus, its period */
  bool torus;
  float body_radius;
  float wish_speed;       /* m/s; 0: walking speeds of Weidmann 1993 */
  double speed_deviation; /* m/s: the standard deviation of speeds */
  bool presses;           /* the walkers press: the model's group for such people */
  const crowd_wall *walls;
  uint32_t wall_count;
  float stairs_min_x, stairs_max_x, stairs_factor; /* multiplies speeds between these x; 0: no stairs */
  /* Walkers of group k follow flow field k to the circle around (field_x, field_z)[k]. 0: no fields. */
  uint32_t field_count;
  float field_x[4], field_z[4], field_radius;
  /* Lines x = constant on which walkers come in. */
  crowd_entrance entrances[MAX_ENTRANCES];
} crowd_place;

typedef struct trial_crowd trial_crowd; /* trial_crowd.h */

typedef struct crowd_trial {
  const crowd_model *model;
  const trial_crowd *crowd; /* what walks the walkers */
  crowd_place place;
  random_state random;
  throng_world *world; /* of an engine's trial: without agents */
  struct trial_engine *engine;
  throng_vec3 *goals;   /* scratch memory: count elements */
  throng_agent_id *ids; /* as goals */
  float (*seen)[2];     /* by walker: its place at the current sample */
  uint64_t agent_steps; /* steps of walkers: a frame may need several */
  double step_seconds;  /* processor time of the steps; it differs from run to run */
  crowd_walker *walkers;
  uint32_t count, capacity, here;       /* here: those who are in the world */
  uint32_t frame, frame_rate, arrivals; /* frame_rate: frames per second */
  crowd_observer observer;
  /* Called at every sample; NULL: nothing. */
  void (*watch)(struct crowd_trial *trial, void *context);
  void *watch_context;
  bench_problem *problem;
} crowd_trial;

/* What a test hands to all its trials. */
typedef struct trial_setting {
  const crowd_model *model;
  uint64_t seed;
  uint32_t frame_rate;      /* frames per second, a multiple of SAMPLES_PER_SECOND */
  const char *trajectories; /* folder of the trajectories; NULL: none */
  const char *test;         /* begins the name of the file of trajectories */
} trial_setting;

/* Makes an empty world. `part` tells the trials of one test apart. All functions return false with a problem. */
bool trial_open(crowd_trial *trial, const trial_setting *setting, const char *part, const crowd_place *place,
                bench_problem *problem);
void trial_close(crowd_trial *trial);

/* Draws a walking speed: normal, with the place's mean and standard deviation, cut at 1.5 standard deviations. */
float trial_draw_speed(crowd_trial *trial);

/* Appends `count` copies of `like`, with speeds of their own unless it has one, spread over a box: on a jittered
 * lattice whose places are drawn, so that bodies do not overlap. */
bool trial_spread(crowd_trial *trial, const crowd_walker *like, uint32_t count, float min_x, float min_z, float max_x,
                  float max_z);
bool trial_append(crowd_trial *trial, const crowd_walker *walker);
/* Appends `count` copies of `like`, with speeds of their own, who come in at times drawn as those of a Poisson process
 * of `rate` walkers a second. */
bool trial_append_entries(crowd_trial *trial, const crowd_walker *like, uint32_t count, double rate);

/* Adds the walkers to the world, the entering ones in their time, and steps it for `seconds`, or until all have
 * arrived. The observer measures motion from `warm_up` seconds on. */
bool trial_run(crowd_trial *trial, double seconds, double warm_up);

static inline double trial_seconds(const crowd_trial *trial) { return (double)trial->frame / trial->frame_rate; }
static inline uint32_t trial_frames_per_sample(const crowd_trial *trial) {
  return trial->frame_rate / SAMPLES_PER_SECOND;
}
/* The number of the current sample. */
static inline uint32_t trial_sample(const crowd_trial *trial) { return trial->frame / trial_frames_per_sample(trial); }

/* Crossings of gate `gate` by those walkers that have it, in order: writes their times to times[count] and returns
 * their number. */
uint32_t trial_crossings(const crowd_trial *trial, uint32_t gate, double *times);

/* When the walkers arrived. The last arrival is NaN unless all have arrived. */
double trial_mean_arrival(const crowd_trial *trial);
double trial_last_arrival(const crowd_trial *trial);

#endif
