/* SPDX-License-Identifier: MIT */
#include "micro/bench_cases.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <throng/instances.h>

#include "micro/ceiling.h"

#define WARM_UP_FRAMES 5
#define QUERIES 4096u
#define RADIUS_CAPACITY 1024u
#define NEAREST 8u

typedef struct bench_setup {
  gbench_state *state;
  const bench_case *which;
  bench_scene scene;
  bench_crowd crowd;
  throng_world *world;
  double pieces, fastest; /* number of repetitions so far; seconds of the fastest */
} bench_setup;

/* The number of pairs (agent, candidate), and how many of these candidates are neighbours. */
typedef struct pair_counts {
  double candidates, neighbours;
} pair_counts;

static bool fail(bench_setup *bench, const char *text) {
  gbench_fail(bench->state, text);
  return false;
}

/* Makes the case fail if `status` is an error. */
static bool expect(bench_setup *bench, throng_status status) {
  return status == THRONG_OK || fail(bench, throng_status_name(status));
}

static throng_world *build(bench_setup *bench, bool profile) {
  bench_problem problem;
  throng_error error;
  throng_world *world =
      scene_build(&bench->scene, &bench->crowd, bench->which->threads, bench->which->isa, profile, &problem);
  if (!world) fail(bench, problem.text);
  for (int i = 0; world && i < WARM_UP_FRAMES; i++) {
    if (throng_world_step(world, bench->scene.dt, &error) == THRONG_OK) continue;
    fail(bench, error.text);
    throng_world_destroy(world);
    world = NULL;
  }
  return world;
}

/* `keeps`: the world keeps previous poses. */
static bool open_world(bench_setup *bench, gbench_state *state, const void *context, bool profile, bool keeps) {
  bench_problem problem;
  *bench = (bench_setup){.state = state, .which = context};
  if (!scene_load(&bench->scene, bench->which->scene, &problem) ||
      !scene_fit(&bench->scene, bench->which->agents, &problem) || !crowd_spawn(&bench->crowd, &bench->scene, &problem))
    return fail(bench, problem.text);
  bench->scene.world.keep_previous_pose = keeps;
  bench->world = build(bench, profile);
  return bench->world;
}

static bool open(bench_setup *bench, gbench_state *state, const void *context, bool profile) {
  return open_world(bench, state, context, profile, false);
}

static void close(bench_setup *bench) {
  throng_world_destroy(bench->world);
  crowd_release(&bench->crowd);
  scene_release(&bench->scene);
}

static void record(bench_setup *bench, double seconds) {
  gbench_set_seconds(bench->state, seconds);
  if (bench->pieces++ == 0 || seconds < bench->fastest) bench->fastest = seconds;
}

/* Returns the fraction of the ceiling that `count` per second is, in the fastest repetition, because the ceiling is a
 * maximum too. `summed`: the time is a sum over all workers, so the ceiling of one worker is used. */
static double fraction(const bench_setup *bench, double count, double ceiling, bool summed) {
  return count / bench->fastest / (summed ? ceiling / ceiling_workers(bench->which->threads) : ceiling);
}

/* Counts the pairs of one frame in a separate world, because a profile would slow the measured one. */
static bool count_pairs(bench_setup *bench, pair_counts *counts) {
  throng_profile profile = {0};
  throng_world *world = build(bench, true);
  bool ok = world && expect(bench, throng_world_reset_profile(world, NULL)) &&
            expect(bench, throng_world_steer(world, bench->scene.dt, NULL)) &&
            expect(bench, throng_world_get_profile(world, &profile, NULL));
  throng_world_destroy(world);
  *counts = (pair_counts){(double)profile.candidates_tested, (double)profile.neighbours_found};
  return ok;
}

static void report_pairs(bench_setup *bench, pair_counts counts, bool profiled) {
  bench_problem problem;
  double agents = bench->which->agents;
  double ceiling = ceiling_pairs(bench->which, profiled, &problem);
  if (ceiling == 0) fail(bench, problem.text);
  gbench_set_items(bench->state, agents);
  gbench_set_counter(bench->state, "mean_neighbours", counts.neighbours / agents);
  gbench_set_rate(bench->state, "useful_pairs", counts.neighbours);
  gbench_set_rate(bench->state, "candidates", counts.candidates);
  gbench_set_counter(bench->state, "of_ceiling", fraction(bench, counts.candidates, ceiling, profiled));
}

