/* The cases of throng-bench: a piece of work on a scene of some size, with an instruction set and a number of threads.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_BENCH_CASES_H
#define BENCH_BENCH_CASES_H

#include "gbench_shim.h"
#include "scene.h"

typedef struct bench_case {
  const char *scene;
  uint32_t agents, threads;
  throng_isa isa;
} bench_case;

/* All of them take a bench_case. */
gbench_case bench_frame;     /* throng_step */
gbench_case bench_steer;     /* throng_steer: neighbours and behaviours */
gbench_case bench_integrate; /* throng_integrate: motion, boundary, index and commit */
gbench_case bench_index;     /* throng_world_index of a world that the host wrote to */
/* The passes apart, by the world's own profile: of several workers, the sum of their times. */
gbench_case bench_neighbours; /* separation, cohesion, alignment, avoidance */
gbench_case bench_behaviours; /* goals, wander, blend */
gbench_case bench_motion;     /* velocity, position, boundary, facing, keys */
gbench_case bench_commit;     /* check and index */
gbench_case bench_radius;     /* throng_query_radius_batch around the agents */
gbench_case bench_nearest;    /* throng_query_nearest_batch around the agents */

#endif
