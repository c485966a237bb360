/* tests/record/test_snapshot.c: tests that a snapshot, loaded into a new world or the same one, gives the same next
 * frames to the bit, and of the size of snapshots. SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/malloc_count.h"
#include "support/memory.h"
#include "support/snapshots.h"
#include "support/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <throng/piece.h>

static uint64_t base_seed;

#define FRAMES 6u

/* The frames of a world after a save: hashes of the state and of the ids of added agents, and the status of each
 * step. */
typedef struct course {
  uint64_t hash[FRAMES];
  throng_status status[FRAMES];
} course;

static course run(throng_world *world, uint64_t seed) {
  course c = {{0}, {0}};
  for (uint32_t frame = 0; frame < FRAMES; frame++) {
    uint64_t ids = frame % 3 == 1 ? stir_world(world, seed + frame) : 0;
    c.status[frame] = throng_world_step(world, 0.02f, NULL);
    c.hash[frame] = throng_world_hash(world, STATE_COLUMNS) ^ ids ^ throng_world_frame(world) << 40;
  }
  require_sound(world, "after a snapshot");
  if (!throng_world_is_indexed(world)) stir_world(world, seed);
  return c;
}

static bool same_course(const course *a, const course *b) {
  return memcmp(a->hash, b->hash, sizeof a->hash) == 0 && memcmp(a->status, b->status, sizeof a->status) == 0;
}

/* Returns random options that change no bit: instruction set, threads and capacity. */
static crowd_world_options other_options(test_rng *rng, const throng_allocator *allocator) {
  static const throng_isa isas[] = {THRONG_ISA_AUTO, THRONG_ISA_BASELINE, THRONG_ISA_AVX2, THRONG_ISA_AVX512};
  const throng_isa isa = isas[rng_below(rng, 4)];
  return (crowd_world_options){.isa = throng_isa_is_available(isa) ? isa : THRONG_ISA_AUTO,
                               .threads = 1 + rng_below(rng, 3),
                               .capacity = rng_below(rng, 3) * 500,
                               .allocator = allocator};
}

static throng_world *random_world(uint64_t seed, const crowd_recipe *recipe, const crowd_world_options *options) {
  crowd *c = crowd_random(seed, recipe);
  throng_world *world = crowd_world(c, options);
  furnish_world(world, seed);
  stir_world(world, seed + 1);
  for (uint32_t frame = 0; frame < 4; frame++) throng_world_step(world, 0.02f, NULL);
  throng_error error;
  require_ok(throng_world_index(world, &error), &error);
  crowd_free(c);
  return world;
}

static void check_world(uint64_t seed, const crowd_recipe *recipe) {
  test_rng rng = rng_from(seed);
  test_memory memory = {0};
  const throng_allocator allocator = test_allocator(&memory);
  crowd_world_options options = other_options(&rng, &allocator);
  throng_world *world = random_world(seed, recipe, &options);
  snapshot saved = snapshot_take(world);
  options = other_options(&rng, &allocator);
  throng_world *other = snapshot_world(&saved, &options);
  throng_error error;
  assert_true(snapshot_is_of(&saved, other)); /* saving again gives the same bytes */
  const course never_stopped = run(world, seed), loaded = run(other, seed);
  if (!same_course(&never_stopped, &loaded))
    print_error("seed %llu, %s: the frames after a load differ\n", (unsigned long long)seed,
                crowd_layout_name(recipe->layout));
  assert_true(same_course(&never_stopped, &loaded));
  /* Both worlds load the snapshot again and repeat the frames. */
  throng_world *const worlds[] = {world, other};
  for (uint32_t k = 0; k < 2; k++) {
    require_ok(throng_world_load_snapshot(worlds[k], saved.bytes, saved.size, &error), &error);
    assert_true(throng_world_is_indexed(worlds[k]) && snapshot_is_of(&saved, worlds[k]));
    const course again = run(worlds[k], seed);
    assert_true(same_course(&never_stopped, &again));
    throng_world_destroy(worlds[k]);
  }
  snapshot_free(&saved);
  assert_true(memory.live == 0 && memory.mistakes == 0);
}

