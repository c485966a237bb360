/* tests/frame/test_trace.c: tests of the trace hook's events: which pass contains which, that each pass covers every
 * agent, and that the events of one worker do not overlap.
 * SPDX-License-Identifier: MIT */
#include "support/crowds.h"
#include "support/jobs.h"
#include "support/stage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define AGENTS 10000u /* enough for several bands and strips */
#define WORKERS 4u
#define ROW_EVENTS 4096u
#define BIT(pass) (1u << THRONG_PASS_##pass)
#define STRIP_PASSES (BIT(NEIGHBOURS) | BIT(BEHAVIOURS) | BIT(INTEGRATE) | BIT(CONSTRAIN) | BIT(CONTACT) | BIT(FACING))
#define STEER_PASSES (BIT(NEIGHBOURS) | BIT(BEHAVIOURS))

static uint64_t base_seed;

/* The events of one worker. No lock is needed: the hook is never called for one worker by two threads at a time. */
typedef struct event_row {
  throng_trace_event events[ROW_EVENTS];
  uint32_t count;
} event_row;
static event_row rows[WORKERS];

static void record(const throng_trace_event *event, void *context) {
  event_row *row = (event_row *)context + event->worker;
  if (event->worker < WORKERS && row->count < ROW_EVENTS) row->events[row->count++] = *event;
}

static const throng_trace_hook hook = {record, rows};

static bool packs; /* the agents are packed before the neighbour walk, which adds events of THRONG_PASS_NEIGHBOURS */

static void forget(void) {
  for (uint32_t k = 0; k < WORKERS; k++) rows[k].count = 0;
}

static throng_pass holder_of(throng_pass pass) {
  if (BIT(STRIPS) >> pass & 1 || BIT(INDEX) >> pass & 1) return THRONG_PASS_FRAME;
  return STRIP_PASSES >> pass & 1 ? THRONG_PASS_STRIPS : THRONG_PASS_INDEX;
}

static const throng_trace_event *find(throng_pass pass) {
  for (uint32_t k = 0; k < rows[0].count; k++)
    if (rows[0].events[k].pass == pass) return &rows[0].events[k];
  return NULL;
}

static void check_event(const throng_trace_event *event, uint64_t frame) {
  assert_true(event->frame == frame);
  assert_true(event->begin < event->end && event->begin_ns <= event->end_ns);
  const throng_trace_event *holder = event->pass == THRONG_PASS_FRAME ? NULL : find(holder_of(event->pass));
  if (holder != NULL) assert_true(holder->begin_ns <= event->begin_ns && event->end_ns <= holder->end_ns);
  if (holder == NULL) assert_true(event->pass <= THRONG_PASS_STRIPS || event->pass == THRONG_PASS_INDEX);
}

/* Checks that the recorded events have this frame number and cover each of `agents` agents once in each pass of the set
 * `passes`, and in no other pass. CONTACT must cover all agents equally often, at least twice; NEIGHBOURS twice if
 * `packs`. Then deletes the events. */
static void check(uint32_t passes, uint64_t frame, uint32_t agents) {
  static uint8_t seen[THRONG_PASS_COUNT][AGENTS];
  memset(seen, 0, sizeof seen);
  for (uint32_t worker = 0; worker < WORKERS; worker++) {
    uint64_t busy_until = 0;
    for (uint32_t k = 0; k < rows[worker].count; k++) {
      const throng_trace_event *event = &rows[worker].events[k];
      assert_true(event->worker == worker && (unsigned)event->pass < THRONG_PASS_COUNT && event->end <= agents);
      check_event(event, frame);
      for (uint32_t i = event->begin; i < event->end; i++) seen[event->pass][i]++;
      if (event->pass <= THRONG_PASS_STRIPS || event->pass == THRONG_PASS_INDEX) continue;
      assert_true(event->begin_ns >= busy_until);
      busy_until = event->end_ns;
    }
  }
  for (int pass = 0; pass < THRONG_PASS_COUNT; pass++)
    for (uint32_t i = 0; i < agents; i++) {
      uint8_t expected = passes >> pass & 1;
      if (pass == THRONG_PASS_CONTACT && expected) expected = seen[pass][0] < 2 ? 2 : seen[pass][0];
      if (pass == THRONG_PASS_NEIGHBOURS && packs) expected *= 2;
      if (seen[pass][i] == expected) continue;
      print_error("%s: agent %u is in %u events\n", throng_pass_name((throng_pass)pass), i, (unsigned)seen[pass][i]);
      fail();
    }
  forget();
}

