/* SPDX-License-Identifier: MIT */
#include "bench_cases.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define WARM_UP_FRAMES 5
#define QUERIES 4096u
#define RADIUS_CAPACITY 1024u
#define NEAREST 8u

typedef struct bench_setup {
  gbench_state *state;
  const bench_case *which;
  bench_scene scene;
  throng_world *world;
  double mean_neighbours;
} bench_setup;

static bool fail(bench_setup *bench, const char *text) {
  gbench_fail(bench->state, text);
  return false;
}

static bool warm_up(bench_setup *bench) {
  throng_error error;
  for (int i = 0; i < WARM_UP_FRAMES; i++)
    if (throng_step(bench->world, bench->scene.dt, &error) != THRONG_OK) return fail(bench, error.text);
  return true;
}

static throng_world *build(bench_setup *bench, const bench_crowd *crowd, bool profile) {
  bench_problem problem;
  bench->world = scene_build(&bench->scene, crowd, bench->which->threads, bench->which->isa, profile, &problem);
  if (!bench->world) fail(bench, problem.text);
  return bench->world;
}

/* Counted on a world of its own: a profile would slow the measured one. */
static bool count_neighbours(bench_setup *bench, const bench_crowd *crowd) {
  throng_profile profile;
  if (!build(bench, crowd, true) || !warm_up(bench)) return false;
  throng_status status = throng_world_profile(bench->world, &profile, NULL);
  throng_world_destroy(bench->world);
  bench->world = NULL;
  if (status != THRONG_OK) return fail(bench, throng_status_name(status));
  if (profile.agent_updates) bench->mean_neighbours = (double)profile.neighbours_found / (double)profile.agent_updates;
  return true;
}

static bool open(bench_setup *bench, gbench_state *state, const void *context) {
  bench_problem problem;
  bench_crowd crowd = {0};
  *bench = (bench_setup){.state = state, .which = context};
  if (!scene_load(&bench->scene, bench->which->scene, &problem) ||
      !scene_fit(&bench->scene, bench->which->agents, &problem) || !crowd_spawn(&crowd, &bench->scene, &problem))
    return fail(bench, problem.text);
  bool ok = count_neighbours(bench, &crowd) && build(bench, &crowd, false) && warm_up(bench);
  crowd_release(&crowd);
  return ok;
}

static void close(bench_setup *bench) {
  throng_world_destroy(bench->world);
  scene_release(&bench->scene);
}

static void report_pairs(bench_setup *bench) {
  double agents = bench->which->agents;
  gbench_set_items(bench->state, agents);
  gbench_set_counter(bench->state, "mean_neighbours", bench->mean_neighbours);
  gbench_set_rate(bench->state, "useful_pairs", agents * bench->mean_neighbours);
}

/* A call that fails is not fast: the case is. */
static void expect(bench_setup *bench, throng_status status) {
  if (status != THRONG_OK) fail(bench, throng_status_name(status));
}

/* Steps a world that profiles; one piece of work takes what the frame added to one of the profile's sums. */
static void measure_pass(gbench_state *state, const void *context, size_t offset) {
  bench_setup bench;
  bench_problem problem;
  bench_crowd crowd = {0};
  bool ok = open(&bench, state, context);
  if (ok) {
    throng_world_destroy(bench.world);
    bench.world = NULL;
    ok = crowd_spawn(&crowd, &bench.scene, &problem) ? build(&bench, &crowd, true) && warm_up(&bench)
                                                     : fail(&bench, problem.text);
    crowd_release(&crowd);
  }
  while (ok && gbench_continue(state)) {
    throng_profile profile;
    expect(&bench, throng_world_profile_reset(bench.world, NULL));
    expect(&bench, throng_step(bench.world, bench.scene.dt, NULL));
    expect(&bench, throng_world_profile(bench.world, &profile, NULL));
    uint64_t nanoseconds;
    memcpy(&nanoseconds, (const char *)&profile + offset, sizeof nanoseconds);
    gbench_set_seconds(state, 1e-9 * (double)nanoseconds);
  }
  if (ok) report_pairs(&bench);
  close(&bench);
}

