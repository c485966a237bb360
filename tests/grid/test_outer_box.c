/* tests/grid/test_outer_box.c: the memory of the grid in periodic worlds that are pieces. The outer box of a piece
 * decides how many cells its grid wants. An allocator with guards finds stores past the end of an array, and arrays
 * that are released with another size.
 * SPDX-License-Identifier: MIT */
#include "support/check.h"
#include "support/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <throng/piece.h>
#include <throng/snapshot.h>

#define AGENTS 64u
#define RADIUS 2.0f
#define ALL                                                                                                            \
  (throng_vec3){-INFINITY, -INFINITY, -INFINITY}, (throng_vec3) { INFINITY, INFINITY, INFINITY }

static throng_status exchange(throng_world *world, const throng_piece_agents *agents, throng_error *error,
                              void *context) {
  (void)world, (void)agents, (void)error, (void)context;
  return THRONG_OK;
}

/* Makes a periodic world with agents in a corner of 8 m, indexed. */
static throng_world *make_world(float side, throng_space space, uint32_t threads, test_memory *memory) {
  throng_world_def def = throng_default_world_def();
  throng_agents_def agents = throng_default_agents_def();
  throng_vec3 position[AGENTS];
  throng_world *world = NULL;
  throng_error error;
  for (uint32_t k = 0; k < AGENTS; k++)
    position[k] = (throng_vec3){0.9f * (float)(k % 8), space ? 0.5f * (float)(k % 4) : 0.0f, 0.9f * (float)(k / 8)};
  agents.position.data = position;
  def.space = space;
  def.perception_radius = RADIUS;
  def.thread_count = threads;
  def.allocator = test_allocator(memory);
  throng_world_def_set_boundary(&def, THRONG_BOUNDARY_PERIODIC);
  def.box_max = (throng_vec3){side, side, side};
  require_ok(throng_world_create(&def, &world, &error), &error);
  require_ok(throng_agents_add(world, &agents, AGENTS, NULL, &error), &error);
  require_ok(throng_world_index(world, &error), &error);
  return world;
}

static void become_piece(throng_world *world) {
  throng_piece_def piece = throng_default_piece_def();
  throng_error error;
  piece.exchange = exchange;
  require_ok(throng_piece_set(world, &piece, &error), &error);
}

static void set_outer(throng_world *world, float side) {
  throng_error error;
  require_ok(throng_piece_set_outer_box(world, (throng_vec3){0, 0, 0}, (throng_vec3){side, side, side}, &error),
             &error);
}

static void close_world(throng_world *world, test_memory *memory) {
  throng_world_destroy(world);
  assert_int_equal(memory->mistakes, 0);
  assert_int_equal(memory->live, 0);
}

/* The outer box shrinks, and the piece grows before the next sort. This is repeated with other boxes. */
static void a_piece_grows_after_its_outer_box_shrank(void **state) {
  (void)state;
  throng_error error;
  for (int space = 0; space < 2; space++) {
    for (float side = 60.0f; side <= 400.0f; side += 17.0f) {
      test_memory memory = {0};
      throng_world *world = make_world(side, (throng_space)space, 1 + (uint32_t)side % 3, &memory);
      const uint64_t hash = throng_world_hash(world, STATE_COLUMNS);
      become_piece(world);
      const float boxes[] = {8.0f, 0.5f * side, 20.0f, 0.9f * side};
      for (uint32_t k = 0; k < 4; k++) {
        set_outer(world, boxes[k]);
        require_ok(throng_agents_reserve(world, AGENTS * (k + 1) + 1, &error), &error);
        require_ok(throng_world_index(world, &error), &error);
        require_sound(world, "after growing");
        assert_true(throng_world_hash(world, STATE_COLUMNS) == hash);
      }
      set_outer(world, 8.0f);
      require_ok(throng_agents_reserve(world, 100 * AGENTS, &error), &error);
      require_ok(throng_piece_set(world, NULL, &error), &error);
      require_ok(throng_world_step(world, 1.0f / 60.0f, &error), &error);
      require_sound(world, "after a frame as a whole world");
      close_world(world, &memory);
    }
  }
}

/* A snapshot has the torus of the world that saved it. */
struct saved {
  size_t size;
  void *bytes;
};
static struct saved save(const throng_world *world) {
  struct saved saved;
  throng_error error;
  require_ok(throng_world_save_snapshot(world, NULL, 0, &saved.size, &error), &error);
  saved.bytes = malloc(saved.size);
  if (!saved.bytes) abort();
  require_ok(throng_world_save_snapshot(world, saved.bytes, saved.size, &saved.size, &error), &error);
  return saved;
}

