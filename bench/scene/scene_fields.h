/* scene_fields.h: computes a scene's flow fields from its cells and goals, and counts the agents that arrived.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_SCENE_FIELDS_H
#define BENCH_SCENE_FIELDS_H

#include "scene/scene.h"

/* Reads the key "flow_fields", if the scene has it. */
bool scene_read_fields(const json_file *json, bench_scene *scene);
/* Moves the goals from the scene's box to a map: the fraction of the width and of the height stays the same. Each
 * goal is then moved to the nearest free cell. */
void scene_move_goals(bench_scene *scene, const scene_cells *cells);
/* Computes all flow fields of the scene on the world's threads, and sets them in the world. */
bool scene_set_fields(throng_world *world, const bench_scene *scene, throng_error *error);

/* How many of the agents that follow a flow field have arrived, and how many have not. */
typedef struct scene_arrivals {
  uint32_t arrived; /* within ARRIVED_METRES of a goal's cells */
  uint32_t stuck;   /* not arrived, and less than a metre nearer to the goal than PROGRESS_SECONDS before */
  uint32_t walking; /* not arrived, and at least a metre nearer */
  uint32_t no_way;  /* no way leads to a goal */
  double speed;     /* mean speed of the arrived agents, as a fraction of their groups' max_speed */
} scene_arrivals;

#define ARRIVED_METRES 5.0f
#define PROGRESS_SECONDS 10.0

/* Sets way[k] to the length of agent k's way to the nearest goal of its flow field, in metres; a metre in a speed zone
 * counts as its cost. NaN: the agent follows no field. INFINITY: there is no way. */
bool scene_ways(throng_world *world, const bench_scene *scene, const bench_crowd *crowd, float *way,
                bench_problem *problem);
/* Counts the agents of `crowd`. `way` and `before` are the results of scene_ways now and PROGRESS_SECONDS before. */
scene_arrivals scene_count_arrivals(const bench_scene *scene, const bench_crowd *crowd, const float *before,
                                    const float *way);

#endif
