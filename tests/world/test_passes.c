/* tests/world/test_passes.c: tests of throng/passes.h. The passes over the host's arrays give the same bits as a world
 * with the same agents, refuse wrong arguments, do not allocate in a frame, and write only the requested outputs.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/crowds.h"
#include "support/floats.h"
#include "support/memory.h"
#include "support/wrong.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <throng/passes.h>

#define DT 0.03f
#define FIELD(agents, member)                                                                                          \
  { &(agents)->member.x, &(agents)->member.y, &(agents)->member.z, sizeof *(agents) }

static uint64_t base_seed;

/* Returns a random crowd that uses only what throng/passes.h allows. */
static crowd *plain_crowd(uint32_t k, uint32_t count) {
  const crowd_recipe recipe = {.space = (throng_space)(k % 2),
                               .boundary = k / 2 % CROWD_BOUNDARIES,
                               .layout = (crowd_layout)(k % LAYOUT_COUNT),
                               .count = count,
                               .plain_ids = true,
                               .flocks = k % 3 == 0};
  crowd *c = crowd_random(base_seed + k, &recipe);
  crowd_make_patient(c);
  crowd_make_unsliced(c);
  c->zone_count = c->raster.width = 0;
  for (uint32_t i = 0; i < c->count; i++) c->agents[i].max_yaw_rate = c->agents[i].weight = NAN;
  for (uint32_t g = 0; g < c->group_count; g++) {
    c->groups[g].behaviour_count = 0;
    c->groups[g].own_weight = THRONG_OWN_WEIGHT_NONE;
    c->groups[g].queue.width = 0.0f;
    if (c->groups[g].avoidance.form == THRONG_AVOIDANCE_RECIPROCAL)
      c->groups[g].avoidance.form = THRONG_AVOIDANCE_PREDICT;
    c->groups[g].pace.on = false;
    c->groups[g].walls_hide = false;
    c->groups[g].alignment.turns = false;
    if (c->groups[g].facing == THRONG_FACING_STEERED) c->groups[g].facing = THRONG_FACING_INSTANT;
    if (c->groups[g].actuation == THRONG_ACTUATION_RIGID_BODY) c->groups[g].actuation = THRONG_ACTUATION_FREE;
  }
  return c;
}

static throng_passes *passes_of(const crowd *c, const crowd_world_options *options) {
  const throng_world_def def = crowd_world_def(c, options);
  throng_passes *passes = NULL;
  throng_error error;
  require_ok(throng_passes_create(&def, &passes, &error), &error);
  for (uint32_t g = 0; g < c->group_count; g++)
    require_ok(throng_passes_set_group(passes, g, &c->groups[g], &error), &error);
  return passes;
}

/* Returns a definition whose spans read the crowd's agents. */
static throng_passes_agents_def entities(const crowd *c, uint64_t frame) {
  throng_passes_agents_def def = throng_default_passes_agents_def();
  def.count = c->count;
  def.frame = frame;
  def.position = (throng_vectors)FIELD(c->agents, position);
  def.velocity = (throng_vectors)FIELD(c->agents, velocity);
  def.facing = (throng_vectors)FIELD(c->agents, facing);
  def.group = (throng_span){&c->agents->group, sizeof *c->agents};
  def.perception_radius = (throng_span){&c->agents->perception, sizeof *c->agents};
  def.body_radius = (throng_span){&c->agents->body, sizeof *c->agents};
  def.mass = (throng_span){&c->agents->mass, sizeof *c->agents};
  def.max_speed = (throng_span){&c->agents->max_speed, sizeof *c->agents};
  return def;
}

