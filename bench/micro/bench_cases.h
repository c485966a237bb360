/* The cases of throng-bench: one kind of work on a scene, with a number of agents, an instruction set and a number of
 * threads. The figures that a case prints:
 * - Neighbour cases: candidates per second, and of_ceiling, this rate as a fraction of the inner loop's rate in the L1
 *   cache.
 * - Cases that move data: the bytes per second of the arrays that they must read or write; of_triad, this rate as a
 *   fraction of a triad's rate in memory (above 1 if the agents fit a cache); of_triad_same_size, as a fraction of the
 *   rate of a triad over the same number of bytes.
 * Fractions use the fastest repetition, as the ceilings do. All other figures are means.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_BENCH_CASES_H
#define BENCH_BENCH_CASES_H

#include "micro/gbench_shim.h"
#include "scene/scene.h"

typedef struct bench_case {
  const char *scene;
  uint32_t agents, threads; /* threads 0: all cores */
  throng_isa isa;
  int behaviour; /* throng_behaviour_kind; only bench_behaviour reads it */
} bench_case;

/* The context of each case is a bench_case. */
gbench_case bench_ceiling_pairs;     /* see ceiling.h; ignores `agents` */
gbench_case bench_ceiling_triad;     /* see ceiling.h; reads only `threads` */
gbench_case bench_frame;             /* throng_world_step */
gbench_case bench_steer;             /* throng_world_steer: neighbours and behaviours */
gbench_case bench_integrate;         /* throng_world_integrate: motion, boundary and commit */
gbench_case bench_index;             /* throng_world_index after a throng_world_edit that moved no agent */
gbench_case bench_index_guest;       /* throng_world_index after one removal and one addition */
gbench_case bench_instances;         /* throng_agents_read_instances: 3 x 4 matrices in view order */
gbench_case bench_instances_between; /* the same at alpha 0.5 */
/* Single passes, timed by the world's profile. Times are sums over workers, except for the commit. */
gbench_case bench_neighbours; /* separation, cohesion, alignment, avoidance */
gbench_case bench_behaviours; /* the groups' behaviours, and blend */
gbench_case bench_motion;     /* velocity, position, boundary, facing, movers */
gbench_case bench_commit;     /* check and sort */
gbench_case bench_behaviour;  /* the time that one behaviour adds to steering without behaviours */
gbench_case bench_radius;     /* throng_world_query_radius_batch around the agents */
gbench_case bench_nearest;    /* throng_world_query_nearest_batch around the agents */

#endif
