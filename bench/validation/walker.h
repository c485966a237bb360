/* walker.h: a walker as its host sees it: where it wants to go, and when it came by.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_VALIDATION_WALKER_H
#define BENCH_VALIDATION_WALKER_H

#include <throng/throng.h>

/* A line from a to b that walkers cross from its right to its left. */
typedef struct crowd_gate {
  float ax, az, bx, bz;
} crowd_gate;

/* Gates across a passage, crossed toward +x, -x and +z. */
static inline crowd_gate gate_east(float x, float min_z, float max_z) { return (crowd_gate){x, max_z, x, min_z}; }
static inline crowd_gate gate_west(float x, float min_z, float max_z) { return (crowd_gate){x, min_z, x, max_z}; }
static inline crowd_gate gate_north(float z, float min_x, float max_x) { return (crowd_gate){min_x, z, max_x, z}; }
static inline crowd_gate gate_south(float z, float min_x, float max_x) { return (crowd_gate){max_x, z, min_x, z}; }

#define MAX_GATES 4

typedef enum walker_aim {
  AIM_GATES, /* crosses its gates in turn; has arrived behind the last */
  AIM_WAY,   /* walks along (way_x, way_z); has arrived after way_length metres, if that is not 0 */
  AIM_POINT, /* walks to (goal_x, goal_z), straight or along its group's flow field; has arrived within goal_radius */
} walker_aim;

typedef struct crowd_walker {
  walker_aim aim;
  uint8_t group;
  bool stays; /* after its arrival; otherwise it is removed */
  float start_x, start_z, speed;
  /* If entrance is not 0, the walker comes in from `enters` seconds on, at a drawn free place of the trial's entrance
   * number entrance - 1. Otherwise it starts at (start_x, start_z). */
  uint32_t entrance;
  double enters;
  crowd_gate gates[MAX_GATES];
  uint32_t gate_count;
  float way_x, way_z, way_length;
  float goal_x, goal_z, goal_radius;

  /* What the trial saw of it. Seconds are negative if it has not happened. */
  throng_agent_id id;
  bool absent;      /* not in the world: it has not come in yet, or has left */
  uint32_t gate_at; /* the next gate */
  double passed[MAX_GATES], arrived;
  double walked;                       /* metres along its way */
  float x, z;                          /* at the last sample */
  double velocity[2], acceleration[2]; /* between the last samples */
  uint32_t samples;
} crowd_walker;

#endif