/* Runs one frame that reads and writes the crowd's agents in place. */
static throng_status frame_of(throng_passes *passes, crowd *c, uint64_t frame, throng_error *error) {
  const throng_passes_agents_def agents = entities(c, frame);
  const throng_passes_wishes wishes = {.acceleration = FIELD(c->agents, acceleration)};
  const throng_vectors acceleration = FIELD(c->agents, acceleration);
  const throng_passes_moved moved = {.position = FIELD(c->agents, position),
                                     .velocity = FIELD(c->agents, velocity),
                                     .facing = FIELD(c->agents, facing)};
  throng_status status = throng_passes_build_grid(passes, &agents, error);
  if (status == THRONG_OK) status = throng_passes_run_neighbours(passes, DT, &wishes, error);
  return status == THRONG_OK ? throng_passes_run_integrate(passes, DT, &acceleration, &moved, error) : status;
}

/* Steps the world and the passes together and checks that both have the same bits, or fail with the same error. Returns
 * the number of frames before the first failure. */
static uint32_t step_together(crowd *c, throng_world *world, throng_passes *passes, uint32_t frames) {
  for (uint32_t frame = 0; frame < frames; frame++) {
    throng_error of_world = {0}, of_passes = {0};
    const throng_status expected = throng_world_step(world, DT, &of_world);
    const throng_status got = frame_of(passes, c, frame, &of_passes);
    if (got != expected) print_error("seed %llu, frame %u: %s\n", (unsigned long long)c->seed, frame, of_passes.text);
    assert_int_equal(got, expected);
    if (got != THRONG_OK) {
      assert_int_equal(of_passes.agent.index, of_world.agent.index);
      assert_string_equal(of_passes.text, of_world.text);
    }
    require_crowd(c, world, MOTION_COLUMNS, "own columns");
    require_sound(throng_passes_get_world(passes), "own columns");
    if (got != THRONG_OK) return frame;
  }
  return frames;
}

static void frames_are_a_worlds(void **state) {
  (void)state;
  uint32_t frames = 0;
  for (uint32_t k = 0; k < 90; k++) {
    crowd *c = plain_crowd(k, k % 7 == 6 ? 0 : 20 + 13 * k % 300);
    const crowd_world_options options = {.threads = 1 + k % 3,
                                         .isa = k % 4 == 3 ? THRONG_ISA_BASELINE : THRONG_ISA_AUTO};
    throng_world *world = crowd_world(c, NULL);
    throng_passes *passes = passes_of(c, &options);
    crowd_import(c, world);
    frames += step_together(c, world, passes, 8);
    throng_passes_destroy(passes);
    throng_world_destroy(world);
    crowd_free(c);
  }
  print_message("%u frames of 720\n", frames);
  assert_true(frames > 600);
}

/* The number of agents may change between frames. Agents of earlier frames must have no effect. */
static void numbers_may_change(void **state) {
  (void)state;
  crowd *c = plain_crowd(6, 400);
  throng_passes *kept = passes_of(c, NULL);
  test_rng rng = rng_from(base_seed);
  const uint32_t all = c->count;
  for (uint32_t round = 0; round < 40; round++) {
    crowd *few = crowd_copy(c);
    few->count = round % 9 == 4 ? 0 : rng_below(&rng, all + 1);
    crowd *same = crowd_copy(few);
    throng_passes *fresh = passes_of(c, NULL);
    throng_error error;
    require_ok(frame_of(kept, few, round, &error), &error);
    require_ok(frame_of(fresh, same, round, &error), &error);
    assert_memory_equal(few->agents, same->agents, few->count * sizeof *few->agents);
    require_sound(throng_passes_get_world(kept), "fewer, more");
    assert_true(throng_agents_count(throng_passes_get_world(kept)) == few->count);
    throng_passes_destroy(fresh);
    crowd_free(same);
    crowd_free(few);
  }
  throng_passes_destroy(kept);
  crowd_free(c);
}

