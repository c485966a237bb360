/* snapshots.h: loads and saves snapshots of worlds, so that a run can start where another one ended.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_SNAPSHOTS_H
#define BENCH_SNAPSHOTS_H

#include "common/text.h"
#include "scene/scene.h"

/* Loads the snapshot whose bytes are in `file` into `world`. The snapshot must have exactly the agents of `start`. */
bool snapshot_start(throng_world *world, const bench_text *file, const bench_crowd *start, bench_problem *problem);
/* Saves the world's snapshot into `kept`. Release it with text_release. */
bool snapshot_keep(bench_text *kept, const throng_world *world, bench_problem *problem);

#endif
