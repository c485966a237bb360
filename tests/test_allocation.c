/* tests/test_allocation.c: a frame and a query allocate nothing; an allocator that fails at any call leaves the world as it was
 * and nothing behind; sizes and alignments given back are those that were asked for.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/crowds.h"
#include "support/malloc_count.h"
#include "support/memory.h"
#include "support/groups.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t base_seed;

/* Everything that must not allocate. */
static void use(throng_world *world, const crowd *c) {
  static throng_neighbour found[4096];
  static uint32_t counts[16];
  throng_vec3 centres[16];
  throng_status status = THRONG_OK;
  for (uint32_t k = 0; k < 16; k++) centres[k] = c->agents[k % c->count].position;
  const float r = c->def.perception_radius;
  for (uint32_t frame = 0; frame < 20 && status == THRONG_OK; frame++) {
    status = throng_step(world, 0.02f, NULL);
    if (status == THRONG_OK) status = throng_steer(world, 0.02f, NULL);
    if (status == THRONG_OK) status = throng_integrate(world, 0.02f, NULL);
    uint32_t count = 0;
    throng_query_radius(world, centres[frame % 16], r, THRONG_ALL_LAYERS, found, 4096, &count, NULL);
    throng_query_nearest(world, centres[frame % 16], 20, THRONG_ALL_LAYERS, found, &count, NULL);
    throng_query_radius_batch(world, centres, 16, r, THRONG_ALL_LAYERS, found, 256, counts, NULL);
    throng_query_nearest_batch(world, centres, 16, 30, THRONG_ALL_LAYERS, found, counts, NULL);
    (void)throng_world_hash(world, 0);
  }
  assert_int_equal(status, THRONG_OK);
}

static void frames_and_queries_allocate_nothing(void **state) {
  (void)state;
  uint64_t seed = base_seed;
  for (uint32_t layout = 0; layout < LAYOUT_COUNT; layout++)
    for (uint32_t boundary = 0; boundary < 3; boundary++)
      for (uint32_t threads = 1; threads <= 2; threads++) {
        const crowd_recipe recipe = {
            (throng_space)(seed % 2), (throng_boundary)boundary, (crowd_layout)layout, 300, true, false};
        crowd *c = crowd_random(seed++, &recipe);
        test_memory memory = {0};
        const throng_allocator allocator = test_allocator(&memory);
        const crowd_world_options options = {.threads = threads, .allocator = &allocator};
        throng_world *world = crowd_world(c, &options);
        const uint64_t before = memory.calls, mallocs = malloc_count();
        use(world, c);
        if (memory.calls != before)
          print_error("%s: %u allocations\n", crowd_layout_name(recipe.layout), (unsigned)(memory.calls - before));
        assert_true(memory.calls == before);
        /* OpenMP's own threads are its own affair. */
        if (threads == 1 && malloc_is_counted()) assert_true(malloc_count() == mallocs);
        throng_world_destroy(world);
        assert_true(memory.live == 0 && memory.live_bytes == 0 && memory.mistakes == 0);
        crowd_free(c);
      }
}

/* The library takes its memory from the definition's allocator alone. */
static void nothing_goes_past_the_allocator(void **state) {
  (void)state;
  if (!malloc_is_counted()) skip();
  const crowd_recipe recipe = {THRONG_PLANAR, THRONG_BOX, LAYOUT_UNIFORM, 500, true, false};
  crowd *c = crowd_random(base_seed + 1, &recipe);
  test_memory memory = {0};
  const throng_allocator allocator = test_allocator(&memory);
  const crowd_world_options options = {.threads = 1, .allocator = &allocator};
  throng_world_def def = crowd_world_def(c, &options);
  throng_world *world = NULL;
  const uint64_t mallocs = malloc_count();
  assert_int_equal(throng_world_create(&def, &world, NULL), THRONG_OK);
  assert_int_equal(throng_agents_reserve(world, 2000, NULL), THRONG_OK);
  assert_true(malloc_count() - mallocs == memory.calls); /* one malloc for each call of the test's allocator */
  throng_world_destroy(world);
  assert_true(memory.live == 0 && memory.mistakes == 0);
  crowd_free(c);
}

static void adding_within_the_capacity_allocates_nothing(void **state) {
  (void)state;
  const crowd_recipe recipe = {THRONG_SPATIAL, THRONG_UNBOUNDED, LAYOUT_UNIFORM, 500, true, false};
  crowd *c = crowd_random(base_seed + 2, &recipe);
  test_memory memory = {0};
  const throng_allocator allocator = test_allocator(&memory);
  const crowd_world_options options = {.threads = 1, .allocator = &allocator, .capacity = 600};
  throng_world *world = crowd_world(c, &options);
  const uint64_t before = memory.calls;
  throng_vec3 p[100] = {{0, 0, 0}};
  throng_agent_id ids[100];
  throng_agents_def def = throng_default_agents_def();
  throng_error error;
  def.position = (throng_span){p, 0};
  for (uint32_t round = 0; round < 20; round++) {
    require_ok(throng_agents_add(world, &def, 100, ids, &error), &error);
    require_ok(throng_step(world, 0.1f, &error), &error);
    require_ok(throng_agents_remove(world, ids, 100, &error), &error);
  }
  assert_true(memory.calls == before);
  throng_world_destroy(world);
  assert_true(memory.live == 0 && memory.mistakes == 0);
  crowd_free(c);
}