static void goes_on_as_if_it_had_never_stopped(void **state) {
  (void)state;
  uint64_t seed = base_seed;
  for (uint32_t round = 0; round < 5; round++)
    for (uint32_t layout = 0; layout < LAYOUT_COUNT; layout++)
      for (uint32_t boundary = 0; boundary < CROWD_BOUNDARIES; boundary++) {
        const crowd_recipe recipe = {(throng_space)(seed % 2),         boundary,      (crowd_layout)layout,
                                     150 + (uint32_t)(seed * 7 % 150), seed % 3 == 0, false};
        check_world(seed++, &recipe);
      }
}

/* A snapshot can be loaded into a world with other agents, groups, columns and objects. */
static void loads_over_anything(void **state) {
  (void)state;
  for (uint64_t seed = base_seed + 1000; seed < base_seed + 1030; seed++) {
    const crowd_recipe recipe = {(throng_space)(seed % 2), THRONG_BOUNDARY_BOX, LAYOUT_UNIFORM, 60, false, false};
    const crowd_recipe empty = {recipe.space, recipe.boundary, recipe.layout, 0, true, false};
    throng_world *a = random_world(seed, &recipe, NULL);
    crowd *stranger = crowd_random(seed, &recipe), *nobody = crowd_random(seed, &empty);
    throng_world *b = crowd_world(seed % 3 ? stranger : nobody, NULL);
    if (seed % 2) furnish_world(b, seed + 77);
    snapshot saved = snapshot_take(a);
    throng_error error;
    for (uint32_t k = 0; k < 3; k++) {
      if (throng_world_step(b, 0.02f, &error) == THRONG_OK) stir_world(b, k + seed);
    }
    require_ok(throng_world_load_snapshot(b, saved.bytes, saved.size, &error), &error);
    assert_true(snapshot_is_of(&saved, b));
    const course x = run(a, seed), y = run(b, seed);
    assert_true(same_course(&x, &y));
    throng_world_destroy(a);
    throng_world_destroy(b);
    snapshot_free(&saved);
    crowd_free(stranger);
    crowd_free(nobody);
  }
}

static void going_back_allocates_nothing(void **state) {
  (void)state;
  for (uint64_t seed = base_seed + 2000; seed < base_seed + 2040; seed++) {
    const crowd_recipe recipe = {
        (throng_space)(seed % 2), (uint32_t)(seed % CROWD_BOUNDARIES), LAYOUT_UNIFORM, 200, true, false};
    test_memory memory = {0};
    const throng_allocator allocator = test_allocator(&memory);
    const crowd_world_options options = {.threads = 1, .allocator = &allocator, .capacity = 400};
    throng_world *world = random_world(seed, &recipe, &options);
    throng_error error;
    static uint8_t bytes[1 << 20];
    size_t size = 0;
    const uint64_t before = memory.calls, mallocs = malloc_count();
    require_ok(throng_world_save_snapshot(world, bytes, sizeof bytes, &size, &error), &error);
    for (uint32_t k = 0; k < 3; k++) {
      throng_world_step(world, 0.02f, NULL);
      require_ok(throng_world_load_snapshot(world, bytes, size, &error), &error);
    }
    assert_true(memory.calls == before);
    if (malloc_is_counted()) assert_true(malloc_count() == mallocs);
    throng_world_destroy(world);
    assert_true(memory.live == 0 && memory.mistakes == 0);
  }
}

/* Agents added after a load get the same ids as without it. Retired id indices stay retired. */
static void ids_go_on(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  throng_world *world = stage_world(NULL, &g);
  throng_error error;
  throng_agent_id ids[40];
  throng_vec3 places[40] = {{0, 0, 0}};
  stage_add(world, 40, places, NULL, NULL, ids);
  const throng_agent_id odd[] = {{50, 65535, 0}, {45, 9, 0}, {60, 3, 0}};
  throng_agents_def def = throng_default_agents_def();
  def.position.data = places;
  require_ok(throng_agents_add_with_ids(world, &def, 3, odd, &error), &error);
  require_ok(throng_agents_remove(world, odd, 2, &error), &error); /* 50 is retired, 45 free */
  const throng_agent_id lower = {45, 2, 0};
  require_ok(throng_agents_add_with_ids(world, &def, 1, &lower, &error), &error); /* a lower generation */
  require_ok(throng_agents_remove(world, &ids[3], 5, &error), &error);
  const throng_agent_id again = {6, 4, 0}; /* live, and still on the stack of free id indices */
  require_ok(throng_agents_add_with_ids(world, &def, 1, &again, &error), &error);
  snapshot saved = snapshot_take_indexed(world);
  throng_world *loaded = snapshot_world(&saved, NULL);
  throng_world *const worlds[] = {world, loaded};
  throng_agent_id got[2][90];
  for (int k = 0; k < 2; k++) {
    throng_vec3 more[90] = {{0, 0, 0}};
    def.position.data = more;
    assert_true(throng_agents_is_valid(worlds[k], lower) && throng_agents_is_valid(worlds[k], again));
    assert_false(throng_agents_is_valid(worlds[k], odd[1]) || throng_agents_is_valid(worlds[k], ids[3]));
    require_ok(throng_agents_remove(worlds[k], &again, 1, &error), &error);
    require_ok(throng_agents_add(worlds[k], &def, 90, got[k], &error), &error);
    require_sound(worlds[k], "ids go on");
    for (uint32_t i = 0; i < 90; i++) assert_int_not_equal(got[k][i].index, 50);
    throng_world_destroy(worlds[k]);
  }
  assert_memory_equal(got[0], got[1], sizeof got[0]);
  snapshot_free(&saved);
}

