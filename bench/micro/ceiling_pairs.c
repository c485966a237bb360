/* Measures the ceiling of the neighbour walk. All agents of a small world are in one cell, so that each is a neighbour
 * of all others. Steering that world spends nearly all time in the inner loop: every candidate is in range, every block
 * is full, and the columns fit the L1 cache. There are no threats, which would take more time. Listing candidates and
 * blending take a few per cent of the time. In spatial worlds with AVX-512, which tests each list against every agent
 * of the block, they take about a fifth. SPDX-License-Identifier: MIT */
#include "micro/ceiling.h"

#include <stdlib.h>

#define AGENTS 1024u /* the capacity of one candidate list; the loop then reads 16 to 24 KiB of columns */
#define PAIRS ((double)AGENTS * AGENTS)

typedef struct cell_world {
  throng_world *world;
  double fastest; /* seconds of a throng_world_steer; 0: not measured yet */
} cell_world;

typedef struct cell_worlds {
  uint32_t workers;
  float dt;
  cell_world *each; /* [workers] */
} cell_worlds;

/* Puts all agents into the first cell, which is R / 4 wide along x and R along the other axes. They are at most 0.9 R
 * apart. Their body radius is 0, so that no agent is a threat. */
static bool crowd_one_cell(bench_scene *scene, bench_crowd *crowd, bench_problem *problem) {
  const float radius = scene->world.perception_radius;
  const float depth = scene->world.space == THRONG_SPACE_SPATIAL ? radius : 0;
  scene->agents = AGENTS;
  for (uint32_t i = 0; i < scene->spawn_count; i++)
    scene->spawns[i].region = (scene_region){.shape = REGION_BOX,
                                             .min = {0.01f * radius, 0.1f * depth, 0.1f * radius},
                                             .max = {0.24f * radius, 0.7f * depth, 0.7f * radius}};
  for (uint32_t i = 0; i < scene->group_count; i++) scene->groups[i].def.body_radius = 0.0f;
  return crowd_spawn(crowd, scene, problem);
}

/* Checks that each agent tests every agent once and finds all others as neighbours. */
static bool check_all_are_neighbours(const bench_scene *scene, const bench_crowd *crowd, bench_problem *problem) {
  throng_profile profile = {0};
  throng_world *world = scene_build(scene, crowd, 1, THRONG_ISA_AUTO, true, problem);
  if (!world) return false;
  throng_status status = throng_world_steer(world, scene->dt, NULL);
  if (status == THRONG_OK) status = throng_world_get_profile(world, &profile, NULL);
  throng_world_destroy(world);
  if (status != THRONG_OK) return problem_set(problem, "%s: %s", scene->file, throng_status_name(status));
  if (profile.candidates_tested != AGENTS * AGENTS || profile.neighbours_found != AGENTS * (AGENTS - 1))
    return problem_set(problem, "%s: not all of %u agents in one cell are neighbours", scene->file, AGENTS);
  return true;
}

static bool build(cell_worlds *worlds, const bench_scene *scene, const bench_crowd *crowd, throng_isa isa, bool profile,
                  bench_problem *problem) {
  worlds->each = calloc(worlds->workers, sizeof *worlds->each);
  if (!worlds->each) return problem_set(problem, "out of memory for %u worlds", worlds->workers);
  for (uint32_t k = 0; k < worlds->workers; k++) {
    worlds->each[k].world = scene_build(scene, crowd, 1, isa, profile, problem);
    if (!worlds->each[k].world) return false;
  }
  return true;
}

static void cell_worlds_destroy(cell_worlds *worlds) {
  for (uint32_t k = 0; worlds->each && k < worlds->workers; k++) throng_world_destroy(worlds->each[k].world);
  free(worlds->each);
}

static bool cell_worlds_create(cell_worlds *worlds, const bench_case *which, bool profile, bench_problem *problem) {
  bench_scene scene = {0};
  bench_crowd crowd = {0};
  *worlds = (cell_worlds){.workers = ceiling_workers(which->threads)};
  bool ok = scene_load(&scene, which->scene, problem) && crowd_one_cell(&scene, &crowd, problem) &&
            check_all_are_neighbours(&scene, &crowd, problem) &&
            build(worlds, &scene, &crowd, which->isa, profile, problem);
  worlds->dt = scene.dt;
  crowd_release(&crowd);
  scene_release(&scene);
  return ok;
}

static bool steer_one(cell_world *one, float dt) {
  double begin = ceiling_clock();
  throng_status status = throng_world_steer(one->world, dt, NULL);
  double seconds = ceiling_clock() - begin;
  if (one->fastest == 0 || seconds < one->fastest) one->fastest = seconds;
  return status == THRONG_OK;
}

/* Steers all worlds at once, each on a thread of its own. */
static bool steer(const cell_worlds *worlds) {
  const int workers = (int)worlds->workers;
  int failed = 0;
#ifdef _OPENMP
#pragma omp parallel for num_threads(workers) schedule(static, 1) reduction(+ : failed)
#endif
  for (int k = 0; k < workers; k++) failed += !steer_one(&worlds->each[k], worlds->dt);
  return failed == 0;
}

/* Adds up each worker's best rate, because on a busy machine all workers are rarely undisturbed at the same time. */
static double best_rate(const cell_worlds *worlds) {
  double rate = 0;
  for (uint32_t k = 0; k < worlds->workers; k++) rate += PAIRS / worlds->each[k].fastest;
  return rate;
}

static double measure(const bench_case *which, bool profile, bench_problem *problem) {
  cell_worlds worlds;
  double begin = ceiling_clock();
  bool ok = cell_worlds_create(&worlds, which, profile, problem);
  do {
    ok = ok && (steer(&worlds) || problem_set(problem, "%s: throng_world_steer fails", which->scene));
  } while (ok && ceiling_clock() - begin < CEILING_SECONDS);
  double rate = ok ? best_rate(&worlds) : 0;
  cell_worlds_destroy(&worlds);
  return rate;
}

double ceiling_pairs(const bench_case *which, bool profile, bench_problem *problem) {
  double *rate = ceiling_kept("pairs %s %d %u %d", which->scene, (int)which->isa, which->threads, profile);
  if (*rate == 0) *rate = measure(which, profile, problem);
  return *rate;
}

void bench_ceiling_pairs(gbench_state *state, const void *context) {
  cell_worlds worlds;
  bench_problem problem;
  bool ok = cell_worlds_create(&worlds, context, false, &problem);
  if (!ok) gbench_fail(state, problem.text);
  while (gbench_continue(state)) {
    double begin = ceiling_clock();
    if (!steer(&worlds)) gbench_fail(state, "throng_world_steer fails");
    gbench_set_seconds(state, ceiling_clock() - begin);
  }
  if (ok) {
    gbench_set_rate(state, "candidates", PAIRS * worlds.workers);
    gbench_set_counter(state, "ceiling", ceiling_pairs(context, false, &problem));
    gbench_set_counter(state, "ceiling_profiled", ceiling_pairs(context, true, &problem));
  }
  cell_worlds_destroy(&worlds);
}
