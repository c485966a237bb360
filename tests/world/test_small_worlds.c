/* tests/world/test_small_worlds.c: tests that empty and tiny worlds take little memory, and that memory for groups is
 * made when a group needs it.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "support/check.h"
#include "support/memory.h"

#define EMPTY_BYTES (32u * 1024u)         /* of an empty planar world, whatever its boundary */
#define EMPTY_SPATIAL_BYTES (48u * 1024u) /* its torus has 8 times as many cells */
#define EMPTY_WORKER_BYTES (4u * 1024u)   /* of each more thread */
#define FIRST_BYTES (40u * 1024u)         /* that the first agents add, besides those of the workers */
#define FIRST_SPATIAL_BYTES (176u * 1024u)
#define WORKER_BYTES (168u * 1024u) /* of each thread once the world has had agents */
#define AGENTS 10u
#define MANY_WORLDS 10000u /* planar worlds of AGENTS agents */
#define MANY_WORLDS_BYTES ((uint64_t)MANY_WORLDS * 256u * 1024u)

static throng_world *make_world(throng_space space, throng_isa isa, uint32_t threads, test_memory *memory) {
  throng_world_def def = throng_default_world_def();
  throng_world *world = NULL;
  throng_error error;
  def.space = space;
  def.isa = isa;
  def.thread_count = threads;
  def.allocator = test_allocator(memory);
  require_ok(throng_world_create(&def, &world, &error), &error);
  return world;
}

static void release(throng_world *world, const test_memory *memory) {
  throng_world_destroy(world);
  assert_true(memory->live == 0 && memory->live_bytes == 0 && memory->mistakes == 0);
}

static void add_agents(throng_world *world) {
  throng_vec3 position[AGENTS];
  throng_agents_def agents = throng_default_agents_def();
  throng_error error;
  for (uint32_t k = 0; k < AGENTS; k++) position[k] = (throng_vec3){(float)k, 0.0f, (float)(k * k)};
  agents.position.data = position;
  require_ok(throng_agents_add(world, &agents, AGENTS, NULL, &error), &error);
}

/* Steps a world without agents, whole and in halves. That needs no more memory. */
static void step_empty(throng_world *world) {
  throng_error error;
  require_ok(throng_world_step(world, 0.05f, &error), &error);
  require_ok(throng_world_steer(world, 0.05f, &error), &error);
  require_ok(throng_world_integrate(world, 0.05f, &error), &error);
  require_sound(world, "an empty world");
}

static void an_empty_world_is_small(void **state) {
  (void)state;
  for (int isa = THRONG_ISA_AUTO; isa < THRONG_ISA_COUNT; isa++) {
    if (isa != THRONG_ISA_AUTO && !throng_isa_is_available((throng_isa)isa)) continue;
    for (uint32_t threads = 1; threads <= 3; threads++) {
      test_memory planar = {0}, spatial = {0};
      throng_world *plane = make_world(THRONG_SPACE_PLANAR, (throng_isa)isa, threads, &planar);
      throng_world *volume = make_world(THRONG_SPACE_SPATIAL, (throng_isa)isa, threads, &spatial);
      const uint64_t workers = throng_world_get_def(plane).thread_count;
      assert_true(planar.live_bytes <= EMPTY_BYTES + (workers - 1) * EMPTY_WORKER_BYTES);
      assert_true(spatial.live_bytes <= EMPTY_SPATIAL_BYTES + (workers - 1) * EMPTY_WORKER_BYTES);
      step_empty(plane);
      step_empty(volume);
      add_agents(plane);
      add_agents(volume);
      assert_true(planar.live_bytes <= EMPTY_BYTES + FIRST_BYTES + workers * WORKER_BYTES);
      assert_true(spatial.live_bytes <= EMPTY_SPATIAL_BYTES + FIRST_SPATIAL_BYTES + workers * WORKER_BYTES);
      release(plane, &planar);
      release(volume, &spatial);
    }
  }
}

