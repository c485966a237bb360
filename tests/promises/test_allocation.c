/* tests/promises/test_allocation.c: checks that frames and queries allocate nothing; that frames start no threads; that
 * a function whose allocation fails leaves the world unchanged and leaks nothing; and that memory is released with the
 * size and alignment with which it was allocated. SPDX-License-Identifier: MIT */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L /* opendir */
#endif

#include "base/executor.h"
#include "base/team_size.h"
#include "state.h"
#include "support/check.h"
#include "support/crowds.h"
#include "support/fingerprint.h"
#include "support/full.h"
#include "support/groups.h"
#include "support/malloc_count.h"
#include "support/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef __linux__
#include <dirent.h>
#endif

static uint64_t base_seed;

/* Calls the functions that must not allocate. */
static void use(throng_world *world, const crowd *c) {
  static throng_neighbour found[4096];
  static uint32_t counts[16];
  throng_vec3 centres[16];
  throng_status status = THRONG_OK;
  for (uint32_t k = 0; k < 16; k++) centres[k] = c->agents[k % c->count].position;
  const float r = c->def.perception_radius;
  for (uint32_t frame = 0; frame < 20 && status == THRONG_OK; frame++) {
    status = throng_world_step(world, 0.02f, NULL);
    if (status == THRONG_OK) status = throng_world_steer(world, 0.02f, NULL);
    if (status == THRONG_OK) status = throng_world_integrate(world, 0.02f, NULL);
    uint32_t count = 0;
    throng_world_query_radius(world, centres[frame % 16], r, THRONG_ALL_LAYERS, found, 4096, &count, NULL);
    throng_world_query_nearest(world, centres[frame % 16], 20, THRONG_ALL_LAYERS, found, &count, NULL);
    throng_world_query_radius_batch(world, centres, 16, r, THRONG_ALL_LAYERS, found, 256, counts, NULL);
    throng_world_query_nearest_batch(world, centres, 16, 30, THRONG_ALL_LAYERS, found, counts, NULL);
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
          print_error("%s: frames or queries made %u allocations\n", crowd_layout_name(recipe.layout),
                      (unsigned)(memory.calls - before));
        assert_true(memory.calls == before);
        /* With more threads OpenMP itself may allocate. */
        if (threads == 1 && malloc_is_counted()) assert_true(malloc_count() == mallocs);
        throng_world_destroy(world);
        assert_true(memory.live == 0 && memory.live_bytes == 0 && memory.mistakes == 0);
        crowd_free(c);
      }
}

#ifdef __linux__
/* The ids of the threads of this process. */
struct thread_ids {
  uint32_t count;
  unsigned long id[256];
};

static struct thread_ids threads_now(void) {
  struct thread_ids now = {0};
  DIR *tasks = opendir("/proc/self/task");
  assert_non_null(tasks);
  for (struct dirent *task; (task = readdir(tasks));) {
    assert_true(now.count < 256);
    now.id[now.count++] = strtoul(task->d_name, NULL, 10);
  }
  closedir(tasks);
  return now;
}

/* Fails the test if a thread was started since `before`. A thread that ends may be seen for a moment longer. */
static void assert_no_new_thread(const struct thread_ids *before, throng_threads kind, uint32_t threads) {
  const struct thread_ids now = threads_now();
  for (uint32_t k = 0; k < now.count; k++) {
    uint32_t known = 0;
    while (known < before->count && before->id[known] != now.id[k]) known++;
    if (known == before->count)
      fail_msg("%s: one of %u threads was started again", throng_threads_name(kind), (unsigned)threads);
  }
}

static void do_nothing(uint32_t begin, uint32_t end, uint32_t worker, void *context) {
  (void)begin, (void)end, (void)worker, (void)context;
}

/* A run with fewer tasks than threads must not end threads, because the next run would have to start them again. */
static void runs_start_no_threads(void **state) {
  (void)state;
  for (uint32_t kind = 0; kind < THRONG_THREADS_COUNT; kind++) {
    for (uint32_t threads = 2; threads <= 8; threads += 3) {
      throng_world_def def = throng_default_world_def();
      const throng_allocator allocator = test_allocator(&(test_memory){0});
      def.allocator = allocator;
      def.threads = (throng_threads)kind;
      def.thread_count = threads;
      struct executor executor;
      assert_true(throng_executor_create(&executor, &def));
      executor.team = executor.workers;
      throng_executor_run(&executor, threads, 1, do_nothing, NULL, NULL);
      const struct thread_ids before = threads_now();
      for (uint32_t run = 0; run < 100; run++) {
        throng_executor_run(&executor, 2 + run % threads, 1, do_nothing, NULL, NULL);
        assert_no_new_thread(&before, def.threads, threads);
      }
      throng_executor_release(&executor, &allocator);
    }
  }
}