void bench_neighbours(gbench_state *state, const void *context) {
  measure_pass(state, context, offsetof(throng_profile, neighbours_ns));
}
void bench_behaviours(gbench_state *state, const void *context) {
  measure_pass(state, context, offsetof(throng_profile, behaviours_ns));
}
void bench_motion(gbench_state *state, const void *context) {
  measure_pass(state, context, offsetof(throng_profile, integrate_ns));
}
void bench_commit(gbench_state *state, const void *context) {
  measure_pass(state, context, offsetof(throng_profile, index_ns));
}

void bench_frame(gbench_state *state, const void *context) {
  bench_setup bench;
  if (open(&bench, state, context)) {
    while (gbench_continue(state)) expect(&bench, throng_step(bench.world, bench.scene.dt, NULL));
    report_pairs(&bench);
  }
  close(&bench);
}

void bench_steer(gbench_state *state, const void *context) {
  bench_setup bench;
  if (open(&bench, state, context)) {
    while (gbench_continue(state)) expect(&bench, throng_steer(bench.world, bench.scene.dt, NULL));
    report_pairs(&bench);
  }
  close(&bench);
}

void bench_integrate(gbench_state *state, const void *context) {
  bench_setup bench;
  if (open(&bench, state, context)) {
    while (gbench_continue(state)) {
      gbench_pause(state);
      expect(&bench, throng_steer(bench.world, bench.scene.dt, NULL));
      gbench_resume(state);
      expect(&bench, throng_integrate(bench.world, bench.scene.dt, NULL));
    }
    gbench_set_items(state, bench.which->agents);
  }
  close(&bench);
}

void bench_index(gbench_state *state, const void *context) {
  bench_setup bench;
  if (open(&bench, state, context)) {
    throng_edit edit;
    while (gbench_continue(state)) {
      expect(&bench, throng_world_edit(bench.world, false, &edit, NULL)); /* dirty; nobody moved: the cheapest index */
      expect(&bench, throng_world_index(bench.world, NULL));
    }
    gbench_set_items(state, bench.which->agents);
  }
  close(&bench);
}

/* Around agents of every place in the world. */
static throng_vec3 *make_centres(bench_setup *bench) {
  throng_view view;
  throng_vec3 *centres = malloc(QUERIES * sizeof *centres);
  if (!centres || throng_world_view(bench->world, &view, NULL) != THRONG_OK || view.count == 0) {
    free(centres);
    fail(bench, "no centres");
    return NULL;
  }
  for (uint32_t q = 0; q < QUERIES; q++) {
    uint32_t k = (uint32_t)((uint64_t)q * view.count / QUERIES);
    centres[q] = (throng_vec3){view.position_x[k], view.position_y ? view.position_y[k] : 0, view.position_z[k]};
  }
  return centres;
}

typedef throng_status query_batch(throng_world *world, const throng_vec3 *centres, throng_neighbour *found,
                                  uint32_t *counts);

static throng_status query_radius(throng_world *world, const throng_vec3 *centres, throng_neighbour *found,
                                  uint32_t *counts) {
  return throng_query_radius_batch(world, centres, QUERIES, 1, THRONG_ALL_LAYERS, found, RADIUS_CAPACITY, counts, NULL);
}

static throng_status query_nearest(throng_world *world, const throng_vec3 *centres, throng_neighbour *found,
                                   uint32_t *counts) {
  return throng_query_nearest_batch(world, centres, QUERIES, NEAREST, THRONG_ALL_LAYERS, found, counts, NULL);
}

/* Here the items are queries. */
static void bench_queries(gbench_state *state, const void *context, query_batch *query, uint32_t capacity) {
  bench_setup bench;
  if (open(&bench, state, context)) {
    throng_vec3 *centres = make_centres(&bench);
    throng_neighbour *found = malloc((size_t)QUERIES * capacity * sizeof *found);
    uint32_t *counts = malloc(QUERIES * sizeof *counts);
    throng_status status = THRONG_OK;
    if (centres && found && counts) {
      while (status == THRONG_OK && gbench_continue(state)) status = query(bench.world, centres, found, counts);
      if (status != THRONG_OK) fail(&bench, throng_status_name(status));
      gbench_set_items(state, QUERIES);
    }
    free(counts);
    free(found);
    free(centres);
  }
  close(&bench);
}

void bench_radius(gbench_state *state, const void *context) {
  bench_queries(state, context, query_radius, RADIUS_CAPACITY);
}

void bench_nearest(gbench_state *state, const void *context) { bench_queries(state, context, query_nearest, NEAREST); }
