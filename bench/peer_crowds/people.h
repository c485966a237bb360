/* people.h: a scene of people, for peers that take bodies, obstacles and wished velocities. Vectors are (x, z).
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_PEOPLE_H
#define BENCH_PEOPLE_H

#include "engines/engine.h"
#include "peer.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PEOPLE_CIRCLE_CORNERS 16u

/* What the agents of a group follow. */
typedef struct peer_way {
  enum { WAY_GOAL = 0, WAY_FIELD, WAY_PATH } kind;
  uint32_t field; /* its index */
  float path[2];  /* its direction */
} peer_way;

typedef struct peer_people {
  const struct bench_scene *scene;
  const struct bench_crowd *crowd;
  throng_world *world; /* the scene without agents: its flow fields */
  bool periodic[2];    /* along x and z */
  peer_way way[THRONG_MAX_GROUPS];
  /* Obstacles. Those with two corners are walls, the others convex polygons, counterclockwise and solid. The scenery,
   * or if the scene has none, rectangles of its blocked cells; and the faces of the box. Walls that enclose a convex
   * polygon become one, circles polygons of PEOPLE_CIRCLE_CORNERS corners. */
  uint32_t obstacle_count, corner_count;
  uint32_t *corners_end; /* [obstacle_count] the obstacle's corners end before this one */
  float (*corner)[2];    /* [corner_count] */
} peer_people;

/* Whether the agents of a scene are people: they have bodies. */
bool people_are_in(const struct bench_scene *scene);
/* What it points to must outlive the people. NULL without memory, or if the kernel refuses the scene. */
peer_people *people_create(const struct bench_scene *scene, const struct bench_crowd *crowd);
void people_destroy(peer_people *people);                               /* NULL is allowed */
engine_person people_person(const peer_people *people, uint32_t agent); /* without position and velocity */
/* Computes the velocity with which an agent at a point wants to move: along its flow field or its path, which is
 * straight, or to its goal. Thread-safe. */
void people_wish(const peer_people *people, uint32_t agent, const float at[2], float wish[2]);

#ifdef __cplusplus
}
#endif

#endif
