/* engine.h: the interface of a program for crowds that walks people to where their host wants: RVO2, JuPedSim's models.
 * The host is throng-peers, which times the program, or throng-validate, which observes its people. Vectors are (x, z).
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_ENGINE_H
#define BENCH_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What it points to must outlive the crowd. */
typedef struct engine_place {
  float min[2], max[2]; /* the box in which people walk; its sides are the periods */
  bool periodic[2];     /* along x and z */
  float dt;             /* seconds per step */
  uint32_t threads;
  /* Obstacles with two corners are walls, the others convex polygons, counterclockwise and solid. */
  uint32_t obstacle_count;
  const uint32_t *corners_end; /* [obstacle_count] the obstacle's corners end before this one */
  const float (*corner)[2];
} engine_place;

typedef struct engine_person {
  float position[2], velocity[2];
  float radius, max_speed;     /* metres; m/s */
  float neighbour_radius;      /* metres. It and the horizons are for RVO2, whose users must choose them */
  float horizon, wall_horizon; /* seconds */
} engine_person;

/* An engine that was not built has only a label and the reason in `missing`. */
typedef struct crowd_engine {
  const char *name;    /* for options: "jupedsim-v2" */
  const char *label;   /* for tables: "JuPedSim V2" */
  const char *note;    /* which numbers it has, and how it differs from throng */
  const char *missing; /* NULL: it can run */
  int most_neighbours; /* 0: all within its own radius */
  bool one_thread;
  float usual_dt; /* seconds: its default step; 0: it has none */
  /* All functions but close and read return false, or NULL, without memory or if the engine refuses. */
  void *(*open)(const engine_place *place);
  bool (*add)(void *crowd, const engine_person *person);               /* people are numbered from 0 */
  bool (*put)(void *crowd, uint32_t person, const engine_person *at);  /* puts it there, without memory of before */
  bool (*wish)(void *crowd, uint32_t person, const float velocity[2]); /* how it wants to walk from now on */
  bool (*remove)(void *crowd, uint32_t person);                        /* keeps the numbers of the others */
  bool (*step)(void *crowd);                                           /* one step of dt */
  void (*read)(const void *crowd, uint32_t person, float position[2]); /* not of those who were removed */
  uint64_t (*neighbours)(void *crowd); /* how many others people consider, summed over people; takes long */
  void (*close)(void *crowd);          /* NULL is allowed */
} crowd_engine;

#define ENGINES_MAX 8

/* Lists the engines, also those that were not built. Returns their number. */
uint32_t engines_list(const crowd_engine *list[ENGINES_MAX]);

#ifdef __cplusplus
}
#endif

#endif
