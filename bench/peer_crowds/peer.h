/* peer.h: a crowd that steps a flock scene: throng or a peer.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include <stdbool.h>
#include <stdint.h>

#include <throng/throng.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The parameters of the flock scenes; docs/ARITHMETIC.md has the formulas. Vectors of planar scenes are (x, z). */
typedef struct peer_rules {
  int dimensions; /* 2 or 3 */
  float box_min[3], box_max[3];
  float radius, dt;
  float max_speed, max_acceleration;
  float separation_weight, separation_strength; /* the inverse law, all round */
  float cohesion_weight;
  float alignment_weight, time_to_target;
} peer_rules;

typedef struct peer_task {
  peer_rules rules;
  uint32_t count;
  const float (*position)[3], (*velocity)[3]; /* of the start */
  uint32_t threads;
  bool counting;                   /* mean_neighbours will be asked */
  const struct bench_scene *scene; /* the same, for throng */
  const struct bench_crowd *crowd;
} peer_task;

typedef struct peer_crowd {
  const char *name;
  const char *note;    /* how it differs from throng, for the notes of the table; may be NULL */
  const char *missing; /* why it cannot run; the members below are then NULL. NULL: it can run */
  /* The maximum of neighbours that it considers. 0: all, and it follows the same rules, so that results can be
   * compared. */
  int most_neighbours;
  bool planar_only, one_thread;
  uint32_t max_agents;                    /* 0 = any */
  void *(*create)(const peer_task *task); /* keeps what `scene` points to; NULL: failed */
  bool (*start)(void *crowd);             /* everybody back to the start */
  bool (*step)(void *crowd);
  double (*mean_neighbours)(const void *crowd);          /* per agent and frame since the start */
  bool (*read)(const void *crowd, float (*position)[3]); /* by their order at the start */
  void (*destroy)(void *crowd);                          /* NULL is allowed */
} peer_crowd;

/* NULL: this build or this CPU lacks the instruction set. */
const peer_crowd *throng_peer(throng_isa isa);
extern const peer_crowd textbook_peer, nanoflann_peer, detour_peer;

#define PEERS_MAX 8

/* Lists all entrants, the best throng first. Returns their number. */
int peers_list(const peer_crowd *list[PEERS_MAX]);

/* A vector as the peers have it. */
static inline void peer_vector(float to[3], throng_vec3 from, int dimensions) {
  to[0] = from.x;
  to[1] = dimensions == 2 ? from.z : from.y;
  to[2] = dimensions == 2 ? 0 : from.z;
}

#ifdef __cplusplus
}
#endif

#endif
