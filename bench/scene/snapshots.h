/* Snapshots in files: a run that starts where another one ended.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_SNAPSHOTS_H
#define BENCH_SNAPSHOTS_H

#include "scene/scene.h"
#include "common/text.h"

/* Takes a world of the scene, with all agents of `start`, to where `file` says; its agents must be the same. */
bool snapshot_start(throng_world *world, const bench_text *file, const bench_crowd *start, bench_problem *problem);
/* The world's snapshot into `kept`; free with text_release. */
bool snapshot_keep(bench_text *kept, const throng_world *world, bench_problem *problem);

#endif
