/* tests/promises/test_determinism.c: checks that the state after N frames is the same for every instruction set, thread
 * count, executor and floating-point environment, and that the library restores the caller's environment.
 * SPDX-License-Identifier: MIT */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L /* setenv */
#endif

#include "support/check.h"
#include "support/crowds.h"
#include "support/jobs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES 8u
#define DT (1.0f / 60.0f)

static uint64_t base_seed;

/* Crowds of every space and boundary, large enough for many strips and blocks. */
#define CROWDS 7u
static crowd *crowds[CROWDS];
static uint64_t expected[CROWDS];

/* Returns a hash of the hashes of all frames: it differs even if only one frame differs and the last one does not. */
static uint64_t run_world(throng_world *world) {
  uint64_t sum = 0;
  throng_error error;
  for (uint32_t frame = 0; frame < FRAMES; frame++) {
    require_ok(throng_world_step(world, DT, &error), &error);
    sum = sum * 0x9e3779b97f4a7c15u + throng_world_hash(world, STATE_COLUMNS);
  }
  return sum;
}

static uint64_t run_crowd(const crowd *c, const crowd_world_options *options) {
  throng_world *world = crowd_world(c, options);
  const uint64_t hash = run_world(world);
  throng_world_destroy(world);
  return hash;
}

static void compare_all(const crowd_world_options *options, const char *what) {
  for (uint32_t k = 0; k < CROWDS; k++) {
    const uint64_t hash = run_crowd(crowds[k], options);
    if (hash == expected[k]) continue;
    print_error("%s, %s, %u threads: seed %" PRIu64 ": hash %016" PRIx64 ", expected %016" PRIx64 "\n", what,
                throng_isa_name(options->isa), options->threads, crowds[k]->seed, hash, expected[k]);
    fail();
  }
}

/* Returns the next available instruction set after `isa`; THRONG_ISA_COUNT after the last. */
static throng_isa next_isa(throng_isa isa) {
  for (int k = (int)isa + 1; k < THRONG_ISA_COUNT; k++)
    if (throng_isa_is_available((throng_isa)k)) return (throng_isa)k;
  return THRONG_ISA_COUNT;
}

static int make_crowds(void **state) {
  (void)state;
  static const crowd_layout layouts[CROWDS] = {LAYOUT_UNIFORM, LAYOUT_UNIFORM, LAYOUT_COINCIDENT, LAYOUT_UNIFORM,
                                               LAYOUT_UNIFORM, LAYOUT_ALIASED, LAYOUT_ONE_BIN};
  for (uint32_t k = 0; k < CROWDS; k++) {
    const crowd_recipe recipe = {
        (throng_space)(k % 2), (throng_boundary)(k % 3), layouts[k], k == 6 ? 400 : 1000, true, k < 2};
    crowds[k] = crowd_random(base_seed + k, &recipe);
    for (uint32_t g = 0; g < crowds[k]->group_count && k % 3 == 1; g++) {
      crowds[k]->groups[g].contact = 1.0f;
      crowds[k]->groups[g].body_radius = 0.4f * crowds[k]->def.perception_radius;
    }
    const crowd_world_options plain = {.isa = next_isa(THRONG_ISA_AUTO), .threads = 1};
    expected[k] = run_crowd(crowds[k], &plain);
  }
  return 0;
}

static int free_crowds(void **state) {
  (void)state;
  for (uint32_t k = 0; k < CROWDS; k++) crowd_free(crowds[k]);
  return 0;
}

static void instruction_sets_and_threads(void **state) {
  (void)state;
  static const uint32_t threads[] = {1, 2, 3, 8};
  for (throng_isa isa = next_isa(THRONG_ISA_AUTO); isa != THRONG_ISA_COUNT; isa = next_isa(isa))
    for (uint32_t k = 0; k < 4; k++) {
      const crowd_world_options options = {.isa = isa, .threads = threads[k]};
      compare_all(&options, "the library's threads");
    }
}