/* All runs of a frame have the same team. A late frame may change it, and ends the test of its world. */
static void frames_start_no_threads(void **state) {
  (void)state;
  const crowd_recipe recipe = {THRONG_SPACE_PLANAR, THRONG_BOUNDARY_PERIODIC, LAYOUT_UNIFORM, 1500, false, false};
  crowd *c = crowd_random(base_seed, &recipe);
  for (uint32_t threads = 2; threads <= 8; threads += 3) {
    const crowd_world_options options = {.threads = threads};
    throng_world *world = crowd_world(c, &options);
    const struct executor *executor = &world->executor;
    require_ok(throng_world_step(world, 0.02f, NULL), NULL);
    const bool own = executor->team_size->own;
    const uint32_t team = executor->team;
    const struct thread_ids before = threads_now();
    for (uint32_t frame = 0; frame < 20; frame++) {
      require_ok(throng_world_step(world, 0.02f, NULL), NULL);
      if (executor->team != team || executor->team_size->own != own) break;
      assert_no_new_thread(&before, executor->threads, threads);
    }
    throng_world_destroy(world);
  }
  crowd_free(c);
}
#endif

/* The library must take all its memory from the definition's allocator. */
static void nothing_goes_past_the_allocator(void **state) {
  (void)state;
  if (!malloc_is_counted()) skip();
  const crowd_recipe recipe = {THRONG_SPACE_PLANAR, THRONG_BOUNDARY_BOX, LAYOUT_UNIFORM, 500, true, false};
  crowd *c = crowd_random(base_seed + 1, &recipe);
  test_memory memory = {0};
  const throng_allocator allocator = test_allocator(&memory);
  const crowd_world_options options = {.threads = 1, .allocator = &allocator};
  throng_world_def def = crowd_world_def(c, &options);
  throng_world *world = NULL;
  const uint64_t mallocs = malloc_count();
  assert_int_equal(throng_world_create(&def, &world, NULL), THRONG_OK);
  assert_int_equal(throng_agents_reserve(world, 2000, NULL), THRONG_OK);
  assert_true(malloc_count() - mallocs == memory.calls); /* the test's allocator calls malloc once per call */
  throng_world_destroy(world);
  assert_true(memory.live == 0 && memory.mistakes == 0);
  crowd_free(c);
}