/* A snapshot takes at most 1.2 times the bytes of its columns. */
static void takes_little_room(void **state) {
  (void)state;
  enum { COUNT = 20000 };
  static throng_vec3 p[COUNT];
  for (uint32_t space = 0; space < 2; space++)
    for (uint32_t goals = 0; goals < 2; goals++) {
      throng_world_def def = throng_default_world_def();
      throng_group_def g = throng_default_group_def();
      throng_error error;
      def.space = (throng_space)space;
      throng_world *world = stage_world(&def, &g);
      test_rng rng = rng_from(base_seed);
      for (uint32_t k = 0; k < COUNT; k++)
        p[k] = (throng_vec3){rng_float(&rng, 0, 200), space ? rng_float(&rng, 0, 200) : 0, rng_float(&rng, 0, 200)};
      stage_add(world, COUNT, p, NULL, goals ? p : NULL, NULL);
      require_ok(throng_world_step(world, 0.02f, &error), &error);
      snapshot saved = snapshot_take(world);
      const double columns = (space ? 9 : 5) + (goals ? 3 : 0), bytes = columns * 4 * COUNT;
      printf("%s, %g columns: %.1f bytes per agent, %.3f times the columns\n", space ? "spatial" : "planar", columns,
             (double)saved.size / COUNT, (double)saved.size / bytes);
      assert_true((double)saved.size <= 1.2 * bytes);
      snapshot_free(&saved);
      throng_world_destroy(world);
    }
}

/* The head is little-endian on every machine. */
static void begins_as_documented(void **state) {
  (void)state;
  const throng_group_def g = stage_idle_group();
  throng_world *world = stage_world(NULL, &g);
  snapshot saved = snapshot_take(world);
  const uint8_t head[20] = {
      't', 'h', 'r', 'o', 'n', 'g', 's', 'n', 3, 0, 0, 0, (uint8_t)saved.size, (uint8_t)(saved.size >> 8)};
  assert_true(saved.size < 65536);
  assert_memory_equal(saved.bytes, head, sizeof head);
  throng_world_destroy(world);
  snapshot_free(&saved);
}

/* A column that was created after the save has no values after the load. So an agent that wanders begins with its
 * facing, as if it had never wandered. */
static void columns_go_back_too(void **state) {
  (void)state;
  throng_world_def def = throng_default_world_def();
  def.space = THRONG_SPACE_SPATIAL;
  throng_group_def g = stage_idle_group(), wanderers = g;
  throng_group_def_add(&wanderers, THRONG_BEHAVIOUR_WANDER);
  wanderers.max_acceleration = 5.0f;
  throng_world *world = stage_world(&def, &g);
  throng_error error;
  const throng_vec3 p[2] = {{0, 0, 0}, {0.5f, 0, 0}}, v[2] = {{1, 1, 0}, {0, 1, 2}};
  stage_add(world, 2, p, v, NULL, NULL);
  require_ok(throng_world_step(world, 0.02f, &error), &error);
  snapshot saved = snapshot_take(world);
  uint64_t hash[2];
  for (int k = 0; k < 2; k++) {
    require_ok(throng_world_load_snapshot(world, saved.bytes, saved.size, &error), &error);
    assert_true(snapshot_is_of(&saved, world));
    for (int frame = 0; frame < 3; frame++) require_ok(throng_world_step(world, 0.02f, &error), &error);
    require_ok(throng_world_set_group(world, 0, &wanderers, &error), &error);
    for (int frame = 0; frame < 3; frame++) require_ok(throng_world_step(world, 0.02f, &error), &error);
    hash[k] = throng_world_hash(world, STATE_COLUMNS);
  }
  assert_true(hash[0] == hash[1]);
  throng_world_destroy(world);
  snapshot_free(&saved);
}