/* The cells of a periodic world are made with its first agents. */
static void an_empty_periodic_world_is_as_small(void **state) {
  (void)state;
  for (int space = 0; space < 2; space++) {
    test_memory memory = {0};
    throng_world_def def = throng_default_world_def();
    throng_world *world = NULL;
    throng_error error;
    def.space = (throng_space)space;
    def.thread_count = 1;
    def.allocator = test_allocator(&memory);
    throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
    def.box_max = (throng_vec3){100.0f, 100.0f, 100.0f};
    require_ok(throng_world_create(&def, &world, &error), &error);
    assert_true(memory.live_bytes <= (space ? EMPTY_SPATIAL_BYTES : EMPTY_BYTES));
    step_empty(world);
    add_agents(world);
    step_empty(world);
    release(world, &memory);
  }
}

/* Guides that are not set take no memory, also after one was refused or removed. */
static void memory_for_guides_is_made_when_one_is_set(void **state) {
  (void)state;
  test_memory memory = {0};
  throng_world *world = make_world(THRONG_SPACE_PLANAR, THRONG_ISA_AUTO, 1, &memory);
  const throng_vec3 points[2] = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}};
  const uint64_t empty = memory.live_bytes;
  throng_path_def path = throng_default_path_def();
  throng_error error;
  path.points.data = points;
  path.count = 1;
  assert_int_not_equal(throng_world_set_path(world, 63, &path, &error), THRONG_OK);
  require_ok(throng_world_set_path(world, 63, NULL, &error), &error);
  assert_true(memory.live_bytes == empty);
  path.count = 2;
  require_ok(throng_world_set_path(world, 63, &path, &error), &error);
  const uint64_t one = memory.live_bytes;
  require_ok(throng_world_set_path(world, 63, NULL, &error), &error);
  assert_true(throng_world_path_length(world, 63) == 0.0f && throng_world_path_length(world, 0) == 0.0f);
  assert_true(one > empty && memory.live_bytes == empty);
  require_ok(throng_world_set_path(world, 0, &path, &error), &error);
  assert_true(memory.live_bytes == one);
  release(world, &memory);
}

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Returns the smallest time of a step in microseconds when `count` worlds are stepped in turn. */
static double step_time(throng_world *const *worlds, uint32_t count) {
  const uint32_t rounds = 3000 / count;
  double best = 1e9;
  for (int trial = 0; trial < 3; trial++) {
    const double begin = seconds();
    for (uint32_t round = 0; round < rounds; round++)
      for (uint32_t k = 0; k < count; k++) throng_world_step(worlds[k], 0.02f, NULL);
    const double time = (seconds() - begin) / (rounds * count) * 1e6;
    if (time < best) best = time;
  }
  return best;
}

/* Prints how much longer a step takes when the caches hold other worlds. That depends on the machine: the test counts
 * only bytes. */
static void one_of_many_worlds_takes_little_memory(void **state) {
  (void)state;
  enum { WORLDS = 1000 };
  static throng_world *worlds[WORLDS];
  test_memory memory = {0};
  for (uint32_t k = 0; k < WORLDS; k++) {
    worlds[k] = make_world(THRONG_SPACE_PLANAR, THRONG_ISA_AUTO, 1, &memory);
    add_agents(worlds[k]);
    throng_world_step(worlds[k], 0.02f, NULL);
  }
  const double alone = step_time(worlds, 1), many = step_time(worlds, WORLDS);
  printf("a step of a world of %u agents: alone %.2f us, one of %u worlds %.2f us: %.1f times\n", AGENTS, alone, WORLDS,
         many, many / alone);
  assert_true(memory.live_bytes <= (uint64_t)WORLDS * (EMPTY_BYTES + FIRST_BYTES + WORKER_BYTES));
  for (uint32_t k = 0; k < WORLDS; k++) throng_world_destroy(worlds[k]);
  assert_true(memory.live == 0 && memory.live_bytes == 0 && memory.mistakes == 0);
}