static void facing_is_along_the_velocity(void **state) {
  (void)state;
  for (uint32_t k = 0; k < 12; k++) {
    crowd *c = plain_crowd(k, 150);
    throng_passes *passes = passes_of(c, NULL);
    throng_passes_agents_def agents = entities(c, 0);
    throng_agents_def def = throng_default_agents_def();
    def.position = (throng_span){&c->agents->position, sizeof *c->agents};
    def.velocity = (throng_span){&c->agents->velocity, sizeof *c->agents};
    const throng_world_def world_def = crowd_world_def(c, NULL);
    throng_world *world = NULL;
    throng_error error;
    agents.facing.x = NULL;
    require_ok(throng_world_create(&world_def, &world, &error), &error);
    require_ok(throng_agents_add(world, &def, c->count, NULL, &error), &error);
    require_ok(throng_passes_build_grid(passes, &agents, &error), &error);
    const uint64_t column = THRONG_BIT(THRONG_COLUMN_FACING);
    assert_true(throng_world_hash(world, column) == throng_world_hash(throng_passes_get_world(passes), column));
    throng_world_destroy(world);
    throng_passes_destroy(passes);
    crowd_free(c);
  }
}

/* The passes write the acceleration of each rule separately. It must be equal to that rule's contribution in the
 * world's explanation of the agent. */
static void wishes_are_those_explained(void **state) {
  (void)state;
  static const char *const names[] = {"separation", "cohesion", "alignment", "avoidance", "attraction"};
  for (uint32_t k = 0; k < 30; k++) {
    crowd *c = plain_crowd(k, 90);
    throng_world *world = crowd_world(c, NULL);
    throng_passes *passes = passes_of(c, NULL);
    crowd_import(c, world);
    throng_vec3(*rule)[6] = calloc(c->count, sizeof *rule);
    const size_t stride = sizeof *rule;
    throng_error error;
    const throng_passes_agents_def agents = entities(c, 0);
#define OUT(n)                                                                                                         \
  { &rule[0][n].x, &rule[0][n].y, &rule[0][n].z, stride }
    const throng_passes_wishes wishes = {OUT(0), OUT(1), OUT(2), OUT(3), OUT(4), OUT(5)};
#undef OUT
    memset(rule, 0x55, c->count * sizeof *rule);
    require_ok(throng_passes_build_grid(passes, &agents, &error), &error);
    require_ok(throng_passes_run_neighbours(passes, DT, &wishes, &error), &error);
    for (uint32_t i = 0; i < c->count; i++) {
      throng_explanation explanation;
      throng_vec3 expected[5] = {{0}};
      require_ok(throng_world_watch(world, c->agents[i].id, &error), &error);
      require_ok(throng_world_steer(world, DT, &error), &error);
      require_ok(throng_world_explain(world, c->agents[i].id, &explanation, &error), &error);
      for (uint32_t n = 0; n < explanation.count; n++) {
        for (int r = 0; r < 5; r++) {
          if (strcmp(explanation.contribution[n].name, names[r]) == 0)
            expected[r] = explanation.contribution[n].acceleration;
        }
      }
      assert_memory_equal(rule[i], expected, sizeof expected);
      assert_memory_equal(&rule[i][5], &explanation.acceleration, sizeof explanation.acceleration);
    }
    free(rule);
    throng_passes_destroy(passes);
    throng_world_destroy(world);
    crowd_free(c);
  }
}

/* One array per coordinate gives the same bits as an array of structs. throng_passes_get_order returns the grid
 * order. */
static void arrays_and_order(void **state) {
  (void)state;
  for (uint32_t k = 0; k < 6; k++) {
    crowd *c = plain_crowd(k, 333);
    throng_passes *passes = passes_of(c, NULL);
    float p[3][333], v[3][333], a[2][3][333];
    for (uint32_t i = 0; i < c->count; i++) {
      const crowd_agent *agent = &c->agents[i];
      p[0][i] = agent->position.x, p[1][i] = agent->position.y, p[2][i] = agent->position.z;
      v[0][i] = agent->velocity.x, v[1][i] = agent->velocity.y, v[2][i] = agent->velocity.z;
    }
    throng_passes_agents_def agents = entities(c, 0);
    throng_error error;
    for (int separate = 0; separate < 2; separate++) {
      if (separate) agents.position = (throng_vectors){p[0], p[1], p[2], 0};
      if (separate) agents.velocity = (throng_vectors){v[0], v[1], v[2], 0};
      const throng_passes_wishes wishes = {.acceleration = {a[separate][0], a[separate][1], a[separate][2], 0}};
      require_ok(throng_passes_build_grid(passes, &agents, &error), &error);
      require_ok(throng_passes_run_neighbours(passes, DT, &wishes, &error), &error);
    }
    assert_memory_equal(a[0], a[1], sizeof a[0]);
    uint32_t order[333];
    throng_view view;
    require_ok(throng_passes_get_order(passes, order, 333, &error), &error);
    require_ok(throng_world_view(throng_passes_get_world(passes), &view, &error), &error);
    bool met[333] = {false};
    for (uint32_t n = 0; n < c->count; n++) {
      assert_true(order[n] < c->count && !met[order[n]]);
      met[order[n]] = true;
      assert_true(view.position_x[n] == c->agents[order[n]].position.x);
    }
    throng_passes_destroy(passes);
    crowd_free(c);
  }
}

