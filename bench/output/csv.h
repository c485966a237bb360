/* Agents as text: a header, then one line per agent, "id,x,y,z,vx,vy,vz,group". Floats are printed with %.9g, so that
 * they read back with the same bits.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_CSV_H
#define BENCH_CSV_H

#include <inttypes.h>
#include <stdio.h>

#include "common/problem.h"
#include "scene/scene.h"

/* Reads agents and sorts them by ascending id. Checks everything that does not depend on the scene's size. *lines
 * receives an array with the line number of each agent; the caller frees it. */
bool csv_read(bench_crowd *crowd, uint64_t **lines, const char *file, const bench_scene *scene, bench_problem *problem);
/* Checks that every agent is inside the world and outside blocked cells and scenery. `world` must have the scene's
 * cells and scenery. */
bool csv_check_places(const bench_crowd *crowd, const uint64_t *lines, const char *file, const bench_scene *scene,
                      const throng_world *world, bench_problem *problem);
/* The format of the name of a frame's file: its argument is a uint64_t, the number of the frame. */
#define CSV_FRAME_NAME "agents-%08" PRIu64 ".csv"
bool csv_write(FILE *stream, const bench_crowd *crowd);

#endif