static void create_fails_cleanly(void **state) {
  (void)state;
  for (uint32_t space = 0; space < 2; space++) {
    uint64_t k = 1;
    for (;; k++) {
      test_memory memory = {.fail_at = k};
      throng_world_def def = throng_default_world_def();
      throng_world *world = NULL;
      throng_error error;
      def.space = (throng_space)space;
      def.thread_count = 2;
      def.capacity = 100;
      def.allocator = test_allocator(&memory);
      const throng_status status = throng_world_create(&def, &world, &error);
      if (status == THRONG_OK) {
        assert_true(memory.calls < k); /* the failing call never came */
        throng_world_destroy(world);
        assert_true(memory.live == 0);
        break;
      }
      require_error(status, THRONG_ERROR_OUT_OF_MEMORY, &error);
      assert_null(world);
      assert_true(memory.live == 0 && memory.mistakes == 0);
    }
    assert_true(k > 1);
  }
}

/* A call that allocates, by number. */
typedef throng_status action(throng_world *world, const crowd *c, throng_error *error);

static throng_status add_many(throng_world *world, const crowd *c, throng_error *error) {
  static throng_vec3 p[3000];
  static float radii[3000];
  for (uint32_t k = 0; k < 3000; k++) p[k] = c->agents[k % c->count].position, radii[k] = c->def.perception_radius;
  throng_agents_def def = throng_default_agents_def();
  def.position = (throng_span){p, 0};
  def.goal = (throng_span){p, 0};
  def.perception_radius = def.body_radius = def.mass = (throng_span){radii, 0};
  return throng_agents_add(world, &def, 3000, NULL, error);
}

static throng_status add_far_index(throng_world *world, const crowd *c, throng_error *error) {
  throng_agents_def def = throng_default_agents_def();
  const throng_agent_id id = {5000000, 1, c->def.id_world};
  def.position = (throng_span){&c->agents[0].position, 0};
  return throng_agents_add_with_ids(world, &def, 1, &id, error);
}

static throng_status reserve_many(throng_world *world, const crowd *c, throng_error *error) {
  (void)c;
  return throng_agents_reserve(world, 50000, error);
}

static throng_status set_wanderers(throng_world *world, const crowd *c, throng_error *error) {
  throng_group_def g = c->groups[0];
  group_want(&g, THRONG_BEHAVIOUR_WANDER, 1.0f);
  return throng_group_set(world, 0, &g, error);
}

static throng_status set_solid_wanderers(throng_world *world, const crowd *c, throng_error *error) {
  throng_group_def g = c->groups[0];
  group_want(&g, THRONG_BEHAVIOUR_WANDER, 1.0f);
  g.contact = 1.0f;
  g.body_radius = 0.1f * c->def.perception_radius;
  return throng_group_set(world, 0, &g, error);
}

static throng_status set_followers(throng_world *world, const crowd *c, throng_error *error) {
  throng_group_def g = c->groups[0];
  group_want(&g, THRONG_BEHAVIOUR_WANDER, 1.0f);
  group_want(&g, THRONG_BEHAVIOUR_FOLLOW_PATH, 1.0f)->follow_path.time_to_target = 0.0f;
  return throng_group_set(world, 0, &g, error);
}

static throng_status set_path(throng_world *world, const crowd *c, throng_error *error) {
  throng_path_def def = throng_default_path_def();
  (void)c;
  def.points.data = (const throng_vec3[]){{0, 0, 0}, {1, 0, 0}, {1, 0, 1}};
  def.count = 3;
  return throng_world_set_path(world, 7, &def, error);
}

static throng_status set_players(throng_world *world, const crowd *c, throng_error *error) {
  throng_group_def g = c->groups[0];
  group_want(&g, THRONG_BEHAVIOUR_FOLLOW_PATTERN, 1.0f);
  return throng_group_set(world, 0, &g, error);
}

static throng_status set_pattern(throng_world *world, const crowd *c, throng_error *error) {
  throng_pattern_def def = throng_default_pattern_def();
  (void)c;
  def.instructions = (const throng_pattern_instruction[]){{0, 1, 0, 2}, {1, 0, 1.5f, 0}};
  def.count = 2;
  return throng_world_set_pattern(world, 7, &def, error);
}