/* The host's floating-point environment changes no bit. */
static void any_float_environment(void **state) {
  (void)state;
  for (int kind = 0; kind < FLOATS_KIND_COUNT; kind++) {
    crowd *c = plain_crowd(7, 200), *same = crowd_copy(c);
    throng_passes *passes = passes_of(c, NULL), *odd = passes_of(c, NULL);
    throng_group_def wrong = throng_default_group_def();
    wrong.max_speed = NAN;
    throng_error error, of_odd;
    for (uint32_t frame = 0; frame < 5; frame++) {
      const throng_status expected = frame_of(passes, c, frame, &error);
      const fp_environment usual = fp_get();
      fp_set(fp_make((fp_kind)kind));
      const throng_status got = frame_of(odd, same, frame, &of_odd);
      const throng_status refused = throng_passes_set_group(odd, 0, &wrong, NULL);
      fp_set(usual);
      assert_int_equal(got, expected);
      assert_int_equal(refused, THRONG_ERROR_NOT_FINITE);
    }
    assert_memory_equal(c->agents, same->agents, c->count * sizeof *c->agents);
    throng_passes_destroy(odd);
    throng_passes_destroy(passes);
    crowd_free(same);
    crowd_free(c);
  }
}

static void nothing_unasked_is_written(void **state) {
  (void)state;
  crowd *c = plain_crowd(0, 60); /* planar */
  crowd *before = crowd_copy(c);
  throng_passes *passes = passes_of(c, NULL);
  const throng_passes_agents_def agents = entities(c, 0);
  const throng_passes_wishes nothing = {0};
  const throng_passes_moved nowhere = {0};
  const throng_vectors still = FIELD(before->agents, pattern_way); /* zeros */
  throng_error error;
  require_ok(throng_passes_build_grid(passes, &agents, &error), &error);
  require_ok(throng_passes_run_neighbours(passes, DT, &nothing, &error), &error);
  require_ok(throng_passes_run_integrate(passes, DT, &still, &nowhere, &error), &error);
  assert_memory_equal(c->agents, before->agents, c->count * sizeof *c->agents);
  for (uint32_t i = 0; i < c->count; i++) c->agents[i].position.y = 3.0f, c->agents[i].velocity.y = 4.0f;
  require_ok(frame_of(passes, c, 0, &error), &error);
  for (uint32_t i = 0; i < c->count; i++) {
    assert_true(c->agents[i].position.y == 3.0f && c->agents[i].velocity.y == 0.0f); /* planar */
    assert_true(c->agents[i].facing.y == before->agents[i].facing.y);
  }
  throng_passes_destroy(passes);
  crowd_free(before);
  crowd_free(c);
}

