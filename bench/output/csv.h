/* Agents as text: a header and a line an agent, "id,x,y,z,vx,vy,vz,group"; floats as %.9g, which read back to the same
 * bits.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_CSV_H
#define BENCH_CSV_H

#include <stdio.h>

#include "common/problem.h"
#include "scene/scene.h"

/* Reads and checks all but what depends on the size of the scene. `lines` gets the line of each agent (free it); the
 * agents come out by ascending id. */
bool csv_read(bench_crowd *crowd, uint64_t **lines, const char *file, const bench_scene *scene, bench_problem *problem);
/* Whether every agent is inside the world and not in a blocked cell of `world`, which has the scene's cells. */
bool csv_check_places(const bench_crowd *crowd, const uint64_t *lines, const char *file, const bench_scene *scene,
                      const throng_world *world, bench_problem *problem);
bool csv_write(FILE *stream, const bench_crowd *crowd);

#endif