/* After an origin shift a load restores the box, the scenery, the cells and the path, too. */
static void the_origin_goes_back_too(void **state) {
  (void)state;
  static const uint8_t blocked[4] = {1, 0, 1, 1};
  const throng_vec3 p = {10, 0, 20}, v = {1, 0, -1}, points[3] = {{1, 0, 1}, {5, 0, 1}, {5, 0, 9}};
  throng_world_def def = throng_default_world_def();
  throng_group_def g = stage_idle_group();
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_BOX);
  throng_world *world = stage_world(&def, &g);
  throng_error error;
  throng_path_def path = throng_default_path_def();
  path.points.data = points;
  path.count = 3;
  require_ok(throng_world_set_path(world, 5, &path, &error), &error);
  throng_cells_def cells = throng_default_cells_def();
  cells.width = cells.height = 2;
  cells.origin.x = cells.origin.z = 40;
  cells.blocked = blocked;
  require_ok(throng_world_set_cells(world, &cells, &error), &error);
  throng_scenery_def scenery = throng_default_scenery_def();
  scenery.wall_from.data = &points[0];
  scenery.wall_to.data = &points[2];
  scenery.wall_count = 1;
  require_ok(throng_world_set_scenery(world, &scenery, &error), &error);
  stage_add(world, 1, &p, &v, NULL, NULL);
  snapshot saved = snapshot_take_indexed(world);
  require_ok(throng_world_shift_origin(world, (throng_vec3){16, 0, -32}, NULL, &error), &error);
  assert_false(snapshot_is_of(&saved, world));
  snapshot moved = snapshot_take(world);
  throng_world *other = snapshot_world(&moved, NULL); /* made from the shifted definition */
  assert_true(snapshot_is_of(&moved, other));
  require_ok(throng_world_load_snapshot(world, saved.bytes, saved.size, &error), &error);
  assert_true(snapshot_is_of(&saved, world));
  assert_true(throng_world_get_def(world).box_max.x == def.box_max.x);
  require_ok(throng_world_load_snapshot(other, saved.bytes, saved.size, &error), &error);
  const course x = run(world, 1), y = run(other, 1);
  assert_true(same_course(&x, &y));
  throng_world_destroy(world);
  throng_world_destroy(other);
  snapshot_free(&saved);
  snapshot_free(&moved);
}

static void want(const throng_block *block, void *context) {
  const float *push = context;
  for (uint32_t k = 0; k < block->count; k++) block->acceleration_x[k] = *push;
}

/* A snapshot has no callbacks. The host must have set the same callback indices before the load. */
static void callbacks_are_set_before(void **state) {
  (void)state;
  float push = 1.5f;
  throng_group_def g = stage_idle_group();
  throng_group_def_add(&g, THRONG_BEHAVIOUR_CALLBACK)->callback.index = 3;
  throng_world *world = stage_world(NULL, &g), *other = NULL;
  throng_error error;
  const throng_vec3 p[2] = {{10, 0, 20}, {0, 0, 0}};
  require_ok(throng_world_set_callback(world, 3, want, &push, &error), &error);
  stage_add(world, 2, p, NULL, NULL, NULL);
  snapshot saved = snapshot_take_indexed(world);
  throng_world_def def;
  require_ok(throng_snapshot_get_def(saved.bytes, saved.size, &def, &error), &error);
  require_ok(throng_world_create(&def, &other, &error), &error);
  require_error(throng_world_load_snapshot(other, saved.bytes, saved.size, &error), THRONG_ERROR_BAD_VALUE, &error);
  assert_non_null(strstr(error.text, "callback 3 is not set"));
  require_ok(throng_world_set_callback(other, 3, want, &push, &error), &error);
  require_ok(throng_world_set_callback(other, 4, want, &push, &error), &error);
  require_error(throng_world_load_snapshot(other, saved.bytes, saved.size, &error), THRONG_ERROR_BAD_VALUE, &error);
  assert_non_null(strstr(error.text, "callback 4 is set"));
  require_ok(throng_world_set_callback(other, 4, NULL, NULL, &error), &error);
  require_ok(throng_world_load_snapshot(other, saved.bytes, saved.size, &error), &error);
  const course x = run(world, 1), y = run(other, 1);
  assert_true(same_course(&x, &y));
  throng_world_destroy(world);
  throng_world_destroy(other);
  snapshot_free(&saved);
}