static void frames_allocate_nothing(void **state) {
  (void)state;
  crowd *c = plain_crowd(2, 300);
  test_memory memory = {0};
  const throng_allocator allocator = test_allocator(&memory);
  const crowd_world_options options = {.threads = 2, .allocator = &allocator, .capacity = 300};
  throng_passes *passes = passes_of(c, &options);
  throng_error error;
  require_ok(frame_of(passes, c, 0, &error), &error); /* allocates the columns of the radii */
  const uint64_t calls = memory.calls;
  for (uint32_t frame = 1; frame < 20; frame++) require_ok(frame_of(passes, c, frame, &error), &error);
  assert_true(memory.calls == calls);
  throng_passes_destroy(passes);
  assert_true(memory.live == 0 && memory.mistakes == 0);
  crowd_free(c);
}

/* Each allocation fails in turn: the call returns OUT_OF_MEMORY, leaks nothing, and succeeds at the next try. */
static void allocations_may_fail(void **state) {
  (void)state;
  crowd *c = plain_crowd(2, 100);
  throng_status status = THRONG_ERROR_OUT_OF_MEMORY;
  for (uint64_t k = 1; status != THRONG_OK; k++) {
    test_memory memory = {.fail_at = k};
    throng_world_def def = crowd_world_def(c, NULL);
    def.allocator = test_allocator(&memory);
    throng_passes *passes = NULL;
    throng_error error;
    status = throng_passes_create(&def, &passes, &error);
    if (status != THRONG_OK) assert_null(passes);
    if (status == THRONG_OK) {
      const throng_passes_agents_def agents = entities(c, 0);
      throng_group_def flock = throng_default_group_def();
      bool set_failed = false;
      for (uint32_t g = 0; g < c->group_count; g++) {
        const throng_status set = throng_passes_set_group(passes, g, &flock, &error);
        if (set == THRONG_OK) continue;
        require_error(set, THRONG_ERROR_OUT_OF_MEMORY, &error);
        require_ok(throng_passes_set_group(passes, g, &flock, &error), &error);
        set_failed = true;
      }
      status = throng_passes_build_grid(passes, &agents, &error);
      if (status != THRONG_OK) {
        require_error(throng_passes_get_order(passes, NULL, 0, &error), THRONG_ERROR_NOT_INDEXED, &error);
        memory.fail_at = 0;
        require_ok(throng_passes_build_grid(passes, &agents, &error), &error);
      }
      require_sound(throng_passes_get_world(passes), "after a failed allocation");
      if (set_failed) status = THRONG_ERROR_OUT_OF_MEMORY; /* later allocations have not failed yet */
    }
    if (status != THRONG_OK) assert_int_equal(status, THRONG_ERROR_OUT_OF_MEMORY);
    throng_passes_destroy(passes);
    assert_true(memory.live == 0 && memory.mistakes == 0);
    assert_true(k < 1000);
  }
  crowd_free(c);
}

static void wrong_groups_and_definitions(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  throng_passes *passes = NULL;
  WRONG(NULL_ARGUMENT, "def", throng_passes_create, NULL, &passes);
  WRONG(NULL_ARGUMENT, "out", throng_passes_create, &def, NULL);
  def.cookie++;
  WRONG(BAD_COOKIE, "cookie", throng_passes_create, &def, &passes);
  assert_null(passes);
  def = throng_default_world_def();
  require_ok(throng_passes_create(&def, &passes, NULL), NULL);
  throng_group_def g = throng_default_group_def();
  WRONG(NULL_ARGUMENT, "passes", throng_passes_set_group, NULL, 0, &g);
  WRONG(NULL_ARGUMENT, "def", throng_passes_set_group, passes, 0, NULL);
  WRONG(BAD_VALUE, "256", throng_passes_set_group, passes, 256, &g);
  throng_group_def_add(&g, THRONG_BEHAVIOUR_SEEK);
  WRONG(UNSUPPORTED, "list", throng_passes_set_group, passes, 0, &g);
  g = throng_default_group_def();
  g.queue.width = 1.0f;
  WRONG(UNSUPPORTED, "queue", throng_passes_set_group, passes, 0, &g);
  g = throng_default_group_def();
  g.avoidance.weight = 1.0f;
  g.avoidance.form = THRONG_AVOIDANCE_RECIPROCAL;
  g.avoidance.radius = 0.0f;
  WRONG(UNSUPPORTED, "reciprocal", throng_passes_set_group, passes, 0, &g);
  g = throng_default_group_def();
  g.facing = THRONG_FACING_STEERED;
  g.max_yaw_rate = 3.0f;
  WRONG(UNSUPPORTED, "STEERED", throng_passes_set_group, passes, 0, &g);
  g.facing = THRONG_FACING_INSTANT;
  g.max_speed = NAN;
  WRONG(NOT_FINITE, "max_speed", throng_passes_set_group, passes, 0, &g);
  SURVIVES(throng_passes_destroy, NULL);
  ANSWERS(NULL, throng_passes_get_world, NULL);
  throng_passes_destroy(passes);
}