static void all_threads_of_the_machine(void **state) {
  (void)state;
  throng_world_def def = crowd_world_def(crowds[0], NULL);
  def.thread_count = 0;
  throng_world *world = NULL;
  throng_error error;
  require_ok(throng_world_create(&def, &world, &error), &error);
  assert_true(throng_world_get_def(world).thread_count >= 1);
  assert_true(throng_world_get_def(world).isa != THRONG_ISA_AUTO);
  require_ok(crowd_fill(crowds[0], world, &error), &error);
  assert_true(run_world(world) == expected[0]);
  throng_world_destroy(world);
}

static void profile_changes_nothing(void **state) {
  (void)state;
  const crowd_world_options options = {.threads = 2, .profile = true};
  compare_all(&options, "with a profile");
}

static void count_event(const throng_trace_event *event, void *context) { ((uint64_t *)context)[event->worker]++; }

static void a_trace_changes_nothing(void **state) {
  (void)state;
  uint64_t events[2] = {0};
  const throng_trace_hook hook = {count_event, events};
  const crowd_world_options options = {.threads = 2, .trace = &hook};
  compare_all(&options, "with a trace");
  assert_true(events[0] > 0);
}

static void capacity_changes_nothing(void **state) {
  (void)state;
  const crowd_world_options options = {.threads = 1, .capacity = 100000};
  compare_all(&options, "with a larger capacity");
}

static void with_jobs(bool threaded, uint32_t workers, fp_kind kind, throng_isa isa) {
  test_jobs jobs = {.worker_count = workers,
                    .threaded = threaded,
                    .environment = fp_make(kind),
                    .rng = rng_from(base_seed + workers)};
  const throng_job_system system = test_job_system(&jobs);
  char what[100];
  snprintf(what, sizeof what, "host jobs, %s, %u workers, floats %d", threaded ? "threaded" : "serial", workers,
           (int)kind);
  const crowd_world_options options = {.isa = isa, .threads = workers, .jobs = &system};
  compare_all(&options, what);
  assert_true(jobs.broken == 0);
  if (workers > 1) assert_true(jobs.pieces > jobs.jobs); /* at least one job was cut */
}

static void host_jobs_in_random_order(void **state) {
  (void)state;
  static const uint32_t workers[] = {1, 2, 3, 8};
  for (throng_isa isa = next_isa(THRONG_ISA_AUTO); isa != THRONG_ISA_COUNT; isa = next_isa(isa))
    for (uint32_t k = 0; k < 4; k++) with_jobs(false, workers[k], FLOATS_PLAIN, isa);
}

static void host_threads(void **state) {
  (void)state;
  with_jobs(true, 2, FLOATS_PLAIN, THRONG_ISA_AUTO);
  with_jobs(true, 5, FLOATS_PLAIN, THRONG_ISA_AUTO);
}

static void host_threads_with_hostile_floats(void **state) {
  (void)state;
  for (int kind = FLOATS_FLUSH; kind < FLOATS_KIND_COUNT; kind++) {
    with_jobs(true, 3, (fp_kind)kind, THRONG_ISA_AUTO);
    with_jobs(false, 2, (fp_kind)kind, next_isa(THRONG_ISA_AUTO));
  }
}

/* Creates, fills and steps worlds in unusual floating-point environments of the caller. */
static void hostile_caller(void **state) {
  (void)state;
  static const uint32_t threads[] = {1, 2};
  const fp_environment own = fp_get();
  for (int kind = FLOATS_FLUSH; kind < FLOATS_KIND_COUNT; kind++)
    for (uint32_t t = 0; t < 2; t++)
      for (uint32_t k = 0; k < CROWDS; k++) {
        const fp_environment hostile = fp_make((fp_kind)kind);
        const crowd_world_options options = {.threads = threads[t]};
        fp_set(hostile);
        const uint64_t hash = run_crowd(crowds[k], &options);
        const fp_environment after = fp_get();
        fp_set(own);
        if (hash != expected[k] || !fp_equal(after, hostile)) {
          print_error("caller's floats %d, %u threads, seed %" PRIu64 ": %s\n", kind, threads[t], crowds[k]->seed,
                      hash == expected[k] ? "the environment was not restored" : "the hash differs");
          fail();
        }
      }
}

