/* Writes where agents are in each frame, for programs that analyse crowds of people: as text, or as a database if the
 * file's name ends in .sqlite. Seen from above: the world's x and z are the file's x and y.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_TRAJECTORIES_H
#define BENCH_TRAJECTORIES_H

#include "common/files.h"
#include "output/trajectory_database.h"
#include "output/walkable_area.h"
#include "scene/run_frame.h"

typedef struct trajectory_file {
  output_file output;
  const bench_scene *scene;
  trajectory_database *database; /* NULL: text */
  uint32_t frames;               /* written so far */
  uint64_t next_id;
  uint64_t *id;      /* of each agent in the file */
  throng_vec3 *last; /* positions in the frame before */
} trajectory_file;

/* Checks before a run that the file can be written, and that the scene has a frame rate. */
bool trajectories_check(const char *path, const bench_scene *scene, bench_problem *problem);
/* Begins the file with the agents of `crowd`. `every`: frames of the scene per frame of the file. trajectories_end must
 * be called even if this fails. */
bool trajectories_begin(trajectory_file *file, const char *path, const bench_scene *scene, uint32_t every,
                        const seen_rectangle *seen, const bench_crowd *crowd, bench_problem *problem);
/* Adds a frame. In periodic worlds an agent that has crossed a seam gets a new id, so that each id's path has no
 * jump. */
bool trajectories_add(trajectory_file *file, const run_frame *frame, bench_problem *problem);
/* Completes the file. If not `ok`, deletes it. */
bool trajectories_end(trajectory_file *file, bool ok, bench_problem *problem);

#endif