/* Sets a map of one free cell, so that THRONG_PASS_CONSTRAIN runs. */
static void set_cells(throng_world *world) {
  static const uint8_t free_cell = 0;
  throng_cells_def cells = throng_default_cells_def();
  throng_error error;
  cells.width = cells.height = 1;
  cells.cell = 1.0f;
  cells.blocked = &free_cell;
  require_ok(throng_world_set_cells(world, &cells, &error), &error);
}

/* Makes each call that reports events, and checks them. */
static void drive(throng_world *world, uint32_t agents, bool cells, bool solid) {
  throng_error error;
  throng_edit edit;
  const uint32_t index = BIT(INDEX) | BIT(BANDS);
  const uint32_t absent = (cells ? 0 : BIT(CONSTRAIN)) | (solid ? 0 : BIT(CONTACT));
  const uint32_t strips = BIT(STRIPS) | (STRIP_PASSES & ~absent);
  require_ok(throng_world_index(world, &error), &error); /* one worker sorts a new crowd as one band */
  forget();
  require_ok(throng_world_edit(world, &edit, &error), &error);
  require_ok(throng_world_index(world, &error), &error);
  check(index | BIT(CHECK) | BIT(KEYS), 0, agents);
  for (uint64_t frame = 0; frame < 3; frame++) {
    require_ok(throng_world_step(world, 0.01f, &error), &error);
    check(BIT(FRAME) | strips | index, frame, agents);
  }
  require_ok(throng_world_steer(world, 0.01f, &error), &error);
  check(BIT(STRIPS) | STEER_PASSES, 3, agents);
  require_ok(throng_world_integrate(world, 0.01f, &error), &error);
  check(BIT(FRAME) | (strips & ~STEER_PASSES) | index, 3, agents);
}

static void run_crowds(const throng_job_system *jobs, uint32_t threads) {
  for (uint32_t k = 0; k < 6; k++) {
    const crowd_recipe recipe = {(throng_space)(k % 2), (throng_boundary)(k % 3), LAYOUT_UNIFORM, AGENTS, true, true};
    crowd *c = crowd_random(base_seed + k, &recipe);
    crowd_make_fluid(c);
    crowd_make_common(c);
    c->def.neighbour_budget = 0;
    const bool solid = k % 3 == 1;
    for (uint32_t g = 0; g < c->group_count && solid; g++) c->groups[g].contact = 1.0f;
    for (uint32_t g = 0; g < c->group_count; g++) /* agents are not packed for rules with `nearest` */
      c->groups[g].separation.nearest = c->groups[g].cohesion.nearest = c->groups[g].alignment.nearest = 0;
    const bool cells = recipe.space == THRONG_SPACE_PLANAR && recipe.boundary != THRONG_BOUNDARY_PERIODIC;
    const crowd_world_options options = {.threads = threads, .jobs = jobs, .trace = &hook};
    throng_world *world = crowd_world(c, &options);
    packs = false;
    for (uint32_t g = 0; g < c->group_count; g++) packs = packs || c->groups[g].avoidance.weight > 0.0f;
    packs = packs && throng_world_get_def(world).isa == THRONG_ISA_AVX512;
    if (cells) set_cells(world);
    drive(world, AGENTS, cells, solid);
    packs = false;
    throng_world_destroy(world);
    crowd_free(c);
  }
}

