/* The cases of throng-bench: a piece of work on a scene of some size, with an instruction set and a number of threads; and the
 * ceilings that they are held against.
 *
 * Cases that look at neighbours count candidates, the pairs of an agent and another whose distance is computed: so many a
 * second, and which fraction that is of what the pass' inner loop does in the L1 cache ("of_ceiling"). What is missing are the
 * blocks' set-up, loops that end, and for steer and frame all that is not that pass. Cases that move data count the bytes of
 * the arrays that they cannot do without: so many a second, and which fraction that is of a triad's in memory ("of_triad",
 * above 1 where the agents fit a cache) and of one over as many bytes ("of_triad_same_size"). Fractions are of the fastest
 * piece of work, as the ceilings are of the fastest round; everything else is of the mean.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_BENCH_CASES_H
#define BENCH_BENCH_CASES_H

#include "micro/gbench_shim.h"
#include "scene/scene.h"

typedef struct bench_case {
  const char *scene;
  uint32_t agents, threads; /* 0 threads: all of the machine's */
  throng_isa isa;
  int behaviour; /* throng_behaviour_kind, of bench_behaviour alone */
} bench_case;

/* All of them take a bench_case. */
gbench_case bench_ceiling_pairs; /* see ceiling.h; `agents` does not matter */
gbench_case bench_ceiling_triad; /* likewise; only `threads` does */
gbench_case bench_frame;         /* throng_world_step */
gbench_case bench_steer;         /* throng_world_steer: neighbours and behaviours */
gbench_case bench_integrate;     /* throng_world_integrate: motion, boundary, index and commit */
gbench_case bench_index;         /* throng_world_index of a world that the host wrote to */
gbench_case bench_index_guest;   /* of a world that somebody left and somebody else came to */
/* The passes apart, by the world's own profile: of several workers, the sum of their times, except for the commit. */
gbench_case bench_neighbours; /* separation, cohesion, alignment, avoidance */
gbench_case bench_behaviours; /* the groups' lists, blend */
gbench_case bench_motion;     /* velocity, position, boundary, facing, who changes cell */
gbench_case bench_commit;     /* check and index */
gbench_case bench_behaviour; /* one kind of the lists alone: what it adds to the time that steering takes without any */
gbench_case bench_radius;    /* throng_world_query_radius_batch around the agents */
gbench_case bench_nearest;   /* throng_world_query_nearest_batch around the agents */

#endif
