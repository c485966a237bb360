/* tests/grid/test_sort.c: the ways in which the sort of a frame lists the newcomers of bands. The calling thread hands
 * over few leavers, all workers hand over many (passes HISTOGRAM and SCATTER), and a new torus needs new keys (pass
 * KEYS). Each test makes the sort take one way, which the trace hook shows. Whatever the way, the grid must be sound,
 * every agent must be where it was to go, and the state must be that of one thread.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/random.h"
#include "support/stage.h"

#include "state.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define AGENTS 32000u
#define SIDE 70.0f /* 6.5 agents/m²: a band has about four rows of 1 m */
#define DT 0.25f
#define FRAMES 3u
#define ALONE_WORKERS 16u
#define BIT(pass) (1u << THRONG_PASS_##pass)
#define WAYS (BIT(KEYS) | BIT(HISTOGRAM) | BIT(SCATTER))

static uint64_t base_seed;
static throng_vec3 position[AGENTS], step[AGENTS]; /* where an agent begins, and how far it moves in a frame */

static void note_pass(const throng_trace_event *event, void *context) {
  atomic_fetch_or((_Atomic uint32_t *)context, 1u << event->pass);
}

/* A job system in which worker 0 does all work. Its list of leavers then fills, and the other lists are empty. */
static void *run_alone(throng_task *task, uint32_t count, uint32_t least, void *task_context, void *context) {
  (void)least, (void)context;
  task(0, count, 0, task_context);
  return NULL;
}
static void finish_alone(void *handle, void *context) { (void)handle, (void)context; }
static const throng_job_system alone = {run_alone, finish_alone, NULL, ALONE_WORKERS};

/* Places the agents at random. Each moves by at most 2 cm along x and z, or with the probability `share` by `jump`
 * metres along z. */
static void place_agents(float share, float jump) {
  test_rng rng = rng_from(base_seed);
  for (uint32_t k = 0; k < AGENTS; k++) {
    position[k] = (throng_vec3){rng_float(&rng, 0.0f, SIDE), 0.0f, rng_float(&rng, 0.0f, SIDE)};
    step[k] = (throng_vec3){rng_float(&rng, -0.02f, 0.02f), 0.0f, rng_float(&rng, -0.02f, 0.02f)};
    if (rng_chance(&rng, share)) step[k].z = jump;
  }
}

/* Creates an indexed world with these agents. *passes gets the bits of the passes of later sorts; it may be NULL. */
static throng_world *moving_world(uint32_t threads, const throng_job_system *jobs, _Atomic uint32_t *passes) {
  throng_world_def def = throng_default_world_def();
  const throng_group_def group = stage_idle_group();
  throng_agents_def agents = throng_default_agents_def();
  throng_world *world = NULL;
  throng_error error;
  throng_vec3 *velocity = calloc(AGENTS, sizeof *velocity);
  if (velocity == NULL) abort();
  for (uint32_t k = 0; k < AGENTS; k++) velocity[k] = (throng_vec3){step[k].x / DT, 0.0f, step[k].z / DT};
  def.thread_count = threads;
  if (jobs != NULL) def.jobs = *jobs;
  if (passes != NULL) def.trace = (throng_trace_hook){note_pass, passes};
  agents.position.data = position;
  agents.velocity.data = velocity;
  require_ok(throng_world_create(&def, &world, &error), &error);
  require_ok(throng_world_set_group(world, 0, &group, &error), &error);
  require_ok(throng_agents_add(world, &agents, AGENTS, NULL, &error), &error);
  require_ok(throng_world_index(world, &error), &error);
  if (passes != NULL) atomic_store(passes, 0);
  free(velocity);
  return world;
}