static void the_library_s_threads(void **state) {
  (void)state;
  for (uint32_t threads = 1; threads <= 3; threads++) run_crowds(NULL, threads);
}

static void host_jobs(void **state) {
  (void)state;
  for (uint32_t threaded = 0; threaded < 2; threaded++) {
    test_jobs jobs = {.worker_count = WORKERS,
                      .threaded = threaded,
                      .environment = fp_make(FLOATS_PLAIN),
                      .rng = rng_from(base_seed + threaded)};
    const throng_job_system system = test_job_system(&jobs);
    run_crowds(&system, WORKERS);
    assert_true(jobs.pieces > jobs.jobs && jobs.broken == 0);
  }
}

static void a_frame_that_fails_does_not_end(void **state) {
  (void)state;
  throng_error error;
  throng_world_def def = throng_default_world_def();
  throng_group_def group = stage_idle_group();
  const throng_vec3 position = {0}, velocity = {1e8f, 0.0f, 0.0f};
  def.trace = hook;
  group.max_speed = 1e9f;
  throng_world *world = stage_world(&def, &group);
  stage_add(world, 1, &position, &velocity, NULL, NULL);
  require_ok(throng_world_index(world, &error), &error);
  forget();
  require_error(throng_world_step(world, 1.0f, &error), THRONG_ERROR_OUT_OF_RANGE, &error);
  check(BIT(STRIPS) | (STRIP_PASSES & ~BIT(CONSTRAIN) & ~BIT(CONTACT)), 0, 1);
  throng_world_destroy(world);
}

static void nobody_is_no_event(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  const throng_group_def group = stage_idle_group();
  def.trace = hook;
  forget();
  throng_world *world = stage_world(&def, &group);
  stage_step(world, 0.01f);
  check(0, 0, 0);
  assert_true(rows[0].count == 0);
  throng_world_destroy(world);
}

/* If a crowd is compressed much, the next sort uses a torus of another size. The pass KEYS then runs once; a sort of a
 * dirty world has one, too. */
static void cells_numbered_anew(void **state) {
  (void)state;
  throng_error error;
  throng_edit edit;
  throng_world_def def = throng_default_world_def();
  throng_group_def group = stage_idle_group();
  throng_vec3 position[1000], velocity[1000];
  for (uint32_t k = 0; k < 1000; k++) {
    position[k] = (throng_vec3){(float)(k % 32), 0.0f, (float)(k / 32 * 3)};
    velocity[k] = (throng_vec3){0.0f, 0.0f, -position[k].z};
  }
  def.thread_count = 1;
  def.trace = hook;
  group.max_speed = 100.0f;
  throng_world *world = stage_world(&def, &group);
  stage_add(world, 1000, position, velocity, NULL, NULL);
  require_ok(throng_world_index(world, &error), &error);
  forget();
  const uint32_t index = BIT(INDEX) | BIT(KEYS) | BIT(BANDS);
  require_ok(throng_world_step(world, 1.0f, &error), &error); /* all agents are at z = 0 afterwards */
  check(BIT(FRAME) | BIT(STRIPS) | (STRIP_PASSES & ~BIT(CONSTRAIN) & ~BIT(CONTACT)) | BIT(INDEX) | BIT(BANDS), 0, 1000);
  require_ok(throng_world_step(world, 0.0f, &error), &error); /* this sort's torus fits the positions before it */
  check(BIT(FRAME) | BIT(STRIPS) | (STRIP_PASSES & ~BIT(CONSTRAIN) & ~BIT(CONTACT)) | index, 1, 1000);
  require_ok(throng_world_edit(world, &edit, &error), &error);
  for (uint32_t k = 0; k < edit.count; k++) edit.position_z[k] = position[edit.id_index[k] - 1].z;
  require_ok(throng_world_index(world, &error), &error);
  check(index | BIT(CHECK), 2, 1000);
  throng_world_destroy(world);
}

