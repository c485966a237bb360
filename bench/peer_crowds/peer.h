/* peer.h: the interface of a program that steps a scene: throng or a peer.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include <stdbool.h>
#include <stdint.h>

#include <throng/throng.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The parameters of the flock scenes; docs/ARITHMETIC.md has the formulas. Vectors of planar scenes are (x, z). In
 * scenes of people only the box and dt are used. */
typedef struct peer_rules {
  int dimensions; /* 2 or 3 */
  float box_min[3], box_max[3];
  float radius, dt;
  float max_speed, max_acceleration;
  float separation_weight, separation_strength; /* the inverse law, without a field of view */
  float cohesion_weight;
  float alignment_weight, time_to_target;
} peer_rules;

typedef struct peer_task {
  peer_rules rules;
  uint32_t count;
  const float (*position)[3], (*velocity)[3]; /* at the start, in metres and m/s */
  uint32_t threads;
  bool counting;                   /* mean_neighbours will be called */
  const struct bench_scene *scene; /* the scene and agents that the members above describe; only throng reads them */
  const struct bench_crowd *crowd;
  const struct peer_people *people; /* of a scene of people (people.h); NULL: the scene is a flock */
} peer_task;

/* The scenes that a program steps. */
typedef enum peer_scenes { PEER_FLOCKS = 0, PEER_PEOPLE, PEER_ALL } peer_scenes;

typedef struct peer_crowd {
  const char *name;
  const char *note;    /* how it differs from throng, for the notes of the table; may be NULL */
  const char *missing; /* why it cannot run; the functions below are then NULL. NULL: it can run */
  /* The maximum number of neighbours that it considers; its results are then not compared with throng's. 0: all. */
  int most_neighbours;
  bool own_rules; /* it follows other rules than throng; its results are not compared */
  bool planar_only, one_thread;
  uint32_t max_agents;                    /* 0 = any */
  void *(*create)(const peer_task *task); /* what the task points to must outlive the crowd; NULL: failed */
  bool (*start)(void *crowd);             /* puts all agents back to the start */
  bool (*step)(void *crowd);
  double (*mean_neighbours)(const void *crowd);          /* per agent per frame since the start */
  bool (*read)(const void *crowd, float (*position)[3]); /* positions in the order of the task's arrays */
  void (*destroy)(void *crowd);                          /* NULL is allowed */
  peer_scenes scenes;
} peer_crowd;

/* Returns throng with that instruction set; NULL if this build or this CPU lacks it. */
const peer_crowd *throng_peer(throng_isa isa);
extern const peer_crowd textbook_peer, nanoflann_peer, detour_peer;

#define PEERS_MAX 16

/* Lists throng, the best instruction set first, then the peers. Returns their number. */
int peers_list(const peer_crowd *list[PEERS_MAX]);

/* Converts a vector of throng's: (x, z, 0) in planar scenes, (x, y, z) in spatial ones. */
static inline void peer_vector(float to[3], throng_vec3 from, int dimensions) {
  to[0] = from.x;
  to[1] = dimensions == 2 ? from.z : from.y;
  to[2] = dimensions == 2 ? 0 : from.z;
}

#ifdef __cplusplus
}
#endif

#endif