/* One agent of many has a wrong value: the error names the agent. */
static void wrong_agents(void **state) {
  (void)state;
  crowd *c = plain_crowd(1, 50); /* spatial */
  throng_passes *passes = passes_of(c, NULL);
  throng_passes_agents_def agents = entities(c, 0);
  WRONG(NULL_ARGUMENT, "passes", throng_passes_build_grid, NULL, &agents);
  WRONG(NULL_ARGUMENT, "agents", throng_passes_build_grid, passes, NULL);
  crowd_agent *bad = &c->agents[6];
  const crowd_agent good = *bad;
  const struct {
    float *where, value;
    throng_status status;
  } values[] = {
      {&bad->position.x, NAN, THRONG_ERROR_NOT_FINITE},     {&bad->position.y, INFINITY, THRONG_ERROR_NOT_FINITE},
      {&bad->position.z, 1e30f, THRONG_ERROR_OUT_OF_RANGE}, {&bad->velocity.y, NAN, THRONG_ERROR_NOT_FINITE},
      {&bad->velocity.x, 1e19f, THRONG_ERROR_OUT_OF_RANGE}, {&bad->facing.z, NAN, THRONG_ERROR_NOT_FINITE},
      {&bad->facing.x, 1e30f, THRONG_ERROR_BAD_VALUE},      {&bad->body, -1.0f, THRONG_ERROR_BAD_VALUE},
      {&bad->perception, 0.0f, THRONG_ERROR_BAD_VALUE},     {&bad->mass, INFINITY, THRONG_ERROR_NOT_FINITE}};
  throng_error error;
  for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
    agents.count = c->count - (uint32_t)k % 3;
    require_ok(throng_passes_build_grid(passes, &agents, &error), &error);
    require_sound(throng_passes_get_world(passes), "before a bad agent"); /* looks up every id */
    agents.count = c->count;
    *values[k].where = values[k].value;
    require_error(throng_passes_build_grid(passes, &agents, &error), values[k].status, &error);
    assert_int_equal(error.agent.index, 7);
    require_error(throng_passes_get_order(passes, NULL, 0, &error), THRONG_ERROR_NOT_INDEXED, &error);
    require_sound(throng_passes_get_world(passes), "after a bad agent");
    assert_false(throng_world_is_indexed(throng_passes_get_world(passes)));
    *bad = good;
  }
  bad->group = 200;
  require_error(throng_passes_build_grid(passes, &agents, &error), THRONG_ERROR_NO_GROUP, &error);
  *bad = good;
  agents.position.z = NULL;
  WRONG(NULL_ARGUMENT, "position.z", throng_passes_build_grid, passes, &agents);
  agents = entities(c, 0);
  agents.velocity.stride = 6;
  WRONG(BAD_VALUE, "velocity.stride", throng_passes_build_grid, passes, &agents);
  agents = entities(c, 0);
  agents.count = UINT32_MAX; /* refused before any agent is read */
  WRONG(CAPACITY, "4294967295", throng_passes_build_grid, passes, &agents);
  agents = entities(c, 0);
  agents.cookie = 0;
  WRONG(BAD_COOKIE, "cookie", throng_passes_build_grid, passes, &agents);
  throng_passes_destroy(passes);
  crowd_free(c);
}