/* Velocities that drag makes denormal; flushing to zero would change them. */
static void denormals_are_kept(void **state) {
  (void)state;
  throng_group_def g = throng_default_group_def();
  g.separation.weight = g.cohesion.weight = g.alignment.weight = 0.0f;
  g.drag = 3.0f;
  const throng_vec3 p = {1.0f, 0.0f, 1.0f}, v = {3e-38f, 0.0f, -2.5e-38f};
  const fp_environment own = fp_get();
  for (int kind = FLOATS_PLAIN; kind <= FLOATS_FLUSH; kind++) {
    throng_world_def def = throng_default_world_def();
    throng_agents_def agents = throng_default_agents_def();
    throng_world *world = NULL;
    throng_error error;
    def.thread_count = 1;
    agents.position.data = &p;
    agents.velocity.data = &v;
    require_ok(throng_world_create(&def, &world, &error), &error);
    require_ok(throng_world_set_group(world, 0, &g, &error), &error);
    require_ok(throng_agents_add(world, &agents, 1, NULL, &error), &error);
    fp_set(fp_make((fp_kind)kind));
    throng_status status = THRONG_OK;
    for (int frame = 0; frame < 60 && status == THRONG_OK; frame++) status = throng_world_step(world, DT, NULL);
    fp_set(own);
    require_ok(status, &error);
    throng_vec3 after;
    require_ok(throng_agents_read(world, THRONG_COLUMN_VELOCITY, NULL, 1, &after, 0, &error), &error);
    /* After one second with a drag of 3/s about 1/20 of the velocity is left, which is denormal. */
    assert_true(after.x > 1e-39f && after.x < 2e-39f && after.z < -1e-39f && after.z > -2e-39f);
    throng_world_destroy(world);
  }
}

static throng_isa chosen(throng_isa asked) {
  throng_world_def def = throng_default_world_def();
  throng_world *world = NULL;
  throng_error error;
  def.isa = asked;
  require_ok(throng_world_create(&def, &world, &error), &error);
  const throng_isa isa = throng_world_get_def(world).isa;
  throng_world_destroy(world);
  return isa;
}

static void the_environment_variable_lowers(void **state) {
  (void)state;
  const throng_isa lowest = next_isa(THRONG_ISA_AUTO);
  const char *text = getenv("THRONG_ISA");
  char *kept = text == NULL ? NULL : strdup(text);
  unsetenv("THRONG_ISA");
  throng_isa best = lowest;
  for (throng_isa isa = lowest; isa != THRONG_ISA_COUNT; best = isa, isa = next_isa(isa))
    assert_int_equal(chosen(isa), isa);
  assert_int_equal(chosen(THRONG_ISA_AUTO), best);
  for (throng_isa isa = lowest; isa != THRONG_ISA_COUNT; isa = next_isa(isa)) {
    setenv("THRONG_ISA", throng_isa_name(isa), 1);
    assert_int_equal(chosen(THRONG_ISA_AUTO), isa);
    assert_int_equal(chosen(lowest), lowest);
    if (isa < best) assert_int_equal(chosen(best), isa);
  }
  if (kept != NULL)
    setenv("THRONG_ISA", kept, 1);
  else
    unsetenv("THRONG_ISA");
  free(kept);
}

int main(void) {
  base_seed = test_seed("test_determinism", 4711);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(instruction_sets_and_threads),
      cmocka_unit_test(all_threads_of_the_machine),
      cmocka_unit_test(profile_changes_nothing),
      cmocka_unit_test(a_trace_changes_nothing),
      cmocka_unit_test(capacity_changes_nothing),
      cmocka_unit_test(host_jobs_in_random_order),
      cmocka_unit_test(host_threads),
      cmocka_unit_test(host_threads_with_hostile_floats),
      cmocka_unit_test(hostile_caller),
      cmocka_unit_test(denormals_are_kept),
      cmocka_unit_test(the_environment_variable_lowers),
  };
  return cmocka_run_group_tests(tests, make_crowds, free_crowds);
}