/* A small crowd uses at most one thread per 256 agents, rounded up: to wake more would take longer than its frame. */
static void small_crowds_use_few_threads(void **state) {
  (void)state;
  for (uint32_t agents = 100; agents < 1000; agents += 150) {
    const crowd_recipe recipe = {THRONG_SPACE_PLANAR, THRONG_BOUNDARY_BOX, LAYOUT_UNIFORM, agents, false, false};
    crowd *c = crowd_random(base_seed + agents, &recipe);
    const crowd_world_options options = {.threads = WORKERS, .trace = &hook};
    throng_world *world = crowd_world(c, &options);
    throng_error error;
    forget();
    for (uint32_t frame = 0; frame < 5; frame++) require_ok(throng_world_step(world, 0.02f, &error), &error);
    assert_true(rows[0].count > 0);
    for (uint32_t worker = agents / 256 + 1; worker < WORKERS; worker++) assert_int_equal(rows[worker].count, 0);
    throng_world_destroy(world);
    crowd_free(c);
  }
}

/* The times of the profile are the sums of the times of the events. */
static void the_profile_s_sums(void **state) {
  (void)state;
  const crowd_recipe recipe = {THRONG_SPACE_PLANAR, THRONG_BOUNDARY_PERIODIC, LAYOUT_UNIFORM, AGENTS, true, true};
  crowd *c = crowd_random(base_seed, &recipe);
  for (uint32_t g = 0; g < c->group_count; g++) c->groups[g].contact = 1.0f;
  const crowd_world_options options = {.threads = 1, .profile = true, .trace = &hook};
  throng_world *world = crowd_world(c, &options);
  throng_profile profile;
  throng_error error;
  require_ok(throng_world_index(world, &error), &error);
  forget();
  stage_step(world, 0.01f);
  require_ok(throng_world_get_profile(world, &profile, &error), &error);
  uint64_t sum[THRONG_PASS_COUNT] = {0};
  for (uint32_t k = 0; k < rows[0].count; k++)
    sum[rows[0].events[k].pass] += rows[0].events[k].end_ns - rows[0].events[k].begin_ns;
  assert_true(sum[THRONG_PASS_FRAME] == profile.frame_ns && sum[THRONG_PASS_STRIPS] == profile.steer_ns);
  assert_true(sum[THRONG_PASS_INDEX] == profile.index_ns && sum[THRONG_PASS_NEIGHBOURS] == profile.neighbours_ns);
  assert_true(sum[THRONG_PASS_BEHAVIOURS] == profile.behaviours_ns);
  assert_true(sum[THRONG_PASS_INTEGRATE] + sum[THRONG_PASS_FACING] == profile.integrate_ns);
  assert_true(sum[THRONG_PASS_CONTACT] == profile.contact_ns && profile.contact_ns > 0);
  assert_true(sum[THRONG_PASS_FRAME] > 0);
  throng_world_destroy(world);
  crowd_free(c);
}

static void names(void **state) {
  (void)state;
  for (int pass = 0; pass < THRONG_PASS_COUNT; pass++)
    for (int other = 0; other < pass; other++)
      assert_string_not_equal(throng_pass_name((throng_pass)pass), throng_pass_name((throng_pass)other));
  assert_string_equal(throng_pass_name(THRONG_PASS_FRAME), "frame");
  assert_string_equal(throng_pass_name(THRONG_PASS_BANDS), "bands");
  assert_string_equal(throng_pass_name(THRONG_PASS_COUNT), "?");
}

int main(void) {
  base_seed = test_seed("test_trace", 2718);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_library_s_threads),
      cmocka_unit_test(host_jobs),
      cmocka_unit_test(a_frame_that_fails_does_not_end),
      cmocka_unit_test(nobody_is_no_event),
      cmocka_unit_test(cells_numbered_anew),
      cmocka_unit_test(small_crowds_use_few_threads),
      cmocka_unit_test(the_profile_s_sums),
      cmocka_unit_test(names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