static void adding_within_the_capacity_allocates_nothing(void **state) {
  (void)state;
  const crowd_recipe recipe = {THRONG_SPACE_SPATIAL, THRONG_BOUNDARY_UNBOUNDED, LAYOUT_UNIFORM, 500, true, false};
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
    require_ok(throng_world_step(world, 0.1f, &error), &error);
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
        assert_true(memory.calls < k); /* there was no k-th allocation */
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

/* Calls that allocate. */
typedef throng_status action(throng_world *world, throng_error *error);

static throng_agent_id first_id(const throng_world *world) {
  static throng_agent_id all[FULL_AGENTS];
  uint32_t count = 0;
  throng_agents_get_ids(world, all, FULL_AGENTS, &count, NULL);
  return all[0];
}

#define MANY (4 * FULL_AGENTS)

/* Returns a definition with the agents of full.h four times: more than the capacity, and with all optional columns. */
static throng_agents_def many_agents(void) {
  static throng_vec3 position[MANY], goal[MANY];
  static float radius[MANY];
  throng_agents_def def = full_agents(FULL_AGENTS);
  const throng_vec3 *few = def.position.data;
  for (uint32_t k = 0; k < MANY; k++) {
    position[k] = goal[k] = few[k % FULL_AGENTS];
    radius[k] = 0.5f;
  }
  def = throng_default_agents_def();
  def.position.data = position;
  def.goal.data = goal;
  def.perception_radius = def.body_radius = def.mass = def.max_speed = (throng_span){radius, 0};
  return def;
}

static throng_status add_many(throng_world *world, throng_error *error) {
  const throng_agents_def def = many_agents();
  return throng_agents_add(world, &def, MANY, NULL, error);
}

/* Uses other ids when it is called again, because the number of agents has changed. */
static throng_status add_many_with_ids(throng_world *world, throng_error *error) {
  static throng_agent_id ids[MANY];
  const throng_agents_def def = many_agents();
  const uint32_t from = 100 * throng_agents_count(world);
  for (uint32_t k = 0; k < MANY; k++) ids[k] = (throng_agent_id){from + 3 * k, 7, FULL_WORLD_ID};
  return throng_agents_add_with_ids(world, &def, MANY, ids, error);
}

static throng_status add_far_index(throng_world *world, throng_error *error) {
  const throng_agents_def def = full_agents(1);
  const throng_agent_id id = {20000 + throng_agents_count(world), 1, FULL_WORLD_ID};
  return throng_agents_add_with_ids(world, &def, 1, &id, error);
}

static throng_status reserve_many(throng_world *world, throng_error *error) {
  return throng_agents_reserve(world, 5000, error);
}

/* Sets group 0 with features that need columns: those whose bits are in `needs`. */
static throng_status set_group(throng_world *world, uint32_t needs, throng_error *error) {
  static const throng_behaviour_kind kinds[] = {THRONG_BEHAVIOUR_WANDER, THRONG_BEHAVIOUR_AVOID_WALLS,
                                                THRONG_BEHAVIOUR_FOLLOW_PATH, THRONG_BEHAVIOUR_FORMATION,
                                                THRONG_BEHAVIOUR_FOLLOW_PATTERN};
  throng_group_def g = throng_default_group_def();
  for (uint32_t k = 0; k < 5; k++)
    if (needs & 1u << k) throng_group_def_add(&g, kinds[k]);
  if (needs & 1u << 5) g.contact = 1.0f;
  if (needs & 1u << 6) g.facing = THRONG_FACING_STEERED, g.max_yaw_rate = 2.0f;
  return throng_world_set_group(world, 0, &g, error);
}
#define GROUP(name, needs)                                                                                             \
  static throng_status name(throng_world *world, throng_error *error) { return set_group(world, needs, error); }
GROUP(set_wanderers, 1u << 0)
GROUP(set_wall_avoiders, 1u << 1)
GROUP(set_followers, 1u << 2)
GROUP(set_formed, 1u << 3)
GROUP(set_players, 1u << 4)
GROUP(set_solid, 1u << 5)
GROUP(set_spinning, 1u << 6)
GROUP(set_all_at_once, 127u)

static throng_status set_far_group(throng_world *world, throng_error *error) {
  const throng_group_def g = throng_default_group_def();
  return throng_world_set_group(world, THRONG_MAX_GROUPS - 1, &g, error);
}

/* Writes one value to an optional column, or a position with a height. */
static throng_status write_one(throng_world *world, throng_column column, throng_error *error) {
  static const float ones[3] = {1, 1, 1};
  const throng_agent_id id = first_id(world);
  const throng_vec3 high = {9, 3, 9};
  const void *value = column == THRONG_COLUMN_POSITION ? (const void *)&high : ones;
  return throng_agents_write(world, column, &id, 1, value, 0, error);
}
#define WRITE(name, column)                                                                                            \
  static throng_status name(throng_world *world, throng_error *error) { return write_one(world, column, error); }
WRITE(write_height, THRONG_COLUMN_POSITION)
WRITE(write_goal, THRONG_COLUMN_GOAL)
WRITE(write_wander, THRONG_COLUMN_WANDER)
WRITE(write_perception, THRONG_COLUMN_PERCEPTION_RADIUS)
WRITE(write_body, THRONG_COLUMN_BODY_RADIUS)
WRITE(write_mass, THRONG_COLUMN_MASS)
WRITE(write_max_speed, THRONG_COLUMN_MAX_SPEED)
WRITE(write_fan, THRONG_COLUMN_FAN)
WRITE(write_parameter, THRONG_COLUMN_PATH_PARAMETER)
WRITE(write_yaw_rate, THRONG_COLUMN_YAW_RATE)
WRITE(write_pattern, THRONG_COLUMN_PATTERN)
WRITE(write_place, THRONG_COLUMN_PATTERN_INSTRUCTION)
WRITE(write_way, THRONG_COLUMN_PATTERN_WAY)
WRITE(write_slot, THRONG_COLUMN_FORMATION_PLACE)

#define SET(name, type, make, function, ...)                                                                           \
  static throng_status name(throng_world *world, throng_error *error) {                                                \
    const type def = make;                                                                                             \
    return function(world, __VA_ARGS__, error);                                                                        \
  }
SET(set_cells, throng_cells_def, full_cells(), throng_world_set_cells, &def)
SET(set_scenery, throng_scenery_def, full_scenery(throng_world_get_def(world).space), throng_world_set_scenery, &def)
SET(set_field, throng_flow_field_def, full_field(), throng_world_set_flow_field, FULL_NUMBER, &def)
SET(set_path, throng_path_def, full_path(), throng_world_set_path, FULL_NUMBER, &def)
SET(set_pattern, throng_pattern_def, full_pattern(), throng_world_set_pattern, FULL_NUMBER, &def)
SET(set_formation, throng_formation_def, full_formation(), throng_world_set_formation, FULL_NUMBER, &def)
SET(set_attractors, throng_attractors_def, full_attractors(), throng_world_set_attractors, &def)
SET(set_zones, throng_speed_zones_def, full_zones(), throng_world_set_speed_zones, &def)

static throng_status fill_formation(throng_world *world, throng_error *error) {
  return throng_world_fill_formation(world, 1, NULL, error);
}

static throng_world *bare_world(const throng_world_def *def) {
  throng_world *world = NULL;
  throng_error error;
  throng_agents_def agents = full_agents(FULL_AGENTS), bare = throng_default_agents_def();
  static throng_vec3 level[FULL_AGENTS];
  for (uint32_t k = 0; k < FULL_AGENTS; k++) {
    level[k] = ((const throng_vec3 *)agents.position.data)[k];
    if (def->space == THRONG_SPACE_PLANAR) level[k].y = 0.0f;
  }
  bare.position.data = level;
  bare.velocity = agents.velocity;
  require_ok(throng_world_create(def, &world, &error), &error);
  require_ok(throng_agents_add(world, &bare, FULL_AGENTS, NULL, &error), &error);
  require_ok(throng_world_step(world, 0.02f, &error), &error);
  return world;
}

/* Returns the fingerprint of the world after two more frames. */
static uint64_t future(throng_world *world) {
  throng_error error;
  for (int frame = 0; frame < 2; frame++) require_ok(throng_world_step(world, 0.02f, &error), &error);
  return fingerprint(world);
}

enum { BARE = 1, FULL = 2, PLANAR_ALONE = 4, ENCLOSED = 8 };
static const struct {
  const char *name;
  action *act;
  uint32_t where; /* the worlds in which the call must allocate */
} actions[] = {{"add_many", add_many, BARE | FULL},
               {"add_many_with_ids", add_many_with_ids, BARE | FULL},
               {"add_far_index", add_far_index, BARE | FULL},
               {"reserve_many", reserve_many, BARE | FULL},
               {"set_wanderers", set_wanderers, BARE},
               {"set_wall_avoiders", set_wall_avoiders, BARE},
               {"set_followers", set_followers, BARE},
               {"set_formed", set_formed, BARE},
               {"set_players", set_players, BARE},
               {"set_solid", set_solid, BARE},
               {"set_spinning", set_spinning, BARE},
               {"set_all_at_once", set_all_at_once, BARE},
               {"set_far_group", set_far_group, BARE | FULL},
               {"write_height", write_height, BARE | PLANAR_ALONE},
               {"write_goal", write_goal, BARE},
               {"write_wander", write_wander, BARE},
               {"write_perception", write_perception, BARE},
               {"write_body", write_body, BARE},
               {"write_mass", write_mass, BARE},
               {"write_max_speed", write_max_speed, BARE},
               {"write_fan", write_fan, BARE},
               {"write_parameter", write_parameter, BARE},
               {"write_yaw_rate", write_yaw_rate, BARE},
               {"write_pattern", write_pattern, BARE},
               {"write_place", write_place, BARE},
               {"write_way", write_way, BARE},
               {"write_slot", write_slot, BARE},
               {"set_cells", set_cells, BARE | FULL | PLANAR_ALONE | ENCLOSED},
               {"set_scenery", set_scenery, BARE | FULL | ENCLOSED},
               {"set_field", set_field, BARE | FULL},
               {"set_path", set_path, BARE | FULL},
               {"set_pattern", set_pattern, BARE | FULL},
               {"set_formation", set_formation, BARE | FULL},
               {"set_attractors", set_attractors, BARE | FULL},
               {"set_zones", set_zones, BARE | FULL},
               {"fill_formation", fill_formation, FULL}};

/* Makes the k-th allocation of the call fail. The world must be unchanged, continue like an undisturbed world, and
 * accept the same call later. Returns false if the call has no k-th allocation. */
static bool fails_cleanly(action *act, const throng_world_def *wanted, bool bare, uint64_t k, uint64_t undisturbed,
                          const char *what) {
  test_memory memory = {0};
  throng_world_def def = *wanted;
  throng_error error;
  def.allocator = test_allocator(&memory);
  throng_world *world = bare ? bare_world(&def) : full_world(&def, NULL);
  const uint64_t before = fingerprint(world), live = memory.live;
  memory.fail_at = memory.calls + k;
  const throng_status status = act(world, &error);
  const bool failed = memory.calls >= memory.fail_at;
  memory.fail_at = 0;
  if (failed) {
    require_error(status, THRONG_ERROR_OUT_OF_MEMORY, &error);
    /* The call may keep blocks that it has already replaced, but their number must be the same. */
    if (memory.live != live || fingerprint(world) != before || !throng_world_is_indexed(world))
      fail_msg("%s: after allocation %u failed, the world changed or blocks are left", what, (unsigned)k);
    assert_true(future(world) == undisturbed);
    require_ok(act(world, &error), &error); /* the same call succeeds now */
  } else {
    require_ok(status, &error);
  }
  require_ok(throng_world_step(world, 0.02f, &error), &error);
  require_sound(world, what);
  throng_world_destroy(world);
  assert_true(memory.live == 0 && memory.live_bytes == 0 && memory.mistakes == 0);
  return failed;
}

static void every_call_fails_cleanly(void **state) {
  (void)state;
  uint32_t failures = 0;
  for (uint32_t kind = 0; kind < 8; kind++)
    for (size_t a = 0; a < sizeof actions / sizeof *actions; a++) {
      throng_world_def def = full_def(kind & 1 ? THRONG_SPACE_SPATIAL : THRONG_SPACE_PLANAR);
      const bool bare = kind & 2, periodic = kind & 4;
      if (periodic) throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
      if (!(actions[a].where & (bare ? BARE : FULL))) continue;
      if ((actions[a].where & PLANAR_ALONE && kind & 1) || (actions[a].where & ENCLOSED && periodic)) continue;
      throng_world *world = bare ? bare_world(&def) : full_world(&def, NULL);
      const uint64_t undisturbed = future(world);
      throng_world_destroy(world);
      uint32_t k = 1;
      while (fails_cleanly(actions[a].act, &def, bare, k, undisturbed, actions[a].name)) k++;
      if (k == 1) fail_msg("%s allocated nothing", actions[a].name);
      failures += k - 1;
    }
  print_message("made %u allocations fail\n", failures);
}

/* throng_flow_field_compute without a world. */
static void a_computed_field_fails_cleanly(void **state) {
  (void)state;
  static float vectors[512], distance[256], untouched[512];
  const throng_cells_def cells = full_cells();
  const throng_flow_goal goal = {{10, 0, 10}, 3};
  throng_error error;
  for (uint64_t k = 1;; k++) {
    test_memory memory = {.fail_at = k};
    const throng_allocator allocator = test_allocator(&memory);
    const throng_status status =
        throng_flow_field_compute(NULL, &cells, &goal, 1, vectors, distance, &allocator, &error);
    assert_true(memory.live == 0 && memory.mistakes == 0);
    if (memory.calls < k) {
      require_ok(status, &error);
      assert_true(k > 1);
      return;
    }
    require_error(status, THRONG_ERROR_OUT_OF_MEMORY, &error);
    assert_memory_equal(vectors, untouched, sizeof vectors);
  }
}

int main(void) {
  base_seed = test_seed("test_allocation", 99);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frames_and_queries_allocate_nothing),
#ifdef __linux__
      cmocka_unit_test(runs_start_no_threads),
      cmocka_unit_test(frames_start_no_threads),
#endif
      cmocka_unit_test(nothing_goes_past_the_allocator),
      cmocka_unit_test(adding_within_the_capacity_allocates_nothing),
      cmocka_unit_test(create_fails_cleanly),
      cmocka_unit_test(every_call_fails_cleanly),
      cmocka_unit_test(a_computed_field_fails_cleanly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