static void report_bytes(bench_setup *bench, double bytes_per_agent, bool summed) {
  bench_problem problem;
  double bytes = bytes_per_agent * bench->which->agents;
  double memory = ceiling_triad(0, bench->which->threads, &problem);
  double same_size = memory == 0 ? 0 : ceiling_triad(bytes, bench->which->threads, &problem);
  if (same_size == 0) fail(bench, problem.text);
  gbench_set_items(bench->state, bench->which->agents);
  gbench_set_bytes(bench->state, bytes);
  gbench_set_counter(bench->state, "of_triad", fraction(bench, bytes, memory, summed));
  gbench_set_counter(bench->state, "of_triad_same_size", fraction(bench, bytes, same_size, summed));
}

/* Steps a world with a profile. The time of one repetition is what the frame adds to one of the profile's sums. The
 * counts are those of an average frame. */
static void measure_pass(bench_setup *bench, size_t offset, pair_counts *counts) {
  *counts = (pair_counts){0};
  while (gbench_continue(bench->state)) {
    throng_profile profile = {0};
    uint64_t nanoseconds;
    expect(bench, throng_world_reset_profile(bench->world, NULL));
    expect(bench, throng_world_step(bench->world, bench->scene.dt, NULL));
    expect(bench, throng_world_get_profile(bench->world, &profile, NULL));
    memcpy(&nanoseconds, (const char *)&profile + offset, sizeof nanoseconds);
    record(bench, 1e-9 * (double)nanoseconds);
    counts->candidates += (double)profile.candidates_tested;
    counts->neighbours += (double)profile.neighbours_found;
  }
  counts->candidates /= bench->pieces;
  counts->neighbours /= bench->pieces;
}

void bench_neighbours(gbench_state *state, const void *context) {
  bench_setup bench;
  pair_counts counts;
  if (open(&bench, state, context, true)) {
    measure_pass(&bench, offsetof(throng_profile, neighbours_ns), &counts);
    report_pairs(&bench, counts, true);
  }
  close(&bench);
}

static void measure_bytes(gbench_state *state, const void *context, size_t offset, bool summed,
                          double bytes_per_agent(const bench_scene *scene)) {
  bench_setup bench;
  pair_counts unused;
  if (open(&bench, state, context, true)) {
    measure_pass(&bench, offset, &unused);
    report_bytes(&bench, bytes_per_agent(&bench.scene), summed);
  }
  close(&bench);
}

void bench_behaviours(gbench_state *state, const void *context) {
  measure_bytes(state, context, offsetof(throng_profile, behaviours_ns), true, ceiling_behaviours_bytes);
}
void bench_motion(gbench_state *state, const void *context) {
  measure_bytes(state, context, offsetof(throng_profile, integrate_ns), true, ceiling_motion_bytes);
}
void bench_commit(gbench_state *state, const void *context) {
  measure_bytes(state, context, offsetof(throng_profile, index_ns), false, ceiling_index_bytes);
}

typedef throng_status stepping(throng_world *world, float dt, throng_error *error);

static void measure_pairs(gbench_state *state, const void *context, stepping *run) {
  bench_setup bench;
  pair_counts counts;
  if (open(&bench, state, context, false)) {
    while (gbench_continue(state)) {
      double begin = ceiling_clock();
      expect(&bench, run(bench.world, bench.scene.dt, NULL));
      record(&bench, ceiling_clock() - begin);
    }
    if (count_pairs(&bench, &counts)) report_pairs(&bench, counts, false);
  }
  close(&bench);
}

void bench_frame(gbench_state *state, const void *context) { measure_pairs(state, context, throng_world_step); }
void bench_steer(gbench_state *state, const void *context) { measure_pairs(state, context, throng_world_steer); }

void bench_integrate(gbench_state *state, const void *context) {
  bench_setup bench;
  if (open(&bench, state, context, false)) {
    while (gbench_continue(state)) {
      expect(&bench, throng_world_steer(bench.world, bench.scene.dt, NULL));
      double begin = ceiling_clock();
      expect(&bench, throng_world_integrate(bench.world, bench.scene.dt, NULL));
      record(&bench, ceiling_clock() - begin);
    }
    report_bytes(&bench, ceiling_motion_bytes(&bench.scene) + ceiling_index_bytes(&bench.scene), false);
  }
  close(&bench);
}