/* Checks that every agent has moved by its step `frames` times. Agent k has the id index k + 1. */
static void require_positions(const throng_world *world, uint32_t frames) {
  throng_view view;
  throng_error error;
  require_ok(throng_world_view(world, &view, &error), &error);
  assert_int_equal(view.count, AGENTS);
  for (uint32_t slot = 0; slot < AGENTS; slot++) {
    const uint32_t k = view.id_index[slot] - 1;
    throng_vec3 p = position[k];
    for (uint32_t frame = 0; frame < frames; frame++) {
      p.x += step[k].x;
      p.z += step[k].z;
    }
    assert_true(view.position_x[slot] == p.x && view.position_z[slot] == p.z);
  }
}

static uint32_t comers_of(const throng_world *world) {
  uint32_t comers = 0;
  for (uint32_t band = 0; band < world->grid.bands; band++) comers += world->grid.band[band].comers;
  return comers;
}

/* Steps a world of the agents, beside one with one thread. All its sorts together must take the ways `expected`, bits
 * of WAYS, and unless the torus changes, agents must go from band to band. */
static void check_ways(uint32_t threads, const throng_job_system *jobs, uint32_t expected) {
  _Atomic uint32_t passes = 0;
  throng_world *one = moving_world(1, NULL, NULL), *many = moving_world(threads, jobs, &passes);
  for (uint32_t frame = 1; frame <= FRAMES; frame++) {
    stage_step(one, DT);
    stage_step(many, DT);
    require_sound(many, "a sort");
    require_positions(many, frame);
    assert_true(throng_world_hash(one, STATE_COLUMNS) == throng_world_hash(many, STATE_COLUMNS));
    if (!(expected & BIT(KEYS))) assert_true(many->grid.bands > 1 && comers_of(many) > 0);
  }
  const uint32_t ways = atomic_load(&passes) & WAYS;
  if (ways != expected) fail_msg("%u threads: the sorts had the passes %x, expected %x", threads, ways, expected);
  throng_world_destroy(one);
  throng_world_destroy(many);
}

static void few_leave_their_bands(void **state) {
  (void)state;
  place_agents(0.0f, 0.0f);
  for (uint32_t threads = 1; threads <= 16; threads += 3) check_ways(threads, NULL, 0);
  check_ways(0, &alone, 0);
  place_agents(0.025f, 8.0f);
  for (uint32_t threads = 1; threads <= 4; threads++) check_ways(threads, NULL, 0);
}

static void many_leave_their_bands(void **state) {
  (void)state;
  place_agents(0.1f, 8.0f);
  for (uint32_t threads = 1; threads <= 16; threads += 3) check_ways(threads, NULL, BIT(HISTOGRAM) | BIT(SCATTER));
}

static void everyone_moves(void **state) {
  (void)state;
  place_agents(1.0f, 1.25f);
  for (uint32_t threads = 1; threads <= 16; threads += 3) check_ways(threads, NULL, BIT(HISTOGRAM) | BIT(SCATTER));
}

/* 800 agents leave their bands: few enough for one thread to hand them over, but too many for one of 16 lists. */
static void a_list_is_full(void **state) {
  (void)state;
  place_agents(0.025f, 8.0f);
  check_ways(0, &alone, BIT(HISTOGRAM) | BIT(SCATTER));
}

/* The crowd's extent doubles in the first frame. */
static void the_torus_changes(void **state) {
  (void)state;
  place_agents(0.0f, 0.0f);
  for (uint32_t k = 0; k < AGENTS; k++) step[k] = position[k];
  for (uint32_t threads = 1; threads <= 16; threads += 3) check_ways(threads, NULL, WAYS);
  check_ways(0, &alone, WAYS);
}

int main(void) {
  base_seed = test_seed("test_sort", 4242);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(few_leave_their_bands), cmocka_unit_test(many_leave_their_bands),
      cmocka_unit_test(everyone_moves),        cmocka_unit_test(a_list_is_full),
      cmocka_unit_test(the_torus_changes),
  };
  return cmocka_run_group_tests_name("sort", tests, NULL, NULL);
}
