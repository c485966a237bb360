/* The flow fields of a scene: computed from its cells toward goals, one for each group that follows it; and who has got there.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_SCENE_FIELDS_H
#define BENCH_SCENE_FIELDS_H

#include "scene/scene.h"

/* Reads the key "flow_fields", if it is there. */
bool scene_read_fields(const json_file *json, bench_scene *scene);
/* Goals at the same part of the way across a map's cells as they were across the scene's box, each in the nearest free cell. */
void scene_move_goals(bench_scene *scene, const scene_cells *cells);
/* Computes field `number`: 2 * width * height floats of vectors, width * height of distances, each or NULL. */
throng_status scene_compute_field(const bench_scene *scene, uint32_t number, float *vectors, float *distance,
                                  throng_error *error);
/* Computes them all into the world. */
bool scene_set_fields(throng_world *world, const bench_scene *scene, throng_error *error);

/* How those who follow a field get on. */
typedef struct scene_arrivals {
  uint32_t arrived; /* within ARRIVED_METRES of a goal's cells */
  uint32_t stuck;   /* not arrived, and no metre nearer than PROGRESS_SECONDS before */
  uint32_t walking; /* the others that have a way */
  uint32_t no_way;
  double speed; /* mean of the arrived, as a part of their groups' max_speed */
} scene_arrivals;

#define ARRIVED_METRES 5.0f
#define PROGRESS_SECONDS 10.0

/* The way that each agent has to go, in metres: NaN for who follows no field, INFINITY where there is no way. */
bool scene_ways(const bench_scene *scene, const bench_crowd *crowd, float *way, bench_problem *problem);
/* The agents of `crowd` with their ways now and `before`. */
scene_arrivals scene_count_arrivals(const bench_scene *scene, const bench_crowd *crowd, const float *before,
                                    const float *way);

#endif