/* A snapshot does not have the accelerations of throng_world_steer. After a load the host must steer again. */
static void steering_is_done_again(void **state) {
  (void)state;
  const crowd_recipe recipe = {THRONG_SPACE_PLANAR, THRONG_BOUNDARY_BOX, LAYOUT_UNIFORM, 100, true, false};
  throng_world *world = random_world(base_seed + 3000, &recipe, NULL);
  throng_error error;
  require_ok(throng_world_steer(world, 0.02f, &error), &error);
  snapshot saved = snapshot_take(world);
  require_ok(throng_world_integrate(world, 0.02f, &error), &error);
  const uint64_t hash = throng_world_hash(world, STATE_COLUMNS);
  require_ok(throng_world_load_snapshot(world, saved.bytes, saved.size, &error), &error);
  require_error(throng_world_integrate(world, 0.02f, &error), THRONG_ERROR_NOT_STEERED, &error);
  require_ok(throng_world_steer(world, 0.02f, &error), &error);
  require_ok(throng_world_integrate(world, 0.02f, &error), &error);
  assert_true(throng_world_hash(world, STATE_COLUMNS) == hash);
  throng_world_destroy(world);
  snapshot_free(&saved);
}

/* After a load the world still watches the same agent, but has no explanation before the next frame. */
static void explanations_are_forgotten(void **state) {
  (void)state;
  throng_group_def g = stage_idle_group();
  throng_world *world = stage_world(NULL, &g);
  throng_error error;
  throng_agent_id id;
  throng_explanation explanation;
  const throng_vec3 p = {10, 0, 20};
  stage_add(world, 1, &p, NULL, NULL, &id);
  snapshot saved = snapshot_take_indexed(world);
  require_ok(throng_world_watch(world, id, &error), &error);
  stage_step(world, 0.1f);
  require_ok(throng_world_explain(world, id, &explanation, &error), &error);
  require_ok(throng_world_load_snapshot(world, saved.bytes, saved.size, &error), &error);
  require_error(throng_world_explain(world, id, &explanation, &error), THRONG_ERROR_NOT_STEERED, &error);
  stage_step(world, 0.1f);
  require_ok(throng_world_explain(world, id, &explanation, &error), &error);
  throng_world_destroy(world);
  snapshot_free(&saved);
}

static void require_same_order(const throng_world *a, const throng_world *b, uint64_t seed, int frame) {
  throng_view x, y;
  throng_error error;
  require_ok(throng_world_view(a, &x, &error), &error);
  require_ok(throng_world_view(b, &y, &error), &error);
  assert_int_equal(x.count, y.count);
  if (memcmp(x.id_index, y.id_index, x.count * sizeof *x.id_index) == 0) return;
  print_error("seed %llu, frame %d: the views are in another order\n", (unsigned long long)seed, frame);
  fail();
}

/* After a load, and in the frames after it, the views of the loading world have the same order as those of the saved
 * world. It does not matter what the loading world contained before, or its capacity. */
static void views_keep_their_order(void **state) {
  (void)state;
  for (uint64_t seed = base_seed; seed < base_seed + 400; seed++) {
    const uint32_t count = 2 + (uint32_t)(seed * 31 % 300);
    const crowd_recipe recipe = {.space = (throng_space)(seed % 2),
                                 .boundary = (uint32_t)(seed / 2 % CROWD_BOUNDARIES),
                                 .layout = (crowd_layout)(seed % LAYOUT_COUNT),
                                 .count = count};
    test_rng rng = rng_from(seed);
    crowd_world_options options = other_options(&rng, NULL);
    crowd *c = crowd_random(seed, &recipe);
    throng_world *world = crowd_world(c, &options);
    crowd_free(c);
    for (uint32_t frame = 0; frame < 10 + seed % 40; frame++) throng_world_step(world, 0.03f, NULL);
    snapshot saved = snapshot_take_indexed(world);
    options = other_options(&rng, NULL);
    throng_world *other = snapshot_world(&saved, &options);
    for (int frame = 0; frame < 20; frame++) {
      require_same_order(world, other, seed, frame);
      const throng_status a = throng_world_step(world, 0.03f, NULL), b = throng_world_step(other, 0.03f, NULL);
      assert_int_equal(a, b);
    }
    throng_error error;
    snapshot later = snapshot_take_indexed(world);
    require_ok(throng_world_load_snapshot(other, saved.bytes, saved.size, &error), &error); /* back to the earlier
                                                                                               frame, then to the later
                                                                                               one */
    require_ok(throng_world_load_snapshot(other, later.bytes, later.size, &error), &error);
    require_same_order(world, other, seed, 20);
    snapshot_free(&saved);
    snapshot_free(&later);
    throng_world_destroy(world);
    throng_world_destroy(other);
  }
}