/* Loads the snapshot. Saved again, it has the same bytes, so that views have the same order. */
static void require_load(throng_world *world, const struct saved *saved) {
  throng_error error;
  require_ok(throng_world_load_snapshot(world, saved->bytes, saved->size, &error), &error);
  require_sound(world, "after a load");
  const struct saved again = save(world);
  assert_int_equal(again.size, saved->size);
  assert_memory_equal(again.bytes, saved->bytes, saved->size);
  free(again.bytes);
}

static void snapshots_travel_between_pieces_and_whole_worlds(void **state) {
  (void)state;
  static const float boxes[] = {8.0f, 30.0f, 60.0f, 130.0f, 200.0f};
  throng_error error;
  for (int space = 0; space < 2; space++) {
    for (float side = 60.0f; side <= 2000.0f; side *= 1.9f) {
      test_memory memory = {0};
      throng_world *whole = make_world(side, (throng_space)space, 1, &memory);
      throng_world *piece = make_world(side, (throng_space)space, 1, &memory);
      const struct saved of_whole = save(whole);
      become_piece(piece);
      for (uint32_t k = 0; k < sizeof boxes / sizeof boxes[0]; k++) {
        throng_world *fresh = make_world(side, (throng_space)space, 1, &memory);
        set_outer(piece, boxes[k]);
        require_ok(throng_agents_reserve(piece, 2 * AGENTS + k, &error), &error);
        require_ok(throng_world_index(piece, &error), &error);
        const struct saved of_piece = save(piece);
        require_load(fresh, &of_piece);
        require_ok(throng_world_step(fresh, 1.0f / 60.0f, &error), &error);
        require_load(piece, &of_whole);
        free(of_piece.bytes);
        throng_world_destroy(fresh);
      }
      throng_world_destroy(whole);
      free(of_whole.bytes);
      close_world(piece, &memory);
    }
  }
}

/* The grid of a piece that has grown while its box was small has few cells. */
static void a_snapshot_with_more_cells_is_loaded(void **state) {
  (void)state;
  throng_error error;
  test_memory memory = {0};
  throng_world *whole = make_world(60.0f, THRONG_SPACE_PLANAR, 1, &memory);
  const struct saved saved = save(whole);
  throng_world_def def = throng_world_get_def(whole);
  throng_world *world = NULL;
  def.capacity = 0;
  require_ok(throng_world_create(&def, &world, &error), &error);
  become_piece(world);
  set_outer(world, 8.0f);
  require_ok(throng_agents_reserve(world, AGENTS, &error), &error);
  set_outer(world, INFINITY);
  require_load(world, &saved);
  require_ok(throng_piece_set(world, NULL, &error), &error);
  require_load(world, &saved);
  free(saved.bytes);
  throng_world_destroy(whole);
  close_world(world, &memory);
}

static void a_load_outside_the_outer_box_changes_nothing(void **state) {
  (void)state;
  throng_error error;
  test_memory memory = {0};
  for (int space = 0; space < 2; space++) {
    throng_world *whole = make_world(300.0f, (throng_space)space, 1, &memory);
    throng_world *piece = make_world(300.0f, (throng_space)space, 1, &memory);
    throng_agent_id id = {AGENTS, 1, 0};
    const throng_vec3 far = {1.0f, 0.0f, 100.0f};
    require_ok(throng_agents_move(whole, &id, 1, &far, NULL, &error), &error);
    require_ok(throng_world_index(whole, &error), &error);
    const struct saved saved = save(whole);
    become_piece(piece);
    set_outer(piece, 50.0f);
    require_ok(throng_world_index(piece, &error), &error);
    const uint64_t hash = throng_world_hash(piece, STATE_COLUMNS);
    require_error(throng_world_load_snapshot(piece, saved.bytes, saved.size, &error), THRONG_ERROR_OUT_OF_RANGE,
                  &error);
    assert_non_null(strstr(error.text, "position[63].z is 100, outside the outer box"));
    assert_true(throng_world_hash(piece, STATE_COLUMNS) == hash && throng_world_is_indexed(piece));
    require_sound(piece, "after a load that failed");
    set_outer(piece, 120.0f);
    require_load(piece, &saved);
    free(saved.bytes);
    throng_world_destroy(whole);
    throng_world_destroy(piece);
  }
  assert_int_equal(memory.mistakes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_piece_grows_after_its_outer_box_shrank),
      cmocka_unit_test(snapshots_travel_between_pieces_and_whole_worlds),
      cmocka_unit_test(a_snapshot_with_more_cells_is_loaded),
      cmocka_unit_test(a_load_outside_the_outer_box_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