/* A change by the host before the call that is timed. It makes the world dirty. */
typedef void host_change(bench_setup *bench, throng_agent_id *guest);

static void measure_index(gbench_state *state, const void *context, host_change *change) {
  bench_setup bench;
  throng_agent_id guest = {0};
  if (open(&bench, state, context, false)) {
    while (gbench_continue(state)) {
      change(&bench, &guest);
      double begin = ceiling_clock();
      expect(&bench, throng_world_index(bench.world, NULL));
      record(&bench, ceiling_clock() - begin);
    }
    report_bytes(&bench, ceiling_index_bytes(&bench.scene), false);
  }
  close(&bench);
}

/* Makes the world dirty without moving an agent: the cheapest sort. */
static void edit_nothing(bench_setup *bench, throng_agent_id *guest) {
  (void)guest;
  throng_edit edit;
  expect(bench, throng_world_edit(bench->world, &edit, NULL));
}
/* Removes one agent and adds one at the position of another. */
static void change_guest(bench_setup *bench, throng_agent_id *guest) {
  throng_view view;
  if (!expect(bench, throng_world_view(bench->world, &view, NULL)) || view.count == 0) return;
  const uint32_t k = view.count / 2;
  const throng_vec3 place = {view.position_x[k], view.position_y ? view.position_y[k] : 0, view.position_z[k]};
  throng_agents_def agents = throng_default_agents_def();
  agents.position.data = &place;
  if (throng_agents_is_valid(bench->world, *guest)) expect(bench, throng_agents_remove(bench->world, guest, 1, NULL));
  expect(bench, throng_agents_add(bench->world, &agents, 1, guest, NULL));
}

void bench_index(gbench_state *state, const void *context) { measure_index(state, context, edit_nothing); }
void bench_index_guest(gbench_state *state, const void *context) { measure_index(state, context, change_guest); }

static void read_instances(gbench_state *state, const void *context, float alpha) {
  bench_setup bench;
  if (open_world(&bench, state, context, false, true)) {
    throng_instances_def def = throng_default_instances_def();
    def.form = THRONG_INSTANCE_ROWS_3X4;
    def.alpha = alpha;
    const uint32_t count = throng_agents_count(bench.world);
    void *data = calloc(count, throng_instance_bytes(def.form));
    if (!data) fail(&bench, "no memory for instances");
    while (gbench_continue(state)) {
      double begin = ceiling_clock();
      expect(&bench, throng_agents_read_instances(bench.world, &def, count, data, NULL));
      record(&bench, ceiling_clock() - begin);
    }
    gbench_set_items(state, count);
    free(data);
  }
  close(&bench);
}

void bench_instances(gbench_state *state, const void *context) { read_instances(state, context, 1.0f); }
void bench_instances_between(gbench_state *state, const void *context) { read_instances(state, context, 0.5f); }

/* Returns QUERIES centres: the positions of agents that are evenly spread over the grid order. */
static throng_vec3 *make_centres(bench_setup *bench) {
  throng_view view;
  throng_vec3 *centres = malloc(QUERIES * sizeof *centres);
  if (!centres || throng_world_view(bench->world, &view, NULL) != THRONG_OK || view.count == 0) {
    free(centres);
    fail(bench, "cannot make the query centres: no memory or no agents");
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
  return throng_world_query_radius_batch(world, centres, QUERIES, 1, THRONG_ALL_LAYERS, found, RADIUS_CAPACITY, counts,
                                         NULL);
}

static throng_status query_nearest(throng_world *world, const throng_vec3 *centres, throng_neighbour *found,
                                   uint32_t *counts) {
  return throng_world_query_nearest_batch(world, centres, QUERIES, NEAREST, THRONG_ALL_LAYERS, found, counts, NULL);
}

/* Each repetition makes QUERIES queries; the items of the report are queries. */
static void bench_queries(gbench_state *state, const void *context, query_batch *query, uint32_t capacity) {
  bench_setup bench;
  if (open(&bench, state, context, false)) {
    throng_vec3 *centres = make_centres(&bench);
    throng_neighbour *found = malloc((size_t)QUERIES * capacity * sizeof *found);
    uint32_t *counts = malloc(QUERIES * sizeof *counts);
    if (centres && found && counts) {
      while (gbench_continue(state)) {
        double begin = ceiling_clock();
        expect(&bench, query(bench.world, centres, found, counts));
        record(&bench, ceiling_clock() - begin);
      }
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