/* Makes some worlds and counts their bytes: all worlds take the same. */
static void ten_thousand_worlds_of_ten_agents_fit(void **state) {
  (void)state;
  throng_world *worlds[16];
  test_memory memory = {0};
  throng_error error;
  const uint32_t count = sizeof worlds / sizeof *worlds;
  for (uint32_t k = 0; k < count; k++) {
    worlds[k] = make_world(THRONG_SPACE_PLANAR, THRONG_ISA_AUTO, 1, &memory);
    add_agents(worlds[k]);
    require_ok(throng_world_step(worlds[k], 0.05f, &error), &error);
    require_sound(worlds[k], "a tiny world");
  }
  assert_true(memory.live_bytes * MANY_WORLDS <= MANY_WORLDS_BYTES * count);
  for (uint32_t k = 0; k < count; k++) throng_world_destroy(worlds[k]);
  assert_true(memory.live == 0 && memory.live_bytes == 0 && memory.mistakes == 0);
}

static throng_group_def fast_group(float speed) {
  throng_group_def group = throng_default_group_def();
  group.max_speed = speed;
  throng_group_def_add(&group, THRONG_BEHAVIOUR_WANDER);
  return group;
}

/* Sets two groups, in order or in reverse, and gives agents to both. */
static uint64_t hash_with_groups(uint32_t first, uint32_t second, test_memory *memory) {
  throng_world *world = make_world(THRONG_SPACE_PLANAR, THRONG_ISA_AUTO, 1, memory);
  throng_error error;
  uint8_t group[AGENTS];
  for (uint32_t k = 0; k < AGENTS; k++) group[k] = k % 2 ? 3 : 255;
  add_agents(world);
  const throng_group_def one = fast_group((float)first), other = fast_group((float)second);
  require_ok(throng_world_set_group(world, first, &one, &error), &error);
  require_ok(throng_world_set_group(world, second, &other, &error), &error);
  require_ok(throng_agents_write(world, THRONG_COLUMN_GROUP, NULL, AGENTS, group, 0, &error), &error);
  const uint64_t calls = memory->calls;
  for (int frame = 0; frame < 20; frame++) require_ok(throng_world_step(world, 0.05f, &error), &error);
  assert_true(memory->calls == calls);
  throng_group_def got;
  require_ok(throng_world_get_group(world, 3, &got, &error), &error);
  assert_true(got.max_speed == 3.0f);
  require_ok(throng_world_get_group(world, 255, &got, &error), &error);
  assert_true(got.max_speed == 255.0f);
  require_error(throng_world_get_group(world, 254, &got, &error), THRONG_ERROR_NO_GROUP, &error);
  const uint64_t hash = throng_world_hash(world, 0);
  release(world, memory);
  return hash;
}

static void memory_for_groups_grows_with_the_largest_number(void **state) {
  (void)state;
  test_memory ascending = {0}, descending = {0}, memory = {0};
  assert_true(hash_with_groups(3, 255, &ascending) == hash_with_groups(255, 3, &descending));
  throng_world *world = make_world(THRONG_SPACE_PLANAR, THRONG_ISA_AUTO, 1, &memory);
  const uint64_t empty = memory.live_bytes;
  const throng_group_def group = fast_group(2.0f);
  throng_error error;
  require_ok(throng_world_set_group(world, 1, &group, &error), &error);
  const uint64_t two = memory.live_bytes;
  require_ok(throng_world_set_group(world, 255, &group, &error), &error);
  assert_true(two - empty < 8 * sizeof group && memory.live_bytes - two > 250 * sizeof group);
  release(world, &memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_empty_world_is_small),
      cmocka_unit_test(an_empty_periodic_world_is_as_small),
      cmocka_unit_test(memory_for_guides_is_made_when_one_is_set),
      cmocka_unit_test(one_of_many_worlds_takes_little_memory),
      cmocka_unit_test(ten_thousand_worlds_of_ten_agents_fit),
      cmocka_unit_test(memory_for_groups_grows_with_the_largest_number),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