static throng_status set_formation(throng_world *world, const crowd *c, throng_error *error) {
  throng_formation_def def = throng_default_formation_def();
  (void)c;
  def.slots.data = (const throng_vec3[]){{0, 0, 0}, {1, 0, 0}, {1, 0, 1}};
  def.count = 3;
  return throng_world_set_formation(world, 7, &def, error);
}

static throng_status set_spinning_wanderers(throng_world *world, const crowd *c, throng_error *error) {
  throng_group_def g = c->groups[0];
  group_want(&g, THRONG_BEHAVIOUR_WANDER, 1.0f);
  g.facing = THRONG_FACING_STEERED;
  g.max_yaw_rate = 3.0f;
  group_want(&g, THRONG_BEHAVIOUR_LOOK, 1.0f);
  return throng_group_set(world, 0, &g, error);
}

static throng_status write_yaw_rate(throng_world *world, const crowd *c, throng_error *error) {
  const float rate = -2.0f;
  return throng_agents_write(world, THRONG_YAW_RATE, &c->agents[1].id, 1, &rate, 0, error);
}

static throng_status write_goals(throng_world *world, const crowd *c, throng_error *error) {
  return throng_agents_write(world, THRONG_GOAL, &c->agents[1].id, 1, &c->agents[0].position, 0, error);
}

static throng_status write_radii(throng_world *world, const crowd *c, throng_error *error) {
  const float r = c->def.perception_radius * 0.5f;
  const throng_status status = throng_agents_write(world, THRONG_PERCEPTION_RADIUS, &c->agents[1].id, 1, &r, 0, error);
  return status;
}

static throng_status write_bodies(throng_world *world, const crowd *c, throng_error *error) {
  const float r = 0.0f;
  return throng_agents_write(world, THRONG_BODY_RADIUS, &c->agents[1].id, 1, &r, 0, error);
}

static throng_status set_cells(throng_world *world, const crowd *c, throng_error *error) {
  static const uint8_t blocked[64 * 64];
  throng_cells_def def = throng_default_cells_def();
  def.width = def.height = 64;
  def.cell = c->def.perception_radius < 1.0f ? 1.0f : c->def.perception_radius;
  def.blocked = blocked;
  return throng_world_set_cells(world, &def, error);
}

static crowd *plain_crowd(uint64_t seed, bool solid) {
  const crowd_recipe recipe = {THRONG_PLANAR, THRONG_UNBOUNDED, LAYOUT_UNIFORM, 40, true, false};
  crowd *c = crowd_random(seed, &recipe);
  for (uint32_t g = 0; g < c->group_count; g++) {
    group_forget(&c->groups[g], THRONG_BEHAVIOUR_WANDER);
    group_look_ahead(&c->groups[g]);
    c->groups[g].contact = solid ? 1.0f : 0.0f;
    c->groups[g].body_radius = 0.1f * c->def.perception_radius;
    group_forget(&c->groups[g], THRONG_BEHAVIOUR_FOLLOW_PATH);
    group_forget(&c->groups[g], THRONG_BEHAVIOUR_FOLLOW_PATTERN);
    group_forget(&c->groups[g], THRONG_BEHAVIOUR_FORMATION);
  }
  for (uint32_t i = 0; i < c->count; i++) {
    c->agents[i].yaw_rate = 0.0f;
    c->agents[i].formation_slot = NAN;
    c->agents[i].goal = (throng_vec3){NAN, NAN, NAN};
    c->agents[i].perception = c->agents[i].body = c->agents[i].mass = NAN;
  }
  return c;
}

/* Lets the k-th allocation of the call fail, for every k there is. */
static void fail_everywhere(action *act, bool solid, const char *what) {
  crowd *c = plain_crowd(base_seed + 3, solid);
  uint64_t k = 1;
  for (;; k++) {
    test_memory memory = {0};
    const throng_allocator allocator = test_allocator(&memory);
    const crowd_world_options options = {.threads = 1, .allocator = &allocator};
    throng_world *world = crowd_world(c, &options);
    throng_error error;
    require_ok(throng_step(world, 0.02f, &error), &error);
    const uint64_t hash = throng_world_hash(world, STATE_COLUMNS), live = memory.live;
    memory.fail_at = memory.calls + k;
    const throng_status status = act(world, c, &error);
    const bool over = memory.calls < memory.fail_at;
    memory.fail_at = 0;
    if (!over && status == THRONG_OK) print_error("%s: allocation %u failed unnoticed\n", what, (unsigned)k);
    assert_int_equal(status, over ? THRONG_OK : THRONG_ERROR_OUT_OF_MEMORY);
    if (!over) {
      assert_int_equal(error.status, THRONG_ERROR_OUT_OF_MEMORY);
      assert_true(throng_world_hash(world, STATE_COLUMNS) == hash);
      assert_true(throng_agent_count(world) == c->count);
      assert_true(throng_world_is_indexed(world));
      /* Some of the new blocks may be in place already, for the next try; the old ones are gone then. */
      if (memory.live != live) print_error("%s: left %d blocks behind\n", what, (int)(memory.live - live));
      assert_true(memory.live == live);
    }
    require_sound(world, what);
    require_ok(throng_step(world, 0.02f, &error), &error);
    require_ok(act(world, c, &error), &error); /* and now it works */
    require_ok(throng_step(world, 0.02f, &error), &error);
    require_sound(world, what);
    throng_world_destroy(world);
    assert_true(memory.live == 0 && memory.mistakes == 0);
    if (over) break;
  }
  assert_true(k > 1); /* it did allocate */
  crowd_free(c);
}

