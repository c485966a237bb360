/* Trajectories as a database of SQLite in JuPedSim's form, version 2: JuPedSim's viewer and PedPy both read it.
 * docs/FORMATS.md describes it. In builds without SQLite, trajectory_database_check refuses.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_TRAJECTORY_DATABASE_H
#define BENCH_TRAJECTORY_DATABASE_H

#include "common/problem.h"
#include "output/walkable_area.h"

typedef struct trajectory_database trajectory_database;

/* Checks that this build can write databases. */
bool trajectory_database_check(bench_problem *problem);
/* Creates a database in a new file. Returns NULL with a problem; `path` is for its text. */
trajectory_database *trajectory_database_begin(const char *file, const char *path, double rate,
                                               const walkable_area *area, bench_problem *problem);
/* Adds a frame: before the agents that are in it. */
bool trajectory_database_add_frame(trajectory_database *database, uint32_t frame, bench_problem *problem);
/* Adds an agent: its position, and the unit vector of its facing, seen from above. */
bool trajectory_database_add_agent(trajectory_database *database, uint32_t frame, uint64_t id, const double position[2],
                                   const double facing[2], bench_problem *problem);
/* Completes the database if `ok`, and closes it. */
bool trajectory_database_end(trajectory_database *database, bool ok, bench_problem *problem);

#endif