static void wrong_frames(void **state) {
  (void)state;
  crowd *c = plain_crowd(1, 50);
  throng_passes *passes = passes_of(c, NULL);
  const throng_passes_agents_def agents = entities(c, 0);
  throng_passes_wishes wishes = {.acceleration = FIELD(c->agents, acceleration)};
  throng_vectors acceleration = FIELD(c->agents, acceleration);
  throng_passes_moved moved = {.position = FIELD(c->agents, position)};
  uint32_t order[50];
  throng_error error;
  WRONG(NOT_INDEXED, "grid", throng_passes_get_order, passes, order, 50);
  WRONG(NOT_INDEXED, "grid", throng_passes_run_neighbours, passes, DT, &wishes);
  WRONG(NOT_INDEXED, "grid", throng_passes_run_integrate, passes, DT, &acceleration, &moved);
  require_ok(throng_passes_build_grid(passes, &agents, &error), &error);
  WRONG(NULL_ARGUMENT, "passes", throng_passes_get_order, NULL, order, 50);
  WRONG(NULL_ARGUMENT, "order", throng_passes_get_order, passes, NULL, 50);
  WRONG(CAPACITY, "49", throng_passes_get_order, passes, order, 49);
  WRONG(NULL_ARGUMENT, "passes", throng_passes_run_neighbours, NULL, DT, &wishes);
  WRONG(NULL_ARGUMENT, "wishes", throng_passes_run_neighbours, passes, DT, NULL);
  WRONG(NOT_FINITE, "dt", throng_passes_run_neighbours, passes, NAN, &wishes);
  WRONG(BAD_VALUE, "dt", throng_passes_run_neighbours, passes, 1.5f, &wishes);
  wishes.cohesion.x = &c->agents->goal.x;
  WRONG(NULL_ARGUMENT, "cohesion.y", throng_passes_run_neighbours, passes, DT, &wishes);
  WRONG(NULL_ARGUMENT, "passes", throng_passes_run_integrate, NULL, DT, &acceleration, &moved);
  WRONG(NULL_ARGUMENT, "acceleration", throng_passes_run_integrate, passes, DT, NULL, &moved);
  WRONG(NULL_ARGUMENT, "moved", throng_passes_run_integrate, passes, DT, &acceleration, NULL);
  WRONG(BAD_VALUE, "dt", throng_passes_run_integrate, passes, -1.0f, &acceleration, &moved);
  acceleration.y = NULL;
  WRONG(NULL_ARGUMENT, "acceleration.y", throng_passes_run_integrate, passes, DT, &acceleration, &moved);
  acceleration.y = &c->agents->acceleration.y;
  moved.velocity = (throng_vectors_out){&c->agents->velocity.x, &c->agents->velocity.y, NULL, sizeof *c->agents};
  WRONG(NULL_ARGUMENT, "velocity.z", throng_passes_run_integrate, passes, DT, &acceleration, &moved);
  moved.velocity.x = NULL;
  crowd *before = crowd_copy(c);
  c->agents[40].acceleration.y = before->agents[40].acceleration.y = NAN;
  WRONG(NOT_FINITE, "agent 41", throng_passes_run_integrate, passes, DT, &acceleration, &moved);
  assert_memory_equal(c->agents, before->agents, c->count * sizeof *c->agents);
  crowd_free(before);
  throng_passes_destroy(passes);
  crowd_free(c);
}

int main(void) {
  base_seed = test_seed("passes", 6006);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frames_are_a_worlds),
      cmocka_unit_test(numbers_may_change),
      cmocka_unit_test(facing_is_along_the_velocity),
      cmocka_unit_test(wishes_are_those_explained),
      cmocka_unit_test(arrays_and_order),
      cmocka_unit_test(any_float_environment),
      cmocka_unit_test(nothing_unasked_is_written),
      cmocka_unit_test(frames_allocate_nothing),
      cmocka_unit_test(allocations_may_fail),
      cmocka_unit_test(wrong_groups_and_definitions),
      cmocka_unit_test(wrong_agents),
      cmocka_unit_test(wrong_frames),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