/* The parts of a checkpoint: a snapshot of the world without agents, and the agents as records. */
static throng_world *world_of_parts(const throng_world *world, const crowd_world_options *options) {
  const uint64_t columns = throng_piece_columns(world);
  const size_t bytes = throng_piece_record_bytes(throng_world_get_def(world).space, columns);
  throng_view view;
  throng_error error;
  snapshot empty = {NULL, 0};
  require_ok(throng_world_view(world, &view, &error), &error);
  require_ok(throng_piece_save_definition(world, NULL, 0, &empty.size, &error), &error);
  empty.bytes = malloc(empty.size);
  require_ok(throng_piece_save_definition(world, empty.bytes, empty.size, &empty.size, &error), &error);
  uint32_t *elements = malloc((view.count + 1) * sizeof *elements);
  char *records = malloc(view.count * bytes + 1);
  for (uint32_t k = 0; k < view.count; k++) elements[k] = k;
  require_ok(throng_piece_pack(world, columns, elements, view.count, records, &error), &error);
  throng_world *made = snapshot_world(&empty, options);
  assert_int_equal(throng_agents_count(made), 0);
  require_ok(throng_piece_take(made, columns, records, view.count, true, &error), &error);
  require_ok(throng_world_index(made, &error), &error);
  free(records);
  free(elements);
  snapshot_free(&empty);
  return made;
}

static void parts_make_the_world(void **state) {
  (void)state;
  for (uint64_t seed = base_seed; seed < base_seed + 40; seed++) {
    const crowd_recipe recipe = {.space = (throng_space)(seed % 2),
                                 .boundary = (uint32_t)(seed / 2 % CROWD_BOUNDARIES),
                                 .layout = (crowd_layout)(seed % LAYOUT_COUNT),
                                 .count = 200};
    const crowd_world_options options = {.threads = 1};
    throng_error error;
    throng_world *world = random_world(seed, &recipe, &options), *made = world_of_parts(world, &options);
    assert_true(throng_piece_hash_definition(world) == throng_piece_hash_definition(made));
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
      assert_true(throng_world_hash(world, STATE_COLUMNS) == throng_world_hash(made, STATE_COLUMNS));
      assert_int_equal(throng_world_step(world, 0.02f, NULL), throng_world_step(made, 0.02f, NULL));
    }
    require_sound(made, "made of parts");
    size_t size = 0;
    uint8_t byte;
    require_error(throng_piece_save_definition(NULL, &byte, 1, &size, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
    require_error(throng_piece_save_definition(world, &byte, 1, NULL, &error), THRONG_ERROR_NULL_ARGUMENT, &error);
    require_error(throng_piece_save_definition(world, &byte, 1, &size, &error), THRONG_ERROR_CAPACITY, &error);
    throng_world_destroy(made);
    throng_world_destroy(world);
  }
}

int main(void) {
  base_seed = test_seed("test_snapshot", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(goes_on_as_if_it_had_never_stopped),
      cmocka_unit_test(views_keep_their_order),
      cmocka_unit_test(loads_over_anything),
      cmocka_unit_test(going_back_allocates_nothing),
      cmocka_unit_test(ids_go_on),
      cmocka_unit_test(takes_little_room),
      cmocka_unit_test(begins_as_documented),
      cmocka_unit_test(columns_go_back_too),
      cmocka_unit_test(the_origin_goes_back_too),
      cmocka_unit_test(callbacks_are_set_before),
      cmocka_unit_test(steering_is_done_again),
      cmocka_unit_test(explanations_are_forgotten),
      cmocka_unit_test(parts_make_the_world),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