#define FAILING(name, act, solid)                                                                                      \
  static void name(void **s) {                                                                                         \
    (void)s;                                                                                                           \
    fail_everywhere(act, solid, #act);                                                                                 \
  }
FAILING(adding_fails_cleanly, add_many, false)
FAILING(adding_solid_ones_fails_cleanly, add_many, true)
FAILING(reserving_fails_cleanly, reserve_many, true)
FAILING(setting_a_group_fails_cleanly, set_wanderers, false)
FAILING(setting_a_solid_group_fails_cleanly, set_solid_wanderers, false)
FAILING(following_a_path_fails_cleanly, set_followers, false)
FAILING(setting_a_path_fails_cleanly, set_path, false)
FAILING(playing_a_pattern_fails_cleanly, set_players, false)
FAILING(setting_a_pattern_fails_cleanly, set_pattern, false)
FAILING(setting_a_formation_fails_cleanly, set_formation, false)
FAILING(writing_goals_fails_cleanly, write_goals, false)
FAILING(writing_radii_fails_cleanly, write_radii, false)
FAILING(writing_bodies_fails_cleanly, write_bodies, false)
FAILING(setting_cells_fails_cleanly, set_cells, false)
FAILING(setting_two_columns_fails_cleanly, set_spinning_wanderers, true)
FAILING(writing_yaw_rates_fails_cleanly, write_yaw_rate, false)

/* Once only: the second time the index is taken. */
static void a_far_index_fails_cleanly(void **state) {
  (void)state;
  crowd *c = plain_crowd(base_seed + 4, false);
  for (uint64_t k = 1;; k++) {
    test_memory memory = {0};
    const throng_allocator allocator = test_allocator(&memory);
    const crowd_world_options options = {.threads = 1, .allocator = &allocator};
    throng_world *world = crowd_world(c, &options);
    throng_error error;
    const uint64_t hash = throng_world_hash(world, STATE_COLUMNS), live = memory.live;
    memory.fail_at = memory.calls + k;
    const throng_status status = add_far_index(world, c, &error);
    const bool over = memory.calls < memory.fail_at;
    if (!over) {
      require_error(status, THRONG_ERROR_OUT_OF_MEMORY, &error);
      assert_true(throng_world_hash(world, STATE_COLUMNS) == hash && memory.live == live);
    } else {
      require_ok(status, &error);
    }
    require_sound(world, "a far index");
    throng_world_destroy(world);
    assert_true(memory.live == 0 && memory.mistakes == 0);
    if (over) break;
  }
  crowd_free(c);
}

int main(void) {
  base_seed = test_seed("test_allocation", 99);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frames_and_queries_allocate_nothing),
      cmocka_unit_test(nothing_goes_past_the_allocator),
      cmocka_unit_test(adding_within_the_capacity_allocates_nothing),
      cmocka_unit_test(create_fails_cleanly),
      cmocka_unit_test(adding_fails_cleanly),
      cmocka_unit_test(adding_solid_ones_fails_cleanly),
      cmocka_unit_test(reserving_fails_cleanly),
      cmocka_unit_test(setting_a_group_fails_cleanly),
      cmocka_unit_test(setting_a_solid_group_fails_cleanly),
      cmocka_unit_test(following_a_path_fails_cleanly),
      cmocka_unit_test(setting_a_path_fails_cleanly),
      cmocka_unit_test(playing_a_pattern_fails_cleanly),
      cmocka_unit_test(setting_a_pattern_fails_cleanly),
      cmocka_unit_test(setting_a_formation_fails_cleanly),
      cmocka_unit_test(setting_two_columns_fails_cleanly),
      cmocka_unit_test(writing_yaw_rates_fails_cleanly),
      cmocka_unit_test(writing_goals_fails_cleanly),
      cmocka_unit_test(writing_radii_fails_cleanly),
      cmocka_unit_test(writing_bodies_fails_cleanly),
      cmocka_unit_test(setting_cells_fails_cleanly),
      cmocka_unit_test(a_far_index_fails_cleanly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
